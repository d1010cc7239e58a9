//% output("formal/ndp_uartbone_tx_formal.vh")
${header{title = "what is proved of ndp_uartbone_tx", text = [[
A twin keeps the byte and counts clocks from its start: the line shows start bit,
data, the lowest first, and stop bit, CLOCKS clocks each, and rests otherwise.
The user sends only while the transmitter is free (q_send).]]}}
`ifdef FORMAL_NDP_UARTBONE_TX
`define NDP_UARTBONE_TX_CONTRACT assume
`else
`define NDP_UARTBONE_TX_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_send: `NDP_UARTBONE_TX_CONTRACT (!send || free);

`ifdef FORMAL_NDP_UARTBONE_TX
    reg                f_on;    // a byte is on the line
    reg [7:0]          f_byte;
    reg [3:0]          f_bit;   // of the frame, the start bit is 0
    reg [TIMER_W-1:0]  f_clock; // of the bit, from 0

    wire [9:0] f_frame = {1'b1, f_byte, 1'b0};

    always @(posedge clk) begin
        if (rst) begin
            f_on <= 1'b0;
        end else if (!f_on) begin
            f_on    <= send;
            f_byte  <= send_byte;
            f_bit   <= 4'd0;
            f_clock <= 0;
        end else if (f_clock != CLOCKS - 1) begin
            f_clock <= f_clock + 1;
        end else begin
            f_clock <= 0;
            f_bit   <= f_bit + 4'd1;
            f_on    <= f_bit != 4'd9;
        end
    end

    always @* if (f_past) begin
        p_free: assert (free == !f_on);
        p_rests: assert (f_on || uart_tx);
        p_bit: assert (!f_on || uart_tx == f_frame[f_bit]);
        p_clock: assert (!f_on || timer == CLOCKS - 1 - f_clock); // leads to the others
        p_left: assert (!f_on || shift == {2'b11, f_byte} >> f_bit);
        p_timer: assert (f_on || timer == CLOCKS - 1);
    end

    always @* if (f_past && !rst) begin
        c_sent: cover (f_on && f_bit == 9 && f_clock == CLOCKS - 1 && f_byte == 8'h5a);
        c_again: cover (f_on && f_bit == 0 && f_byte == 8'ha5 && timer == 1);
    end
`endif
