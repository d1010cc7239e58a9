//% use "ndp_fma_operands.v"
//% use "ndp_fma_align.v"
//% use "ndp_fma_leading.v"
//% use "ndp_fma_round.v"
//% use "ndp_fma_pipelined_formal.vh"
${header{title = "fused multiply-add, pipelined", text = [[
Mere data: an operation each cycle, its result six edges later.  Whoever uses it
knows what is valid and carries along what belongs to it, once for all lanes.

    1 operands | 2 multiply, align | 3 add | 4 count | 5 shift | 6 round

Handshake: none; it never stops, has no reset, and what comes out before the first
operation is anything.

Latency: result stands after the sixth edge, that of the operands counted.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_pipelined (
    input  wire        clk,      // clock
    input  wire [1:0]  kind,     // 0 a * b + c, 1 a * b, 2 a + c
    input  wire [1:0]  rounding, // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // subnormal operands and results are zero
    input  wire        sat,      // the result is clamped to 0 to 1, NaN to 0
    input  wire [31:0] a,        // factor
    input  wire [31:0] b,        // factor
    input  wire [31:0] c,        // addend
    output reg  [31:0] result    // six edges later
);
    // ------------------------------------------------------------------
    // 1: operands

    wire [23:0] sig_a;
    wire [23:0] sig_b;
    wire [23:0] sig_c;
    wire [6:0]  distance;
    wire [8:0]  top;
    wire        neg;
    wire        sub;
    wire        zero_neg;
    wire        nan;
    wire        inf;

    ${prefix}ndp_fma_operands operands (
        .kind     (kind),
        .rounding (rounding),
        .ftz      (ftz),
        .a        (a),
        .b        (b),
        .c        (c),
        .sig_a    (sig_a),
        .sig_b    (sig_b),
        .sig_c    (sig_c),
        .distance (distance),
        .top      (top),
        .neg      (neg),
        .sub      (sub),
        .zero_neg (zero_neg),
        .nan      (nan),
        .inf      (inf)
    );

    reg [23:0] sig_a_1;
    reg [23:0] sig_b_1;
    reg [23:0] sig_c_1;
    reg [6:0]  distance_1;
    reg [8:0]  top_1;
    reg        neg_1;
    reg        sub_1;
    reg        zero_neg_1;
    reg [5:0]  how_1; // nan, inf, rounding, ftz, sat

    always @(posedge clk) begin
        sig_a_1    <= sig_a;
        sig_b_1    <= sig_b;
        sig_c_1    <= sig_c;
        distance_1 <= distance;
        top_1      <= top;
        neg_1      <= neg;
        sub_1      <= sub;
        zero_neg_1 <= zero_neg;
        how_1      <= {nan, inf, rounding, ftz, sat};
    end

    // ------------------------------------------------------------------
    // 2: the product, and the addend in its place.  One that is subtracted is
    // kept inverted.

    wire [75:0] placed;
    wire        lost;

    ${prefix}ndp_fma_align align (
        .sig      (sig_c_1),
        .distance (distance_1),
        .placed   (placed),
        .lost     (lost)
    );

    reg [47:0] product_2;
    reg [75:0] addend_2;
    reg        lost_2;
    reg [8:0]  top_2;
    reg        neg_2;
    reg        sub_2;
    reg        zero_neg_2;
    reg [5:0]  how_2;

    always @(posedge clk) begin
        product_2  <= sig_a_1 * sig_b_1;
        addend_2   <= placed ^ {76{sub_1}};
        lost_2     <= lost;
        top_2      <= top_1;
        neg_2      <= neg_1;
        sub_2      <= sub_1;
        zero_neg_2 <= zero_neg_1;
        how_2      <= how_1;
    end

    // ------------------------------------------------------------------
    // 3: the sum's magnitude.  Of a difference P - C, P + ~C is one less: with a
    // carry out it is not negative, and one is added, unless something below
    // was lost, which takes it away again; else its inverse is C - P, and
    // nothing was lost.

    wire [76:0] product = {27'd0, product_2, 2'd0};
    wire [76:0] addend  = {1'b0, addend_2};
    wire        one     = sub_2 && !lost_2;
    wire [76:0] less    = product + addend;
    wire [77:0] more    = {product, 1'b1} + {addend, one}; // carry into place 0
    wire        other   = sub_2 && !less[76]; // the addend is the greater one

    wire unused = &{1'b0, more[77], more[0]};

    reg [75:0] sum_3;
    reg        lost_3;
    reg [8:0]  top_3;
    reg        neg_3;
    reg        zero_neg_3;
    reg [5:0]  how_3;

    always @(posedge clk) begin
        sum_3      <= other ? ~less[75:0] : more[76:1];
        lost_3     <= lost_2;
        top_3      <= top_2;
        neg_3      <= neg_2 ^ other;
        zero_neg_3 <= zero_neg_2;
        how_3      <= how_2;
    end

    // ------------------------------------------------------------------
    // 4: how far it goes left

    wire [6:0] shift;
    wire       none;

    ${prefix}ndp_fma_leading leading (
        .sum   (sum_3),
        .top   (top_3),
        .shift (shift),
        .none  (none)
    );

    reg [75:0] sum_4;
    reg [6:0]  shift_4;
    reg        lost_4;
    reg [8:0]  top_4;
    reg        neg_4;
    reg [5:0]  how_4;

    always @(posedge clk) begin
        sum_4   <= sum_3;
        shift_4 <= shift;
        lost_4  <= lost_3;
        top_4   <= top_3;
        neg_4   <= none && !how_3[4] ? zero_neg_3 : neg_3;
        how_4   <= how_3;
    end

    // ------------------------------------------------------------------
    // 5: left it goes

    wire [75:0] left = sum_4 << shift_4;

    reg [23:0] sig_5;
    reg        guard_5;
    reg        sticky_5;
    reg [8:0]  exponent_5;
    reg        neg_5;
    reg [5:0]  how_5;

    always @(posedge clk) begin
        sig_5      <= left[75:52];
        guard_5    <= left[51];
        sticky_5   <= left[50:0] != 51'd0 || lost_4;
        exponent_5 <= top_4 - {2'd0, shift_4};
        neg_5      <= neg_4;
        how_5      <= how_4;
    end

    // ------------------------------------------------------------------
    // 6: rounded

    wire [31:0] value;

    ${prefix}ndp_fma_round round (
        .neg      (neg_5),
        .nan      (how_5[5]),
        .inf      (how_5[4]),
        .exponent (exponent_5),
        .sig      (sig_5),
        .guard    (guard_5),
        .sticky   (sticky_5),
        .rounding (how_5[3:2]),
        .ftz      (how_5[1]),
        .sat      (how_5[0]),
        .value    (value)
    );

    always @(posedge clk) result <= value;

`ifdef FORMAL
`include "${prefix}ndp_fma_pipelined_formal.vh"
`endif
endmodule

`default_nettype wire
