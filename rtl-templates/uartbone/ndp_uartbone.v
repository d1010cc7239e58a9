//% use "ndp_queue.v"
//% use "ndp_uartbone_rx.v"
//% use "ndp_uartbone_tx.v"
//% use "ndp_uartbone_commands.v"
${header{title = "serial line to register bus", text = [[
Bytes of a UART become accesses of a Wishbone bus, in LiteX's protocol.

    uart_rx -> receiver -> queue -> commands -> bus
    uart_tx <- transmitter <- answers

Parameters: all sizes are generated; see the localparams.

Handshake: Wishbone B4 classic; an access stands until it is acknowledged, and one
edge at least lies between two.

Latency: an access begins ten edges after the last byte that it needs was taken.

See docs/blocks/uartbone.md.]]}}
`default_nettype none

module ${prefix}ndp_uartbone (
${ports()}
);
${localparams("QUEUE")}

    wire       arrives;  // a byte of the line
    wire       framing;
    wire [7:0] came;
    wire       has_room;
    wire       waits;    // a byte of the queue
    wire [7:0] oldest;
    wire       take;
    wire       fail;
    wire       free;     // of the transmitter
    wire       send;
    wire [7:0] answer;

    ${prefix}ndp_uartbone_rx receiver (
        .clk      (clk),
        .rst      (rst),
        .uart_rx  (uart_rx),
        .arrives  (arrives),
        .framing  (framing),
        .got_byte (came)
    );

    ${prefix}ndp_queue #(
        .WIDTH (8),
        .DEPTH (QUEUE - 1)
    ) bytes (
        .clk       (clk),
        .rst       (rst || fail),
        .push      (arrives && has_room),
        .in_word   (came),
        .can_push  (has_room),
        .pop       (take),
        .out_valid (waits),
        .out_word  (oldest)
    );

    ${prefix}ndp_uartbone_commands commands (
        .clk        (clk),
        .rst        (rst),
        .in_valid   (waits),
        .in_byte    (oldest),
        .take       (take),
        .arrives    (arrives),
        .framing    (framing),
        .overrun    (arrives && !has_room),
        .fail       (fail),
        .send_free  (free),
        .send       (send),
        .send_byte  (answer),
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

    ${prefix}ndp_uartbone_tx transmitter (
        .clk       (clk),
        .rst       (rst),
        .send      (send),
        .send_byte (answer),
        .free      (free),
        .uart_tx   (uart_tx)
    );

${checks()}
endmodule

`default_nettype wire
