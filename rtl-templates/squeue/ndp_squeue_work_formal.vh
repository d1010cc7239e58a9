//% output("formal/ndp_squeue_work_formal.vh")
${header{title = "what is proved of ndp_squeue_work", text = [[
With a slot that stays full until it is free (q_full): each chain whose operands are
there gives exactly one answer, with as many beats as it has, behind all beats of its
store if it has one; each beat leaves for the lanes once in each pass, never while the
core has them, and all have come out before the next pass or the store begins; the
result is read where the beat is.]]}}
`ifdef FORMAL_NDP_SQUEUE_WORK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg f_held; // it was full and did not become free

    always @(posedge clk) f_held <= slot_full && !free && !rst;

    always @* if (f_past && !rst) begin
        q_full: assume (!f_held || slot_full);
    end

    // ------------------------------------------------------------------
    // What the chain in work has had: beats out of the lanes, passes, beats of its
    // store and answer

    wire f_store  = store_valid && store_ready;
    wire f_answer = ans_valid && ans_ready;

    reg                f_work;   // one is in work
    reg [BEAT_W:0]     f_left;   // beats that have left in this pass
    reg [BEAT_W:0]     f_come;   // and come out
    reg [1:0]          f_passes; // that are over
    reg [BEAT_W:0]     f_stored; // beats of the store
    reg [BEAT_W:0]     f_given;  // of the answer

    always @(posedge clk) begin
        if (rst || begins) begin
            f_work   <= begins && !rst;
            f_left   <= 0;
            f_come   <= 0;
            f_passes <= 0;
            f_stored <= 0;
            f_given  <= 0;
        end else begin
            f_left   <= passed ? 0 : f_left + leaves;
            f_come   <= passed ? 0 : f_come + comes;
            f_passes <= f_passes + passed;
            f_stored <= f_stored + f_store;
            f_given  <= f_given + f_answer;
            f_work   <= f_work && !free;
        end
    end

    integer f_i;
    reg [3:0] f_inside; // beats in the lanes

    always @* begin
        f_inside = 0;
        for (f_i = 0; f_i < 7; f_i = f_i + 1)
            f_inside = f_inside + pipe[f_i];
    end

    // by the patterns' numbers
    wire f_c  = job_pattern == 1 || job_pattern == 3 || job_pattern == 4 ||
                job_pattern == 7 || job_pattern == 9;
    wire f_g  = (job_pattern == 8 || job_pattern == 9) && !job_fused;
    wire f_d  = job_pattern == 2 || job_pattern == 8;

    reg [BEAT_W-1:0] f_read; // beat of the result that was read last

    always @(posedge clk) if (reads) f_read <= read_beat;

    always @* if (f_past && !rst) begin
        p_phase: assert (phase <= ANSWER && (phase != IDLE) == f_work);
        p_held: assert (phase == IDLE || slot_full);
        p_core: assert (!leaves || !core_busy);
        p_inside: assert (f_left == f_come + f_inside);
        p_most: assert (f_left <= ${L.BEATS} && (in_pass || f_left == 0));
        p_left: assert (!in_pass || (all_left ? f_left == ${L.BEATS} : f_left < ${L.BEATS} && left == f_left));
        p_come: assert (!in_pass || (f_come < ${L.BEATS} && come == f_come));
        p_passes: assert (phase == LOOK || phase == IDLE || f_passes ==
                          (phase == PASS_G ? 0 : phase == PASS_F ? f_g : f_g + 2'd1));
        p_g: assert (phase != PASS_G || f_g);
        p_beat: assert (!shown || (beat == f_read && beat == (phase == STORE ? f_stored : f_given)));
        p_store: assert (phase != STORE || (f_c && f_stored < ${L.BEATS} && f_given == 0));
        p_answer: assert (phase != ANSWER || (f_stored == (f_c ? ${L.BEATS} : 0) && f_given < (f_d ? ${L.BEATS} : 1)));
        p_none: assert (phase == STORE || phase == ANSWER || phase == IDLE ||
                        (!shown && f_given == 0 && (phase == IDLE || f_stored == 0)));
        p_free: assert (!free || f_given + 1'b1 == (f_d ? ${L.BEATS} : 1));
        p_last: assert (!f_answer || ans_last == free);
        c_data: cover (free && f_d && job_pattern == 8 && f_g);
        c_store: cover (free && f_c && f_g);
        c_core: cover (in_pass && core_busy && f_left == 1);
    end
`endif
