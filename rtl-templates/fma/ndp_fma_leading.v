//% use "ndp_fma_leading_formal.vh"
${header{title = "fused multiply-add: leading zeros", text = [[
How far a sum of 76 places can go left: until its highest one is leftmost, but not
beyond what its exponent allows.

Latency: none, logic only.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_leading (
    input  wire [75:0] sum,   // magnitude
    input  wire [8:0]  top,   // biased exponent of its leftmost place, from 1
    output wire [6:0]  shift, // places to the left, 0 to 75
    output wire        none   // it is zero; shift is anything then
);
    // Halves, from all of it down to one place: is the left one empty?
    wire [127:0] w_64 = {sum, 52'd0};
    wire         n_64 = w_64[127:64] == 64'd0;
    wire [63:0]  w_32 = n_64 ? w_64[63:0] : w_64[127:64];
    wire         n_32 = w_32[63:32] == 32'd0;
    wire [31:0]  w_16 = n_32 ? w_32[31:0] : w_32[63:32];
    wire         n_16 = w_16[31:16] == 16'd0;
    wire [15:0]  w_8  = n_16 ? w_16[15:0] : w_16[31:16];
    wire         n_8  = w_8[15:8] == 8'd0;
    wire [7:0]   w_4  = n_8 ? w_8[7:0] : w_8[15:8];
    wire         n_4  = w_4[7:4] == 4'd0;
    wire [3:0]   w_2  = n_4 ? w_4[3:0] : w_4[7:4];
    wire         n_2  = w_2[3:2] == 2'd0;
    wire         n_1  = n_2 ? !w_2[1] : !w_2[3];

    wire unused = &{1'b0, w_2[0]}; // the last one is there, or none is

    wire [6:0] zeros = {n_64, n_32, n_16, n_8, n_4, n_2, n_1};
    wire [8:0] most  = top - 9'd1; // then the exponent is 1: subnormal

    assign shift = {2'd0, zeros} > most ? most[6:0] : zeros;
    assign none  = n_64 && w_64[63:52] == 12'd0;

`ifdef FORMAL
`include "${prefix}ndp_fma_leading_formal.vh"
`endif
endmodule

`default_nettype wire
