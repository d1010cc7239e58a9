//% use "ndp_offload_lowest.v"
//% local function w(n) return pad(range(n), 8) end
//% local by_pc = L.BY_PC == 1
//% local key = by_pc and "begin pc of the candidate" or "index of the candidate"
${header{title = "offload controller: lookup of a request", text = [[
Finds the metadata of a request, one request an edge, without a wait.

]] .. (by_pc and [[
Stages: A holds the request; C the request and, for each entry, whether it is
valid and begins at the pc that the request names; M the request and the verdict
half of the lowest-numbered of them, all zero if there is none.  The begin pcs
are kept in registers beside the memory.

Latency: an accepted request is in M after three edges.]] or [[
Stages: A holds the request; M the request and the verdict half of the entry
that it names.

Latency: an accepted request is in M after two edges.]])}}
`default_nettype none

module ${prefix}ndp_offload_lookup (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high

    // request
    input  wire          accept,        // a request is taken
    input  wire ${w(L.WARP_W)} ask_warp,      // warp
    input  wire ${w(L.KEY_W)} ask_key,       // ${key}
    input  wire ${w(L.LANES)} ask_mask,      // active lanes
    input  wire ${w(L.ADDR_W)} ask_address,   // of its first access
    input  wire          ask_learned,   // that page uses the learned mapping
//% if by_pc then

    // writes of the table
    input  wire          write,         // an entry is written
    input  wire ${w(L.INDEX_W)} write_index,   // its number
    input  wire          write_valid,   // it exists
    input  wire ${w(L.PC_W)} write_pc,      // its begin pc
//% end

    // table
    output wire          verdict_read,  // read the verdict half
    output wire ${w(L.INDEX_W)} verdict_index, // of this entry
    input  wire ${w(L.VERDICT_W)} verdict,       // it, after that edge

    // stage M
    output reg           m_valid,       // a request
    output reg  ${w(L.WARP_W)} m_warp,        // warp
    output reg  ${w(L.INDEX_W)} m_index,       // its candidate
    output reg  ${w(L.LANES)} m_mask,        // active lanes
    output reg  ${w(L.LANE_W)} m_lane,        // the lowest of them
    output reg  ${w(L.ADDR_W)} m_address,     // of its first access
    output reg           m_learned,     // that page uses the learned mapping
    output wire ${w(L.VERDICT_W)} m_verdict      // metadata
);
//% if by_pc then
${localparams("WARP_W", "INDEX_W", "ENTRIES", "LANES", "LANE_W", "ADDR_W", "PC_W", "VERDICT_W")}
//% else
${localparams("WARP_W", "INDEX_W", "LANES", "LANE_W", "ADDR_W")}
//% end

    // ------------------------------------------------------------------
    // A

    reg               a_valid;
    reg [WARP_W-1:0]  a_warp;
    reg [${by_pc and "PC_W-1:0]    a_key; " or "INDEX_W-1:0] a_key; "}
    reg [LANES-1:0]   a_mask;
    reg [ADDR_W-1:0]  a_address;
    reg               a_learned;
    wire [LANE_W-1:0] a_lane;
    wire [LANES-1:0]  unused_lanes;
    wire              unused_more_lanes;

    always @(posedge clk) begin
        if (rst)
            a_valid <= 1'b0;
        else
            a_valid <= accept;
    end

    always @(posedge clk) begin
        if (accept) begin
            a_warp    <= ask_warp;
            a_key     <= ask_key;
            a_mask    <= ask_mask;
            a_address <= ask_address;
            a_learned <= ask_learned;
        end
    end

    ${prefix}ndp_offload_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest_lane (
        .set   (a_mask),
        .index (a_lane),
        .rest  (unused_lanes),
        .more  (unused_more_lanes)
    );

//% if by_pc then
    // ------------------------------------------------------------------
    // C: all begin pcs at once

    reg                c_valid;
    reg [WARP_W-1:0]   c_warp;
    reg [LANES-1:0]    c_mask;
    reg [LANE_W-1:0]   c_lane;
    reg [ADDR_W-1:0]   c_address;
    reg                c_learned;
    reg [ENTRIES-1:0]  c_match;
    reg                m_found;
    wire [ENTRIES-1:0] unused_matches;
    wire               unused_more;

    always @(posedge clk) begin
        if (rst)
            c_valid <= 1'b0;
        else
            c_valid <= a_valid;
    end

    always @(posedge clk) begin
        if (a_valid) begin
            c_warp    <= a_warp;
            c_mask    <= a_mask;
            c_lane    <= a_lane;
            c_address <= a_address;
            c_learned <= a_learned;
        end
    end

    genvar n;

    generate
        for (n = 0; n < ENTRIES; n = n + 1) begin : entry
            reg            valid;
            reg [PC_W-1:0] begin_pc;

            always @(posedge clk) begin
                if (rst) begin
                    valid <= 1'b0;
                end else if (write && write_index == n[INDEX_W-1:0]) begin
                    valid    <= write_valid;
                    begin_pc <= write_pc;
                end
            end

            always @(posedge clk) begin
                if (a_valid)
                    c_match[n] <= valid && begin_pc == a_key;
            end
        end
    endgenerate

    ${prefix}ndp_offload_lowest #(
        .N       (ENTRIES),
        .INDEX_W (INDEX_W)
    ) lowest_match (
        .set   (c_match),
        .index (verdict_index),
        .rest  (unused_matches),
        .more  (unused_more)
    );

    assign verdict_read = c_valid;
    assign m_verdict    = m_found ? verdict : {VERDICT_W{1'b0}};

    always @(posedge clk) begin
        if (c_valid)
            m_found <= |c_match;
    end
//% else
    assign verdict_read  = a_valid;
    assign verdict_index = a_key;
    assign m_verdict     = verdict;
//% end
//% local from = by_pc and "c" or "a"

    // ------------------------------------------------------------------
    // M

    always @(posedge clk) begin
        if (rst)
            m_valid <= 1'b0;
        else
            m_valid <= ${from}_valid;
    end

    always @(posedge clk) begin
        if (${from}_valid) begin
            m_warp    <= ${from}_warp;
            m_index   <= verdict_index;
            m_mask    <= ${from}_mask;
            m_lane    <= ${from}_lane;
            m_address <= ${from}_address;
            m_learned <= ${from}_learned;
        end
    end
endmodule

`default_nettype wire
