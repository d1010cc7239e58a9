//% use "ndp_fma_operands.v"
//% use "ndp_fma_round.v"
//% use "ndp_fma_iterative_formal.vh"
//% local K = L.STEP_W
//% local LAST = L.LATENCY - 1
//% local STEPS_W = clog2(LAST + 1)
//% local function step(n) return STEPS_W .. "'d" .. n end
${header{title = "fused multiply-add, one at a time", text = [[
One adder and two shift registers do it step by step: the product is made in sum,
]] .. (K == 1 and "a bit" or K .. " bits") .. [[ of b an edge, while the addend goes right to its place; they are added;
the sum goes left.

    step 0                 takes an operation
    step 1 to ]] .. 24 // K .. [[           multiply; the last one inverts a product to subtract
    step 1 to ]] .. L.ALIGN .. [[           the addend goes right, by 8 or 1
    step ]] .. L.ALIGN + 1 .. [[                is the addend the greater one?
    step ]] .. L.ALIGN + 2 .. [[                add
    step ]] .. L.ALIGN + 3 .. " to " .. L.ALIGN + 17 .. [[          the sum goes left, by 8 or 1
    step ]] .. LAST - 1 .. [[                is there something below?
    step ]] .. LAST .. [[                round

Handshake: an operation is taken on an edge with start and ready; result is zero
while done is low.

Latency: after an edge with start and ready, done and result come ]] .. LAST .. [[ edges later, and
ready with them, whatever the operands are.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_iterative (
    input  wire        clk,      // clock
    input  wire        rst,      // synchronous reset, active high
    input  wire        start,    // an operation
    output wire        ready,    // taken
    input  wire [1:0]  kind,     // 0 a * b + c, 1 a * b, 2 a + c
    input  wire [1:0]  rounding, // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // subnormal operands and results are zero
    input  wire        sat,      // the result is clamped to 0 to 1, NaN to 0
    input  wire [31:0] a,        // factor
    input  wire [31:0] b,        // factor
    input  wire [31:0] c,        // addend
    output reg         done,     // a result
    output reg  [31:0] result    // the result
);
    // ------------------------------------------------------------------
    // Steps

    reg [${STEPS_W-1}:0] step;

    wire take     = start && ready;
    wire multiply = step != ${step(0)} && step <= ${step(24 // K)};
    wire last     = step == ${step(24 // K)};
    wire compare  = step == ${step(L.ALIGN + 1)};
    wire add      = step == ${step(L.ALIGN + 2)};
    wire below    = step == ${step(LAST - 1)};
    wire ends     = step == ${step(LAST)};
    wire left     = step > ${step(L.ALIGN + 2)}; // harmless when it is there

    assign ready = step == ${step(0)};

    always @(posedge clk) begin
        if (rst || ends)
            step <= ${step(0)};
        else if (take || !ready)
            step <= step + 1'b1;
    end

    // ------------------------------------------------------------------
    // Operands

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

    reg       is_neg;
    reg       is_sub;
    reg       is_zero_neg;
    reg [5:0] how; // nan, inf, rounding, ftz, sat

    always @(posedge clk) begin
        if (take) begin
            is_neg      <= neg;
            is_sub      <= sub;
            is_zero_neg <= zero_neg;
            how         <= {nan, inf, rounding, ftz, sat};
        end
    end

    // ------------------------------------------------------------------
    // The addend goes right; what falls off is not forgotten.

    reg [75:0] addend;
    reg [6:0]  to_go;
    reg        lost;

    wire by_8 = to_go[6:3] != 4'd0;
    wire by_1 = to_go[2:0] != 3'd0;

    always @(posedge clk) begin
        if (take) begin
            addend <= {sig_c, 52'd0};
            to_go  <= distance;
            lost   <= 1'b0;
        end else if (by_8) begin
            addend     <= {8'd0, addend[75:8]};
            to_go[6:3] <= to_go[6:3] - 1'b1;
            lost       <= lost || addend[7:0] != 8'd0;
        end else if (by_1) begin
            addend     <= {1'd0, addend[75:1]};
            to_go[2:0] <= to_go[2:0] - 1'b1;
            lost       <= lost || addend[0];
        end
    end

    // ------------------------------------------------------------------
    // The product is made at the left of the factor b, which leaves at its right
    // end; ${K == 1 and "one place" or K .. " places"} left of where the sum will be.  ~P + C is one less than C - P:
    // with a carry out one is added, else the inverse is P - C; one less than that
    // if something of C was lost.

    reg [23:0] factor;
    reg [${75 + K}:0] sum;
    reg        greater; // the addend is

    wire [${23 + K}:0] partial = ${K == 1 and "sum[3] ? {1'b0, factor} : 25'd0" or "{2'd0, factor & {24{sum[4]}}} +\n                         {1'b0, factor & {24{sum[5]}}, 1'b0}"};
    wire [75:0] term    = multiply ? {${26 - K}'d0, partial, 26'd0} : addend;
    wire        one     = add && is_sub && (greater || lost);
    wire        invert  = is_sub && (last || (add && !greater));
    wire [77:0] total   = {1'b0, sum[${75 + K}:${K}], 1'b1} + {1'b0, term, one};
    wire [75:0] moved   = total[76:1] ^ {76{invert}};

    reg [8:0] exponent; // of the leftmost place of the sum

    wire left_8 = sum[75:68] == 8'd0 && exponent > 9'd8;
    wire left_1 = !sum[75] && exponent > 9'd1;

    wire unused = total[0];

    always @(posedge clk) begin
        if (take) begin
            factor   <= sig_a;
            sum      <= {50'd0, sig_b, ${2 + K}'d0};
            exponent <= top;
        end else if (multiply || add) begin
            sum <= {{${K}{invert}}, moved};
            if (multiply)
                sum[${1 + K}:2] <= {${K}{invert}};
        end else if (left && left_8) begin
            sum      <= {sum[${67 + K}:0], 8'd0};
            exponent <= exponent - 9'd8;
        end else if (left && left_1) begin
            sum      <= {sum[${74 + K}:0], 1'b0};
            exponent <= exponent - 9'd1;
        end
    end

    always @(posedge clk) begin
        if (compare)
            greater <= total[77] && is_sub;
    end

    // ------------------------------------------------------------------
    // Rounding

    reg sticky;

    always @(posedge clk) begin
        if (below)
            sticky <= sum[50:0] != 51'd0 || lost;
    end

    wire none    = sum[75:51] == 25'd0 && !sticky && !how[4];
    wire out_neg = none ? is_zero_neg : is_neg ^ greater;

    wire [31:0] value;

    ${prefix}ndp_fma_round round (
        .neg      (out_neg),
        .nan      (how[5]),
        .inf      (how[4]),
        .exponent (exponent),
        .sig      (sum[75:52]),
        .guard    (sum[51]),
        .sticky   (sticky),
        .rounding (how[3:2]),
        .ftz      (how[1]),
        .sat      (how[0]),
        .value    (value)
    );

    always @(posedge clk) begin
        done <= ends && !rst;
        if (rst || !ends)
            result <= 32'd0;
        else
            result <= value;
    end

`ifdef FORMAL
`include "${prefix}ndp_fma_iterative_formal.vh"
`endif
endmodule

`default_nettype wire
