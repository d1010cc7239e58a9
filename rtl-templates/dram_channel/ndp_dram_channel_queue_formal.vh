//% output("formal/ndp_dram_channel_queue_formal.vh")
${header{title = "what is proved of ndp_dram_channel_queue", text = [[
A token, any request that is ever pushed, stays unaltered at its age until it leaves;
it is ready unless an older one of its burst is there; hits_now tells whether the row of
its bank is its own, as row commands make it, and hits the same without those of the
edge before.

Demands: no push into a full queue; one entry leaves at most, which is there and ready.]]}}
`ifdef FORMAL_NDP_DRAM_CHANNEL_QUEUE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past) begin
        q_room: assume (!push || count < ENTRIES);
        q_there: assume (!(leave & ~valids));
        q_turn: assume (!(leave & ~ready));
        q_one: assume (!(leave & (leave - 1)));
    end

    // ------------------------------------------------------------------
    // Token

    (* anyseq *) reg f_pick; // the request pushed now is the token

    reg               f_have; // the token waits
    reg [INDEX_W-1:0] f_at;   // where
    reg [WORD_W-1:0]  f_word;
    reg               f_hit;  // before the row commands that come now

    wire f_leaves = f_have && leave[f_at];

    wire [PLACE_W-1:0] f_place = f_word[COL_W+ROW_W +: PLACE_W];
    wire [RANK_W-1:0]  f_rank  = f_place[PLACE_W-1 -: RANK_W];
    wire               f_here  = f_place[SLOT_W-1:0] == slots[f_rank*SLOT_W +: SLOT_W];

    reg f_hit_now;

    always @* begin
        f_hit_now = f_hit;
        if (closes_all[f_rank] || (closes[f_rank] && f_here))
            f_hit_now = 1'b0;
        if (opens[f_rank] && f_here)
            f_hit_now = f_word[COL_W +: ROW_W] == slot_rows[f_rank*ROW_W +: ROW_W];
    end

    // entries that leave are counted below the token
    integer f_j;
    reg f_moves;

    always @* begin
        f_moves = 1'b0;
        for (f_j = 0; f_j < ENTRIES; f_j = f_j + 1)
            if (f_j < f_at && leave[f_j])
                f_moves = 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_have <= !f_leaves;
            f_at   <= f_at - f_moves;
            f_hit  <= f_hit_now;
        end else if (push && f_pick) begin
            f_have <= 1'b1;
            f_at   <= count - |leave;
            f_word <= {push_write, push_lazy, push_id, burst};
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
        p_row: assert (!f_have || (hits[f_at] == f_hit && hits_now[f_at] == f_hit_now));
        p_waits: assert (!f_have || ready[f_at] == !f_older);
        p_ready: assert (!(ready & ~valids));
        p_oldest: assert (ready[0] == valids[0]);
    end

    always @* if (f_past && !rst) begin
        c_waits: cover (f_have && f_older);
        c_moves: cover (f_have && f_leaves && f_at == 2);
        c_full: cover (count == ENTRIES && f_have && f_hit);
    end
`endif
