// board_machine - a machine behind a serial line, with its reset
//
// The serial line is the master of the machine's register port:
//
//     uart_rx, uart_tx -> ndp_uartbone -- bus to wb --> `BOARD_MACHINE
//
// The build defines before this file: that module; `BOARD_ADR_BITS, bits of its
// word address; `BOARD_OUTPUTS, connections of its other outputs, which have no
// reader here but the wire works.
//
// Reset: both are held for 256 clocks after power came on and after each edge
// with ask_rst, which need not be synchronous.  The machine alone is reset when
// the host says so to the bridge (device_rst).  256 clocks are more than the
// 3 us for which block RAMs of an iCE40 cannot be read after configuration, up
// to 80 MHz.
//
// Lights: one is for the eye, so each shows for 2^TICK_W clocks whether its
// event happened in the 2^TICK_W clocks before.  With TICK_W 0, for parts without
// room, each shows the clock before, and light_alive stands when reset is over.
//
// See docs/boards.md, docs/blocks/uartbone.md.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module board_machine #(
    parameter TICK_W = 20      // log2 of the clocks of a tick, or 0
) (
    input  wire clk,           // clock
    input  wire ask_rst,       // reset is wanted, active high; any phase

    // uart: the line; at rest 1
    input  wire uart_rx,       // from the host
    output wire uart_tx,       // to the host

    // light: what a person may see
    output reg  light_alive,   // changes with every tick
    output reg  light_said,    // the bridge answered
    output reg  light_bus,     // the host reached a register
    output reg  light_core     // the machine works: a core retired an instruction;
                               // MPU: a beat went from one die to the other
);
    localparam ADR_W = `BOARD_ADR_BITS;

    // ------------------------------------------------------------------
    // Reset.  A chip has no other one: the bitstream sets these registers.

    reg  [1:0] asked   = 2'b11; // ask_rst, synchronous in bit 1
    reg  [8:0] waited  = 9'd0;  // clocks since it was asked for, up to 256

    wire       rst     = !waited[8];

    always @(posedge clk)
        asked <= {asked[0], ask_rst};

    always @(posedge clk) begin
        if (asked[1])
            waited <= 9'd0;
        else if (rst)
            waited <= waited + 1'b1;
    end

    // ------------------------------------------------------------------
    // Bridge and machine

    wire             bus_cyc;
    wire             bus_stb;
    wire             bus_we;
    wire [ADR_W-1:0] bus_adr;
    wire [31:0]      bus_dat_w;
    wire [3:0]       bus_sel;
    wire [31:0]      bus_dat_r;
    wire             bus_ack;
    wire             device_rst;
    wire             works;

    reg              system_rst; // one register, since its load is high

    always @(posedge clk)
        system_rst <= rst || device_rst;

    ndp_uartbone bridge (
        .clk        (clk),
        .rst        (rst),
        .uart_rx    (uart_rx),
        .uart_tx    (uart_tx),
        .bus_cyc    (bus_cyc),
        .bus_stb    (bus_stb),
        .bus_we     (bus_we),
        .bus_adr    (bus_adr),
        .bus_dat_w  (bus_dat_w),
        .bus_sel    (bus_sel),
        .bus_dat_r  (bus_dat_r),
        .bus_ack    (bus_ack),
        .device_rst (device_rst)
    );

    /* verilator lint_off PINCONNECTEMPTY */
    `BOARD_MACHINE system (
        `BOARD_OUTPUTS
        .clk      (clk),
        .rst      (system_rst),
        .wb_cyc   (bus_cyc),
        .wb_stb   (bus_stb),
        .wb_we    (bus_we),
        .wb_adr   (bus_adr),
        .wb_dat_w (bus_dat_w),
        .wb_sel   (bus_sel),
        .wb_dat_r (bus_dat_r),
        .wb_ack   (bus_ack)
    );
    /* verilator lint_on PINCONNECTEMPTY */

    // ------------------------------------------------------------------
    // Lights

    generate if (TICK_W == 0) begin : plain
        always @(posedge clk) begin
            light_alive <= !rst;
            light_said  <= !uart_tx;
            light_bus   <= bus_ack;
            light_core  <= works;
        end
    end else begin : ticks
        reg [TICK_W-1:0] tick;      // clocks of this tick
        reg              ticked;    // it begins
        reg              saw_said;  // events of this tick
        reg              saw_bus;
        reg              saw_core;

        always @(posedge clk) begin
            if (rst) begin
                tick   <= {TICK_W{1'b0}};
                ticked <= 1'b0;
            end else
                {ticked, tick} <= {1'b0, tick} + 1'b1;
        end

        always @(posedge clk) begin
            if (rst) begin
                saw_said <= 1'b0;
                saw_bus  <= 1'b0;
                saw_core <= 1'b0;
            end else begin
                saw_said <= !uart_tx || (saw_said && !ticked);
                saw_bus  <= bus_ack  || (saw_bus  && !ticked);
                saw_core <= works    || (saw_core && !ticked);
            end
        end

        always @(posedge clk) begin
            if (rst) begin
                light_alive <= 1'b0;
                light_said  <= 1'b0;
                light_bus   <= 1'b0;
                light_core  <= 1'b0;
            end else if (ticked) begin
                light_alive <= !light_alive;
                light_said  <= saw_said;
                light_bus   <= saw_bus;
                light_core  <= saw_core;
            end
        end
    end endgenerate
endmodule

`default_nettype wire
