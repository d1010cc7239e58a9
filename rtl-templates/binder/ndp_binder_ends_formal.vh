//% output("formal/ndp_binder_ends_formal.vh")
${header{title = "what is proved of ndp_binder_ends", text = [[
With ends of chains that wait alone, and a core that is not ready behind a pass (q_*):
each end that is taken is told once, with its wavefront, when no pass of it stands at
put and its bits are written; not while the builder has news; bits and passes of
results are never mixed, and bits are as many passes as they must be.]]}}
`ifdef FORMAL_NDP_BINDER_ENDS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire f_taken = put_valid && put_ready;

    reg f_full; // a pass was taken on the last edge

    always @(posedge clk) f_full <= f_taken && !rst;

    always @* if (f_past && !rst) begin
        q_put: assume (!f_full || !put_ready);
        q_done: assume (!done_valid || !done_ready || any);
        q_room: assume (!waits || waiting < ${L.WAVES});
    end

    // ------------------------------------------------------------------
    // An end

    reg              f_have;    // it was taken, and not told
    reg [WAVE_W-1:0] f_wave;
    reg              f_bitmap;
    reg [PASS_W:0]   f_bits;    // passes of its bits that were taken
    reg              f_written; // the core was ready behind the last one

    always @(posedge clk) begin
        if (rst)
            f_have <= 1'b0;
        else
            f_have <= take || (f_have && !go);
        if (take) begin
            f_wave    <= done_wave;
            f_bitmap  <= done_how == BITMAP;
            f_bits    <= 0;
            f_written <= 1'b0;
        end else begin
            f_bits    <= f_bits + (f_taken && put_pred);
            f_written <= f_written || (f_bits == ${L.PASSES} && put_ready);
        end
    end

    // ------------------------------------------------------------------
    // A packet of passes

    reg              f_open; // it has begun, and not ended
    reg              f_pred;
    reg [WAVE_W-1:0] f_whose;

    always @(posedge clk) begin
        if (rst)
            f_open <= 1'b0;
        else if (f_taken)
            f_open <= !put_last;
        if (f_taken) begin
            f_pred  <= put_pred;
            f_whose <= put_warp;
        end
    end

    always @* if (f_past && !rst) begin
        p_phase: assert (e_phase <= E_LEAVE);
        p_have: assert (f_have == (e_phase != E_IDLE));
        p_once: assert (!(take && f_have));
        p_told: assert (!go || (f_have && go_warp == f_wave));
        p_news: assert (!(go && news));
        p_own: assert (!go || !(put_valid && put_warp == f_wave));
        p_written: assert (!go || !f_bitmap || f_written);
        p_some: assert (!f_have || any);
        p_apart: assert (!(f_open && put_valid) || (put_pred == f_pred && put_warp == f_whose));
        p_bits: assert (!(put_valid && put_pred) || (f_have && f_bitmap && put_warp == f_wave));
        p_number: assert (!(put_valid && put_pred) || put_last == (f_bits == ${L.PASSES - 1}));
        p_done: assert (!f_have || !f_bitmap || f_bits <= ${L.PASSES});
        c_bits: cover (go && f_bitmap);
        c_loads: cover (go && go_alone);
        c_result: cover (f_taken && !put_pred && put_last && f_open);
    end
`endif
