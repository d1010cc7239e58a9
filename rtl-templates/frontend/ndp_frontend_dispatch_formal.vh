//% output("formal/ndp_frontend_dispatch_formal.vh")
${header{title = "what is proved of ndp_frontend_dispatch", text = [[
No CTA is taken into a slot of which a warp lives, none of another core's.  Warps are born
once for each CTA, with its slot; each begins after all of its values and its window were
told, once, with threads in its lowest lanes.  That lives has a slot from the birth of its
warps on is the contract of the warps (q_).]]}}
`ifdef FORMAL_NDP_FRONTEND_DISPATCH
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [BORN_W-1:0] f_warps; // a launch's registers stand still

    always @(posedge clk) f_warps <= cta_warps;

    // of the warp that is filled in: values that were told, and windows
    reg  [15:0] f_told;
    reg  [1:0]  f_windows;
    wire        f_anew  = state == BASE || begins;
    wire [15:0] f_value = value_valid ? 16'd1 << value_index : 16'd0;
    reg         f_twice;

    always @(posedge clk) begin
        f_told    <= f_anew ? 16'd0 : f_told | f_value;
        f_windows <= f_anew ? 2'd0 : f_windows + {1'b0, window_valid};
        f_twice   <= !rst && !f_anew && (f_twice || (f_told & f_value) != 0);
    end

    // warps of the CTA that are still to begin
    reg [BORN_W-1:0] f_left;

    always @(posedge clk) begin
        if (rst)
            f_left <= 0;
        else if (take)
            f_left <= cta_warps;
        else if (begins)
            f_left <= f_left - 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_warps: assume (cta_warps != 0 && cta_warps <= WARPS);
        q_still: assume (cta_warps == f_warps);
        q_slots: assume (resident <= CTAS);
        q_start: assume (!start || state == IDLE);
        q_running: assume (!(running && (faulted || start)));
    end

    always @* if (f_past && !rst) begin
        p_take: assert (!take || (!lives[free] && {1'b0, free} < resident));
        p_left: assert (!(take || passes) || left);
        p_skip: assert (!take || skip == 0);
        p_either: assert (!(take && passes));
        p_born: assert (born == 0 || (state == BASE && born_slot == slot));
        p_count: assert (state == IDLE ? f_left == 0 : f_left == warps && f_left != 0);
        p_last: assert (!(begins && last) || f_left == 1);
        p_told: assert (state != INIT || (f_told | f_value) == 16'h2ffe);
        p_window: assert (state != INIT || f_windows + {1'b0, window_valid} == 1);
        p_once: assert (!f_twice || state == BASE);
        p_dense: assert (state == IDLE || state == BASE || (lanes & (lanes + 1'b1)) == 0);
        p_over: assert (!over || (state == IDLE && !take));
        c_two: cover (begins && !last);
        c_partial: cover (state == INIT && !lanes[LANES-1]);
        c_passes: cover (passes && skip == 1);
        c_next: cover (take && slot == 1 && cta_x == 1);
    end
`endif
