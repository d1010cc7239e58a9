//% output("formal/ndp_far_pipe_subcore_formal.vh")
${header{title = "what is proved of ndp_far_pipe_subcore", text = [[
With what the surroundings promise (q_*): rows and requests stand until they are
taken, no instruction names a register of which a row is at write or init, one
request at a time.  That the unit is given no row while its lanes write or while it is
left to read, that a warp has one access under way, and that ends are told when there are
some, are the demands of the parts.]]}}
${fragment("ndp_far_pipe_subcore_formal.inc", {macro = "NDP_FAR_PIPE_SUBCORE"})}

`ifdef FORMAL_NDP_FAR_PIPE_SUBCORE
    // ------------------------------------------------------------------
    // What the block counts on

    reg       f_held;      // a completion was not taken,
    reg [WARP_W+TAG_W+TICKET_W-1:0] f_done; // this one
    reg [2:0] f_faults;    // that came since one was
    reg [3:0] f_since;     // edges since a resolve
    reg       f_shows;     // an access was not taken,
    reg [WARP_W+REG_W+31*LANES:0] f_access; // this one
    reg       f_asks;      // ... at ask

    wire [WARP_W+REG_W+LANES+3*ROW_W+7:0] f_at_ask =
        {ask_op, ask_size, ask_signed, ask_warp, ask_reg, ask_result, ask_mask, ask_address, ask_data, ask_compare};
    reg  [WARP_W+REG_W+LANES+3*ROW_W+7:0] f_ask; // this one

    wire [WARP_W+REG_W+31*LANES:0] f_at_access =
        {access_store, access_warp, access_reg, access_mask, access_address};

    always @(posedge clk) begin
        f_held   <= !rst && done_valid && !done_ready;
        f_done   <= {done_warp, done_tag, done_ticket};
        f_shows  <= !rst && access_valid && !access_ready;
        f_access <= f_at_access;
        f_asks   <= !rst && ask_valid && !ask_ready;
        f_ask    <= f_at_ask;
        if (rst || (done_valid && done_ready))
            f_faults <= 3'd0;
        else
            f_faults <= f_faults + fault_valid;
        if (rst)
            f_since <= 4'd15;
        else
            f_since <= resolve_valid ? 4'd1 : f_since + (f_since != 4'd15);
    end

    always @* if (f_past && !rst) begin
        p_done: assert (!f_held || {done_valid, done_warp, done_tag, done_ticket} == {1'b1, f_done});
        p_faults: assert (f_faults + fault_valid <= 3);
        p_resolves: assert (!resolve_valid || f_since >= ${L.PASSES + 4});
        p_access: assert (f_shows ? access_valid && f_at_access == f_access : access_valid || f_at_access == 0);
        p_ask: assert (f_asks ? ask_valid && f_at_ask == f_ask : ask_valid || f_at_ask == 0);
        p_row_zero: assert (data_valid || data_row == 0);
        c_faults: cover (f_faults == 3);
        c_resolves: cover (resolve_valid && f_since == ${L.PASSES + 4});
    end
`endif
