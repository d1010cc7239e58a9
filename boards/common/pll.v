// SB_PLL40_CORE - the PLL of an iCE40, for simulations of an unpacked bitstream
//
// Gives out what comes in, so that the clock at the pin is the machine's, as
// everywhere in simulations.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module SB_PLL40_CORE #(
    parameter FEEDBACK_PATH                  = "SIMPLE",
    parameter DELAY_ADJUSTMENT_MODE_FEEDBACK = "FIXED",
    parameter DELAY_ADJUSTMENT_MODE_RELATIVE = "FIXED",
    parameter PLLOUT_SELECT                  = "GENCLK",
    parameter SHIFTREG_DIV_MODE              = 0,
    parameter FDA_FEEDBACK                   = 0,
    parameter FDA_RELATIVE                   = 0,
    parameter DIVR                           = 0,
    parameter DIVF                           = 0,
    parameter DIVQ                           = 0,
    parameter FILTER_RANGE                   = 0,
    parameter ENABLE_ICEGATE                 = 0,
    parameter TEST_MODE                      = 0
) (
    input  wire       REFERENCECLK,
    input  wire       EXTFEEDBACK,
    input  wire [7:0] DYNAMICDELAY,
    input  wire       BYPASS,
    input  wire       RESETB,
    input  wire       LATCHINPUTVALUE,
    input  wire       SCLK,
    input  wire       SDI,
    output wire       SDO,
    output wire       PLLOUTCORE,
    output wire       PLLOUTGLOBAL,
    output wire       LOCK
);
    assign PLLOUTCORE   = REFERENCECLK;
    assign PLLOUTGLOBAL = REFERENCECLK;
    assign LOCK         = 1'b1;
    assign SDO          = 1'b0;
endmodule

`default_nettype wire
