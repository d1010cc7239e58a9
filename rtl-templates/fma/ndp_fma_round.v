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
    wire endless = over && (nearest || away);

    // What stands in the place of the number: zero; one, and the greatest number,
    // infinity and NaN, which are told apart by the first and last bit of the
    // exponent and by the fraction.
    wire nothing = sat && (nan || neg);
    wire one     = sat && (inf || atleast) && !nothing;
    wire special = !sat && (nan || inf || over);
    wire full    = special && (nan || (!inf && !endless)); // of ones
    wire keep    = !(nothing || one || special || (low && ftz));

    assign value[31]    = neg && !nan && !sat;
    assign value[30]    = (keep && rounded[30]) || special;
    assign value[29:24] = ({6{keep}} & rounded[29:24]) | {6{one || special}};
    assign value[23]    = (keep && rounded[23]) || one ||
                          (special && (nan || inf || endless));
    assign value[22:0]  = ({23{keep}} & rounded[22:0]) | {23{full}};

`ifdef FORMAL
`include "${prefix}ndp_fma_round_formal.vh"
`endif
endmodule

`default_nettype wire
