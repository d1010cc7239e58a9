//% output("formal/ndp_timing_window_formal.vh")
${header{title = "what is proved of ndp_timing_window", text = [[
With activations only when ready, no window of EDGES edges holds more than COUNT of
them; and one with fewer is ready.]]}}
`ifdef FORMAL_NDP_TIMING_WINDOW
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* q_ready: assume (!take || ready);

    // ------------------------------------------------------------------
    // The activations of the last EDGES - 1 edges, the latest in bit 0

    reg [EDGES-2:0] f_takes;

    always @(posedge clk) begin
        if (rst)
            f_takes <= 0;
        else
            f_takes <= {f_takes[EDGES-3:0], take};
    end

    integer f_i;
    reg [7:0] f_n;

    always @* begin
        f_n = 0;
        for (f_i = 0; f_i < EDGES - 1; f_i = f_i + 1)
            f_n = f_n + f_takes[f_i];
    end

    always @* if (f_past && !rst) begin
        p_window: assert (f_n + take <= COUNT);
        p_ready: assert (ready == (f_n < COUNT));
    end

    always @* if (f_past && !rst) begin
        c_full: cover (f_n == COUNT && !ready);
        c_last: cover (f_n == COUNT - 1 && ready && take);
    end
`endif
