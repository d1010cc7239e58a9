//% use "ndp_uartbone_rx_formal.vh"
${header{title = "receiver of a serial line", text = [[
Takes bytes off a line: eight data bits, the lowest first, no parity, one stop
bit, CLOCKS clocks each, looked at in their middle.

Parameters: all sizes are generated; see the localparams.

Handshake: arrives is high for the one cycle in which got_byte is a byte; it
cannot be refused.  framing is high for the one cycle in which a stop bit is zero;
the receiver then waits for the line to rest.

Latency: nine and a half bits and two edges after the start bit came to the pin.

See docs/blocks/uartbone.md, Receiver.]]}}
`default_nettype none

module ${prefix}ndp_uartbone_rx (
    input  wire       clk,      // clock
    input  wire       rst,      // synchronous reset, active high
    input  wire       uart_rx,  // the line; need not be synchronous
    output wire       arrives,  // got_byte has been read
    output wire       framing,  // a stop bit of zero
    output wire [7:0] got_byte  // the byte, while arrives
);
${localparams("CLOCKS", "TIMER_W")}

    localparam [TIMER_W-1:0] TO_MIDDLE = CLOCKS[TIMER_W:1] - 1'b1;
    localparam [TIMER_W-1:0] TO_NEXT   = CLOCKS[TIMER_W-1:0] - 1'b1;

    localparam [3:0] START = 4'd0; // of at
    localparam [3:0] STOP  = 4'd9;

    // ------------------------------------------------------------------
    // Synchroniser

    reg s1;
    reg line;

    always @(posedge clk) begin
        if (rst) begin
            s1   <= 1'b1;
            line <= 1'b1;
        end else begin
            s1   <= uart_rx;
            line <= s1;
        end
    end

    // ------------------------------------------------------------------
    // Bits; at and timer mean nothing while nothing is received.

    reg               receiving;
    reg               broken; // after a framing error, until the line rests
    reg [TIMER_W-1:0] timer;  // clocks to the next look
    reg [3:0]         at;     // the bit that is looked at next
    reg [7:0]         shift;

    wire look = receiving && timer == {TIMER_W{1'b0}};

    assign arrives  = look && at == STOP && line;
    assign framing  = look && at == STOP && !line;
    assign got_byte = shift;

    always @(posedge clk) begin
        if (rst)
            receiving <= 1'b0;
        else if (!receiving)
            receiving <= !broken && !line;
        else if (look && (at == STOP || (at == START && line)))
            receiving <= 1'b0;
    end

    always @(posedge clk) begin
        if (rst)
            broken <= 1'b0;
        else
            broken <= framing || (broken && !line);
    end

    always @(posedge clk) begin
        if (rst)
            timer <= {TIMER_W{1'b0}};
        else if (!receiving)
            timer <= TO_MIDDLE;
        else if (look)
            timer <= TO_NEXT;
        else
            timer <= timer - 1'b1;
    end

    always @(posedge clk) begin
        if (rst || !receiving)
            at <= START;
        else if (look)
            at <= at + 4'd1;
    end

    // the start bit falls out at the end, the stop bit must not enter
    always @(posedge clk) begin
        if (rst)
            shift <= 8'd0;
        else if (look && at != STOP)
            shift <= {line, shift[7:1]};
    end

`ifdef FORMAL
`include "${prefix}ndp_uartbone_rx_formal.vh"
`endif
endmodule

`default_nettype wire
