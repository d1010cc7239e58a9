//% use "ndp_frontend_faults_formal.vh"
//% local AW, AT = pad(range(L.WARP_W), 6), pad(range(L.TAG_W), 6)
${header{title = "front end: faults", text = [[
The first fault is kept.  Of several on one edge the order is: base die, DRAM die,
control, check, watchdog.

Latency: a fault is there after its edge.

See docs/blocks/frontend.md, Faults.]]}}
`default_nettype none

module ${prefix}ndp_frontend_faults (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high

    // what has happened
    input  wire        far,           // the base die did not carry out
    input  wire [3:0]  far_cause,     // for this reason
    input  wire ${AW} far_warp,      // of this warp
    input  wire ${AT} far_pc,        // an instruction
    input  wire [31:0] far_address,   // with this address
    input  wire        near,          // the DRAM die did not:
    input  wire        near_odd,      // misaligned, else unmapped
    input  wire ${AW} near_warp,     // whose
    input  wire ${AT} near_pc,       // instruction
    input  wire [31:0] near_address,  // and address
    input  wire [3:0]  control,       // cause, 0: none
    input  wire ${AW} control_warp,  // whose
    input  wire ${AT} control_pc,    // instruction
    input  wire        check,         // a word is illegal
    input  wire ${AW} check_warp,    // whose
    input  wire ${AT} check_pc,      // instruction

    // watchdog
    input  wire        start,         // a launch begins
    input  wire        counts,        // this edge counts
    input  wire        commits,       // but something commits
    input  wire [31:0] patience,      // edges that may pass, 0: any

    output wire        faulted,       // a fault has happened
    output reg  [3:0]  fault_cause,   // 0 none
    output reg  ${AW} fault_warp,    // whose
    output reg  ${AT} fault_pc,      // instruction
    output reg  [31:0] fault_address  // of the first two, else 0
);
${localparams("WARP_W", "TAG_W")}

    localparam [3:0] ILLEGAL    = 4'd1;
    localparam [3:0] MISALIGNED = 4'd2;
    localparam [3:0] UNMAPPED   = 4'd3;
    localparam [3:0] EXPIRED    = 4'd9;

    // ------------------------------------------------------------------
    // Watchdog

    reg  [31:0] silent; // edges without a commit
    wire [31:0] more = silent + 32'd1;
    wire        late = counts && !commits && patience != 32'd0 && more == patience;

    always @(posedge clk) begin
        if (rst || start)
            silent <= 32'd0;
        else if (counts)
            silent <= commits ? 32'd0 : more;
    end

    // ------------------------------------------------------------------
    // The first one

    assign faulted = fault_cause != 4'd0;

    wire any = far || near || control != 4'd0 || check || late;

    always @(posedge clk) begin
        if (rst) begin
            fault_cause   <= 4'd0;
            fault_warp    <= {WARP_W{1'b0}};
            fault_pc      <= {TAG_W{1'b0}};
            fault_address <= 32'd0;
        end else if (any && !faulted) begin
            if (far) begin
                fault_cause   <= far_cause;
                fault_warp    <= far_warp;
                fault_pc      <= far_pc;
                fault_address <= far_address;
            end else if (near) begin
                fault_cause   <= near_odd ? MISALIGNED : UNMAPPED;
                fault_warp    <= near_warp;
                fault_pc      <= near_pc;
                fault_address <= near_address;
            end else if (control != 4'd0) begin
                fault_cause   <= control;
                fault_warp    <= control_warp;
                fault_pc      <= control_pc;
            end else if (check) begin
                fault_cause   <= ILLEGAL;
                fault_warp    <= check_warp;
                fault_pc      <= check_pc;
            end else begin
                fault_cause   <= EXPIRED;
            end
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_frontend_faults_formal.vh"
`endif
endmodule

`default_nettype wire
