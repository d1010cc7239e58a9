${header{title = "memory whose words are written in parts", text = [[
As ndp_ram, with an enable for each part of a word: bytes, or lanes.  Both ports
are synchronous; the read register has an enable and no reset.

Parameters:
    PARTS      parts of a word, 1 or more
    PART_W     bits of a part
    WORDS      number of words, 2 or more
    ADDRESS_W  bits of an address, clog2(WORDS)

Macro NDP_RAM_STYLE: as for ndp_ram.

Latency: rd_data shows the word after the edge with rd_en, and keeps it.

Contract: a part that is written and read on the same edge reads as anything.
Users keep that from happening or do not look at the result, which is what the
attribute no_rw_check tells synthesis.]]}}
`default_nettype none

module ${prefix}ndp_ram_parts #(
    parameter PARTS     = 4,
    parameter PART_W    = 8,
    parameter WORDS     = 16,
    parameter ADDRESS_W = 4
) (
    input  wire                    clk,     // clock
    input  wire [PARTS-1:0]        wr_en,   // parts to write
    input  wire [ADDRESS_W-1:0]    wr_addr, // word to write
    input  wire [PARTS*PART_W-1:0] wr_data, // its new parts
    input  wire                    rd_en,   // read
    input  wire [ADDRESS_W-1:0]    rd_addr, // word to read
    output reg  [PARTS*PART_W-1:0] rd_data  // the word last read
);
`ifdef NDP_RAM_STYLE
    (* no_rw_check, ram_style = `NDP_RAM_STYLE *)
`else
    (* no_rw_check *)
`endif
    reg [PARTS*PART_W-1:0] words [0:WORDS-1];

    integer part;

    always @(posedge clk) begin
        for (part = 0; part < PARTS; part = part + 1)
            if (wr_en[part])
                words[wr_addr][part*PART_W +: PART_W] <=
                    wr_data[part*PART_W +: PART_W];
    end

    always @(posedge clk) begin
        if (rd_en)
            rd_data <= words[rd_addr];
    end
endmodule

`default_nettype wire
