// top - machine on an iCEBreaker
//
// The user button resets all.  Of the lights of board_machine there are two: it
// is alive, and the core retired an instruction.
//
// See docs/boards.md.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module top (
    input  wire       clk,     // 12 MHz
    input  wire       button,  // 0 while it is pressed
    input  wire       uart_rx, // from the USB bridge
    output wire       uart_tx, // to the USB bridge
    output wire [1:0] led      // red, green; active low
);
    wire machine_clk;
    wire ready;
    wire alive;
    wire core;

    assign led = ~{core, alive};

    board_clock clock (
        .clk_in (clk),
        .clk    (machine_clk),
        .ready  (ready)
    );

    // two lights have no place on this board
    /* verilator lint_off PINCONNECTEMPTY */
    board_machine machine (
        .clk         (machine_clk),
        .ask_rst     (!ready || !button),
        .uart_rx     (uart_rx),
        .uart_tx     (uart_tx),
        .light_alive (alive),
        .light_said  (),
        .light_bus   (),
        .light_core  (core)
    );
    /* verilator lint_on PINCONNECTEMPTY */
endmodule

`default_nettype wire
