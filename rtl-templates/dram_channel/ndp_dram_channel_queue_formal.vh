//% output("formal/ndp_dram_channel_queue_formal.vh")
${header{title = "what is proved of ndp_dram_channel_queue", text = [[
A token, any request that is ever pushed, stays unaltered at its age until it leaves;
it waits while an older one of its burst is there and not longer; its two bits tell the
row of its bank, as the host's row commands make it.

Demands: no push into a full queue, an entry that leaves is there and does not wait, at
most one of the host's commands on an edge.]]}}
`ifdef FORMAL_NDP_DRAM_CHANNEL_QUEUE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past) begin
        q_room: assume (!push || count < ENTRIES);
        q_there: assume (!leave || leave_index < count);
        q_turn: assume (!leave || !waits[leave_index]);
        q_one: assume (leave + opens + closes + closes_rank <= 1);
        q_hit: assume (!push_hit || push_open);
    end

    // ------------------------------------------------------------------
    // Token

    (* anyseq *) reg f_pick; // the request pushed now is the token

    reg               f_have; // the token waits
    reg [INDEX_W-1:0] f_at;   // where
    reg [WORD_W-1:0]  f_word;
    reg               f_open, f_hit;

    wire f_leaves = leave && f_at == leave_index;

    wire [PLACE_W-1:0] f_place = f_word[COL_W+ROW_W +: PLACE_W];
    wire               f_here  = f_place == at;
    wire               f_close = (closes && f_here) ||
                                 (closes_rank && f_place[PLACE_W-1 -: RA_W] == at[PLACE_W-1 -: RA_W]);

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_have <= !f_leaves;
            f_at   <= f_at - (leave && leave_index < f_at);
            if (opens && f_here) begin
                f_open <= 1'b1;
                f_hit  <= f_word[COL_W +: ROW_W] == row;
            end else if (f_close) begin
                f_open <= 1'b0;
                f_hit  <= 1'b0;
            end
        end else if (push && f_pick) begin
            f_have <= 1'b1;
            f_at   <= count - leave;
            f_word <= {push_write, push_lazy, push_id, burst};
            f_open <= push_open;
            f_hit  <= push_hit;
        end
    end

    // older ones of the token's burst
    reg f_older;
    integer f_i;

    always @* begin
        f_older = 1'b0;
        for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1)
            if (valids[f_i] && f_i < f_at &&
                words[f_i*WORD_W +: BURST_W] == f_word[BURST_W-1:0])
                f_older = 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_count: assert (valids == ~({ENTRIES{1'b1}} << count));
        p_there: assert (!f_have || f_at < count);
        p_unaltered: assert (!f_have || words[f_at*WORD_W +: WORD_W] == f_word);
        p_row: assert (!f_have || (opened[f_at] == f_open && hits[f_at] == f_hit));
        p_waits: assert (!f_have || waits[f_at] == f_older);
        p_oldest: assert (!waits[0] || !valids[0]);
    end

    always @* if (f_past && !rst) begin
        c_waits: cover (f_have && f_older);
        c_moves: cover (f_have && f_leaves && f_at == 2);
        c_full: cover (count == ENTRIES && f_have && f_hit);
    end
`endif
