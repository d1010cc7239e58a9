//% output("formal/ndp_offload_receiver_formal.vh")
${header{title = "what is proved of ndp_offload_receiver", text = [[
Of every acknowledgement: each live-out register is written once, in ascending
order, with any bit as it came; each line is invalidated unaltered, as many as
the header says; and the warp is released once, after the last of them has been
accepted.  A stray one writes, invalidates and releases nothing.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_OFFLOAD_RECEIVER
    // ------------------------------------------------------------------
    // Twin: what is to come, from the ports

    reg               f_busy;  // an acknowledgement is under way
    reg               f_known; // its metadata have been seen
    reg               f_stray;
    reg [WARP_W-1:0]  f_warp;
    reg [LINES_W-1:0] f_lines; // lines that have not been invalidated
    reg [LINES_W-1:0] f_flits; // lines that have not come
    reg [REGS-1:0]    f_regs;  // registers that have not been written

    wire f_take    = ack_valid && ack_ready;
    wire f_write   = reg_write_valid && reg_write_ready;
    wire f_inval   = inval_valid && inval_ready;
    wire f_release = release_valid && release_ready;

    always @(posedge clk) begin
        if (rst) begin
            f_busy  <= 1'b0;
            f_known <= 1'b0;
        end else if (!f_busy) begin
            if (f_take) begin
                f_busy  <= 1'b1;
                f_warp  <= ack_data[0 +: WARP_W];
                f_lines <= ack_data[WARP_W+INDEX_W+LANES +: LINES_W];
                f_flits <= ack_data[WARP_W+INDEX_W+LANES +: LINES_W];
            end
            f_known <= 1'b0;
        end else begin
            if (state == OPEN) begin
                f_known <= 1'b1;
                f_stray <= !found;
                f_regs  <= packet_out;
            end
            if (f_write)
                f_regs[reg_write_reg] <= 1'b0;
            if (state == LINE && ack_valid)
                f_flits <= f_flits - 1'b1;
            if (f_inval)
                f_lines <= f_lines - 1'b1;
            if (f_release || stray_end)
                f_busy <= 1'b0;
        end
    end

    // ------------------------------------------------------------------
    // Any bit of a row, any register, any bit of a line

    (* anyconst *) reg [${clog2(L.ROW_W) - 1}:0] f_bit;
    (* anyconst *) reg [REG_W-1:0] f_reg;
    (* anyconst *) reg [${clog2(L.LINE_W) - 1}:0] f_place;

    always @* assume (f_place < LINE_W);

    reg        f_value; // the bit of the row
    reg        f_line;  // the bit of the line
    reg [31:0] f_beat;  // flits of the row that have come

    always @(posedge clk) begin
        if (state == NEXT)
            f_beat <= 0;
        else if (flit)
            f_beat <= f_beat + 1;
        if (flit && f_beat == f_bit / ${L.FLIT_W})
            f_value <= ack_data[f_bit % ${L.FLIT_W}];
        if (state == LINE && ack_valid)
            f_line <= ack_data[f_place];
    end

    always @* if (f_past && !rst) begin
        p_idle: assert (f_busy == (state != IDLE));
        p_release_last: assert (!release_valid || (f_known && f_lines == 0 &&
                                                   f_regs == 0 && !f_stray));
        p_release_warp: assert (!release_valid || release_warp == f_warp);
        p_end: assert (!stray_end || (f_stray && f_flits == 0));
        p_stray: assert (!(reg_write_valid || inval_valid || release_valid) ||
                         !f_stray);
        p_wanted: assert (!reg_write_valid || f_regs[reg_write_reg]);
        p_ascending: assert (!(reg_write_valid && reg_write_reg > f_reg) ||
                             !f_regs[f_reg]);
        p_row: assert (!reg_write_valid || reg_write_row[f_bit] == f_value);
        p_line: assert (!inval_valid || inval_line[f_place] == f_line);
        p_line_due: assert (!inval_valid || f_lines != 0);
        p_zero: assert ((reg_write_valid || {reg_write_warp, reg_write_reg,
                                             reg_write_mask} == 0) &&
                        (inval_valid || inval_line == 0) &&
                        (release_valid || {release_warp, release_pc} == 0));
    end

    always @* if (f_past && !rst) begin
        c_row: cover (f_write && f_value && f_bit >= ${L.FLIT_W});
        c_line: cover (f_inval && f_line && f_lines == 1);
        c_release: cover (f_release && f_past);
        c_stray: cover (stray_end);
    end
`endif
