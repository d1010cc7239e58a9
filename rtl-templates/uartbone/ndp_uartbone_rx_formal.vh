//% output("formal/ndp_uartbone_rx_formal.vh")
${header{title = "what is proved of ndp_uartbone_rx", text = [[
Whatever the line does: a byte that arrives, or that has no stop bit, is what the
pin showed in the middle of each bit, after a start bit; while the line stays zero
after a framing error nothing begins.

Of a host (F_HOST) that sends frames of its own, each bit's end early or late by
less than half a bit, counted from the frame's start: each frame arrives, unaltered
and once, and none lacks its stop bit.  (2 % on either side make less than that: four
tenths of a bit at the end of a frame.)  The stop bit is three clocks longer than
that, for the synchroniser.]]}}
`ifdef FORMAL_NDP_UARTBONE_RX
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // clocks since a start bit was seen, while one is received
    reg [TIMER_W+3:0] f_since;

    always @(posedge clk)
        f_since <= receiving ? f_since + 1 : 0;

    always @* if (f_past) begin // leads to the others
        p_at: assert (!receiving || at <= 9);
        p_since: assert (!receiving || f_since + timer + 1 == CLOCKS / 2 + at * CLOCKS);
    end

`ifndef F_HOST
    // ------------------------------------------------------------------
    // What the pin showed, the last edge's value at the bottom

    localparam F_LONG = 10 * CLOCKS + 2;

    reg [F_LONG-1:0] f_pin;

    always @(posedge clk)
        f_pin <= rst ? ~0 : {f_pin, uart_rx};

    wire [7:0] f_byte = {
//% for i = 7, 0, -1 do
        f_pin[1 + ${8 - i} * CLOCKS]${i > 0 and "," or "};"}
//% end

    reg f_broken;

    always @(posedge clk)
        f_broken <= !rst && (framing || (f_broken && !f_pin[1]));

    integer f_i;
    reg     f_bits; // those that are held

    always @* begin
        f_bits = 1;
        for (f_i = 0; f_i < 8; f_i = f_i + 1)
            if (receiving && at > 8 - f_i)
                f_bits = f_bits && shift[f_i] == f_pin[f_since + 2 - CLOCKS / 2 -
                                                       (f_i + at - 8) * CLOCKS];
    end

    always @* if (f_past) begin
        p_start: assert (!(arrives || framing) || (!f_pin[1 + 9 * CLOCKS] &&
                                                   !f_pin[1 + 9 * CLOCKS + CLOCKS / 2]));
        p_byte: assert (!(arrives || framing) || shift == f_byte);
        p_stop: assert ((!arrives || f_pin[1]) && (!framing || !f_pin[1]));
        p_given: assert (!arrives || got_byte == shift);
        p_broken: assert (!(f_broken && receiving));
        p_bits: assert (f_bits); // leads to p_byte
    end

    always @* if (f_past && !rst) begin
        c_arrives: cover (arrives && got_byte == 8'ha5);
        c_framing: cover (framing);
        c_waits: cover (f_broken && !framing && !s1);
    end
`else
    // ------------------------------------------------------------------
    // A host

    localparam F_OFF = CLOCKS / 2 - 1; // clocks that an end may be off

    (* anyseq *) reg       f_starts; // a frame begins
    (* anyseq *) reg       f_ends;   // this bit ends here
    (* anyseq *) reg [7:0] f_new;

    reg               f_on;   // a frame is on the pin
    reg               f_due;  // it has not arrived
    reg [7:0]         f_byte;
    reg [3:0]         f_bit;  // on the pin; the start bit is 0
    reg [TIMER_W+3:0] f_time; // clocks that the frame has been there

    wire [9:0]         f_frame = {1'b1, f_byte, 1'b0};
    wire [TIMER_W+3:0] f_end   = (f_bit + 1) * CLOCKS;
    wire [TIMER_W+3:0] f_first = f_end - F_OFF + (f_bit == 9 ? 3 : 0);
    wire               f_early = f_time + 1 < f_first;
    wire               f_late  = f_time + 1 >= f_end + F_OFF;
    wire               f_next  = f_on && !f_early && (f_ends || f_late);

    reg f_fast; // each bit so far ended as early as it may
    reg f_slow; // as late

    always @(posedge clk) begin
        if (rst) begin
            f_on  <= 0;
            f_due <= 0;
        end else begin
            if (arrives)
                f_due <= 0;
            if (!f_on && f_starts) begin
                f_on   <= 1;
                f_due  <= 1;
                f_byte <= f_new;
                f_bit  <= 0;
                f_time <= 0;
                f_fast <= 1;
                f_slow <= 1;
            end else if (f_on) begin
                f_time <= f_time + 1;
                if (f_next) begin
                    f_bit  <= f_bit + 1;
                    f_on   <= f_bit != 9;
                    f_fast <= f_fast && f_time + 1 == f_first;
                    f_slow <= f_slow && f_late;
                end
            end
        end
    end

    always @* if (!rst)
        assume (uart_rx == (!f_on || f_frame[f_bit]));

    integer f_i;
    reg     f_bits; // those that are held

    always @* begin
        f_bits = 1;
        for (f_i = 0; f_i < 8; f_i = f_i + 1)
            if (receiving && at > 8 - f_i)
                f_bits = f_bits && shift[f_i] == f_byte[f_i + at - 9];
    end

    always @* if (f_past && !rst) begin
        p_due: assert (!arrives || f_due);
        p_unaltered: assert (!arrives || got_byte == f_byte);
        p_once: assert (f_on || !f_due);
        p_no_framing: assert (!framing && !broken);
        p_follows: assert (!receiving || (f_due && f_since + 3 == f_time)); // these two
        p_bits: assert (f_bits); // lead to the others
        c_fast: cover (arrives && f_fast && got_byte == 8'ha5);
        c_slow: cover (arrives && f_slow && got_byte == 8'h5a);
    end
`endif
`endif
