//% use "ndp_near_pipe_select_formal.vh"
//% local N = L.LANES
${header{title = "near-bank pipelines: which lanes access shared memory", text = [[
In each bank the lowest lane of those that ask for it wins; lanes that ask for the same
word go with it.

    ask, places -> wins, goes

Latency: none.

See docs/blocks/near_pipe.md, Shared memory.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_select (
    input  wire ${pad(range(N), 6)} ask,    // lanes that ask
    input  wire ${range(N * WORD_W)} places, // their words
    output reg  ${pad(range(N), 6)} wins,   // those that win
    output reg  ${pad(range(N), 6)} goes    // those with the word of a winner
);
${localparams("LANES")}

    localparam WORD_W = ${WORD_W}; // bits of a word's place
    localparam LANE_W = ${LANE_W}; // of them, the bank

    wire [LANES*LANES-1:0] firsts; // by bank: a bit a lane
    wire [LANES*LANES-1:0] withs;

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : bank
            reg [LANES-1:0]         asks;
            reg [LANES-1:0]         same;
            reg [WORD_W-LANE_W-1:0] row;

            wire [LANES-1:0] first = asks & (~asks + 1'b1);

            integer k;

            always @* begin
                for (k = 0; k < LANES; k = k + 1)
                    asks[k] = ask[k] && places[k*WORD_W +: LANE_W] == i[LANE_W-1:0];
            end

            always @* begin
                row = {WORD_W-LANE_W{1'b0}};
                for (k = 0; k < LANES; k = k + 1)
                    row = row | (places[k*WORD_W+LANE_W +: WORD_W-LANE_W] & {WORD_W-LANE_W{first[k]}});
            end

            always @* begin
                for (k = 0; k < LANES; k = k + 1)
                    same[k] = asks[k] && places[k*WORD_W+LANE_W +: WORD_W-LANE_W] == row;
            end

            assign firsts[i*LANES +: LANES] = first;
            assign withs[i*LANES +: LANES]  = same;
        end
    endgenerate

    integer b;

    always @* begin
        wins = {LANES{1'b0}};
        goes = {LANES{1'b0}};
        for (b = 0; b < LANES; b = b + 1) begin
            wins = wins | firsts[b*LANES +: LANES];
            goes = goes | withs[b*LANES +: LANES];
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_near_pipe_select_formal.vh"
`endif
endmodule

`default_nettype wire
