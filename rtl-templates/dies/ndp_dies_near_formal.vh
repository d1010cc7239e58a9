//% output("formal/ndp_dies_near_formal.vh")
//% local shown = L.DONE_PACK > 1 and "done_shown" or "done_valid"
//% local F_W = clog2(math.max(L.NEAR_QUEUE, L.MOVE_QUEUE) + 2) + 1
//% local B_W = clog2(math.max(L.ROW_BEATS, L.INSTR_BEATS) + 2) + 1
${header{title = "what is proved of ndp_dies_near", text = [[
Assumed (q_*): what is proved of the cut, that no more comes than there is room for,
one row at a time, in whole packets.

What the cut is promised for that: each return is of an instruction, a request or a
row that is here; a source shows its beat until it is taken.  With it go the rules of
queues, landing register and mover, which are asserted here.]]}}
`ifdef FORMAL_NDP_DIES_NEAR
    localparam F_PLACES = ${L.NEAR_QUEUE};
    localparam F_ASKS   = ${L.MOVE_QUEUE};
    localparam F_INSTR_BEATS = ${L.INSTR_BEATS};
    localparam F_KIND   = ${L.WARP_W + L.REG_W + 2}; // in a header
    localparam F_W      = ${F_W};
    localparam B_W      = ${B_W};

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What comes

    wire f_instr = come_valid && come_kind == WORK;
    wire f_row   = come_valid && come_kind == ROW;
    wire f_ask   = come_valid && come_kind == ASK;

    reg [F_W-1:0] f_held;      // instructions here
    reg [F_W-1:0] f_asks;      // row requests here
    reg           f_lies;      // a row is here, not yet written
    reg [B_W-1:0] f_instr_at;  // beats that have come of an instruction
    reg [B_W-1:0] f_row_at;    // of a row
    reg           f_pred;      // which is a predicate's

    wire [B_W-1:0] f_beats = f_pred ? ${L.PRED_BEATS + 1} : ${L.ROW_BEATS + 1};

    always @(posedge clk) begin
        if (rst) begin
            {f_held, f_asks, f_lies, f_instr_at, f_row_at} <= 0;
        end else begin
            f_held <= f_held + (f_instr && come_last) - back_instr;
            f_asks <= f_asks + f_ask - ask_taken;
            f_lies <= (f_lies && !back_row) || (f_row && come_last);
            if (f_instr)
                f_instr_at <= come_last ? 0 : f_instr_at + 1'b1;
            if (f_row)
                f_row_at <= come_last ? 0 : f_row_at + 1'b1;
            if (f_row && come_first)
                f_pred <= come_data[F_KIND +: 2] == 2'd2;
        end
    end

    always @* if (f_past && !rst) begin
        q_instr: assume (!f_instr || f_held < F_PLACES);
        q_instr_beats: assume (!f_instr || (come_first == (f_instr_at == 0) &&
                                            come_last == (f_instr_at == F_INSTR_BEATS - 1)));
        q_ask: assume (!f_ask || (f_asks < F_ASKS && come_first && come_last));
        // one told of is at the base die two edges later, and forgotten here
        q_row: assume (!f_row || !(f_lies || finished));
        q_row_beats: assume (!f_row || (come_first == (f_row_at == 0) &&
            come_last == (f_row_at != 0 && f_row_at == f_beats - 1)));
    end

    // ------------------------------------------------------------------
    // What goes

    reg f_up_waits, f_done_waits, f_lsu_waits;

    always @(posedge clk) begin
        f_up_waits   <= !rst && up_valid && !(up_ready && up_last);
        f_done_waits <= !rst && ${shown} && !(done_ready && done_last);
        f_lsu_waits  <= !rst && lsu_up_valid && !lsu_up_ready;
    end

    always @* if (f_past && !rst) begin
        q_lsu: assume (!f_lsu_waits || lsu_up_valid);
        p_back_instr: assert (!back_instr || f_held != 0);
        p_back_ask: assert (!ask_taken || f_asks != 0);
        p_back_row: assert (!back_row || f_lies);
        p_up: assert (!f_up_waits || up_valid);
        p_done: assert (!f_done_waits || ${shown});
        c_full: cover (f_held == F_PLACES);
        c_row: cover (back_row);
        c_up: cover (up_left);
        c_done: cover (done_left && done_ready);
    end
`endif
