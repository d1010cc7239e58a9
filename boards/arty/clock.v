// board_clock - 50 MHz from the 100 MHz of an Arty A7
//
// 100 MHz * 10 / 20.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module board_clock (
    input  wire clk_in, // from the board's oscillator
    output wire clk,    // of the machine
    output wire ready   // clk can be used
);
    wire feedback;
    wire slow;

    MMCME2_BASE #(
        .CLKIN1_PERIOD    (10.0),
        .CLKFBOUT_MULT_F  (10.0),
        .CLKOUT0_DIVIDE_F (20.0)
    ) mmcm (
        .CLKIN1           (clk_in),
        .CLKFBIN          (feedback),
        .PWRDWN           (1'b0),
        .RST              (1'b0),
        .CLKFBOUT         (feedback),
        .CLKOUT0          (slow),
        .LOCKED           (ready)
    );

    BUFG buffer (
        .I (slow),
        .O (clk)
    );
endmodule

`default_nettype wire
