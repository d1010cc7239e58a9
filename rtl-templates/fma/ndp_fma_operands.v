//% use "ndp_fma_operands_formal.vh"
${header{title = "fused multiply-add: operands", text = [[
What the arithmetic needs of the three operands, and which of them need none.

    value = (neg ? -1 : 1) * (sig_a * sig_b * 2^(top - 27 - 46)
                              +- sig_c * 2^(top - distance - 23))

up to the bias of 127, unless the operands are far apart, NaN or infinite.  The
addend stands 27 places left of a product between 1 and 2 when distance is 0, and
goes right by distance; further left than that it stays where it is: then the
product is less than a quarter of its last place, whatever it is.

A product of a number and nothing (kind 1) adds a zero of the product's sign, so
that the sign of a zero is right; a sum (kind 2) is a * 1 + c.

Latency: none, logic only.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_operands (
    input  wire [1:0]  kind,     // 0 fma, 1 mul, 2 add
    input  wire [1:0]  rounding, // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // subnormal operands are zero
    input  wire [31:0] a,        // factor
    input  wire [31:0] b,        // factor
    input  wire [31:0] c,        // addend
    output wire [23:0] sig_a,    // significands, hidden bit included
    output wire [23:0] sig_b,    //
    output wire [23:0] sig_c,    //
    output wire [6:0]  distance, // places that the addend goes right, 0 to 80
    output wire [8:0]  top,      // biased exponent of the leftmost place
    output wire        neg,      // sign of the product, or of the infinity
    output wire        sub,      // the addend's sign is the other one
    output wire        zero_neg, // sign of a sum that cancels to zero
    output wire        nan,      // the result is NaN
    output wire        inf       // the result is infinite
);
    localparam [1:0] KIND_MUL = 2'd1;
    localparam [1:0] KIND_ADD = 2'd2;
    localparam [1:0] DOWN     = 2'd2;

    wire [31:0] y = kind == KIND_ADD ? 32'h3f800000 : b;
    wire        z = kind != KIND_MUL; // there is an addend

    // ------------------------------------------------------------------
    // Classes

    wire a_low = a[30:23] == 8'h00; // zero or subnormal
    wire b_low = y[30:23] == 8'h00;
    wire c_low = c[30:23] == 8'h00;
    wire a_big = a[30:23] == 8'hff; // infinite or NaN
    wire b_big = y[30:23] == 8'hff;
    wire c_big = c[30:23] == 8'hff && z;
    wire a_int = a[22:0] == 23'd0;  // fraction 0
    wire b_int = y[22:0] == 23'd0;
    wire c_int = c[22:0] == 23'd0;

    wire a_zero  = a_low && (a_int || ftz);
    wire b_zero  = b_low && (b_int || ftz);
    wire c_zero  = (c_low && (c_int || ftz)) || !z;
    wire p_zero  = a_zero || b_zero;
    wire p_inf   = a_big || b_big;
    wire neg_p   = a[31] ^ y[31];
    wire differ  = (neg_p ^ c[31]) && z;
    wire invalid = p_inf && (p_zero || (c_big && differ));

    assign nan = (a_big && !a_int) || (b_big && !b_int) ||
                 (c_big && !c_int) || invalid;
    assign inf = p_inf || c_big;
    assign neg = c_big ? c[31] : neg_p;
    assign sub = differ && !inf;

    // Nothing is left of a sum of different signs: +0, but -0 when rounding down.
    assign zero_neg = differ ? rounding == DOWN : neg_p;

    // ------------------------------------------------------------------
    // Significands

    // One factor is enough to make a product zero.

    assign sig_a = {!a_low, a[22:0]};
    assign sig_b = p_zero ? 24'd0 : {!b_low, y[22:0]};
    assign sig_c = c_zero ? 24'd0 : {!c_low, c[22:0]};

    // ------------------------------------------------------------------
    // Exponents: that of a subnormal number is 1.  The addend's leftmost place
    // is that of 27 above the product's exponent, -98 to 408.

    wire [7:0] exp_a = {a[30:24], a[23] || a_low};
    wire [7:0] exp_b = {y[30:24], y[23] || b_low};
    wire [7:0] exp_c = z ? {c[30:24], c[23] || c_low} : 8'd1;

    wire [8:0]  both = {1'b0, exp_a} + {1'b0, exp_b};
    wire [9:0]  high = {1'b0, both} - 10'd100;             // signed
    wire [10:0] gap  = {high[9], high} - {3'd0, exp_c};    // signed

    wire above = gap[10] || p_zero; // the addend stays where it is
    wire below = gap[9:7] != 3'd0 || gap[6:4] > 3'd4; // 80 or more: out of sight

    assign distance = above ? 7'd0 : below ? 7'd80 : gap[6:0];
    assign top      = above ? {1'b0, exp_c} : high[8:0];

`ifdef FORMAL
`include "${prefix}ndp_fma_operands_formal.vh"
`endif
endmodule

`default_nettype wire
