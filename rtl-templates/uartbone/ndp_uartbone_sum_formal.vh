//% output("formal/ndp_uartbone_sum_formal.vh")
${header{title = "what is proved of ndp_uartbone_sum", text = [[
A twin keeps what a byte begins with and how many steps have been done: the sum is
always what the division by the polynomial, written out, gives after so many.  The
user begins and stirs only while it is not busy (q_idle), not both at once and not
while he gives up (q_one).]]}}
`ifdef FORMAL_NDP_UARTBONE_SUM
`define NDP_UARTBONE_SUM_CONTRACT assume
`else
`define NDP_UARTBONE_SUM_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_idle: `NDP_UARTBONE_SUM_CONTRACT (!(busy && (stir || begin_new)));
        q_one: `NDP_UARTBONE_SUM_CONTRACT (begin_new + give_up + stir <= 1);
    end

`ifdef FORMAL_NDP_UARTBONE_SUM
    reg [31:0] f_from;  // the sum and the byte
    reg [3:0]  f_steps; // done since
    reg        f_goes;  // more follow

    integer    f_i;
    reg [31:0] f_sum;

    always @* begin
        f_sum = f_from;
        for (f_i = 0; f_i < 8; f_i = f_i + 1)
            if (f_i < f_steps)
                f_sum = f_sum[0] ? (f_sum >> 1) ^ 32'hedb88320 : f_sum >> 1;
    end

    always @(posedge clk) begin
        if (rst || begin_new) begin
            f_from  <= ~0;
            f_steps <= 0;
            f_goes  <= 0;
        end else if (stir) begin
            f_from  <= f_sum ^ {24'd0, stir_byte};
            f_steps <= 0;
            f_goes  <= 1;
        end else if (give_up) begin
            f_goes  <= 0;
        end else if (f_goes) begin
            f_steps <= f_steps + 1;
            f_goes  <= f_steps != 7;
        end
    end

    always @* if (f_past) begin
        p_sum: assert (sum == f_sum);
        p_busy: assert (busy == f_goes);
        p_step: assert (f_goes ? step == 8 + f_steps : step == 0); // leads to p_busy
        p_eight: assert (f_steps + f_goes <= 8);
    end

    always @* if (f_past && !rst) begin
        c_one: cover (!busy && sum == 32'h2dfd1072); // of the byte 0x00
        c_two: cover (!busy && sum == 32'h3e348dfb); // 0x01, 0x03
        c_left: cover (!busy && f_steps == 3);
    end
`endif
