//% output("formal/ndp_nda_pe_sequence_formal.vh")
//% local names = {"below", "above", "write", "told", "room", "words", "slot", "behind", "order", "stays",
//%                "job", "waits", "some", "good",
//%                "rest", "rows", "alone", "from", "row", "fits", "first", "begun"}
${header{title = "what is proved of ndp_nda_pe_sequence", text = [[
No access leaves the region of its operand, and one that would is what stops an
operation and what is told.  What is asked for and not yet used never exceeds the
landing queue.  A step asks for as many words as its job has.  What the work may say is
its contract (q_).]]}}
`ifdef FORMAL_NDP_NDA_PE_SEQUENCE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam [1:0]      MOVE    = 2'd0; // how
    localparam [1:0]      ADDED   = 2'd2;
    localparam [1:0]      SCRATCH = 2'd1; // target
    localparam [PC_W-1:0] F_STEPS = ${L.PC_W}'d${L.STEPS};
    localparam [PC_W-1:0] F_GEMV  = ${L.PC_W}'d${entry_of("GEMV")};

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
    reg               f_stop; // it stopped, and something was under way

    always @(posedge clk) begin
        if (rst)
            f_out <= {ROOM_W{1'b0}};
        else
            f_out <= f_out + {{(ROOM_W-1){1'b0}}, loads} - {{(ROOM_W-1){1'b0}}, popped};
        f_stop <= !rst && stop && !quiet;
        if (begins)
            f_words <= whole ? pairs[ROWS_W-1:1] : batch;
    end

    // ------------------------------------------------------------------
    // One job, any, from the edge that adds it to the one that takes it

    (* anyseq *) reg f_mark;

    reg             f_marked;
    reg             f_second; // another is before it
    reg [JOB_W-1:0] f_kept;

    always @(posedge clk) begin
        if (rst || stop)
            f_marked <= 1'b0;
        else if (adds && f_mark && !f_marked)
            f_marked <= 1'b1;
        else if (job_taken && !f_second)
            f_marked <= 1'b0;

        if (!f_marked) begin
            f_second <= job_valid && !job_taken;
            f_kept   <= job;
        end else if (job_taken) begin
            f_second <= 1'b0;
        end
    end

    wire [JOB_W-1:0] f_shown = {job_how, job_factor, job_target, job_rows, job_words, job_row,
                                job_first, job_folded};

    wire [1:0]         behind_how;
    wire [2:0]         behind_factor;
    wire [1:0]         behind_target;
    wire               behind_rows;
    wire [COUNT_W-1:0] behind_words;
    wire [ROWS_W-1:0]  behind_row;
    wire               behind_first;
    wire               behind_folded;

    assign {behind_how, behind_factor, behind_target, behind_rows, behind_words, behind_row,
            behind_first, behind_folded} = behind;

    wire f_row_on = state != IDLE && state != DONE && state != STOP &&
                    by_rows && (row != {ROWS_W{1'b0}} || state == ASK);
    wire f_steps   = state == BEGIN || state == ASK;
    wire f_stopped = state == STOP || (state == DONE && cause == BOUND);

    always @* if (f_past && !rst) begin
        q_popped: assume (!popped || f_out != {ROOM_W{1'b0}});
        q_taken: assume (!job_taken || (job_valid && at_rest && !stop));
    end

    // ------------------------------------------------------------------
    // What holds on each edge.  The one is shown with the other: all of it may be
    // assumed of the edges before, since what fails first would fail then.

    // shown access: in its region, and what it says
    wire is_below = !mem_valid || mem_address <= f_last;
    wire is_above = !mem_valid || mem_address >= f_base;
    wire is_write = !mem_valid || mem_write == f_write;

    wire is_told  = !f_stopped || {1'b0, f_bad_last} < bad_address;
    wire is_room  = room <= ALL_ROOM && f_out + room == ALL_ROOM;
    wire is_words = state != ASK || {1'b0, asked} + to_go == f_words;
    wire is_slot   = !adds || !behind_valid;
    wire is_order  = !f_marked || (f_second ? behind_valid && behind == f_kept :
                                              job_valid && f_shown == f_kept);
    wire is_behind = !behind_valid || job_valid;

    // what the work demands (its q_)
    wire is_stays = !f_stop || stop;
//% for _, j in ipairs{{"job  ", "job_valid", "job_"}, {"waits", "behind_valid", "behind_"}} do
//%     local p = j[3]
    wire is_${j[1]} = !${j[2]} || (${p}words != {COUNT_W{1'b0}} &&
                                   ${p}words <= BATCH[COUNT_W-1:0] &&
                                   ${p}how <= ADDED && ${p}target <= SUMS &&
                                   (${p}target != SCRATCH || ${p}how == MOVE) &&
                                   (${p}target != SUMS || ${p}how == ADDED) &&
                                   (!${p}folded || ${p}target == SUMS) &&
                                   (!${p}rows || ${p}folded));
//% end

    // what these need
    wire is_some  = state != ASK || (to_go != {COUNT_W{1'b0}} && to_go <= f_words &&
                                     f_words <= BATCH[COUNT_W-1:0]);
    wire is_good  = !(f_steps || state == END) || cause == NONE;
    wire is_rest  = !f_steps || rest != {ADDR_W{1'b0}};
    wire is_rows  = !f_steps || (pc < F_STEPS && entry < F_STEPS &&
                                 (pc >= F_GEMV) == (entry >= F_GEMV) &&
                                 (entry < F_GEMV || (rows != {ROWS_W{1'b0}} && rows <= MOST)));
    wire is_alone = !f_steps || by_rows || row == {ROWS_W{1'b0}};
    wire is_from  = state != ASK || address >= {1'b0, base};
    wire is_row   = !f_row_on || row_address >= {1'b0, base};
    wire is_fits  = !(f_row_on && row != {ROWS_W{1'b0}} && state == BEGIN) ||
                    !row_address[ADDR_W];
    wire is_first = !(f_row_on && state == ASK && asked == {INDEX_W{1'b0}}) ||
                    row_address == address;
    wire is_begun = !(f_row_on && state == ASK && asked != {INDEX_W{1'b0}}) ||
                    !row_address[ADDR_W];

    reg f_so_far = 1'b1; // all of it held on every edge before

    always @(posedge clk)
        f_so_far <= f_so_far && (!f_past || rst || (
//% for i, name in ipairs(names) do
            is_${name}${i < #names and " &&" or "));"}
//% end

    always @* if (f_past && !rst) begin
        q_so_far: assume (f_so_far);
//% for _, name in ipairs(names) do
        p_${name}: assert (is_${name});
//% end

        c_batch: cover (batch_on);
        c_row: cover (state == ASK && by_rows && row == 2);
        c_told: cover (f_stopped && bad_write);
        c_done: cover (state == DONE && cause == NONE);
        c_two: cover (behind_valid && job_taken);
        c_full: cover (room == {ROOM_W{1'b0}});
    end
`endif
