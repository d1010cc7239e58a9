${header{title = "small memory that is a block RAM", text = [[
As ndp_ram, for what a tool would make of registers and multiplexers as it has few
words: where block RAMs are left over and logic is not.

Parameters:
    WIDTH      bits of a word, 1 or more
    WORDS      number of words, 2 or more
    ADDRESS_W  bits of an address, clog2(WORDS)

Latency: rd_data shows the word after the edge with rd_en, and keeps it.

Contract: a word that is written and read on the same edge reads as anything.
Users keep that from happening or do not look at the result, which is what the
attribute no_rw_check tells synthesis.]]}}
`default_nettype none

module ${prefix}ndp_ram_block #(
    parameter WIDTH     = 8,
    parameter WORDS     = 16,
    parameter ADDRESS_W = 4
) (
    input  wire                 clk,     // clock
    input  wire                 wr_en,   // write wr_data
    input  wire [ADDRESS_W-1:0] wr_addr, // word to write
    input  wire [WIDTH-1:0]     wr_data, // its new value
    input  wire                 rd_en,   // read
    input  wire [ADDRESS_W-1:0] rd_addr, // word to read
    output reg  [WIDTH-1:0]     rd_data  // the word last read
);
    (* no_rw_check, ram_style = "block" *)
    reg [WIDTH-1:0] words [0:WORDS-1];

    always @(posedge clk) begin
        if (wr_en)
            words[wr_addr] <= wr_data;
    end

    always @(posedge clk) begin
        if (rd_en)
            rd_data <= words[rd_addr];
    end
endmodule

`default_nettype wire
