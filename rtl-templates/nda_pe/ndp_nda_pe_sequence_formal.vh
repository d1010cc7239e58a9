//% output("formal/ndp_nda_pe_sequence_formal.vh")
${header{title = "what is proved of ndp_nda_pe_sequence", text = [[
No access leaves the region of its operand, and one that would is what stops an
operation and what is told.  What is asked for and not yet used never exceeds the
landing queue.  A step asks for as many words as its job has.  What the work may say is
its contract (q_).]]}}
`ifdef FORMAL_NDP_NDA_PE_SEQUENCE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The operand of the access that is shown, or that may not be

    reg [ADDR_W-1:0] f_base;
    reg [ADDR_W-1:0] f_last;
    reg              f_write;
    reg [ADDR_W-1:0] f_bad_last;

    always @(posedge clk) begin
        if (state == ASK && beyond)
            f_bad_last <= bound;
        if (asks) begin
            f_base  <= base;
            f_last  <= bound;
            f_write <= store;
        end
    end

    // ------------------------------------------------------------------
    // Words asked for and not used; words of a step

    reg [ROOM_W-1:0]  f_out;
    reg [COUNT_W-1:0] f_words;

    always @(posedge clk) begin
        if (rst)
            f_out <= {ROOM_W{1'b0}};
        else
            f_out <= f_out + {{(ROOM_W-1){1'b0}}, loads} - {{(ROOM_W-1){1'b0}}, popped};
        if (begins)
            f_words <= whole ? pairs[ROWS_W-1:1] : batch;
    end

    wire f_row_on = state != IDLE && state != DONE && state != STOP &&
                    by_rows && (row != {ROWS_W{1'b0}} || state == ASK);
    wire f_stopped = state == STOP || (state == DONE && cause == BOUND);

    always @* if (f_past && !rst) begin
        q_popped: assume (!popped || f_out != {ROOM_W{1'b0}});
        q_taken: assume (!job_taken || (job_valid && at_rest && !stop));
    end

    always @* if (f_past && !rst) begin
        p_below: assert (!mem_valid || mem_address <= f_last);
        p_above: assert (!mem_valid || mem_address >= f_base);
        p_write: assert (!mem_valid || mem_write == f_write);
        p_told: assert (!f_stopped || {1'b0, f_bad_last} < bad_address);
        p_room: assert (room <= ALL_ROOM && f_out + room == ALL_ROOM);
        p_words: assert (state != ASK || {1'b0, asked} + to_go == f_words);
        p_some: assert (state != ASK || to_go != {COUNT_W{1'b0}});
        p_slot: assert (!(begins && !store) || !job_valid);

        // what these need
        p_from: assert (state != ASK || address >= {1'b0, base});
        p_row: assert (!f_row_on || row_address >= {1'b0, base});
        p_fits: assert (!(f_row_on && row != {ROWS_W{1'b0}} && state == BEGIN) ||
                        !row_address[ADDR_W]);
        p_first: assert (!(f_row_on && state == ASK && asked == {INDEX_W{1'b0}}) ||
                         row_address == address);
        p_begun: assert (!(f_row_on && state == ASK && asked != {INDEX_W{1'b0}}) ||
                         !row_address[ADDR_W]);

        c_batch: cover (batch_on);
        c_row: cover (by_rows && row == 2);
        c_told: cover (f_stopped && bad_write);
        c_done: cover (state == DONE && cause == NONE);
        c_full: cover (room == {ROOM_W{1'b0}});
    end
`endif
