//% use "ndp_simt_faults_formal.vh"
${header{title = "SIMT core: faults", text = [[
The first fault is kept.  Of several on one edge the order is: response, engine,
control, check, watchdog.

Latency: a fault is there after its edge.  What one of a response has to tell comes
from the memory that its id was looked up in.]]}}
`default_nettype none

module ${prefix}ndp_simt_faults (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high

    // what has happened
    input  wire        rsp,           // the memory has no such sector
    input  wire ${pad(range(L.WARP_W), 6)} rsp_warp,      // after the edge: whose,
    input  wire ${pad(range(L.PC_W), 6)} rsp_pc,        // instruction
    input  wire ${pad(range(L.SADDR_W), 6)} rsp_sector,    // and sector
    input  wire        lsu,           // an address is wrong
    input  wire        lsu_odd,       // misaligned, else unmapped
    input  wire ${pad(range(L.WARP_W), 6)} lsu_warp,      // whose
    input  wire ${pad(range(L.PC_W), 6)} lsu_pc,        // instruction
    input  wire [31:0] lsu_address,   // it
    input  wire [3:0]  control,       // cause, 0: none
    input  wire ${pad(range(L.WARP_W), 6)} control_warp,  // whose
    input  wire ${pad(range(L.PC_W), 6)} control_pc,    // instruction
    input  wire        check,         // a word is illegal
    input  wire ${pad(range(L.WARP_W), 6)} check_warp,    // whose
    input  wire ${pad(range(L.PC_W), 6)} check_pc,      // instruction

    // watchdog
    input  wire        start,         // a launch begins
    input  wire        counts,        // this edge counts
    input  wire        retires,       // but something retires
    input  wire [31:0] silent_last,   // edges that may pass, all ones: any

    output reg         faulted,       // a fault has happened
    output reg  [3:0]  fault_cause,   // 0 none
    output wire ${pad(range(L.WARP_W), 6)} fault_warp,    // whose
    output wire ${pad(range(L.PC_W), 6)} fault_pc,      // instruction
    output wire [31:0] fault_address  // of causes 2, 3 and 8, else 0
);
${localparams("WARP_W", "PC_W", "SECTOR_W")}

    localparam [3:0] ILLEGAL    = 4'd1;
    localparam [3:0] MISALIGNED = 4'd2;
    localparam [3:0] UNMAPPED   = 4'd3;
    localparam [3:0] MEMORY     = 4'd8;
    localparam [3:0] EXPIRED    = 4'd9;

    // ------------------------------------------------------------------
    // Watchdog

    reg  [31:0] silent; // edges without a retirement
    wire [31:0] more = silent + 32'd1;
    wire        late = counts && !retires && silent_last != {32{1'b1}} &&
                       silent == silent_last;

    always @(posedge clk) begin
        if (rst || start)
            silent <= 32'd0;
        else if (counts)
            silent <= retires ? 32'd0 : more;
    end

    // ------------------------------------------------------------------
    // The first one

    wire any = rsp || lsu || control != 4'd0 || check || late;

    reg              from_rsp;
    reg [WARP_W-1:0] warp;
    reg [PC_W-1:0]   pc;
    reg [31:0]       address;

    always @(posedge clk) begin
        if (rst)
            faulted <= 1'b0;
        else if (any)
            faulted <= 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            fault_cause <= 4'd0;
            from_rsp    <= 1'b0;
            warp        <= {WARP_W{1'b0}};
            pc          <= {PC_W{1'b0}};
            address     <= 32'd0;
        end else if (any && !faulted) begin
            from_rsp <= rsp;
            address  <= lsu && !rsp ? lsu_address : 32'd0;
            if (rsp) begin
                fault_cause <= MEMORY;
            end else if (lsu) begin
                fault_cause <= lsu_odd ? MISALIGNED : UNMAPPED;
                warp        <= lsu_warp;
                pc          <= lsu_pc;
            end else if (control != 4'd0) begin
                fault_cause <= control;
                warp        <= control_warp;
                pc          <= control_pc;
            end else if (check) begin
                fault_cause <= ILLEGAL;
                warp        <= check_warp;
                pc          <= check_pc;
            end else begin
                fault_cause <= EXPIRED;
            end
        end
    end

    assign fault_warp    = from_rsp ? rsp_warp : warp;
    assign fault_pc      = from_rsp ? rsp_pc : pc;
    assign fault_address = from_rsp ? {rsp_sector, {SECTOR_W{1'b0}}} : address;

`ifdef FORMAL
`include "${prefix}ndp_simt_faults_formal.vh"
`endif
endmodule

`default_nettype wire
