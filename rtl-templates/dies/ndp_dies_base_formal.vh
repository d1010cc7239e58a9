//% output("formal/ndp_dies_base_formal.vh")
//% local B_W = clog2(L.ROW_BEATS + 2) + 1
${header{title = "what is proved of ndp_dies_base", text = [[
Assumed (q_*): what is proved of the cut and kept by the register file, that rows come
up in whole packets, one at a time.

What the cut is promised for that: a source shows its beats until they are taken; a
row that came up is told once, when its place is free again.]]}}
`ifdef FORMAL_NDP_DIES_BASE
    localparam F_KIND = ${L.WARP_W + L.REG_W + 2}; // in a header
    localparam B_W    = ${B_W};

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Rows that come up

    reg           f_lies; // one is here, or its move waits for its update
    reg [B_W-1:0] f_at;   // beats of it that have come
    reg           f_pred; // it is a predicate's

    wire [B_W-1:0] f_beats = f_pred ? ${L.PRED_BEATS + 1} : ${L.ROW_BEATS + 1};

    always @(posedge clk) begin
        if (rst) begin
            f_lies <= 1'b0;
            f_at   <= 0;
        end else begin
            f_lies <= (f_lies && !taken_row) || (far_row && far_last);
            if (far_row)
                f_at <= far_last ? 0 : f_at + 1'b1;
            if (far_row && far_first)
                f_pred <= far_data[F_KIND +: 2] == 2'd2;
        end
    end

    always @* if (f_past && !rst) begin
        q_row: assume (!far_row || !f_lies);
        q_row_beats: assume (!far_row || (far_first == (f_at == 0) &&
                             far_last == (f_at != 0 && f_at == f_beats - 1)));
    end

    // ------------------------------------------------------------------
    // What goes down

    reg f_instr_waits, f_row_waits, f_ask_waits;

    always @(posedge clk) begin
        f_instr_waits <= !rst && send_valid && !(instr_ready && instr_last);
        f_row_waits   <= !rst && row_valid && !(row_ready && row_last);
        f_ask_waits   <= !rst && ask_valid && !ask_ready;
    end

    always @* if (f_past && !rst) begin
        p_instr: assert (!f_instr_waits || send_valid);
        p_row: assert (!f_row_waits || row_valid);
        p_ask: assert (!f_ask_waits || ask_valid);
        p_one_move: assert (!(row_valid && ask_valid));
        p_taken_row: assert (!taken_row || f_lies);
        p_lies: assert (f_lies == (far_write_valid || up_finished));
        c_instr: cover (send_left);
        c_row: cover (row_left);
        c_ask: cover (ask_valid && ask_ready);
        c_taken: cover (taken_row);
    end
`endif
