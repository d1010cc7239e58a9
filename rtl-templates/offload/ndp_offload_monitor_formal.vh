//% output("formal/ndp_offload_monitor_formal.vh")
//% local SUB = L.WINDOW // L.PARTS -- cycles of a sub-window
//% local sliding = L.SLIDING == 1
${header{title = "what is proved of ndp_offload_monitor", text = [[
A count is that of the flits since its window began, the sum is that of the
sub-windows, no count exceeds its window, and a link is busy exactly by the
thresholds.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_OFFLOAD_MONITOR
    // ------------------------------------------------------------------
    // Twin: the position, and every flit of the window one by one

    reg [31:0] f_position;

    // A window may be shorter than it can be, from one to the next.
    always @(posedge clk)
        f_position <= rst || last ? 0 : f_position + 1;

    always @* assume (last || f_position != ${SUB - 1});

//% if sliding then
    reg [31:0] f_current; // flits since the sub-window began
    reg [31:0] f_total;   // sum of the whole sub-windows that are kept
    reg        f_small;   // each of them is a count of a sub-window
    integer    f_i;

    always @(posedge clk)
        f_current <= rst || last ? 0 : f_current + flit;

    always @* begin
        f_total = 0;
        f_small = 1'b1;
        for (f_i = 0; f_i < PARTS; f_i = f_i + 1) begin
            f_total = f_total + ring[f_i*SUB_W +: SUB_W];
            f_small = f_small && ring[f_i*SUB_W +: SUB_W] <= ${SUB};
        end
    end

    reg [31:0] f_ended; // flits of the newest whole sub-window

    always @(posedge clk) begin
        if (rst)
            f_ended <= 0;
        else if (last)
            f_ended <= f_current + flit;
    end

    wire f_on  = f_total >= busy_on;
    wire f_off = f_total < busy_off;

    always @* if (f_past) begin
        p_current: assert (current == f_current && f_current <= f_position);
        p_sum: assert (total == f_total);
        p_small: assert (f_small);
        p_never_wraps: assert (f_total <= ${L.WINDOW});
        p_newest: assert (ring[PARTS*SUB_W-1 -: SUB_W] == f_ended);
    end
//% else
    reg  [BUSY_W:0] f_count;
    wire [BUSY_W:0] f_seen = f_count + flit;

    always @(posedge clk) f_count <= rst || last ? 0 : f_seen;

    wire f_on  = f_seen >= busy_on;
    wire f_off = last && f_seen < busy_off;

    always @* if (f_past) begin
        p_total: assert (count == f_count);
        p_never_wraps: assert (count <= f_position && f_seen <= ${L.WINDOW});
    end
//% end

    reg f_busy;

    always @(posedge clk) f_busy <= !rst && (f_on || (f_busy && !f_off));

    always @* if (f_past)
        p_busy: assert (busy == f_busy);

    always @* if (f_past && !rst) begin
        c_full: cover (${sliding and "total" or "f_seen"} == ${L.WINDOW});
        c_left: cover (busy && !f_on && f_off && busy_off > 1);
        c_stays: cover (busy && !f_on && !f_off && busy_on > busy_off);
    end
`endif
