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
//%     "ENTRIES", "INDEX_W", "COUNT_W", "DRAIN_HIGH", "DRAIN_IDLE", "DRAIN_WAIT", "WAIT_W", "PATIENCE", "PATIENCE_W"}
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
    wire [ENTRIES-1:0]         valids, writes, lazy, waits, opened, hits;
    wire [ENTRIES*ID_W-1:0]    ids;
    wire [ENTRIES*PLACE_W-1:0] places;
    wire [ENTRIES*ROW_W-1:0]   rows;
    wire [ENTRIES*COL_W-1:0]   columns;

    wire [PLACES-1:0]       open, open_next;
    wire [PLACES*ROW_W-1:0] open_rows, open_rows_next;

    wire               push       = req_valid && req_ready;
    wire [PLACE_W-1:0] push_place = {req_rank, req_group, req_bank};
    wire               push_open  = open_next[push_place];
    wire               push_hit   = push_open && open_rows_next[push_place*ROW_W +: ROW_W] == req_row;

    assign req_ready = count < ENTRIES;

    // the host's command on this edge
    wire               h_act, h_pre, h_prea, h_rd, h_wr, h_ref;
    wire               h_column = h_rd || h_wr;
    wire               h_valid  = h_act || h_pre || h_prea || h_column || h_ref;
    wire [INDEX_W-1:0] h_index; // of its request
    wire [PLACE_W-1:0] h_place;
    wire [ROW_W-1:0]   h_row;

    ${prefix}ndp_dram_channel_queue queue (
        .clk         (clk),
        .rst         (rst),
        .push        (push),
        .push_write  (req_write),
        .push_lazy   (req_write && !req_urgent),
        .push_id     (req_id),
        .push_place  (push_place),
        .push_row    (req_row),
        .push_column (req_column),
        .push_open   (push_open),
        .push_hit    (push_hit),
        .leave       (h_column),
        .leave_index (h_index),
        .opens       (h_act),
        .closes      (h_pre),
        .closes_rank (h_prea),
        .at          (h_place),
        .row         (h_row),
        .count       (count),
        .valids      (valids),
        .writes      (writes),
        .lazy        (lazy),
        .waits       (waits),
        .opened      (opened),
        .hits        (hits),
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
    reg [PATIENCE_W-1:0] passed;  // column commands before the oldest request's
    ${refi > 0 and "reg" or "wire"} [RANKS-1:0]      due;     // ranks to refresh

    wire any_prompt = n_lazy != count;
    wire any_lazy   = n_lazy != {COUNT_W{1'b0}};
    wire blocked    = |(valids & waits & ~lazy); // by another request of their burst
    wire starved   = passed == PATIENCE && valids[0];

    wire [ENTRIES-1:0] of_lazy   = valids & ~waits & lazy;
    wire [ENTRIES-1:0] of_prompt = valids & ~waits & ~lazy;
    wire               take_lazy = draining && |of_lazy;
    wire [ENTRIES-1:0] chosen    = starved   ? {{(ENTRIES-1){1'b0}}, 1'b1} :
                                   take_lazy ? of_lazy : of_prompt;

    wire push_is_lazy  = push && req_write && !req_urgent;
    wire leave_is_lazy = h_wr && lazy[h_index];

    always @(posedge clk) begin
        if (rst) begin
            draining    <= 1'b0;
            since_drain <= {WAIT_W{1'b0}};
            n_lazy      <= {COUNT_W{1'b0}};
            passed      <= {PATIENCE_W{1'b0}};
        end else begin
            if (draining)
                draining <= ${L.DRAIN_LOW > 0 and "n_lazy > DRAIN_LOW" or "any_lazy"} || (any_lazy && (blocked || !any_prompt));
            else
                draining <= n_lazy >= DRAIN_HIGH || (n_lazy >= DRAIN_IDLE && !any_prompt) ||
                            (any_lazy && (blocked || since_drain == DRAIN_WAIT));
            if (draining)
                since_drain <= {WAIT_W{1'b0}};
            else if (since_drain != DRAIN_WAIT)
                since_drain <= since_drain + 1'b1;
            n_lazy <= n_lazy + {{(COUNT_W-1){1'b0}}, push_is_lazy} - {{(COUNT_W-1){1'b0}}, leave_is_lazy};
            if (h_column && h_index == {INDEX_W{1'b0}})
                passed <= {PATIENCE_W{1'b0}};
            else if (h_column && passed != PATIENCE)
                passed <= passed + 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // What is legal

    wire [PLACES-1:0] near_act, near_pre, near_rd, near_wr, can_rd, can_wr;
    wire [RANKS-1:0]  can_prea, can_ref;

    // ------------------------------------------------------------------
    // Requests that could have a command on this edge

    reg [ENTRIES-1:0] candidates, go_column, go_row;
    reg [PLACES-1:0]  kept;   // banks whose open row a candidate has
    reg [PLACES-1:0]  wanted; // banks that any request is for
    reg [RANKS-1:0]   turns;  // ranks that a candidate could write, its row is open

    integer           i;
    reg [PLACE_W-1:0] place;

    always @* begin
        kept       = {PLACES{1'b0}};
        wanted     = {PLACES{1'b0}};
        turns      = {RANKS{1'b0}};
        candidates = {ENTRIES{1'b0}};
        place      = {PLACE_W{1'b0}};
        for (i = 0; i < ENTRIES; i = i + 1) begin
            place         = places[i*PLACE_W +: PLACE_W];
            candidates[i] = chosen[i] && !due[place[PLACE_W-1 -: RANK_W]];
            if (candidates[i] && hits[i])
                kept[place] = 1'b1;
            if (candidates[i] && hits[i] && writes[i])
                turns[place[PLACE_W-1 -: RANK_W]] = 1'b1;
            if (valids[i])
                wanted[place] = 1'b1;
        end
        for (i = 0; i < ENTRIES; i = i + 1) begin
            place        = places[i*PLACE_W +: PLACE_W];
            go_column[i] = candidates[i] && hits[i] && (writes[i] ? can_wr[place] : can_rd[place]);
            go_row[i]    = candidates[i] && !hits[i] &&
                           (opened[i] ? near_pre[place] && !kept[place] : near_act[place]);
        end
    end

    // the oldest of each kind
    reg [INDEX_W-1:0] column_index, row_index;
    reg [RANKS-1:0]   read_rank; // of the oldest read
    integer           k;

    always @* begin
        column_index = {INDEX_W{1'b0}};
        row_index    = {INDEX_W{1'b0}};
        read_rank    = {RANKS{1'b0}};
        for (k = ENTRIES - 1; k >= 0; k = k - 1) begin
            if (valids[k] && !writes[k])
                read_rank = {{(RANKS-1){1'b0}}, 1'b1} << places[(k+1)*PLACE_W-1 -: RANK_W];
            if (go_column[k])
                column_index = k[INDEX_W-1:0];
            if (go_row[k])
                row_index = k[INDEX_W-1:0];
        end
    end

    // ------------------------------------------------------------------
    // Refresh

//% if refi > 0 then
    reg [RANKS-1:0]  refresh_go;
    reg [RANK_W-1:0] refresh_rank;
    reg              refresh_open; // rows have to be closed first
    integer          q;

    always @* begin
        refresh_go   = {RANKS{1'b0}};
        refresh_rank = {RANK_W{1'b0}};
        refresh_open = 1'b0;
        for (q = RANKS - 1; q >= 0; q = q - 1) begin
            refresh_go[q] = due[q] && (|open[q*SLOTS +: SLOTS] ? can_prea[q] : can_ref[q]);
            if (refresh_go[q]) begin
                refresh_rank = q[RANK_W-1:0];
                refresh_open = |open[q*SLOTS +: SLOTS];
            end
        end
    end

    wire refreshes = |refresh_go;

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
            else if (h_ref && refresh_rank == ${L.RANK_W}'d${r})
                due[${r}] <= 1'b0;
            until_due_${r} <= until_due_${r} == ${W}'d0 ? ${W}'d${refi - 1} : until_due_${r} - 1'b1;
//%     end
        end
    end
//% else
    wire              refreshes    = 1'b0;
    wire              refresh_open = 1'b0;
    wire [RANK_W-1:0] refresh_rank = {RANK_W{1'b0}};

    assign due = {RANKS{1'b0}};

    wire unused = &{1'b0, can_prea, can_ref};
//% end

    // ------------------------------------------------------------------
    // The host's command

    wire column_goes = !refreshes && |go_column;
    wire row_goes    = !refreshes && !(|go_column) && |go_row;

    assign h_index = column_goes ? column_index : row_index;

    wire [PLACE_W-1:0] r_place = places[h_index*PLACE_W +: PLACE_W];

    assign h_place = refreshes ? {refresh_rank, {SLOT_W{1'b0}}} : r_place;
    assign h_row   = rows[h_index*ROW_W +: ROW_W];
    assign h_prea  = refreshes && refresh_open;
    assign h_ref   = refreshes && !refresh_open;
    assign h_rd    = column_goes && !writes[h_index];
    assign h_wr    = column_goes && writes[h_index];
    assign h_act   = row_goes && !opened[h_index];
    assign h_pre   = row_goes && opened[h_index];

    wire [2:0] h_kind = h_act ? ACT : h_pre ? PRE : h_prea ? PREA : h_rd ? RD : h_wr ? WR : REF;

    wire [RANKS-1:0] h_rank = h_valid ? {{(RANKS-1){1'b0}}, 1'b1} << h_place[PLACE_W-1 -: RANK_W] :
                                        {RANKS{1'b0}};

    always @(posedge clk) begin
        if (rst || !h_valid) begin
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
            cmd_kind   <= h_kind;
            {cmd_rank, cmd_group, cmd_bank} <= h_place;
            cmd_row    <= h_act || h_column ? h_row : {ROW_W{1'b0}};
            cmd_column <= h_column ? columns[h_index*COL_W +: COL_W] : {COL_W{1'b0}};
            cmd_id     <= h_column ? ids[h_index*ID_W +: ID_W] : {ID_W{1'b0}};
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
    wire [RANKS-1:0]        n_act, n_pre, n_rd, n_wr;
    wire [RANKS*SLOT_W-1:0] do_slot;
    wire [RANKS*ROW_W-1:0]  do_row;

    wire [RANKS-1:0] n_valid = n_act | n_pre | n_rd | n_wr;

    genvar r;

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : near
            wire [SLOT_W-1:0] slot  = next_slot[r*SLOT_W +: SLOT_W];
            wire [ROW_W-1:0]  row   = next_row[r*ROW_W +: ROW_W];
            wire [SLOT_W-1:0] slot2 = next_ahead_slot[r*SLOT_W +: SLOT_W]; // of the row ahead
            wire [ROW_W-1:0]  row2  = next_ahead_row[r*ROW_W +: ROW_W];

            // of the rank's banks
            wire [SLOTS-1:0]       is_open = open[r*SLOTS +: SLOTS];
            wire [SLOTS*ROW_W-1:0] in_rows = open_rows[r*SLOTS*ROW_W +: SLOTS*ROW_W];
            wire [SLOTS-1:0]       in_use  = wanted[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0]       may_act = near_act[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0]       may_pre = near_pre[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0]       may_rd  = near_rd[r*SLOTS +: SLOTS];
            wire [SLOTS-1:0]       may_wr  = near_wr[r*SLOTS +: SLOTS];

            wire turn = next_valid[r] && !nda_taken[r] && !due[r] && !h_rank[r];
            wire hit  = is_open[slot] && in_rows[slot*ROW_W +: ROW_W] == row;

            assign n_rd[r] = turn && hit && next_enabled[r] && !next_write[r] && may_rd[slot] && !turns[r];
            assign n_wr[r] = turn && hit && next_enabled[r] && next_write[r] && may_wr[slot] && !held[r];

            wire opens  = turn && !is_open[slot] && may_act[slot] && !in_use[slot];
            wire closes = turn && is_open[slot] && !hit && may_pre[slot] && !in_use[slot];

            // the row ahead, while the burst has no command
            wire turn2   = turn && next_ahead[r] && slot2 != slot && !in_use[slot2] &&
                           !(n_rd[r] || n_wr[r] || opens || closes);
            wire hit2    = is_open[slot2] && in_rows[slot2*ROW_W +: ROW_W] == row2;
            wire opens2  = turn2 && !is_open[slot2] && may_act[slot2];
            wire closes2 = turn2 && is_open[slot2] && !hit2 && may_pre[slot2];

            assign n_act[r] = opens || opens2;
            assign n_pre[r] = closes || closes2;

            wire [SLOT_W-1:0] n_slot = opens2 || closes2 ? slot2 : slot;
            wire [ROW_W-1:0]  n_row  = opens2 ? row2 : row;

            assign do_slot[r*SLOT_W +: SLOT_W] = h_rank[r] ? h_place[SLOT_W-1:0] : n_slot;
            assign do_row[r*ROW_W +: ROW_W]    = h_rank[r] ? h_row : n_row;

            always @(posedge clk) begin
                if (rst || !n_valid[r]) begin
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
        .do_act    ((h_rank & {RANKS{h_act}}) | n_act),
        .do_pre    ((h_rank & {RANKS{h_pre}}) | n_pre),
        .do_prea   (h_rank & {RANKS{h_prea}}),
        .do_rd     ((h_rank & {RANKS{h_rd}}) | n_rd),
        .do_wr     ((h_rank & {RANKS{h_wr}}) | n_wr),
        .do_ref    (h_rank & {RANKS{h_ref}}),
        .do_slot   (do_slot),
        .do_row    (do_row),
        .host      (h_rank),
        .open      (open),
        .open_next (open_next),
        .rows      (open_rows),
        .rows_next (open_rows_next),
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

    wire count_reads      = h_rd;
    wire count_writes     = h_wr;
    wire count_rows       = h_act;
    wire count_conflicts  = h_pre;
    wire count_refreshes  = h_ref;
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
