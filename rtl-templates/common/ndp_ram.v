${header{title = "memory with one write and one read port", text = [[
For storage that is worth a block RAM.  Both ports are synchronous; the read
register has an enable and no reset, as block RAMs have it.

Parameters:
    WIDTH      bits of a word, 1 or more
    WORDS      number of words, 2 or more
    ADDRESS_W  bits of an address, clog2(WORDS)

Macro NDP_RAM_STYLE: its text, as in "block" or "distributed", becomes the attribute
ram_style; without it the tool chooses.

Latency: rd_data shows the word after the edge with rd_en, and keeps it.

Contract: a word that is written and read on the same edge reads as anything.
Users keep that from happening or do not look at the result, which is what the
attribute no_rw_check tells synthesis.]]}}
`default_nettype none

module ${prefix}ndp_ram #(
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
`ifdef NDP_RAM_STYLE
    (* no_rw_check, ram_style = `NDP_RAM_STYLE *)
`else
    (* no_rw_check *)
`endif
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
