//% output("formal/ndp_simt_moves_formal.vh")
${header{title = "what is proved of ndp_simt_moves", text = [[
Only a marked word is offered, of a warp that is neither alone nor a guest.  A guest is
one from when it is spawned until its end is taken; it is over only while it stands and
owes nothing.  Two instructions are selected at least as many edges apart as the pace
says, and what is looked at is held until it is selected.  Any warp, followed.  That a
warp is spawned once, and nothing selected against the pace, is the contract of the
neighbours (q_).]]}}
`ifdef FORMAL_NDP_SIMT_MOVES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [WARP_W-1:0] f_w;
    (* anyconst *) reg [7:0]        f_pace;

    // the twins
    reg       f_known; // alone of the warp has a value
    reg       f_alone; // and this one
    reg       f_guest; // the warp is a guest
    reg       f_fits;  // it stood and owed nothing, on the edge before
    reg       f_shown; // its end was shown then
    reg       f_kept;  // and was not taken
    reg       f_taken; // an instruction was selected
    reg [7:0] f_since; // so many edges ago
    reg       f_held;  // a look was held and not selected
    reg [WARP_W+6:0] f_look;

    always @(posedge clk) begin
        if (rst)
            f_known <= 1'b0;
        else if (go && go_warp == f_w) begin
            f_known <= 1'b1;
            f_alone <= go_alone;
        end else if ((init_done && init_warp == f_w) ||
                     (spawn_valid && spawn_warp == f_w)) begin
            f_known <= 1'b1;
            f_alone <= 1'b0;
        end else if (accepted && f_warp == f_w && f_mark && (f_alone || f_guest))
            f_alone <= 1'b0;
    end

    always @(posedge clk) begin
        if (rst)
            f_guest <= 1'b0;
        else if (spawn_valid && spawn_warp == f_w)
            f_guest <= 1'b1;
        else if (over_valid && over_ready && over_warp == f_w)
            f_guest <= 1'b0;
        f_fits  <= !rst && f_guest && chained[f_w] && !busy[f_w] && !pend[f_w];
        f_shown <= !rst && over_valid && over_warp == f_w;
        f_kept  <= !rst && over_valid && over_warp == f_w && !over_ready;
    end

    always @(posedge clk) begin
        if (rst)
            f_taken <= 1'b0;
        else if (take_warp)
            f_taken <= 1'b1;
        if (take_warp)
            f_since <= 8'd1;
        else if (f_since != 8'hff)
            f_since <= f_since + 8'd1;
        f_held <= !rst && held && !held_taken;
        f_look <= {held_warp, held_pred, held_reg};
    end

    always @* if (f_past && !rst) begin
        q_warp: assume (f_w < WARPS && f_warp < WARPS && go_warp < WARPS &&
                        init_warp < WARPS && spawn_warp < WARPS);
        q_pace: assume (pace == f_pace);
        q_paced: assume (!take_warp || !paced);
        q_spawn: assume (!spawn_valid || !guests[spawn_warp]);
        q_over: assume (!(go && accepted && f_warp == go_warp));
    end

    always @* if (f_past && !rst) begin
        p_alone: assert (!f_known || alone[f_w] == f_alone);
        p_offer: assert (!(offer && f_warp == f_w && f_known) ||
                         (f_mark && !f_alone && !f_guest));
        p_asks: assert (!(f_warp == f_w && f_known && f_mark && !f_alone && !f_guest) || offer);
        p_guest: assert (guests[f_w] == f_guest);
        p_over: assert (!(over_valid && over_warp == f_w && !f_shown) || f_fits);
        p_stays: assert (!f_kept || (over_valid && over_warp == f_w));
        p_visits: assert (!(over_valid && over_warp == f_w) || f_guest);
        p_pace: assert (!f_taken || paced || f_since >= f_pace);
        p_held: assert (!f_held || (held && f_look == {held_warp, held_pred, held_reg}));
        p_settles: assert (!(unsettled || unready) || offer);
        c_alone: cover (f_known && f_alone && accepted && f_mark && f_warp == f_w);
        c_over: cover (f_kept && f_guest);
        c_paced: cover (paced && f_since == 8'd2);
    end
`endif
