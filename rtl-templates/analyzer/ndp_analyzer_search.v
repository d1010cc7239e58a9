//% use "ndp_ram.v"
//% use "ndp_subtract.v"
//% use "ndp_analyzer_level.v"
//% use "ndp_analyzer_search_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local N = L.LEVELS
${header{title = "analyzer: search among the ranges", text = [[
Says in which range an address lies, or that it lies in none.

The starts form a binary search tree of ]] .. L.LEVELS .. [[ levels, one memory each.  The turns
on the way down, first one highest, are the number r of starts that are not
above the address; the last of them is the only range that it can lie in, and
its distance from that start has to be below the length.

Place i, with i + 1 = odd * 2^z, is in level LEVELS - 1 - z at position
(i + 1) >> (z + 1): in level v if the lowest LEVELS - v bits of i are a zero
and ones, at the position that the bits above give.

Latency: the result is shown RANGE_EDGES - 1 edges after the edge that takes the
address.  One address an edge.

Contract: no write while an address is under way; starts ascend.]]}}
`default_nettype none

module ${prefix}ndp_analyzer_search (
    input  wire         clk,            // clock
    input  wire         rst,            // synchronous reset, active high

    // ranges
    input  wire         write,          // write a range
    input  wire ${w(L.RANGE_W)} write_index,    // its place
    input  wire ${w(L.ADDR_W)} write_start,    // first byte
    input  wire ${w(L.ADDR_W)} write_length,   // bytes

    // search
    input  wire         access,         // an address
    input  wire ${w(L.ADDR_W)} access_address, // it
    output wire         in_range,       // one lies in a range
    output wire         outside,        // one lies in none
    output reg  ${w(L.RANGE_W)} found_index,    // the range
    output reg  ${w(L.ADDR_W)} found_address   // the address
);
${localparams("ADDR_W", "RANGE_W", "SLOTS")}

    // ------------------------------------------------------------------
    // Levels, the root first

    reg               valid_0;
    reg [ADDR_W-1:0]  address_0;
    wire              way_0    = 1'b0; // there is no turn above the root
    wire [ADDR_W-1:0] offset_0 = {ADDR_W{1'b0}};

    always @(posedge clk) begin
        if (rst)
            valid_0 <= 1'b0;
        else
            valid_0 <= access;
    end

    always @(posedge clk) begin
        address_0 <= access_address;
    end

//% for v = 0, N - 1 do
//%     local pos = math.max(v, 1)
//%     local bits = v == 0 and "1'b0" or "write_index[" .. (v == 1 and N - 1 or N - 1 .. ":" .. N - v) .. "]"
//%     local low = N - v
//%     local here = "write_index" .. (low == N and "" or low == 1 and "[0]" or "[" .. low - 1 .. ":0]") .. " == " .. hex(low, (1 << (low - 1)) - 1)
    wire              valid_${v + 1};
    wire [ADDR_W-1:0] address_${v + 1};
    wire ${pad(range(v + 1), 12)} way_${v + 1};
    wire [ADDR_W-1:0] offset_${v + 1};

    ${prefix}ndp_analyzer_level #(
        .WAY_W  (${v}),
        .POS_W  (${pos}),
        .NEXT_W (${v + 1})
    ) level_${v} (
        .clk         (clk),
        .rst         (rst),
        .write       (write && ${here}),
        .write_pos   (${bits}),
        .write_start (write_start),
        .in_valid    (valid_${v}),
        .in_address  (address_${v}),
        .in_way      (way_${v}),
        .in_offset   (offset_${v}),
        .out_valid   (valid_${v + 1}),
        .out_address (address_${v + 1}),
        .out_way     (way_${v + 1}),
        .out_offset  (offset_${v + 1})
    );

//% end
    // ------------------------------------------------------------------
    // Length of the range before the r-th start

    reg               valid;
    reg               some;  // r is not zero
    reg [RANGE_W-1:0] index; // r - 1
    reg [ADDR_W-1:0]  address;
    reg [ADDR_W-1:0]  offset;

    wire [RANGE_W-1:0] previous = way_${N} - 1'b1;
    wire [ADDR_W-1:0]  not_length; // lengths are held inverted

    ${prefix}ndp_ram #(
        .WIDTH     (ADDR_W),
        .WORDS     (SLOTS),
        .ADDRESS_W (RANGE_W)
    ) lengths (
        .clk     (clk),
        .wr_en   (write),
        .wr_addr (write_index),
        .wr_data (~write_length),
        .rd_en   (valid_${N}),
        .rd_addr (previous),
        .rd_data (not_length)
    );

    always @(posedge clk) begin
        if (rst)
            valid <= 1'b0;
        else
            valid <= valid_${N};
    end

    always @(posedge clk) begin
        some    <= way_${N} != {RANGE_W{1'b0}};
        index   <= previous;
        address <= address_${N};
        offset  <= offset_${N};
    end

    // ------------------------------------------------------------------
    // Comparison

    wire              beyond; // the range ends before the address
    wire [ADDR_W-1:0] unused;

    ${prefix}ndp_subtract #(
        .WIDTH (ADDR_W)
    ) compare (
        .value      (offset),
        .not_number (not_length),
        .difference (unused),
        .at_least   (beyond)
    );

    reg compared;    // an address has been compared
    reg in_none;     // with no range: none starts before it
    reg behind;      // it lies behind the range

    assign in_range = compared && !in_none && !behind;
    assign outside  = compared && (in_none || behind);

    always @(posedge clk) begin
        if (rst)
            compared <= 1'b0;
        else
            compared <= valid;
    end

    always @(posedge clk) begin
        in_none       <= !some;
        behind        <= beyond;
        found_index   <= index;
        found_address <= address;
    end

`ifdef FORMAL
`include "${prefix}ndp_analyzer_search_formal.vh"
`endif
endmodule

`default_nettype wire
