//% output("formal/ndp_lsu_rmw_gate_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_gate", text = [[
Demands (q_): an own access begins with an ask that is taken and not otherwise; an end
is that of an access which the hybrid unit has, at most one of each warp; and of the two neighbours, that an ask
and an access stand until they are taken.

An own access and one of the hybrid unit are never under way together, each access that
is taken there is told once, and neither kind overtakes the other twice.]]}}
`ifdef FORMAL_NDP_LSU_RMW_GATE
`define NDP_LSU_RMW_GATE_CONTRACT assume
`else
`define NDP_LSU_RMW_GATE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed
    reg f_idle;        // as it was before that
    reg f_begun;       // it took an ask
    reg f_goes;        // it took an access to the hybrid unit
    reg f_ask;         // an ask waited
    reg f_access;      // an access did

    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_idle   <= rst || idle;
        f_begun  <= !rst && ask_valid && ask_ready;
        f_goes   <= !rst && goes;
        f_ask    <= !rst && ask_valid && !ask_ready;
        f_access <= !rst && access_valid && !access_ready;
    end

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_idle: `NDP_LSU_RMW_GATE_CONTRACT (idle ? !f_begun : f_begun || !f_idle);
        q_down: `NDP_LSU_RMW_GATE_CONTRACT (!ask_ready || !down);
        q_done: `NDP_LSU_RMW_GATE_CONTRACT (!done_valid || count != 0);
        q_room: `NDP_LSU_RMW_GATE_CONTRACT (!goes || count < ${L.WARPS});
    end

    always @* if (f_past && !rst) begin
        q_ask: assume (!f_ask || ask_valid);
        q_access: assume (!f_access || access_valid);
    end

    always @* if (f_past && !rst) begin
        p_apart: assert (idle || !(count != 0 || hybrid_valid || access_ready || ask_ready));
        p_taken: assert (!ask_ready || !(count != 0 || hybrid_valid || access_ready));
        p_told: assert (access_ready == f_goes);
        p_there: assert (!(hybrid_valid || access_ready) || access_valid);
        p_asked: assert (!ask_ready || ask_valid);
    end

`ifdef FORMAL_NDP_LSU_RMW_GATE
    reg [1:0] f_asks;     // that were chosen since an access waits
    reg [1:0] f_accesses; // that were chosen since an ask waits

    always @(posedge clk) begin
        if (rst || hybrid_valid || !access_valid)
            f_asks <= 2'd0;
        else if (takes)
            f_asks <= f_asks + 2'd1;
        if (rst || ask_ready || !ask_valid)
            f_accesses <= 2'd0;
        else if (opens)
            f_accesses <= f_accesses + 2'd1;
    end

    always @* if (f_past && !rst) begin
        p_asks: assert (f_asks < 2);
        p_accesses: assert (f_accesses < 2);
        c_ask: cover (ask_ready && f_accesses == 1);
        c_access: cover (hybrid_valid && hybrid_ready && ask_valid);
        c_two: cover (count == 2);
    end
`endif
