//% output("formal/ndp_jobs_formal.vh")
${header{title = "what is proved of ndp_jobs", text = [[
With its machines as their own jobs prove them (q_begins: a block begins in a free slot,
q_ends: one ends that was over), and a core that ends blocks that it has (q_over): a
slot has one block at a time, from its start to its end, and the core is held meanwhile.]]}}
`ifdef FORMAL_NDP_JOBS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [SLOTS-1:0] f_runs; // blocks that have begun, and have not ended
    reg [SLOTS-1:0] f_over; // of which the core has said that they are over
    reg             f_news; // a block began, or a membar was passed
    integer         f_i;

    always @(posedge clk) begin
        f_news <= !rst && (begins || fenced);
        for (f_i = 0; f_i < SLOTS; f_i = f_i + 1) begin
            f_runs[f_i] <= !rst && ((begins && slot == f_i) || (f_runs[f_i] && !(ends && done_slot == f_i)));
            f_over[f_i] <= !rst && ((over_valid && over_ready && over_slot == f_i) || (f_over[f_i] && !(ends && done_slot == f_i)));
        end
    end

    always @* if (f_past && !rst) begin
        q_begins: assume (!begins || !taken[slot]);
        q_ends: assume (!ends || f_over[done_slot]);
        q_over: assume (!over_valid || (f_runs[over_slot] && !f_over[over_slot]));
    end

    always @* if (f_past && !rst) begin
        p_taken: assert (taken == f_runs);
        p_over: assert ((f_over & ~f_runs) == 0);
        p_busy: assert (chain_busy || (f_runs == 0 && idle));
        p_drop: assert (drop_valid == f_news && drop_all == f_news);
        c_full: cover (taken == {SLOTS{1'b1}});
        c_both: cover (begins && ends);
    end
`endif
