//% output("formal/ndp_bank_formal.vh")
${header{title = "what is proved of ndp_bank", text = [[
A token, any request that is ever taken, stays unaltered at its age, comes out once
with its row, column and id, and not before an older one of its burst.  What the guard
demands of its commands (q_ of ndp_bank_guard) is an obligation here.]]}}
`ifdef FORMAL_NDP_BANK
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyseq *) reg f_pick; // the request taken now is the token

    reg               f_have; // the token waits
    reg [INDEX_W-1:0] f_at;   // where
    reg [WORD_W-1:0]  f_word;
    reg               f_came; // it has come out on the edge before

    wire f_leaves = f_have && column_goes && index == f_at;

    always @(posedge clk) begin
        f_came <= !rst && f_leaves;
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_have <= !f_leaves;
            f_at   <= f_at - (column_goes && index < f_at);
        end else if (req_valid && req_ready && f_pick) begin
            f_have <= 1'b1;
            f_at   <= count - column_goes;
            f_word <= {req_write, req_id, req_row, req_column};
        end
    end

    // an older one of the token's burst
    reg     f_older;
    integer f_i;

    always @* begin
        f_older = 1'b0;
        for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1)
            if (f_i < f_at && words[f_i*WORD_W +: BURST_W] == f_word[BURST_W-1:0])
                f_older = 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_count: assert (valids == ~({ENTRIES{1'b1}} << count));
        p_there: assert (!f_have || f_at < count);
        p_leaves: assert (!column_goes || index < count);
        p_unaltered: assert (!f_have || words[f_at*WORD_W +: WORD_W] == f_word);
        p_order: assert (!f_leaves || !f_older);
        p_patience: assert (passed <= PATIENCE);
        p_starved: assert (!column_goes || passed != PATIENCE || index == 0);
        p_zero: assert (cmd_valid || (cmd_kind == 0 && cmd_buffer == 0 && cmd_row == 0 &&
                                      cmd_column == 0 && cmd_id == 0));
    end

    always @* if (f_past && !rst && f_came) begin
        p_comes: assert (cmd_valid && cmd_kind == (f_word[WORD_W-1] ? WR : RD) &&
                         {cmd_id, cmd_row, cmd_column} == f_word[WORD_W-2:0]);
    end

    always @* if (f_past && !rst) begin
        c_waits: cover (f_have && f_older);
        c_passes: cover (f_leaves && f_at != 0);
        c_full: cover (!req_ready);
        c_conflict: cover (do_pre);
    end
`endif
