//% use "ndp_ram.v"
//% use "ndp_analyzer_touched_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "analyzer: touched ranges", text = [[
One bit a range: a candidate has accessed it since it was loaded.

A change waits one edge before it is written, so that a query on the edge of the
change still sees what was there; a query on the next edge, when it is written,
sees it beside the memory.

Latency: a change counts for queries from the edge after it on; an answer is
shown one edge after its query.]]}}
`default_nettype none

module ${prefix}ndp_analyzer_touched (
    input  wire         clk,         // clock
    input  wire         rst,         // synchronous reset, active high

    // change
    input  wire         set,         // the range is accessed
    input  wire ${w(L.RANGE_W)} set_index,   // range
    input  wire         clear,       // the range is loaded; not with set
    input  wire ${w(L.RANGE_W)} clear_index, // range

    // query
    input  wire         query,       // a query
    input  wire ${w(L.RANGE_W)} query_index, // range
    output wire         answer       // it is touched; zero without a query
);
${localparams("SLOTS", "RANGE_W")}

    reg               change; // a bit is written
    reg [RANGE_W-1:0] index;  // range
    reg               value;  // its bit

    always @(posedge clk) begin
        if (rst)
            change <= 1'b0;
        else
            change <= set || clear;
    end

    always @(posedge clk) begin
        index <= set ? set_index : clear_index;
        value <= set;
    end

    reg  asked;   // there was a query
    reg  met;     // of the bit that was being written
    reg  written; // its value
    wire stored;

    ${prefix}ndp_ram #(
        .WIDTH     (1),
        .WORDS     (SLOTS),
        .ADDRESS_W (RANGE_W)
    ) bits (
        .clk     (clk),
        .wr_en   (change),
        .wr_addr (index),
        .wr_data (value),
        .rd_en   (query),
        .rd_addr (query_index),
        .rd_data (stored)
    );

    always @(posedge clk) begin
        if (rst)
            asked <= 1'b0;
        else
            asked <= query;
    end

    always @(posedge clk) begin
        met     <= change && index == query_index;
        written <= value;
    end

    assign answer = asked && (met ? written : stored);

`ifdef FORMAL
`include "${prefix}ndp_analyzer_touched_formal.vh"
`endif
endmodule

`default_nettype wire
