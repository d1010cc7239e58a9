//% use "ndp_fma_round_formal.vh"
${header{title = "fused multiply-add: rounding", text = [[
The 32 bits of a number whose significand, next bit and everything below are
known.

Exponent and fraction are one number that rounding counts up, so that a carry
makes the next power of two of it, the least normal number of a subnormal one, and
infinity of the greatest.

Latency: none, logic only.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_round (
    input  wire        neg,      // sign
    input  wire        nan,      // it is NaN, whatever the rest says
    input  wire        inf,      // it is infinite, whatever the following say
    input  wire [8:0]  exponent, // biased, of the significand's first place
    input  wire [23:0] sig,      // normal, or its exponent is 1
    input  wire        guard,    // the place below
    input  wire        sticky,   // there is something below that
    input  wire [1:0]  rounding, // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // a subnormal result becomes zero
    input  wire        sat,      // it is clamped to 0 to 1, NaN to 0
    output wire [31:0] value     // the result
);
    wire nearest = rounding == 2'd0;
    wire away    = rounding[1] && rounding[0] != neg; // from zero

    wire up = nearest ? guard && (sticky || sig[0])
                      : away && (guard || sticky);

    // A significand without its first place has exponent 0 as it is written.
    wire [31:0] exact   = {sig[23] ? exponent : 9'd0, sig[22:0]};
    wire [31:0] rounded = exact + {31'd0, up};

    wire over    = rounded[31] || rounded[30:23] == 8'hff;
    wire low     = rounded[31:23] == 9'd0;
    wire atleast = rounded[31:23] >= 9'd127; // one
    wire endless = inf || (over && (nearest || away));

    wire [30:0] flushed = low && ftz ? 31'd0 : rounded[30:0];
    wire [30:0] finite  = over ? 31'h7f7fffff : flushed;
    wire [30:0] number  = endless ? 31'h7f800000 : finite;
    wire [30:0] clamped = inf || atleast ? 31'h3f800000 : flushed;

    assign value = sat ? (nan || neg ? 32'd0 : {1'b0, clamped})
                       : (nan ? 32'h7fffffff : {neg, number});

`ifdef FORMAL
`include "${prefix}ndp_fma_round_formal.vh"
`endif
endmodule

`default_nettype wire
