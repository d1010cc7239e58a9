//% use "ndp_regs.v"
//% use "ndp_dram_channel_queue.v"
//% use "ndp_dram_channel_banks.v"
//% local refi = P["timing.refi"]
//% local mirrored = L.MIRRORED == 1
${header{title = "DRAM channel of host and accelerators", text = [[
Takes the requests of a host, gives the commands of a DRAM channel, and lets the
accelerator of each rank give commands when the host leaves its rank alone.

    req -> queue by age -> refresh, column or row command -> cmd
    next -> rank idle, bank free of requests, no throttle -> ndc

Parameters: all sizes and times are generated; see the localparams.

Handshake: a request is taken on an edge with req_valid and req_ready.  The burst of
rank r on next<r>_* stands still until nda_taken[r] shows that its column command goes
out.  Commands cannot be refused; their fields are zero while there is none.  What an
accelerator needs to take the same decisions later is on host<r>_* and held<r>_*.

Latency: a request whose row is open goes out on the edge after the one that takes it
at the earliest.

See docs/blocks/dram_channel.md.]]}}
`default_nettype none

module ${prefix}ndp_dram_channel (
${ports{reg = {"cmd_valid", "cmd_kind", "cmd_rank", "cmd_group", "cmd_bank", "cmd_row", "cmd_column", "cmd_id",
    "nda_taken", "ndc_valid", "ndc_kind", "ndc_group", "ndc_bank", "ndc_row", "ndc_column"}}}
);
//% local sizes = {"RANKS", "RANK_W", "GROUP_W", "BANK_W", "ROW_W", "COL_W", "ID_W", "SLOT_W", "PLACES", "PLACE_W",
//%     "ENTRIES", "COUNT_W", "DRAIN_HIGH", "DRAIN_IDLE", "DRAIN_WAIT", "WAIT_W", "PATIENCE", "PATIENCE_W"}
//% if L.DRAIN_LOW > 0 then table.insert(sizes, #sizes - 4, "DRAIN_LOW") end
${localparams(table.unpack(sizes))}
${localparams("SLOTS")}

    localparam [2:0] ACT  = 3'd0; // kinds of commands
    localparam [2:0] PRE  = 3'd1;
    localparam [2:0] PREA = 3'd2;
    localparam [2:0] RD   = 3'd3;
    localparam [2:0] WR   = 3'd5;
    localparam [2:0] REF  = 3'd7;

    wire [1:0] throttle; // settings
    wire [4:0] chance;

    // ------------------------------------------------------------------
    // Requests of the host

    wire [COUNT_W-1:0]         count;
    wire [ENTRIES-1:0]         valids, writes, lazy, ready, hits, hits_now;
    wire                       ready_lazy, push_same;
    wire [ENTRIES*ID_W-1:0]    ids;
    wire [ENTRIES*PLACE_W-1:0] places;
    wire [ENTRIES*ROW_W-1:0]   rows;
    wire [ENTRIES*COL_W-1:0]   columns;

    wire [PLACES-1:0]       open;
    wire [PLACES*ROW_W-1:0] open_rows;

    // row commands of the edge before, by rank
    reg [PLACES-1:0]       last_act_at; // by bank
    reg [RANKS-1:0]        last_act, last_pre, last_prea;
    reg [RANKS*SLOT_W-1:0] last_slot;
    reg [RANKS*ROW_W-1:0]  last_row;

    wire               push       = req_valid && req_ready;
    wire               push_lazy  = req_write && !req_urgent;
    wire [PLACE_W-1:0] push_place = {req_rank, req_group, req_bank};
    wire [ROW_W-1:0]   push_open  = last_act_at[push_place] ? last_row[req_rank*ROW_W +: ROW_W] :
                                                              open_rows[push_place*ROW_W +: ROW_W];
    wire               push_hit   = open[push_place] && push_open == req_row;

    assign req_ready = count < ENTRIES;

    // the host's command on this edge: which request has it, one-hot
    wire [ENTRIES-1:0] take_column, take_row;

    ${prefix}ndp_dram_channel_queue queue (
        .clk         (clk),
        .rst         (rst),
        .push        (push),
        .push_write  (req_write),
        .push_lazy   (push_lazy),
        .push_id     (req_id),
        .push_place  (push_place),
        .push_row    (req_row),
        .push_column (req_column),
        .push_hit    (push_hit),
        .leave       (take_column),
        .opens       (last_act),
        .closes      (last_pre),
        .closes_all  (last_prea),
        .slots       (last_slot),
        .slot_rows   (last_row),
        .count       (count),
        .valids      (valids),
        .writes      (writes),
        .lazy        (lazy),
        .ready       (ready),
        .hits        (hits),
        .hits_now    (hits_now),
        .ready_lazy  (ready_lazy),
        .push_same   (push_same),
        .ids         (ids),
        .places      (places),
        .rows        (rows),
        .columns     (columns)
    );

    // ------------------------------------------------------------------
    // Who takes part

    reg                  draining;
    reg [WAIT_W-1:0]     since_drain; // edges, DRAIN_WAIT at most
    reg [COUNT_W-1:0]    n_lazy;      // writes that wait for a drain
    reg [PATIENCE_W-1:0] passed;      // column commands before the oldest request's
    reg                  starved;     // the oldest alone: PATIENCE have passed it
    reg                  take_lazy;   // draining, and a lazy write is ready
    ${refi > 0 and "reg" or "wire"} [RANKS-1:0]      due;         // ranks to refresh

    wire any_prompt = n_lazy != count;
    wire any_lazy   = n_lazy != {COUNT_W{1'b0}};
    wire blocked    = |(valids & ~ready & ~lazy); // by another request of their burst

    wire [ENTRIES-1:0] chosen = starved ? {{(ENTRIES-1){1'b0}}, 1'b1} : ready & ~(lazy ^ {ENTRIES{take_lazy}});

    // after the edge
    wire draining_next = draining ?
                         ${L.DRAIN_LOW > 0 and "n_lazy > DRAIN_LOW" or "any_lazy"} || (any_lazy && (blocked || !any_prompt)) :
                         n_lazy >= DRAIN_HIGH || (n_lazy >= DRAIN_IDLE && !any_prompt) ||
                         (any_lazy && (blocked || since_drain == DRAIN_WAIT));
    wire overtaken      = |take_column && !take_column[0];
    wire take_lazy_next = draining_next && ready_lazy;
    wire starved_next   = (passed == PATIENCE && !take_column[0]) || (passed == PATIENCE - 1'b1 && overtaken);

    always @(posedge clk) begin
        if (rst) begin
            draining    <= 1'b0;
            since_drain <= {WAIT_W{1'b0}};
            n_lazy      <= {COUNT_W{1'b0}};
            passed      <= {PATIENCE_W{1'b0}};
            starved     <= 1'b0;
            take_lazy   <= 1'b0;
        end else begin
            draining  <= draining_next;
            starved   <= starved_next;
            take_lazy <= take_lazy_next;
            if (draining)
                since_drain <= {WAIT_W{1'b0}};
            else if (since_drain != DRAIN_WAIT)
                since_drain <= since_drain + 1'b1;
            n_lazy <= n_lazy + {{(COUNT_W-1){1'b0}}, push && push_lazy} - {{(COUNT_W-1){1'b0}}, |(take_column & lazy)};
            if (take_column[0])
                passed <= {PATIENCE_W{1'b0}};
            else if (overtaken && passed != PATIENCE)
                passed <= passed + 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // What is legal

    wire [PLACES-1:0] near_act, near_pre, near_rd, near_wr, can_rd, can_wr;
    wire [RANKS-1:0]  can_prea, can_ref;

    // ------------------------------------------------------------------
    // Requests that could have a command on this edge

    // places, decoded
    wire [ENTRIES*PLACES-1:0] places_at;
    wire [ENTRIES*RANKS-1:0]  ranks_at;
    wire [PLACES-1:0]         push_at = {{(PLACES-1){1'b0}}, 1'b1} << push_place;

    genvar e;

    generate
        for (e = 0; e < ENTRIES; e = e + 1) begin : decode
            assign places_at[e*PLACES +: PLACES] = {{(PLACES-1){1'b0}}, 1'b1} << places[e*PLACE_W +: PLACE_W];
            assign ranks_at[e*RANKS +: RANKS] = {{(RANKS-1){1'b0}}, 1'b1} << places[(e+1)*PLACE_W-1 -: RANK_W];
        end
    endgenerate

    // Banks whose open row a candidate has.  It is told from what was queued before the edge,
    // and what enters on it: a bank of a command on the edge before cannot be closed.
    reg [PLACES-1:0] kept;
    reg [PLACES-1:0] keep_oldest, keep_lazy, keep_prompt;
    reg [PLACES-1:0] wanted; // banks that any request is for

    integer i;

    always @* begin
        keep_oldest = {PLACES{valids[0] && hits_now[0]}} & places_at[0 +: PLACES];
        keep_lazy   = {PLACES{push && push_hit && !push_same && push_lazy}} & push_at;
        keep_prompt = {PLACES{push && push_hit && !push_same && !push_lazy}} & push_at;
        wanted      = {PLACES{1'b0}};
        for (i = 0; i < ENTRIES; i = i + 1) begin
            keep_lazy   = keep_lazy | ({PLACES{ready[i] && lazy[i] && hits_now[i]}} & places_at[i*PLACES +: PLACES]);
            keep_prompt = keep_prompt | ({PLACES{ready[i] && !lazy[i] && hits_now[i]}} & places_at[i*PLACES +: PLACES]);
            wanted      = wanted | ({PLACES{valids[i]}} & places_at[i*PLACES +: PLACES]);
        end
    end

    always @(posedge clk)
        kept <= rst ? {PLACES{1'b0}} : starved_next ? keep_oldest : take_lazy_next ? keep_lazy : keep_prompt;

    wire [PLACES-1:0] can_row = (open & near_pre & ~kept) | (~open & near_act);

    wire [ENTRIES-1:0] go_column, go_row;
    wire [ENTRIES-1:0] older_column = {go_column[ENTRIES-2:0], 1'b0};
    wire [ENTRIES-1:0] older_row    = {go_row[ENTRIES-2:0], 1'b0};
    wire               refreshes;

    // the oldest of each kind; a column command goes first
    generate
        for (e = 0; e < ENTRIES; e = e + 1) begin : pick
            wire [PLACES-1:0] here   = places_at[e*PLACES +: PLACES];
            wire              serves = chosen[e] && !(|(due & ranks_at[e*RANKS +: RANKS]));

            assign go_column[e]   = serves && hits[e] && (writes[e] ? |(here & can_wr) : |(here & can_rd));
            assign go_row[e]      = serves && !hits[e] && |(here & can_row);
            assign take_column[e] = !refreshes && go_column[e] && !(|older_column[e:0]);
            assign take_row[e]    = !refreshes && !(|go_column) && go_row[e] && !(|older_row[e:0]);
        end
    endgenerate

    reg [RANKS-1:0] turns;     // ranks that a candidate could write, its row is open
    reg [RANKS-1:0] read_rank; // of the oldest read

    integer k;

    always @* begin
        turns     = {RANKS{1'b0}};
        read_rank = {RANKS{1'b0}};
        for (k = ENTRIES - 1; k >= 0; k = k - 1) begin
            if (valids[k] && !writes[k])
                read_rank = ranks_at[k*RANKS +: RANKS];
            if (chosen[k] && hits_now[k] && writes[k])
                turns = turns | ranks_at[k*RANKS +: RANKS];
        end
        turns = turns & ~due;
    end

    // ------------------------------------------------------------------
    // Refresh

//% if refi > 0 then
    wire [RANKS-1:0] some_open;    // a row is open
    wire [RANKS-1:0] refresh_go;   // PREA or REF is legal
    wire [RANKS-1:0] lower_go     = {refresh_go[RANKS-2:0], 1'b0};
    wire [RANKS-1:0] take_refresh; // the lowest, one-hot

    generate
        for (e = 0; e < RANKS; e = e + 1) begin : refresh
            assign some_open[e]    = |open[e*SLOTS +: SLOTS];
            assign refresh_go[e]   = due[e] && (some_open[e] ? can_prea[e] : can_ref[e]);
            assign take_refresh[e] = refresh_go[e] && !(|lower_go[e:0]);
        end
    endgenerate

    assign refreshes = |refresh_go;

    wire [RANKS-1:0] h_prea = take_refresh & some_open;
    wire [RANKS-1:0] h_ref  = take_refresh & ~some_open;

//%     local W = clog2(refi)
//%     for r = 0, L.RANKS - 1 do
    reg [${W - 1}:0] until_due_${r};
//%     end

    always @(posedge clk) begin
        if (rst) begin
            due <= {RANKS{1'b0}};
//%     for r = 0, L.RANKS - 1 do
            until_due_${r} <= ${W}'d${(r + 1) * refi // L.RANKS - 1};
//%     end
        end else begin
//%     for r = 0, L.RANKS - 1 do
            if (until_due_${r} == ${W}'d0)
                due[${r}] <= 1'b1;
            else if (h_ref[${r}])
                due[${r}] <= 1'b0;
            until_due_${r} <= until_due_${r} == ${W}'d0 ? ${W}'d${refi - 1} : until_due_${r} - 1'b1;
//%     end
        end
    end
//% else
    wire [RANKS-1:0] h_prea = {RANKS{1'b0}};
    wire [RANKS-1:0] h_ref  = {RANKS{1'b0}};

    assign refreshes = 1'b0;
    assign due       = {RANKS{1'b0}};

    wire unused = &{1'b0, can_prea, can_ref};
//% end

    // ------------------------------------------------------------------
    // The host's command

    // by bank, and by rank
    reg [PLACES-1:0]  h_row_at, h_rd, h_wr;
    reg [RANKS-1:0]   h_rank;
    reg [RANK_W-1:0]  refresh_rank;
    // of its request
    reg [PLACE_W-1:0] h_place;
    reg [ROW_W-1:0]   h_row;
    reg [COL_W-1:0]   h_column;
    reg [ID_W-1:0]    h_id;

    integer q;

    always @* begin
        h_row_at     = {PLACES{1'b0}};
        h_rd         = {PLACES{1'b0}};
        h_wr         = {PLACES{1'b0}};
        h_rank       = h_prea | h_ref;
        refresh_rank = {RANK_W{1'b0}};
        h_place      = {PLACE_W{1'b0}};
        h_row        = {ROW_W{1'b0}};
        h_column     = {COL_W{1'b0}};
        h_id         = {ID_W{1'b0}};
        for (q = 0; q < RANKS; q = q + 1)
            if (h_prea[q] || h_ref[q])
                refresh_rank = refresh_rank | q[RANK_W-1:0];
        for (q = 0; q < ENTRIES; q = q + 1) begin
            h_row_at = h_row_at | ({PLACES{take_row[q]}} & places_at[q*PLACES +: PLACES]);
            h_rd     = h_rd | ({PLACES{take_column[q] && !writes[q]}} & places_at[q*PLACES +: PLACES]);
            h_wr     = h_wr | ({PLACES{take_column[q] && writes[q]}} & places_at[q*PLACES +: PLACES]);
            h_rank   = h_rank | ({RANKS{take_row[q] || take_column[q]}} & ranks_at[q*RANKS +: RANKS]);
            h_place  = h_place | ({PLACE_W{take_row[q] || take_column[q]}} & places[q*PLACE_W +: PLACE_W]);
            h_row    = h_row | ({ROW_W{take_row[q] || take_column[q]}} & rows[q*ROW_W +: ROW_W]);
            h_column = h_column | ({COL_W{take_column[q]}} & columns[q*COL_W +: COL_W]);
            h_id     = h_id | ({ID_W{take_column[q]}} & ids[q*ID_W +: ID_W]);
        end
    end

    wire [PLACES-1:0] h_act = h_row_at & ~open;
    wire [PLACES-1:0] h_pre = h_row_at & open;

    always @(posedge clk) begin
        if (rst || !(|h_rank)) begin
            cmd_valid  <= 1'b0;
            cmd_kind   <= 3'd0;
            cmd_rank   <= {RANK_W{1'b0}};
            cmd_group  <= {GROUP_W{1'b0}};
            cmd_bank   <= {BANK_W{1'b0}};
            cmd_row    <= {ROW_W{1'b0}};
            cmd_column <= {COL_W{1'b0}};
            cmd_id     <= {ID_W{1'b0}};
        end else begin
            cmd_valid  <= 1'b1;
            cmd_kind   <= |h_act ? ACT : |h_pre ? PRE : |h_rd ? RD : |h_wr ? WR : |h_ref ? REF : PREA;
            {cmd_rank, cmd_group, cmd_bank} <= h_place | {refresh_rank, {SLOT_W{1'b0}}};
            cmd_row    <= |h_pre ? {ROW_W{1'b0}} : h_row;
            cmd_column <= h_column;
            cmd_id     <= h_id;
        end
    end

    // ------------------------------------------------------------------
    // The accelerators

    reg [15:0] lfsr;

    always @(posedge clk) begin
        if (rst)
            lfsr <= 16'd1;
        else
            lfsr <= {1'b0, lfsr[15:1]} ^ (lfsr[0] ? 16'hb400 : 16'h0000);
    end

    wire by_chance = throttle == 2'd1 && {1'b0, lfsr[3:0]} >= chance;

    wire [RANKS-1:0] held = {RANKS{by_chance}} | (throttle == 2'd2 ? read_rank : {RANKS{1'b0}});

    wire [RANKS-1:0]         next_valid, next_write, next_enabled, next_ahead;
    wire [RANKS*SLOT_W-1:0]  next_slot, next_ahead_slot;
    wire [RANKS*ROW_W-1:0]   next_row, next_ahead_row;
    wire [RANKS*COL_W-1:0]   next_column;

//% for r = 0, 3 do
//%     if r < L.RANKS then
    assign next_valid[${r}]                       = next${r}_valid;
    assign next_write[${r}]                       = next${r}_write;
    assign next_enabled[${r}]                     = next${r}_enabled;
    assign next_ahead[${r}]                       = next${r}_ahead;
    assign next_slot[${r}*SLOT_W +: SLOT_W]       = {next${r}_group, next${r}_bank};
    assign next_row[${r}*ROW_W +: ROW_W]          = next${r}_row;
    assign next_column[${r}*COL_W +: COL_W]       = next${r}_column;
    assign next_ahead_slot[${r}*SLOT_W +: SLOT_W] = {next${r}_ahead_group, next${r}_ahead_bank};
    assign next_ahead_row[${r}*ROW_W +: ROW_W]    = next${r}_ahead_row;
//%     else
    wire unused_next${r} = &{1'b0, next${r}_valid, next${r}_write, next${r}_enabled, next${r}_group, next${r}_bank, next${r}_row,
                         next${r}_column, next${r}_ahead, next${r}_ahead_group, next${r}_ahead_bank, next${r}_ahead_row};
//%     end

//% end
    wire [RANKS-1:0]        n_act, n_pre, n_rd, n_wr; // by rank
    wire [PLACES-1:0]       n_act_at, n_pre_at, n_rd_at, n_wr_at; // by bank, if the host leaves the rank alone

    genvar r, s;

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : near
            wire [SLOT_W-1:0] slot  = next_slot[r*SLOT_W +: SLOT_W];
            wire [ROW_W-1:0]  row   = next_row[r*ROW_W +: ROW_W];
            wire [SLOT_W-1:0] slot2 = next_ahead_slot[r*SLOT_W +: SLOT_W]; // of the row ahead
            wire [ROW_W-1:0]  row2  = next_ahead_row[r*ROW_W +: ROW_W];

            // of the rank's banks
            wire [SLOTS-1:0] at       = {{(SLOTS-1){1'b0}}, 1'b1} << slot;
            wire [SLOTS-1:0] at2      = {{(SLOTS-1){1'b0}}, 1'b1} << slot2;
            wire [SLOTS-1:0] is_open  = open[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0] may_row  = ((is_open & near_pre[r*SLOTS +: SLOTS]) | (~is_open & near_act[r*SLOTS +: SLOTS])) &
                                        ~wanted[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0] may_rd   = near_rd[r*SLOTS +: SLOTS] & {SLOTS{!next_write[r] && !turns[r]}};
            wire [SLOTS-1:0] may_wr   = near_wr[r*SLOTS +: SLOTS] & {SLOTS{next_write[r] && !held[r]}};
            wire [SLOTS-1:0] has_row, has_row2; // that row is open

            for (s = 0; s < SLOTS; s = s + 1) begin : bank
                assign has_row[s]  = is_open[s] && open_rows[(r*SLOTS+s)*ROW_W +: ROW_W] == row;
                assign has_row2[s] = is_open[s] && open_rows[(r*SLOTS+s)*ROW_W +: ROW_W] == row2;
            end

            // what it would do if the host leaves the rank alone: for the burst,
            // else for the row ahead
            wire             turn    = next_valid[r] && !nda_taken[r] && !due[r];
            wire [SLOTS-1:0] bursts  = at & has_row & (may_rd | may_wr) & {SLOTS{turn && next_enabled[r]}};
            wire [SLOTS-1:0] opens   = at & ~has_row & may_row & {SLOTS{turn}};
            wire             first   = |bursts || |opens;
            wire [SLOTS-1:0] opens2  = at2 & ~at & ~has_row2 & may_row & {SLOTS{turn && next_ahead[r] && !first}};

            wire [SLOT_W-1:0] n_slot = first ? slot : slot2;
            wire [ROW_W-1:0]  n_row  = first ? row : row2;

            assign n_rd_at[r*SLOTS +: SLOTS]  = bursts & {SLOTS{!next_write[r]}};
            assign n_wr_at[r*SLOTS +: SLOTS]  = bursts & {SLOTS{next_write[r]}};
            assign n_act_at[r*SLOTS +: SLOTS] = (opens | opens2) & ~is_open;
            assign n_pre_at[r*SLOTS +: SLOTS] = (opens | opens2) & is_open;

            // what it does
            assign n_rd[r]  = |n_rd_at[r*SLOTS +: SLOTS] && !h_rank[r];
            assign n_wr[r]  = |n_wr_at[r*SLOTS +: SLOTS] && !h_rank[r];
            assign n_act[r] = |n_act_at[r*SLOTS +: SLOTS] && !h_rank[r];
            assign n_pre[r] = |n_pre_at[r*SLOTS +: SLOTS] && !h_rank[r];

            wire n_valid = n_act[r] || n_pre[r] || n_rd[r] || n_wr[r];

            always @(posedge clk) begin
                last_act_at[r*SLOTS +: SLOTS] <= {SLOTS{!rst}} &
                    (h_act[r*SLOTS +: SLOTS] | (n_act_at[r*SLOTS +: SLOTS] & {SLOTS{!h_rank[r]}}));
                last_act[r]  <= !rst && (|h_act[r*SLOTS +: SLOTS] || n_act[r]);
                last_pre[r]  <= !rst && (|h_pre[r*SLOTS +: SLOTS] || n_pre[r]);
                last_prea[r] <= !rst && h_prea[r];
                last_slot[r*SLOT_W +: SLOT_W] <= h_rank[r] ? h_place[SLOT_W-1:0] : n_slot;
                last_row[r*ROW_W +: ROW_W]    <= h_rank[r] ? h_row : n_row;
            end

            always @(posedge clk) begin
                if (rst || !n_valid) begin
                    nda_taken[r]                    <= 1'b0;
                    ndc_valid[r]                    <= 1'b0;
                    ndc_kind[r*3 +: 3]              <= 3'd0;
                    ndc_group[r*GROUP_W +: GROUP_W] <= {GROUP_W{1'b0}};
                    ndc_bank[r*BANK_W +: BANK_W]    <= {BANK_W{1'b0}};
                    ndc_row[r*ROW_W +: ROW_W]       <= {ROW_W{1'b0}};
                    ndc_column[r*COL_W +: COL_W]    <= {COL_W{1'b0}};
                end else begin
                    nda_taken[r]                    <= n_rd[r] || n_wr[r];
                    ndc_valid[r]                    <= 1'b1;
                    ndc_kind[r*3 +: 3]              <= n_act[r] ? ACT : n_pre[r] ? PRE : n_rd[r] ? RD : WR;
                    {ndc_group[r*GROUP_W +: GROUP_W], ndc_bank[r*BANK_W +: BANK_W]} <= n_slot;
                    ndc_row[r*ROW_W +: ROW_W]       <= n_pre[r] ? {ROW_W{1'b0}} : n_row;
                    ndc_column[r*COL_W +: COL_W]    <= n_rd[r] || n_wr[r] ?
                                                       next_column[r*COL_W +: COL_W] : {COL_W{1'b0}};
                end
            end
        end
    endgenerate

//% if mirrored then
    // what held back the accelerators on the edge
    reg [RANKS-1:0]   held_all, held_reads, held_writes;
    reg [2*RANKS-1:0] held_rows;

    always @(posedge clk) begin
        if (rst) begin
            held_all    <= {RANKS{1'b0}};
            held_reads  <= {RANKS{1'b0}};
            held_writes <= {RANKS{1'b0}};
            held_rows   <= {2*RANKS{1'b0}};
        end else begin
            held_all    <= due;
            held_reads  <= turns;
            held_writes <= held;
//%     for r = 0, L.RANKS - 1 do
            held_rows[${2 * r + 1}:${2 * r}] <= {wanted[${(r + 1) * L.SLOTS - 2}], wanted[${(r + 1) * L.SLOTS - 1}]};
//%     end
        end
    end

//% end
//% for r = 0, 3 do
//%     if mirrored and r < L.RANKS then
    assign host${r}_valid  = cmd_valid && cmd_rank == ${L.RANK_W}'d${r};
    assign host${r}_kind   = host${r}_valid ? cmd_kind : 3'd0;
    assign host${r}_group  = host${r}_valid ? cmd_group : {GROUP_W{1'b0}};
    assign host${r}_bank   = host${r}_valid ? cmd_bank : {BANK_W{1'b0}};
    assign host${r}_row    = host${r}_valid ? cmd_row : {ROW_W{1'b0}};
    assign held${r}_all    = held_all[${r}];
    assign held${r}_reads  = held_reads[${r}];
    assign held${r}_writes = held_writes[${r}];
    assign held${r}_rows   = held_rows[${2 * r + 1}:${2 * r}];
//%     else
    assign host${r}_valid  = 1'b0;
    assign host${r}_kind   = 3'd0;
    assign host${r}_group  = {GROUP_W{1'b0}};
    assign host${r}_bank   = {BANK_W{1'b0}};
    assign host${r}_row    = {ROW_W{1'b0}};
    assign held${r}_all    = 1'b0;
    assign held${r}_reads  = 1'b0;
    assign held${r}_writes = 1'b0;
    assign held${r}_rows   = 2'd0;
//%     end

//% end
    // ------------------------------------------------------------------
    // Banks

    ${prefix}ndp_dram_channel_banks banks (
        .clk       (clk),
        .rst       (rst),
        .h_act     (h_act),
        .h_pre     (h_pre),
        .h_rd      (h_rd),
        .h_wr      (h_wr),
        .h_prea    (h_prea),
        .h_ref     (h_ref),
        .h_rank    (h_rank),
        .n_act     (n_act_at),
        .n_pre     (n_pre_at),
        .n_rd      (n_rd_at),
        .n_wr      (n_wr_at),
        .last_act  (last_act_at),
        .last_row  (last_row),
        .open      (open),
        .rows      (open_rows),
        .near_act  (near_act),
        .near_pre  (near_pre),
        .near_rd   (near_rd),
        .near_wr   (near_wr),
        .can_rd    (can_rd),
        .can_wr    (can_wr),
        .can_prea  (can_prea),
        .can_ref   (can_ref)
    );

    // ------------------------------------------------------------------
    // Registers

    wire count_reads      = |h_rd;
    wire count_writes     = |h_wr;
    wire count_rows       = |h_act;
    wire count_conflicts  = |h_pre;
    wire count_refreshes  = |h_ref;
    wire count_nda_reads  = |n_rd;
    wire count_nda_writes = |n_wr;

    ${prefix}ndp_dram_channel_regs regs (
        .clk              (clk),
        .rst              (rst),
        .wb_cyc           (wb_cyc),
        .wb_stb           (wb_stb),
        .wb_we            (wb_we),
        .wb_adr           (wb_adr),
        .wb_dat_w         (wb_dat_w),
        .wb_sel           (wb_sel),
        .wb_dat_r         (wb_dat_r),
        .wb_ack           (wb_ack),
        .throttle         (throttle),
        .chance           (chance),
${count_ports(16)}
    );
${checks()}
endmodule

`default_nettype wire
