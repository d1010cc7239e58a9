//% use "ndp_subtract.v"
//% use "ndp_prefetch_pow2_formal.vh"
//% local function w(n) return pad(range(n), 7) end
${header{title = "prefetcher: division by a power of two", text = [[
Row and column of a position in an image whose rows lie 2^s bytes apart: a shift
and a mask.  The shift is made in two steps, by the lowest two bits of s and by
the others.

Latency: the results after two edges; bounds are taken after the first of them.
One division an edge.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_pow2 (
    input  wire         clk,      // clock
    input  wire         rst,      // synchronous reset, active high
    input  wire         found,    // a division begins
    input  wire ${w(L.SIZE_W)} position, // bytes from the image's begin
    input  wire ${w(held_divisor_w)} divisor,  // s
    input  wire ${w(L.X_W)} x_lo,     // bounds along x
    input  wire ${w(L.X_W)} x_hi,     //
    input  wire ${w(L.X_W)} x_turn,   //
    input  wire ${w(L.X_W)} x_last,   //
    output reg          done,     // the division is done
    output wire ${w(L.ROW_W)} row,      // row
    output wire         lt_lo,    // the column is less than the bound
    output wire         lt_hi,    //
    output wire         lt_turn,  //
    output wire         lt_last   //
);
${localparams("SIZE_W", "PITCH_W", "X_W", "SHIFT_W")}

    // ------------------------------------------------------------------
    // First edge

    reg               begun;
    reg [SIZE_W-1:0]  partly;      // position, shifted by the lowest bits of s
    reg [SHIFT_W-3:0] rest;        // the other bits of s
    reg [PITCH_W-1:0] rest_column;
    integer           i;

    always @(posedge clk) begin
        partly <= position >> divisor[1:0];
        rest   <= divisor[SHIFT_W-1:2];
        for (i = 0; i < PITCH_W; i = i + 1)
            rest_column[i] <= position[i] && i[SHIFT_W-1:0] < divisor;
    end

    always @(posedge clk) begin
        if (rst) begin
            begun <= 1'b0;
            done  <= 1'b0;
        end else begin
            begun <= found;
            done  <= begun;
        end
    end

    // ------------------------------------------------------------------
    // Second edge

    reg [SIZE_W-1:0]  quotient;
    reg [PITCH_W-1:0] remainder;
    reg [X_W-1:0]     not_lo;
    reg [X_W-1:0]     not_hi;
    reg [X_W-1:0]     not_turn;
    reg [X_W-1:0]     not_last;

    always @(posedge clk) begin
        quotient   <= partly >> {rest, 2'd0};
        remainder  <= rest_column;
        not_lo     <= ~x_lo;
        not_hi     <= ~x_hi;
        not_turn   <= ~x_turn;
        not_last   <= ~x_last;
    end

    assign row = ${fitted("quotient", L.SIZE_W, L.ROW_W)};

    // ------------------------------------------------------------------
    // How the column compares

//% for _, b in ipairs { "lo", "hi", "turn", "last" } do
    wire           ge_${b};
    wire [X_W-1:0] unused_${b};

    ${prefix}ndp_subtract #(
        .WIDTH (X_W)
    ) compare_${b} (
        .value      ({1'b0, remainder}),
        .not_number (not_${b}),
        .difference (unused_${b}),
        .at_least   (ge_${b})
    );

    assign lt_${b} = !ge_${b};

//% end
//% if L.ROW_W < L.SIZE_W then
    // The image has fewer than 2^ROW_W rows.
    wire unused = &{1'b0, quotient[SIZE_W-1:${L.ROW_W}]};

//% end
`ifdef FORMAL
`include "${prefix}ndp_prefetch_pow2_formal.vh"
`endif
endmodule

`default_nettype wire
