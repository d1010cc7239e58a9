//% output("formal/ndp_dram_channel_timer_formal.vh")
${header{title = "what is proved of ndp_dram_channel_timer", text = [[
A command, any that ever comes, holds ready low for as many edges as it loads, whatever
comes besides; and ready is high once every command has had its edges.]]}}
`ifdef FORMAL_NDP_DRAM_CHANNEL_TIMER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Edges left of each command

    reg [EVENTS*WIDTH-1:0] f_left;
    reg [WIDTH-1:0]        f_most; // of all

    integer f_k;

    always @(posedge clk) begin
        for (f_k = 0; f_k < EVENTS; f_k = f_k + 1)
            if (rst)
                f_left[f_k*WIDTH +: WIDTH] <= 0;
            else if (events[f_k])
                f_left[f_k*WIDTH +: WIDTH] <= EDGES[f_k*WIDTH +: WIDTH];
            else if (f_left[f_k*WIDTH +: WIDTH] != 0)
                f_left[f_k*WIDTH +: WIDTH] <= f_left[f_k*WIDTH +: WIDTH] - 1;
    end

    always @* begin
        f_most = 0;
        for (f_k = 0; f_k < EVENTS; f_k = f_k + 1)
            if (f_left[f_k*WIDTH +: WIDTH] > f_most)
                f_most = f_left[f_k*WIDTH +: WIDTH];
    end

    always @* if (f_past && !rst) begin
        p_ready: assert (ready == (f_most == 0));
        p_most: assert (count_next == f_most - (f_most != 0));
    end

    always @* if (f_past && !rst) begin
        c_both: cover (&events && ready);
        c_longer: cover (last == 1 && count > EDGES[0 +: WIDTH]);
    end
`endif
