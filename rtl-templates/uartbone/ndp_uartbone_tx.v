//% use "ndp_uartbone_tx_formal.vh"
${header{title = "transmitter of a serial line", text = [[
Puts bytes on a line: eight data bits, the lowest first, no parity, one stop bit,
CLOCKS clocks each.

Parameters: all sizes are generated; see the localparams.

Handshake: a byte with send is taken on that edge; only while free.

Latency: the start bit stands after the edge with send, the transmitter is free
again after ten times CLOCKS edges more.

See docs/blocks/uartbone.md, Transmitter.]]}}
`default_nettype none

module ${prefix}ndp_uartbone_tx (
    input  wire       clk,       // clock
    input  wire       rst,       // synchronous reset, active high
    input  wire       send,      // take send_byte
    input  wire [7:0] send_byte, // byte to send
    output wire       free,      // nothing is being sent
    output reg        uart_tx    // the line
);
${localparams("CLOCKS", "TIMER_W")}

    localparam [TIMER_W-1:0] TO_NEXT = CLOCKS[TIMER_W-1:0] - 1'b1;

    // Bits that follow, and above them a one that marks their end: it stands at
    // the bottom while the stop bit is on the line, and leaves with it.
    reg [9:0]         shift;
    reg [TIMER_W-1:0] timer; // clocks to the next bit

    wire next = timer == {TIMER_W{1'b0}}; // never while free

    assign free = shift == 10'd0;

    always @(posedge clk) begin
        if (rst || free || next)
            timer <= TO_NEXT;
        else
            timer <= timer - 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            shift <= 10'd0;
        else if (send)
            shift <= {2'b11, send_byte};
        else if (next)
            shift <= {1'b0, shift[9:1]};
    end

    always @(posedge clk) begin
        if (rst)
            uart_tx <= 1'b1;
        else if (send)
            uart_tx <= 1'b0;
        else if (next)
            uart_tx <= shift[0];
    end

`ifdef FORMAL
`include "${prefix}ndp_uartbone_tx_formal.vh"
`endif
endmodule

`default_nettype wire
