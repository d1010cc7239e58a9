// primitives - what the clocks of the boards take from their chips, as ports
// only: enough to read them.
//
// SPDX-License-Identifier: MIT

/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off UNUSED */
`default_nettype none

(* blackbox *)
module SB_PLL40_CORE #(
    parameter FEEDBACK_PATH = "",
    parameter [3:0] DIVR = 4'd0,
    parameter [6:0] DIVF = 7'd0,
    parameter [2:0] DIVQ = 3'd0,
    parameter [2:0] FILTER_RANGE = 3'd0
) (
    input  wire REFERENCECLK,
    input  wire RESETB,
    input  wire BYPASS,
    output wire PLLOUTGLOBAL,
    output wire LOCK
);
endmodule

(* blackbox *)
module MMCME2_BASE #(
    parameter CLKFBOUT_MULT_F = 1.0,
    parameter CLKIN1_PERIOD = 1.0,
    parameter CLKOUT0_DIVIDE_F = 1.0
) (
    input  wire CLKIN1,
    input  wire CLKFBIN,
    input  wire PWRDWN,
    input  wire RST,
    output wire CLKFBOUT,
    output wire CLKOUT0,
    output wire LOCKED
);
endmodule

(* blackbox *)
module BUFG (
    input  wire I,
    output wire O
);
endmodule

`default_nettype wire
