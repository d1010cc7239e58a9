//% output("formal/ndp_cut_formal.vh")
//% local COUNT_W = clog2(math.max(L.INSTRS, L.ASKS) + 2) + 1
${header{title = "what is proved of ndp_cut", text = [[
Assumed (q_*): sources keep what they show; each return is of an instruction, a
request or a row that is on the DRAM die, each taken_row of a row that came up.

What a source gives on an edge stands on the wires after it and at the other die
after the next, and nothing else does: beats are neither lost nor doubled, altered
or reordered.  One die drives, and at least a cycle without a beat lies between those of
different dies.  Places that are used, credits that are under way and credits at home
make up all places.  Rows land one at a time, and their moves are told once.]]}}
`ifdef FORMAL_NDP_CUT
    localparam F_TSV  = ${L.TSV_W};
    localparam F_WARP = ${L.WARP_W};
    localparam F_REG  = ${L.REG_W};
    localparam F_W    = ${COUNT_W};
    localparam F_INSTRS = ${L.INSTRS};
    localparam F_ASKS   = ${L.ASKS};

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Sources; 0 to 3 down, 4 to 6 up

    wire [6:0] f_valid = {lsu_up_valid, done_valid, up_valid,
                          lsu_down_valid, ask_valid, row_valid, instr_valid};
    wire [6:0] f_ready = {lsu_up_ready, done_ready, up_ready,
                          lsu_down_ready, ask_ready, row_ready, instr_ready};
    wire [6:0] f_lasts = {lsu_up_last, done_last, up_last,
                          lsu_down_last, 1'b1, row_last, instr_last};
    wire [6:0] f_takes = f_valid & f_ready;

    reg [6:0] f_waits;      // shown, not taken, on the edge before
    reg [6:0] f_ready_was;
    reg [6:0] f_open;       // a packet is under way

    always @(posedge clk) begin
        f_waits     <= rst ? 7'd0 : f_valid & ~f_ready;
        f_ready_was <= rst ? 7'd0 : f_ready;
        f_open      <= rst ? 7'd0 : (f_open | f_takes) & ~(f_takes & f_lasts);
    end

    always @* if (f_past && !rst) begin
        q_kept: assume ((f_waits & ~f_valid) == 0);
        p_one: assert ((f_ready & (f_ready - 1'b1)) == 0);
        // a run of the other die begins with a beat
        p_meets: assert ((f_ready[6:4] & ~f_ready_was[6:4] & ~f_valid[6:4]) == 0);
    end

    // ------------------------------------------------------------------
    // Beats

    wire [SHARED_W-1:0] f_down =
        f_takes[0] ? {instr_data, 2'd0, instr_last, !f_open[0], 1'b1} :
        f_takes[1] ? {row_data, 2'd1, row_last, !f_open[1], 1'b1} :
        f_takes[2] ? {ask_data, 2'd2, 1'b1, 1'b1, 1'b1} :
        f_takes[3] ? {lsu_down_data, 2'd3, lsu_down_last, !f_open[3], 1'b1} : 0;
    wire [SHARED_W-1:0] f_up =
        f_takes[4] ? {up_data, 2'd1, up_last, !f_open[4], 1'b1} :
        f_takes[5] ? {done_data, 2'd0, done_last, !f_open[5], 1'b1} :
        f_takes[6] ? {lsu_up_data, 2'd3, lsu_up_last, !f_open[6], 1'b1} : 0;

    reg [SHARED_W-1:0] f_down1, f_down2, f_up1, f_up2; // so many edges ago
    reg                f_up_was;                       // the last beat was one up

    always @(posedge clk) begin
        if (rst) begin
            {f_down1, f_down2, f_up1, f_up2} <= 0;
            f_up_was <= 1'b0;
        end else begin
            f_down1 <= f_down;
            f_down2 <= f_down1;
            f_up1   <= f_up;
            f_up2   <= f_up1;
            if (f_down1[0] || f_up1[0])
                f_up_was <= f_up1[0];
        end
    end

    always @* if (f_past && !rst) begin
        p_near: assert ({near_data, near_kind, near_last, near_first, near_valid} == f_down2);
        p_far: assert ({far_data, far_kind, far_last, far_first, far_valid} == f_up2);
        p_wires: assert (shared == (f_down1 | f_up1));
        p_driver: assert (!(base_drives && dram_drives));
        p_turn_up: assert (!f_up1[0] || !(f_down1[0] || f_down2[0]));
        p_turn_down: assert (!f_down1[0] || !(f_up1[0] || f_up2[0]));
        p_tsv: assert (tsv_valid == (f_down1[0] || f_up1[0]) && tsv_up == f_up1[0]);
    end

    // ------------------------------------------------------------------
    // Places: what is under way, what is held, what is on its way back

    reg [2:0] f_back1, f_back2; // returns so many edges ago

    always @(posedge clk) begin
        f_back1 <= rst ? 3'd0 : {back_row, back_ask, back_instr};
        f_back2 <= rst ? 3'd0 : f_back1;
    end

    wire f_instr_comes = near_valid && near_last && near_kind == 0;
    wire f_row_comes   = near_valid && near_last && near_kind == 1;
    wire f_ask_comes   = near_valid && near_kind == 2;
    wire f_instr_leaves = f_takes[0] && !f_open[0];

    reg [F_W-1:0] f_credits, f_held;
    reg [F_W-1:0] f_ask_credits, f_asks;

    always @(posedge clk) begin
        if (rst) begin
            f_credits     <= F_INSTRS;
            f_held        <= 0;
            f_ask_credits <= F_ASKS;
            f_asks        <= 0;
        end else begin
            f_credits     <= f_credits - f_instr_leaves + f_back2[0];
            f_held        <= f_held + f_instr_comes - back_instr;
            f_ask_credits <= f_ask_credits - f_takes[2] + f_back2[1];
            f_asks        <= f_asks + f_ask_comes - back_ask;
        end
    end

    wire [F_W-1:0] f_flies = f_open[0] + (f_down1[4:2] == 3'b001 && f_down1[0]) +
                             f_instr_comes;
    wire [F_W-1:0] f_asks_fly = (f_down1[4:3] == 2'd2) + f_ask_comes;

    always @* if (f_past && !rst) begin
        q_back_instr: assume (!back_instr || f_held != 0);
        q_back_ask: assume (!back_ask || f_asks != 0);
        p_instr: assert (!f_instr_leaves || f_credits != 0);
        p_ask: assert (!f_takes[2] || f_ask_credits != 0);
        p_held: assert (f_held <= F_INSTRS && f_asks <= F_ASKS);
        p_instrs: assert (f_credits + f_flies + f_held + f_back1[0] + f_back2[0] == F_INSTRS);
        p_asks: assert (f_ask_credits + f_asks_fly + f_asks + f_back1[1] + f_back2[1] == F_ASKS);
    end

    // ------------------------------------------------------------------
    // Instructions come back in order: any one of them

    (* anyseq *) reg f_pick;

    reg              f_have;
    reg [F_WARP-1:0] f_token;
    reg [F_W-1:0]    f_ahead; // that are delivered before it
    reg [F_W-1:0]    f_sent;  // not yet delivered

    wire f_sends = f_takes[0] && instr_last;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
            f_sent <= 0;
        end else begin
            f_sent <= f_sent + f_sends - delivered_valid;
            if (f_have) begin
                f_ahead <= f_ahead - delivered_valid;
                f_have  <= !(delivered_valid && f_ahead == 0);
            end else if (f_sends && f_pick) begin
                f_have  <= 1'b1;
                f_token <= instr_data[F_WARP-1:0];
                f_ahead <= f_sent - delivered_valid;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_delivered: assert (delivered_valid == f_back2[0]);
        p_sent: assert (!delivered_valid || f_sent != 0);
        p_order: assert (!(f_have && delivered_valid && f_ahead == 0) || delivered_warp == f_token);
    end

    // ------------------------------------------------------------------
    // Rows: one down, one up

    reg              f_row;   // down, or on its way
    reg              f_moved; // its move waits for the track table
    reg              f_lies;  // landed, not yet written
    reg              f_comes; // came up, not yet written
    reg [F_TSV-1:0]  f_header;

    wire f_final = f_header[F_WARP+F_REG+1];

    always @(posedge clk) begin
        if (rst) begin
            {f_row, f_moved, f_lies, f_comes} <= 0;
        end else begin
            f_lies  <= (f_lies && !back_row) || f_row_comes;
            f_comes <= (f_comes && !taken_row) ||
                       (far_valid && far_last && far_kind == 1);
            f_moved <= (f_moved && !moved_ready) || (f_back2[2] && f_final);
            f_row   <= (f_row && !(f_moved && moved_ready) && !(f_back2[2] && !f_final)) ||
                       f_takes[1];
            if (f_takes[1] && !f_open[1])
                f_header <= row_data;
        end
    end

    always @* if (f_past && !rst) begin
        q_back_row: assume (!back_row || f_lies);
        q_taken_row: assume (!taken_row || f_comes);
        p_row: assert (!(f_takes[1] && !f_open[1]) || !f_row);
        p_lands: assert (!(near_valid && near_kind == 1) || !f_lies);
        p_lands_up: assert (!(far_valid && far_kind == 1) || !f_comes);
        p_moved: assert (moved_valid == f_moved);
        p_header: assert (!moved_valid ||
            (moved_warp == f_header[F_WARP-1:0] &&
             moved_reg == {f_header[F_WARP+1 +: F_REG-1],
                           f_header[F_WARP] && f_header[F_WARP+F_REG+2 +: 2] != 1} &&
             moved_epoch == f_header[F_WARP+F_REG]));
    end

    always @* if (f_past && !rst) begin
        c_full: cover (f_held == F_INSTRS);
        c_asks: cover (f_asks == F_ASKS);
        c_order: cover (f_have && delivered_valid && f_ahead == 0);
        c_moved: cover (moved_valid && moved_ready);
        c_up: cover (far_valid && far_last && far_kind == 1 && !far_first);
        c_turn: cover (f_down1[0] && f_up_was);
    end
`endif
