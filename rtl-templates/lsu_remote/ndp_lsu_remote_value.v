//% use "ndp_memory_word.v"
//% use "ndp_lsu_remote_value_formal.vh"
${header{title = "LSU-Remote: what a sector becomes", text = [[
The words of a sector that a store of bytes or an atomic writes.

Parameters:
    WORDS  words of a sector

Latency: none; a function of its inputs.

See docs/blocks/lsu_remote.md, To the own banks, 8.]]}}
`default_nettype none

module ${prefix}ndp_lsu_remote_value #(
    parameter WORDS = 8
) (
    input  wire [3:0]          op,      // 1 a store, else an atomic
    input  wire [4*WORDS-1:0]  strobe,  // bytes of a store, or the word of an atomic
    input  wire [32*WORDS-1:0] data,    // their data
    input  wire [31:0]         compare, // of cas
    input  wire [32*WORDS-1:0] words,   // sector as it stands
    output wire [WORDS-1:0]    touched, // words that are written
    output wire [32*WORDS-1:0] value,   // what they become; others zero
    output wire [32*WORDS-1:0] was   // what they were; others zero
);
    // ------------------------------------------------------------------
    // The word of an atomic: all others are zero

    reg  [31:0] old;
    reg  [31:0] operand;
    wire        keeps;
    wire [31:0] changed;

    integer k;

    always @* begin
        old     = 32'd0;
        operand = 32'd0;
        for (k = 0; k < WORDS; k = k + 1) begin
            old     = old | was[32*k +: 32];
            operand = operand | (data[32*k +: 32] & {32{touched[k]}});
        end
    end

    ${prefix}ndp_memory_word word (
        .op      (op),
        .old     (old),
        .data    (operand),
        .compare (compare),
        .keeps   (keeps),
        .value   (changed)
    );

    wire [31:0] atomic = keeps ? old : changed;
    wire        stores = op == 4'd1;

    genvar i;
    genvar b;

    generate
        for (i = 0; i < WORDS; i = i + 1) begin : word_of
            wire [31:0] merged;

            for (b = 0; b < 4; b = b + 1) begin : byte_of
                assign merged[8*b +: 8] = strobe[4*i + b] ? data[32*i + 8*b +: 8]
                                                          : words[32*i + 8*b +: 8];
            end

            assign touched[i]          = strobe[4*i +: 4] != 4'd0;
            assign was[32*i +: 32]  = words[32*i +: 32] & {32{touched[i]}};
            assign value[32*i +: 32]   = (stores ? merged : atomic) & {32{touched[i]}};
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_lsu_remote_value_formal.vh"
`endif
endmodule

`default_nettype wire
