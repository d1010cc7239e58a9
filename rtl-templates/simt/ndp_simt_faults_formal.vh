//% output("formal/ndp_simt_faults_formal.vh")
${header{title = "what is proved of ndp_simt_faults", text = [[
The first fault is kept as it was, whatever comes later.]]}}
`ifdef FORMAL_NDP_SIMT_FAULTS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg          f_had; // a fault had happened
    reg          f_rsp;
    reg [WARP_W+PC_W+36-1:0] f_told;

    wire [WARP_W+PC_W+36-1:0] f_tells = {fault_cause, fault_warp, fault_pc,
                                         fault_address};

    // the memory keeps what it gave
    reg [WARP_W+PC_W+SADDR_W-1:0] f_mem;

    localparam SADDR_W = ${L.SADDR_W};

    always @(posedge clk) begin
        f_had  <= faulted && !rst;
        f_told <= f_tells;
        f_mem  <= {rsp_warp, rsp_pc, rsp_sector};
        f_rsp  <= rsp && !faulted && !rst;
    end

    always @* if (f_past && !rst) begin
        q_kept: assume (!f_had || f_mem == {rsp_warp, rsp_pc, rsp_sector});
        q_control: assume (control < 4'd8);
    end

    always @* if (f_past && !rst) begin
        p_kept: assert (!f_had || (faulted && f_told == f_tells));
        p_cause: assert (faulted == (fault_cause != 0));
        p_first: assert (!f_rsp || fault_cause == MEMORY);
        p_none: assert (faulted || f_tells == 0);
        c_late: cover (late && !faulted);
        c_two: cover (lsu && check && !faulted);
    end
`endif
