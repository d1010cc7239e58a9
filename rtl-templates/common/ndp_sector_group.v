//% use "ndp_lowest.v"
${header{title = "lanes of the next sector", text = [[
The lowest of the pending lanes, its word, and all pending lanes whose words are in the
same sector: one transaction serves them.

Parameters:
    LANES   lanes of a warp
    LANE_W  bits of a lane
    ADDR_W  bits of a word's address
    WORD_W  bits of a word within its sector

Latency: none.

See docs/blocks/lsu_hybrid.md, and lsu_ext.md for strided messages.]]}}
`default_nettype none

module ${prefix}ndp_sector_group #(
    parameter LANES  = 32,
    parameter LANE_W = 5,
    parameter ADDR_W = 30,
    parameter WORD_W = 3
) (
    input  wire [LANES-1:0]        pending, // lanes without a transaction
    input  wire [ADDR_W*LANES-1:0] words,   // addresses of their words
    output wire [LANES-1:0]        first,   // the lowest pending lane, one-hot
    output wire [LANE_W-1:0]       lead,    // its number
    output reg  [ADDR_W-1:0]       word,    // its word
    output wire [LANES-1:0]        group    // pending lanes of its sector
);
    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest (
        .set   (pending),
        .first (first),
        .index (lead)
    );

    integer l;

    always @* begin
        word = {ADDR_W{1'b0}};
        for (l = 0; l < LANES; l = l + 1)
            word = word | (words[ADDR_W*l +: ADDR_W] & {ADDR_W{first[l]}});
    end

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            assign group[i] = pending[i] && words[ADDR_W*i + WORD_W +: ADDR_W - WORD_W] ==
                                            word[ADDR_W-1:WORD_W];
        end
    endgenerate
endmodule

`default_nettype wire
