//% output("formal/ndp_frontend_faults_formal.vh")
${header{title = "what is proved of ndp_frontend_faults", text = [[
The first fault is kept as it was, whatever comes later, and of several that come at once
it is the first in order.]]}}
`ifdef FORMAL_NDP_FRONTEND_FAULTS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg                        f_had;  // a fault had happened
    reg [WARP_W+TAG_W+35:0]    f_told;
    reg [WARP_W+TAG_W+35:0]    f_far;  // what the base die told
    reg                        f_is_far;
    reg                        f_is_control;
    reg [3:0]                  f_cause;

    wire [WARP_W+TAG_W+35:0] f_tells = {fault_cause, fault_warp, fault_pc, fault_address};

    always @(posedge clk) begin
        f_had        <= faulted && !rst;
        f_told       <= f_tells;
        f_far        <= {far_cause, far_warp, far_pc, far_address};
        f_is_far     <= far && !faulted && !rst;
        f_is_control <= control != 4'd0 && !far && !near && !faulted && !rst;
        f_cause      <= control;
    end

    always @* if (f_past && !rst) begin
        q_far: assume (!far || far_cause != 4'd0);
    end

    always @* if (f_past && !rst) begin
        p_kept: assert (!f_had || (faulted && f_told == f_tells));
        p_first: assert (!f_is_far || f_tells == f_far);
        p_control: assert (!f_is_control || fault_cause == f_cause);
        p_none: assert (faulted || f_tells == 0);
        c_late: cover (late && !faulted);
        c_two: cover (near && check && !faulted);
    end
`endif
