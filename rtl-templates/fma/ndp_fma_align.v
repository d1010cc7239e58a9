//% use "ndp_fma_align_formal.vh"
${header{title = "fused multiply-add: the addend in its place", text = [[
A significand at the left end of 76 places, shifted right, and whether bits other
than zero fell off the right end.

Latency: none, logic only.

See docs/blocks/fma.md.]]}}
`default_nettype none

module ${prefix}ndp_fma_align (
    input  wire [23:0] sig,      // significand
    input  wire [6:0]  distance, // places to the right, 0 to 80
    output wire [75:0] placed,   // the 76 places
    output wire        lost      // something fell off
);
    wire [75:0] by_0  = {sig, 52'd0};
    wire [75:0] by_1  = distance[0] ? {1'd0, by_0[75:1]} : by_0;
    wire [75:0] by_2  = distance[1] ? {2'd0, by_1[75:2]} : by_1;
    wire [75:0] by_4  = distance[2] ? {4'd0, by_2[75:4]} : by_2;
    wire [75:0] by_8  = distance[3] ? {8'd0, by_4[75:8]} : by_4;
    wire [75:0] by_16 = distance[4] ? {16'd0, by_8[75:16]} : by_8;
    wire [75:0] by_32 = distance[5] ? {32'd0, by_16[75:32]} : by_16;

    assign placed = distance[6] ? {64'd0, by_32[75:64]} : by_32;

    // By up to 31 places nothing falls off.
    wire lost_32 = distance[5] && by_16[31:0] != 32'd0;
    wire lost_64 = distance[6] && by_32[63:0] != 64'd0;

    assign lost = lost_32 || lost_64;

`ifdef FORMAL
`include "${prefix}ndp_fma_align_formal.vh"
`endif
endmodule

`default_nettype wire
