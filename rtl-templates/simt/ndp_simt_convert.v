${header{title = "SIMT core: conversion of one lane", text = [[
Between integers and f32, and to integral f32.  One shifter takes what is below the
units out of sight, or a magnitude to the left; then one rounding.

    X1 -> X2 apart -> X3 shifted -> X4 rounded

Latency: three edges.]]}}
`default_nettype none

module ${prefix}ndp_simt_convert (
    input  wire        clk,      // clock
    input  wire [7:0]  op,       // stage X1: operation
    input  wire [1:0]  rounding, // 0 nearest, 1 to zero, 2 down, 3 up
    input  wire        ftz,      // a subnormal operand is zero
    input  wire        sat,      // frnd: clamped to 0 to 1
    input  wire [31:0] a,        // operand
    output reg  [31:0] value     // stage X4
);
    localparam [7:0] CVTFS = ${op "cvtfs"};
    localparam [7:0] CVTFU = ${op "cvtfu"};
    localparam [7:0] CVTSF = ${op "cvtsf"};
    localparam [7:0] FRND  = ${op "frnd"};

    // ------------------------------------------------------------------
    // X2: sign, magnitude, how far

    wire        from = op == CVTFS || op == CVTFU; // of an integer
    wire        neg  = a[31] && op != CVTFU;
    wire [7:0]  exp  = a[30:23];
    wire        low  = exp == 8'd0;
    wire [23:0] sig  = {!low, low && ftz ? 23'd0 : a[22:0]};

    // a number's magnitude with 2^31 leftmost, if its exponent is that
    wire [31:0] left = {sig, 8'd0};
    wire [8:0]  past = 9'd158 - {1'b0, exp}; // places to the right; negative: too big

    reg        from_2;
    reg        to_float_2; // frnd
    reg        signed_2;
    reg        neg_2;
    reg        nan_2;
    reg        big_2;  // 2^32 and more
    reg        whole_2; // frnd: nothing below the units
    reg [31:0] mag_2;
    reg [5:0]  right_2; // places
    reg [1:0]  rounding_2;
    reg        sat_2;
    reg [30:0] a_2;

    always @(posedge clk) begin
        from_2     <= from;
        to_float_2 <= op == FRND;
        signed_2   <= op == CVTSF;
        neg_2      <= neg;
        nan_2      <= exp == 8'hff && a[22:0] != 23'd0;
        big_2      <= past[8];
        whole_2    <= exp >= 8'd150;
        mag_2      <= !from ? left : neg ? 32'd0 - a : a;
        right_2    <= past[8] ? 6'd0 : past[7:0] > 8'd34 ? 6'd34 : past[5:0];
        rounding_2 <= rounding;
        sat_2      <= sat;
        a_2        <= a[30:0];
    end

    // ------------------------------------------------------------------
    // X3: an integer to the left end; a number to the right by its exponent

    reg [4:0] zeros; // above the integer's top one

    integer k;

    always @* begin
        zeros = 5'd31;
        for (k = 0; k < 32; k = k + 1)
            if (mag_2[k])
                zeros = 5'd31 - k[4:0];
    end

    wire [31:0] to_left  = mag_2 << zeros;
    wire [65:0] places   = {mag_2, 34'd0} >> right_2;

    reg        from_3;
    reg        to_float_3;
    reg        signed_3;
    reg        neg_3;
    reg        nan_3;
    reg        big_3;
    reg        whole_3;
    reg [31:0] units_3;  // integral part
    reg        guard_3;  // the place below
    reg        sticky_3; // something below that
    reg [7:0]  exp_3;    // of an integer
    reg [1:0]  rounding_3;
    reg        sat_3;
    reg [30:0] a_3;

    always @(posedge clk) begin
        from_3     <= from_2;
        to_float_3 <= to_float_2;
        signed_3   <= signed_2;
        neg_3      <= neg_2;
        nan_3      <= nan_2;
        big_3      <= big_2;
        whole_3    <= whole_2;
        units_3    <= from_2 ? {8'd0, to_left[31:8]} : places[65:34];
        guard_3    <= from_2 ? to_left[7] : places[33];
        sticky_3   <= from_2 ? to_left[6:0] != 7'd0 : places[32:0] != 33'd0;
        exp_3      <= mag_2 == 32'd0 ? 8'd0 : 8'd158 - {3'd0, zeros};
        rounding_3 <= rounding_2;
        sat_3      <= sat_2;
        a_3        <= a_2;
    end

    // ------------------------------------------------------------------
    // X4: round

    wire nearest = rounding_3 == 2'd0;
    wire away    = rounding_3[1] && rounding_3[0] != neg_3; // from zero
    wire up      = nearest ? guard_3 && (sticky_3 || units_3[0])
                           : away && (guard_3 || sticky_3);

    // of an integer: exponent and fraction are one number that counts up
    wire [30:0] as_float = {exp_3, units_3[22:0]} + {30'd0, up};

    // to an integer
    wire [32:0] count   = {1'b0, units_3} + {32'd0, up};
    wire        over_s  = big_3 || count > (neg_3 ? 33'h080000000 : 33'h07fffffff);
    wire        over_u  = big_3 || count[32];
    wire [31:0] most_s  = neg_3 ? 32'h80000000 : 32'h7fffffff;
    wire [31:0] exact_s = neg_3 ? 32'd0 - count[31:0] : count[31:0];
    wire [31:0] to_s    = over_s ? most_s : exact_s;
    wire [31:0] to_u    = neg_3 ? 32'd0 : over_u ? 32'hffffffff : count[31:0];
    wire [31:0] to_int  = nan_3 ? 32'd0 : signed_3 ? to_s : to_u;

    // frnd: below 2^23 the units are a number of up to 24 bits, to be normal again
    reg [4:0] top; // place of its top one

    integer j;

    always @* begin
        top = 5'd0;
        for (j = 0; j < 24; j = j + 1)
            if (count[j])
                top = j[4:0];
    end

    wire [22:0] fraction = count[22:0] << (5'd23 - top);
    wire [30:0] rounded  = count[23:0] == 24'd0 ? 31'd0
                                                : {8'd127 + {3'd0, top}, fraction};
    wire [30:0] integral = whole_3 ? a_3 : rounded;
    wire [30:0] clamped  = integral >= 31'h3f800000 ? 31'h3f800000 : integral;
    wire [31:0] to_frnd  =
        nan_3 ? (sat_3 ? 32'd0 : 32'h7fffffff) :
        sat_3 ? (neg_3 ? 32'd0 : {1'b0, clamped}) : {neg_3, integral};

    always @(posedge clk)
        value <= from_3     ? {neg_3 && exp_3 != 8'd0, as_float} :
                 to_float_3 ? to_frnd : to_int;
endmodule

`default_nettype wire
