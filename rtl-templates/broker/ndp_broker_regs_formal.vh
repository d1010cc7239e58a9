//% output("formal/ndp_broker_regs_formal.vh")
${header{title = "what is proved of ndp_broker_regs", text = [[
The core shows what it is asked for, in as many passes as it has (q_seen, q_last).
Each register is asked for once and answered once, to who requested it, who waits has
the next turn; each row that is taken is written in all its passes, before the next.]]}}
`ifdef FORMAL_NDP_BROKER_REGS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam PASSES = ${L.PASSES};

    reg       f_looks; // the core has been asked, and has not shown all
    reg [5:0] f_seen;  // passes of it
    reg [2:0] f_opers; // requests without an answer
    reg [2:0] f_reads;
    reg [5:0] f_put;   // passes of a row that were taken
    reg       f_wrote; // a row was taken, and is not written
    reg       f_oper_waits; // the other one had its turn while it was at the queue's output
    reg       f_read_waits;

    always @(posedge clk) begin
        if (rst) begin
            f_looks      <= 1'b0;
            f_opers      <= 0;
            f_reads      <= 0;
            f_wrote      <= 1'b0;
            f_oper_waits <= 1'b0;
            f_read_waits <= 1'b0;
        end else begin
            f_looks      <= (look_valid && look_ready) || (f_looks && !(seen_valid && seen_last));
            f_opers      <= f_opers + (oper_valid && oper_ready) - value_valid;
            f_reads      <= f_reads + (reg_read_valid && reg_read_ready) - reg_data_valid;
            f_wrote      <= take_row || (f_wrote && !(f_put == PASSES && put_ready));
            f_oper_waits <= oper_there && !take_oper && (take_read || f_oper_waits);
            f_read_waits <= read_there && !take_read && (take_oper || f_read_waits);
        end
        if (look_valid)
            f_seen <= 0;
        else if (seen_valid)
            f_seen <= f_seen + 1'b1;
        if (take_row)
            f_put <= 0;
        else if (put_valid && put_ready)
            f_put <= f_put + 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_seen: assume (!seen_valid || f_looks);
        q_last: assume (!seen_valid || seen_last == (f_seen == PASSES - 1));
    end

    always @* if (f_past && !rst) begin
        p_phase: assert (phase <= WAIT);
        p_looks: assert (f_looks == (phase == WAIT));
        p_passes: assert (!(value_valid || reg_data_valid) || f_seen == PASSES);
        p_value: assert (!value_valid || f_opers != 0);
        p_row: assert (!reg_data_valid || f_reads != 0);
        p_one: assert (!(value_valid && reg_data_valid));
        p_oper_turn: assert (!(f_oper_waits && take_read));
        p_read_turn: assert (!(f_read_waits && take_oper));
        p_writing: assert (writing == f_wrote);
        p_put: assert (put_valid == (f_wrote && f_put < PASSES));
        p_last: assert (!put_valid || put_last == (f_put == PASSES - 1));
        p_whole: assert (!take_row || !f_wrote);
        c_value: cover (value_valid && value_data == 32'd1);
        c_pred: cover (reg_data_valid && pred && reg_data_row == 3);
        c_turn: cover (take_oper && f_oper_waits);
        c_write: cover (take_row && f_put == PASSES);
    end
`endif
