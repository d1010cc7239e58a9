// top - machine on a ULX3S
//
// Button F1 resets all.
// Lights are those of board_machine, from LED 0 on.
//
// See docs/boards.md.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module top (
    input  wire       clk,     // 25 MHz
    input  wire       button,  // 1 while it is pressed
    input  wire       uart_rx, // from the USB bridge
    output wire       uart_tx, // to the USB bridge
    output wire [7:0] led      // active high
);
    wire machine_clk;
    wire ready;

    assign led[7:4] = 4'd0;

    board_clock clock (
        .clk_in (clk),
        .clk    (machine_clk),
        .ready  (ready)
    );

    board_machine machine (
        .clk         (machine_clk),
        .ask_rst     (!ready || button),
        .uart_rx     (uart_rx),
        .uart_tx     (uart_tx),
        .light_alive (led[0]),
        .light_said  (led[1]),
        .light_bus   (led[2]),
        .light_core  (led[3])
    );
endmodule

`default_nettype wire
