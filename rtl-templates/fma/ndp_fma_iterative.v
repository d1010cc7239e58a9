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
    step ]] .. L.ALIGN + 3 .. " to " .. L.ALIGN + 12 .. [[          the sum goes left, by 8, until it is too far
    step ]] .. L.ALIGN + 13 .. " to " .. L.ALIGN + 20 .. [[          and back, by 1
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

    reg multiply; // these steps
    reg left;     //
    reg right;    //

    wire take    = start && ready;
    wire last    = step == ${step(24 // K)};
    wire compare = step == ${step(L.ALIGN + 1)};
    wire add     = step == ${step(L.ALIGN + 2)};
    wire turn    = step == ${step(L.ALIGN + 12)};
    wire halt    = step == ${step(L.ALIGN + 20)};
    wire below   = step == ${step(LAST - 1)};
    wire ends    = step == ${step(LAST)};

    assign ready = step == ${step(0)};

    always @(posedge clk) begin
        if (rst || ends)
            step <= ${step(0)};
        else if (take || !ready)
            step <= step + 1'b1;
    end

    always @(posedge clk) begin
        multiply <= !rst && (take || (multiply && !last));
        left     <= !rst && (add || (left && !turn));
        right    <= !rst && (turn || (right && !halt));
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
    reg [83:0] sum;     // eight places more than it needs
    reg        greater; // the addend is

    wire one    = add && is_sub && (greater || lost);
    wire flip   = is_sub && last;
    wire invert = flip || (is_sub && add && !greater);
    wire sums   = compare || add;

//% if K == 1 then
    wire [24:0] partial = {1'b0, factor & {24{multiply && sum[3]}}};
//% else
    wire [25:0] partial = {2'd0, factor & {24{multiply && sum[4]}}} +
                          {1'b0, factor & {24{multiply && sum[5]}}, 1'b0};
//% end
    wire [75:0] term    = {${26 - K}'d0, partial, 26'd0} | (addend & {76{sums}});
    wire [77:0] total   = {1'b0, sum[${75 + K}:${K}], 1'b1} + {1'b0, term, one};
    wire [75:0] moved   = total[76:1] ^ {76{invert}};

    reg [9:0] exponent; // of place 75 of the sum, signed

    wire high     = sum[83:76] != 8'd0;
    wire none     = exponent[9] || exponent[8:0] == 9'd0; // it is below 1
    wire go_left  = left && !high && !none;
    wire go_right = right && (high || none);

    wire unused = &{1'b0, total[0], exponent[9]};

    always @(posedge clk) begin
        if (take) begin
            factor <= sig_a;
            sum    <= {${58 - K}'d0, sig_b, ${2 + K}'d0};
        end else if (go_left) begin
            sum <= {sum[75:0], 8'd0};
//% if K == 1 then
        end else if (multiply || add || go_right) begin
            sum <= {right ? {1'b0, sum[83:77]} : {8{flip}}, moved};
//% else
        end else if (go_right) begin
            sum <= {1'b0, sum[83:1]};
        end else if (multiply || add) begin
            sum <= {{8{flip}}, moved};
//% end
            if (multiply)
                sum[${1 + K}:2] <= {${K}{flip}};
        end
    end

    always @(posedge clk) begin
        if (take)
            exponent <= {1'b0, top};
        else if (go_left || go_right)
            exponent <= exponent + {{7{go_left}}, 2'd0, !go_left};
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

    wire zero    = sum[75:51] == 25'd0 && !sticky && !how[4];
    wire out_neg = zero ? is_zero_neg : is_neg ^ greater;

    wire [31:0] value;

    ${prefix}ndp_fma_round round (
        .neg      (out_neg),
        .nan      (how[5]),
        .inf      (how[4]),
        .exponent (exponent[8:0]),
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
