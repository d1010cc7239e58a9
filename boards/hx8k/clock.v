// board_clock - 30 MHz from the 12 MHz of an iCE40-HX8K-B-EVN
//
// 12 MHz * (79 + 1) / 2^5, as icepll says.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module board_clock (
    input  wire clk_in, // from the board's oscillator
    output wire clk,    // of the machine
    output wire ready   // clk can be used
);
    SB_PLL40_CORE #(
        .FEEDBACK_PATH ("SIMPLE"),
        .DIVR          (4'd0),
        .DIVF          (7'd79),
        .DIVQ          (3'd5),
        .FILTER_RANGE  (3'd1)
    ) pll (
        .REFERENCECLK  (clk_in),
        .RESETB        (1'b1),
        .BYPASS        (1'b0),
        .PLLOUTGLOBAL  (clk),
        .LOCK          (ready)
    );
endmodule

`default_nettype wire
