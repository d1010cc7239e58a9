//% output("formal/ndp_router_switch_formal.vh")
${header{title = "what is proved of ndp_router_switch", text = [[
Assumed of the buffers: the oldest flit of a channel stays until it is taken, and
the flits of a packet leave on one side; of the sides: no more credits come back
than were spent.

Of two sides and virtual channels, the others being made by the same loops: it has
one owner at most, and flits of a packet leave in
it without others in between; what leaves had a credit; an input gives one flit
and a side takes one; a flit that has channel and credit waits for a bounded time,
with two virtual channels for 15 edges at most.]]}}
`ifdef FORMAL_NDP_ROUTER_SWITCH
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_ALL = 5 * VCS;

    // ------------------------------------------------------------------
    // Contract of the buffers

    reg [25*VCS-1:0] f_goes; // on the edge before
    reg [F_ALL-1:0]  f_last;
    reg [F_ALL-1:0]  f_took;
    reg [25*VCS-1:0] f_side; // input, channel: where its packet leaves
    integer          f_n;

    always @(posedge clk) begin
        f_goes <= rst ? {25*VCS{1'b0}} : goes;
        f_last <= last;
        f_took <= rst ? {F_ALL{1'b0}} : take;
        for (f_n = 0; f_n < F_ALL; f_n = f_n + 1)
            if (!owns[f_n])
                f_side[f_n*5 +: 5] <= goes[f_n*5 +: 5];
    end

    always @* if (f_past && !rst)
        for (f_n = 0; f_n < F_ALL; f_n = f_n + 1) begin
            assume ((goes[f_n*5 +: 5] & (goes[f_n*5 +: 5] - 5'd1)) == 0);
            if (f_goes[f_n*5 +: 5] != 0 && !f_took[f_n]) begin
                assume (goes[f_n*5 +: 5] == f_goes[f_n*5 +: 5]);
                assume (last[f_n] == f_last[f_n]);
            end
            if (owns[f_n] && goes[f_n*5 +: 5] != 0)
                assume (goes[f_n*5 +: 5] == f_side[f_n*5 +: 5]);
        end

    // ------------------------------------------------------------------
    // One side, input and virtual channel; they are all instances of the same

`ifdef F_OTHERS
    localparam f_o = 4;
    localparam f_i = 0;
    localparam f_v = VCS - 1;
`else
    localparam f_o = 1;
    localparam f_i = 2;
    localparam f_v = 0;
`endif

    reg [4:0] f_owners; // inputs that have channel f_v of side f_o
    reg [4:0] f_leave;  // those whose flit leaves in it
    reg [4:0] f_ends;   // as the last of its packet

    always @* begin
        for (f_n = 0; f_n < 5; f_n = f_n + 1) begin
            f_owners[f_n] = owns[f_n*VCS+f_v] && f_side[(f_n*VCS+f_v)*5+f_o];
            f_leave[f_n]  = take[f_n*VCS+f_v] && goes[(f_n*VCS+f_v)*5+f_o];
            f_ends[f_n]   = f_leave[f_n] && last[f_n*VCS+f_v];
        end
    end

    // ------------------------------------------------------------------
    // Credits of that channel

    localparam F_W = $clog2(DEPTH + 2);

    reg  [F_W-1:0] f_held;
    wire           f_back = credit_valid[f_o] &&
                            credit_vc[f_o*VC_W +: VC_W] == f_v;

    always @(posedge clk) begin
        if (rst)
            f_held <= 0;
        else
            f_held <= f_held + (f_leave != 0) - f_back;
    end

    always @* if (f_past && !rst)
        q_credit: assume (!f_back || f_held != 0);

    // ------------------------------------------------------------------
    // Packets in that channel

    reg       f_open; // a packet is under way
    reg [4:0] f_its;  // the input that it comes from

    always @(posedge clk) begin
        if (rst) begin
            f_open <= 1'b0;
        end else if (f_leave != 0) begin
            f_open <= f_ends == 0;
            f_its  <= f_leave;
        end
    end

    // ------------------------------------------------------------------
    // Wait of a flit that could leave

    localparam F_LONGEST = 5 * VCS * (VCS + 1) / 2;

    reg  [7:0] f_wait;
    wire       f_can = owns[f_i*VCS+f_v] &&
                       (goes[(f_i*VCS+f_v)*5 +: 5] &
                        credits[(f_i*VCS+f_v)*5 +: 5]) != 0;

    always @(posedge clk) begin
        if (rst || !f_can || take[f_i*VCS+f_v])
            f_wait <= 8'd0;
        else
            f_wait <= f_wait + 1'b1;
    end

    wire [VCS-1:0] f_take = take[f_i*VCS +: VCS];
    wire [4:0]     f_from = from[f_o*5 +: 5];

    always @* if (f_past && !rst) begin
        p_one_owner: assert ((f_owners & (f_owners - 5'd1)) == 0);
        p_busy: assert (busy[f_o*VCS+f_v] == (f_owners != 0));
        p_owner: assert ((f_leave & ~f_owners) == 0);
        p_together: assert (!f_open || f_owners == f_its);
        p_credit: assert (f_leave == 0 || f_held < DEPTH);
        p_one_flit: assert ((f_take & (f_take - 1'b1)) == 0);
        p_one_input: assert ((f_from & (f_from - 5'd1)) == 0);
        p_waits: assert (!take[f_i*VCS+f_v] ||
                         goes[(f_i*VCS+f_v)*5 +: 5] != 0);
        p_bounded_wait: assert (f_wait < F_LONGEST);
        c_contest: cover (f_owners != 0 && f_wait == 4);
        c_packet: cover (f_open && f_ends != 0);
        c_spent: cover (f_held == DEPTH);
    end
`endif
