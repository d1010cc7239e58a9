// board_clock - the clock of a board without a PLL
//
// Gives out what comes in.  A board with a PLL has a module of this name in its
// own clock.v; in a simulation each board has this one, where the clock that
// comes in is the machine's.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module board_clock (
    input  wire clk_in, // from the board's oscillator
    output wire clk,    // of the machine
    output wire ready   // clk can be used
);
    assign clk   = clk_in;
    assign ready = 1'b1;
endmodule

`default_nettype wire
