// board_bist - a block under test behind a serial line, with its reset
//
// In the place of board_machine: a memory of stimulus plays to all inputs of a
// block, and a signature of its outputs is compared; the serial line is the
// master of both's registers:
//
//     uart_rx, uart_tx -> ndp_uartbone -- bus to wb --> ndp_bist <-> block
//
// The block is module `BOARD_BLOCK with ports clk, rst, stim and resp
// (tb/ndp_<block>_flat.v) of `BOARD_IN_BITS and `BOARD_OUT_BITS; the build puts
// these macros before this file.  It is in reset while nothing is played.
//
// Reset: all are held for 256 clocks after power came on and after each edge with
// ask_rst, which need not be synchronous, as board_machine says.  The block and
// what plays to it are reset when the host says so to the bridge, too.
//
// Lights: each shows for 2^TICK_W clocks whether its event happened in the 2^TICK_W
// clocks before; light_core stands while the last signature was wrong.
//
// See docs/boards.md, docs/blocks/uartbone.md, docs/blocks/bist.md.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module board_bist #(
    parameter TICK_W = 20      // log2 of the clocks of a tick
) (
    input  wire clk,           // clock
    input  wire ask_rst,       // reset is wanted, active high; any phase

    // uart: the line; at rest 1
    input  wire uart_rx,       // from the host
    output wire uart_tx,       // to the host

    // light: what a person may see
    output reg  light_alive,   // changes with every tick
    output reg  light_said,    // the bridge answered
    output reg  light_bus,     // a run was under way
    output reg  light_core     // the last signature was wrong
);
    localparam ADR_W = 5;      // bits of the word address of ndp_bist

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
    // Bridge, player and block

    wire                       bus_cyc;
    wire                       bus_stb;
    wire                       bus_we;
    wire [ADR_W-1:0]           bus_adr;
    wire [31:0]                bus_dat_w;
    wire [3:0]                 bus_sel;
    wire [31:0]                bus_dat_r;
    wire                       bus_ack;
    wire                       device_rst;
    wire                       stim_rst;
    wire [`BOARD_IN_BITS-1:0]  stim_bits;
    wire [`BOARD_OUT_BITS-1:0] resp_bits;
    wire                       busy;
    wire                       differs;

    reg                        bist_rst;

    always @(posedge clk)
        bist_rst <= rst || device_rst;

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

    ndp_bist bist (
        .clk          (clk),
        .rst          (bist_rst),
        .stim_rst     (stim_rst),
        .stim_bits    (stim_bits),
        .resp_bits    (resp_bits),
        .show_busy    (busy),
        .show_differs (differs),
        .wb_cyc       (bus_cyc),
        .wb_stb       (bus_stb),
        .wb_we        (bus_we),
        .wb_adr       (bus_adr),
        .wb_dat_w     (bus_dat_w),
        .wb_sel       (bus_sel),
        .wb_dat_r     (bus_dat_r),
        .wb_ack       (bus_ack)
    );

    `BOARD_BLOCK block (
        .clk  (clk),
        .rst  (stim_rst),
        .stim (stim_bits),
        .resp (resp_bits)
    );

    // ------------------------------------------------------------------
    // Lights

    reg [TICK_W-1:0] tick;      // clocks of this tick
    reg              ticked;    // it begins
    reg              saw_said;  // events of this tick
    reg              saw_busy;

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
            saw_busy <= 1'b0;
        end else begin
            saw_said <= !uart_tx || (saw_said && !ticked);
            saw_busy <= busy     || (saw_busy && !ticked);
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
            light_bus   <= saw_busy;
            light_core  <= differs;
        end
    end
endmodule

`default_nettype wire
