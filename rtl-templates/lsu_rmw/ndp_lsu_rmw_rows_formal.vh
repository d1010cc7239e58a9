//% output("formal/ndp_lsu_rmw_rows_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_rows", text = [[
Demand (q_): an own row stands until it is taken.  A row of the front end is shown as it
came until it is taken there, which is told on the next edge and on no other; any
other row that is shown is the own one, and that is told to be taken exactly then;
neither overtakes the other twice.]]}}
`ifdef FORMAL_NDP_LSU_RMW_ROWS
`define NDP_LSU_RMW_ROWS_CONTRACT assume
`else
`define NDP_LSU_RMW_ROWS_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed
    reg f_wanted;      // an own row stood and was not taken
    reg f_held;        // a row of the front end is on its way
    reg f_went;        // one was taken on the edge before
    reg [WARP_W+REG_W+LANES+ROW_W-1:0] f_own, f_row;

    wire [WARP_W+REG_W+LANES+ROW_W-1:0] f_shown = {row_warp, row_reg, row_mask, row_row};
    wire [WARP_W+REG_W+LANES+ROW_W-1:0] f_wants = {own_warp, own_reg, own_mask, own_row};

    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_wanted <= !rst && own_wants && !own_taken;
        f_own    <= f_wants;
        f_held   <= !rst && (takes || (f_held && !row_ready));
        f_went   <= !rst && f_held && row_ready;
        if (takes)
            f_row <= {init_warp, init_reg, init_mask, init_row};
    end

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_own: `NDP_LSU_RMW_ROWS_CONTRACT (!f_wanted || (own_wants && f_wants == f_own));

    always @* if (f_past && !rst) begin
        p_held: assert (held == f_held);
        p_told: assert (init_ready == f_went);
        p_one: assert (!(held && shown));
        p_room: assert (!(takes || shows) || !row_valid);
        p_init: assert (!f_held || (row_valid && f_shown == f_row));
        p_own: assert (!row_valid || f_held || (own_wants && f_shown == f_wants));
        p_taken: assert (own_taken == (row_valid && !f_held && row_ready));
    end

`ifdef FORMAL_NDP_LSU_RMW_ROWS
    reg       f_init;  // a row of the front end waited
    reg [1:0] f_inits; // that came first since an own one waits
    reg [1:0] f_owns;  // that came first since one of the front end waits

    always @(posedge clk) begin
        f_init <= !rst && init_valid && !init_ready;
        if (rst || shows || !own_wants)
            f_inits <= 2'd0;
        else if (takes)
            f_inits <= f_inits + 2'd1;
        if (rst || takes || !init_valid)
            f_owns <= 2'd0;
        else if (shows)
            f_owns <= f_owns + 2'd1;
    end

    always @* if (f_past && !rst) begin
        q_init: assume (!f_init || init_valid);
        p_inits: assert (f_inits < 2);
        p_owns: assert (f_owns < 2);
        c_init: cover (f_held && f_inits == 1);
        c_own: cover (own_taken && f_owns == 1);
    end
`endif
