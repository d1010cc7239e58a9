//% output("formal/ndp_lsu_link_turn_formal.vh")
${header{title = "what is proved of ndp_lsu_link_turn", text = [[
It is one source's turn.  A source that offers is taken in its turn alone, and no other
one twice before it, whoever offers.]]}}
`ifdef FORMAL_NDP_LSU_LINK_TURN
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [N-1:0] f_me;    // a source, any
    (* anyconst *) reg [N-1:0] f_other; // another

    reg [1:0] f_before; // how often the other was taken while this one waits

    always @* begin
        assume (f_me != 0 && (f_me & (f_me - 1'b1)) == 0);
        assume (f_other != 0 && (f_other & (f_other - 1'b1)) == 0 && f_other != f_me);
    end

    wire f_waits = (offers & f_me) != 0 && (taken & f_me) == 0;

    always @(posedge clk) begin
        if (rst || !f_waits)
            f_before <= 0;
        else if ((taken & f_other) != 0 && f_before != 3)
            f_before <= f_before + 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_one: assert (whose != 0 && (whose & (whose - 1'b1)) == 0);
        p_taken: assert (taken == (ready & offers) && (free || ready == 0));
        p_fair: assert (f_before < 2);
        p_moves: assert (!free || offers == 0 || (taken != 0) || (whose & offers) == 0);
        c_second: cover (f_before == 1 && (taken & f_me) != 0);
    end
`endif
