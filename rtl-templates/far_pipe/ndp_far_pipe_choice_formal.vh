//% output("formal/ndp_far_pipe_choice_formal.vh")
//% local N, W = L.SUBCORES, clog2(L.SUBCORES)
${header{title = "what is proved of ndp_far_pipe_choice", text = [[
The choice against a twin written from the note: on an edge on which the port shows
nothing or is taken, the first after the chosen one that shows something, and itself
last.  Any subcore (f_s) that goes on showing is chosen before any other is twice.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_CHOICE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [${W - 1}:0] f_s;

    reg [${W - 1}:0] f_is;     // the chosen one
    reg [${W - 1}:0] f_next;   // who comes after it
    reg [${W}:0] f_passed; // choices while f_s shows something and is not chosen
    integer f_i;

    always @* begin
        f_next = f_is;
        for (f_i = ${N - 1}; f_i > 0; f_i = f_i - 1)
            if (shows[(f_is + f_i) % ${N}])
                f_next = f_is + f_i;
    end

    always @(posedge clk) begin
        if (rst)
            f_is <= 0;
        else if (ready || !shows[f_is])
            f_is <= f_next;
        if (rst || !shows[f_s] || index == f_s)
            f_passed <= 0;
        else
            f_passed <= f_passed + moves;
    end

    wire [${W - 1}:0] f_far = f_s - index; // choices until then

    always @* if (f_past && !rst) begin
        p_index: assert (index == f_is);
        p_chosen: assert (chosen == 1 << f_is);
        p_nearer: assert (f_passed == 0 || index == f_s || f_passed + f_far <= ${N});
        p_passed: assert (f_passed < ${N});
        c_on: cover (moves && ready && f_is > f_next);
        c_stays: cover (ready && shows[f_is] && !moves);
    end
`endif
