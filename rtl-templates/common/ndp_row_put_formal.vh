//% output("formal/ndp_row_put_formal.vh")
${header{title = "what is proved of ndp_row_put", text = [[
Rows come, and one that has come is started, while none is written (q_load, q_start), and pred stands
meanwhile (q_pred).  Each row that is started is shown once, in LANES / ALUS passes, the
last one marked; a pass has the values of its lanes; done comes once, behind them.]]}}
`ifdef FORMAL_NDP_ROW_PUT
`define NDP_ROW_PUT_CONTRACT assume
`else
`define NDP_ROW_PUT_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg f_busy;   // a row was started, and is not done
    reg f_pred;   // pred before the last edge
    reg f_loaded; // a row has come since the last one was started

    always @(posedge clk) begin
        f_busy   <= !rst && (start || (busy && !done));
        f_pred   <= pred;
        f_loaded <= !rst && !start && (load || f_loaded);
    end

    always @* if (f_past && !rst) begin
        q_load: `NDP_ROW_PUT_CONTRACT (!load || !busy);
        q_start: `NDP_ROW_PUT_CONTRACT (!start || (!busy && (load || f_loaded)));
    end

`ifdef FORMAL_NDP_ROW_PUT
    localparam F_W = $clog2(PASSES + 1);

    reg                f_shown; // a pass was shown before the last edge
    reg [F_W-1:0]      f_at;    // passes that were taken
    reg [32*LANES-1:0] f_row;   // the row as it was started

    always @(posedge clk) begin
        if (start)
            f_at <= 0;
        else if (put_valid && put_ready)
            f_at <= f_at + 1'b1;
        if (load)
            f_row <= load_row;
        f_shown <= !rst && put_valid;
    end

    always @* if (f_past && !rst)
        q_pred: assume (!f_shown || pred == f_pred);

    wire [32*LANES-1:0] f_words = f_row >> (f_at * (32 * ALUS));
    wire [32*LANES-1:0] f_bits  = f_row >> (f_at * ALUS);

    integer f_i;
    reg     f_same; // the pass is that of its lanes

    always @* begin
        f_same = 1'b1;
        for (f_i = 0; f_i < ALUS; f_i = f_i + 1)
            if (put_data[32*f_i +: 32] != (pred ? {31'd0, f_bits[f_i]} : f_words[32*f_i +: 32]))
                f_same = 1'b0;
    end

    always @* if (f_past && !rst) begin
        p_busy: assert (busy == f_busy && !(puts && settles));
        p_pass: assert (!puts || pass == FIRST << f_at);
        p_last: assert (put_last == (put_valid && f_at == PASSES - 1));
        p_number: assert (!busy || f_at <= PASSES && puts == (f_at < PASSES));
        p_row: assert (busy || !f_loaded || row == f_row);
        p_shifted: assert (!puts || row == (pred ? f_bits : f_words));
        p_same: assert (!puts || f_same);
        p_zero: assert (puts || put_data == 0);
        p_done: assert (!done || f_at == PASSES);
        c_done: cover (done);
        c_pred: cover (put_last && pred && put_data != 0);
        c_again: cover (start && f_at == PASSES);
    end
`endif
