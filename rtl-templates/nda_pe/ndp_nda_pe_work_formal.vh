//% output("formal/ndp_nda_pe_work_formal.vh")
//% local N = FIRES_W
//% local names = {"pops", "balance", "place", "mine", "moved", "alone", "quiet", "whole", "folds",
//%                "once", "apart", "state", "job", "index", "most", "begun", "rest", "sum", "still", "life",
//%                "there"}
${header{title = "what is proved of ndp_nda_pe_work", text = [[
A job takes as many words from the queue as it has.  One of its words, any: what is
written in its place is what became of it, moved or computed, and nothing else is
written there.  Sums fire one after the other, and no job begins before the one before
is written.  What the sequence may give is its contract (q_).]]}}
`ifdef FORMAL_NDP_NDA_PE_WORK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // One word of a job: 0 in the queue, 1 held, 2 fired; and where its result is

    (* anyconst *) reg [INDEX_W-1:0] f_i;

    reg [1:0]         f_life;
    reg [COUNT_W-1:0] f_words;   // of the job
    reg [COUNT_W-1:0] f_popped;  // words that left the queue
    reg [COUNT_W-1:0] f_written; // words written, or added to the sums
    reg               f_stop;    // the sequence stops until nothing is under way
    reg               f_sum;     // what is under way is the sum of the sums

    wire f_busy = !quiet;

    always @(posedge clk) begin
        f_stop <= !rst && stop && f_busy;
        if (rst || compute)
            f_sum <= !rst && fold;
        if (job_taken) begin
            f_life    <= 2'd0;
            f_words   <= job_words;
            f_popped  <= {COUNT_W{1'b0}};
            f_written <= {COUNT_W{1'b0}};
        end else begin
            if (next && index == f_i && f_life == 2'd0)
                f_life <= 2'd1;
            else if (fires && f_life == 2'd1)
                f_life <= 2'd2;
            f_popped  <= f_popped + {{(COUNT_W-1){1'b0}}, next};
            f_written <= f_written + {{(COUNT_W-1){1'b0}}, moved || result || sum_write};
        end
    end

//% if L.ITERATIVE == 1 then
    reg f_here; // what is under way is this word's

    always @(posedge clk) begin
        if (rst || job_taken)
            f_here <= 1'b0;
        else if (compute)
            f_here <= f_life == 2'd1 && !fold;
    end

    wire f_out   = f_here && stands;
    wire [3:0] f_under = {3'd0, busy && !f_sum};
//% else
    reg [${N - 1}:0] f_there; // this word's, in each stage

    always @(posedge clk) begin
        if (rst || job_taken)
            f_there <= ${N}'d0;
        else
            f_there <= {f_there[${N - 2}:0], compute && !fold && f_life == 2'd1};
    end

    wire       f_out   = f_there[${N - 1}];
    wire [3:0] f_under = f_sum ? 4'd0 : ${(function() local t = {} for i = 0, N - 1 do t[#t + 1] = "{3'd0, there[" .. i .. "]}" end return table.concat(t, " + ") end)()};
//% end

    wire f_job = state != REST;

    always @* if (f_past && !rst) begin
        q_words: assume (!job_valid || (job_words != {COUNT_W{1'b0}} &&
                                        job_words <= ${L.COUNT_W}'d${L.BATCH}));
        q_how: assume (!job_valid || (job_how != 2'd3 && job_target != 2'd3));
        q_pad: assume (!job_valid || job_target != SCRATCH || job_how == MOVE);
        q_sums: assume (!job_valid || job_target != SUMS || job_how == ADDED);
        q_fold: assume (!job_valid || !job_folded || job_target == SUMS);
        q_rows: assume (!job_valid || !job_rows || job_folded);
        q_stop: assume (!f_stop || stop);
//% if L.ITERATIVE == 1 then
        q_ready: assume (ready == (!busy || finished));
        q_finished: assume (!finished || busy);
//% end
    end

    // ------------------------------------------------------------------
    // What holds on each edge.  The one is shown with the other: all of it may be
    // assumed of the edges before, since what fails first would fail then.

    wire is_pops    = !f_job || f_popped + left == f_words;
    wire is_balance = !f_job || f_written + f_under + {${L.COUNT_W - 1}'d0, held} == f_popped;
    wire is_place   = !f_job || to_sums || written == f_written[INDEX_W-1:0];
    wire is_mine    = !(f_job && result) || (write_index == f_i) == f_out;
    wire is_moved   = !(f_job && moved) || (write_index == f_i) == (f_life == 2'd1);
    wire is_alone   = !(compute && to_sums && !fold) || quiet || stands;
    wire is_quiet   = !job_taken || quiet;
    wire is_whole   = !(state == DRAIN || state == FOLD || state == SUM) ||
                      f_popped == f_words;
    wire is_folds   = state != FOLD || (quiet && f_written == f_words);
    wire is_once    = !(write && write_half != 2'd0);

    wire is_apart   = !((read || read_row) && (write || write_pad || write_half != 2'd0)) ||
                      read_index != write_index;

    // what these need
    wire is_state   = state <= SUM && (!held || state == RUN);
    wire is_job     = !f_job || (how <= ADDED && target <= SUMS && (target != SUMS || added) &&
                                 (target != SCRATCH || move) && (!rows || folded) &&
                                 (!folded || target == SUMS));
    wire is_index   = !f_job || index == f_popped[INDEX_W-1:0];
    wire is_most    = !f_job || (f_words <= ${L.COUNT_W}'d${L.BATCH} && f_words != {COUNT_W{1'b0}} &&
                                 f_popped <= f_words && f_written <= f_popped);
    wire is_begun   = state != INIT || (quiet && f_popped == {COUNT_W{1'b0}});
    wire is_rest    = state != REST || quiet || f_stop;
    wire is_sum     = (state != SUM || f_sum) && (state == SUM || state == REST || !f_sum || quiet);
    wire is_still   = !f_job || !move || quiet || state == SUM;
    wire is_life    = !f_job || (f_life == 2'd0 ? f_popped <= {1'b0, f_i} :
                                 f_life == 2'd1 ? held && f_popped == {1'b0, f_i} + 1'b1 :
                                                  f_life == 2'd2 && f_popped > {1'b0, f_i} &&
                                                  (!held || f_popped != {1'b0, f_i} + 1'b1));
//% if L.ITERATIVE == 1 then
    wire is_there   = !f_job || state == SUM || !busy || f_here == (f_written == {1'b0, f_i});
//% else
    wire [${N - 1}:0] is_in;
//%     for i = 0, N - 1 do
//%         local older = {}
//%         for j = i + 1, N - 1 do older[#older + 1] = " + {" .. L.COUNT_W - 1 .. "'d0, there[" .. j .. "]}" end
    assign is_in[${i}] = there[${i}] ? f_there[${i}] == (f_written${table.concat(older)} == {1'b0, f_i}) : !f_there[${i}];
//%     end
    wire is_there   = !f_job || state == SUM || &is_in;
//% end

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

        c_job: cover (f_job && f_words == 3 && f_written == 3);
        c_fold: cover (state == SUM && stands && rows && row[0]);
        c_value: cover (value_write);
        c_stop: cover (stop && !quiet);
        c_full: cover (state == RUN && f_under == ${L.ITERATIVE == 1 and 1 or 4});
    end
`endif
