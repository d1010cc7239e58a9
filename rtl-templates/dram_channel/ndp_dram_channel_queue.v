//% use "ndp_dram_channel_queue_formal.vh"
${header{title = "requests of the host, by age", text = [[
Entry 0 is the oldest.  One enters behind the others, one leaves from any place, and
those behind it move up.  Each entry knows whether the row of its bank is its own,
from when it entered and from the row commands since; and which entry before it has
the same burst, for which it waits.

Row commands come as they were on the edge before: hits is right after it again, and
hits_now is right always.

Parameters: all sizes are generated; see the localparams.

Latency: what is pushed on an edge is an entry after it.]]}}
`default_nettype none

module ${prefix}ndp_dram_channel_queue (
    input  wire                       clk,          // clock
    input  wire                       rst,          // synchronous reset, active high
    input  wire                       push,         // a request; needs room
    input  wire                       push_write,   // a write
    input  wire                       push_lazy,    // a write that waits for a drain
    input  wire ${pad(range(L.ID_W), 21)} push_id,      // its id
    input  wire ${pad(range(L.PLACE_W), 21)} push_place,   // bank of the channel
    input  wire ${pad(range(L.ROW_W), 21)} push_row,     // row
    input  wire ${pad(range(L.COL_W), 21)} push_column,  // column
    input  wire                       push_hit,     // the row of its bank is its own
    input  wire ${pad(range(L.ENTRIES), 21)} leave,        // an entry leaves, one-hot
    input  wire ${pad(range(L.RANKS), 21)} opens,        // on the edge before, by rank: a row was opened
    input  wire ${pad(range(L.RANKS), 21)} closes,       // a row was closed
    input  wire ${pad(range(L.RANKS), 21)} closes_all,   // all rows were closed
    input  wire ${pad(range(L.RANKS * L.SLOT_W), 21)} slots,        // bank of that
    input  wire ${pad(range(L.RANKS * L.ROW_W), 21)} slot_rows,    // row of that
    output reg  ${pad(range(L.COUNT_W), 21)} count,        // entries
    output reg  ${pad(range(L.ENTRIES), 21)} valids,       // there is an entry
    output wire ${pad(range(L.ENTRIES), 21)} writes,       // it is a write
    output wire ${pad(range(L.ENTRIES), 21)} lazy,         // it is a write that waits for a drain
    output reg  ${pad(range(L.ENTRIES), 21)} ready,        // it waits for no other of its burst
    output reg  ${pad(range(L.ENTRIES), 21)} hits,         // its row is open, the edge before left out
    output wire ${pad(range(L.ENTRIES), 21)} hits_now,     // its row is open
    output wire                       ready_lazy,   // a lazy one will be ready
    output wire                       push_same,    // an entry has the burst of the request
    output wire ${pad(range(L.ENTRIES * L.ID_W), 21)} ids,          // by entry
    output wire ${pad(range(L.ENTRIES * L.PLACE_W), 21)} places,       // by entry
    output wire ${pad(range(L.ENTRIES * L.ROW_W), 21)} rows,         // by entry
    output wire ${pad(range(L.ENTRIES * L.COL_W), 21)} columns       // by entry
);
${localparams("ENTRIES", "ID_W", "RANK_W", "SLOT_W", "PLACE_W", "ROW_W", "COL_W", "INDEX_W", "COUNT_W")}
    localparam BURST_W = PLACE_W + ROW_W + COL_W; // what tells bursts apart
    localparam WORD_W  = 2 + ID_W + BURST_W;      // of an entry

    // ------------------------------------------------------------------
    // Where things stand

    wire leaves = |leave;

    // entry i takes the place of entry i - 1
    wire [ENTRIES-1:0] moves;
    wire [ENTRIES:0]   free = {valids, 1'b1} & ~{1'b0, valids}; // the first place without an entry

    wire [ENTRIES-1:0] fill = {ENTRIES{push}} & (leaves ? free[ENTRIES:1] : free[ENTRIES-1:0]);

    wire [BURST_W-1:0] burst = {push_place, push_row, push_column};

    // ------------------------------------------------------------------
    // Entries, before they move

    reg  [ENTRIES*WORD_W-1:0]  words;
    reg  [ENTRIES*INDEX_W-1:0] fors; // entry that one waits for

    wire [ENTRIES-1:0]         ready_now, same;
    wire [ENTRIES*INDEX_W-1:0] fors_now;

    genvar i;

    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : entry
            wire [WORD_W-1:0]  word  = words[i*WORD_W +: WORD_W];
            wire [PLACE_W-1:0] place = word[COL_W+ROW_W +: PLACE_W];
            wire [INDEX_W-1:0] of    = fors[i*INDEX_W +: INDEX_W];

            assign writes[i]                    = word[WORD_W-1];
            assign lazy[i]                      = word[WORD_W-2];
            assign ids[i*ID_W +: ID_W]          = word[BURST_W +: ID_W];
            assign places[i*PLACE_W +: PLACE_W] = place;
            assign rows[i*ROW_W +: ROW_W]       = word[COL_W +: ROW_W];
            assign columns[i*COL_W +: COL_W]    = word[0 +: COL_W];

            wire [RANK_W-1:0] rank = place[PLACE_W-1 -: RANK_W];
            wire              here = place[SLOT_W-1:0] == slots[rank*SLOT_W +: SLOT_W];

            assign hits_now[i] = opens[rank] && here ? word[COL_W +: ROW_W] == slot_rows[rank*ROW_W +: ROW_W] :
                                 hits[i] && !(closes[rank] && here) && !closes_all[rank];

            // those that move are behind the one that leaves
            assign moves[i]     = |leave[i:0];
            assign ready_now[i] = ready[i] || (valids[i] && leave[of]);
            assign fors_now[i*INDEX_W +: INDEX_W] = of - {{(INDEX_W-1){1'b0}}, moves[of] && !leave[of]};

            assign same[i] = valids[i] && word[0 +: BURST_W] == burst;
        end
    endgenerate

    // ------------------------------------------------------------------
    // The youngest of the same burst, as it stands once all have moved

    wire [ENTRIES-1:0] stays = same & ~leave;

    assign push_same  = |same;
    assign ready_lazy = |(ready_now & lazy & ~leave) || (push && push_lazy && !(|stays));

    reg [INDEX_W-1:0] same_index;
    integer k;

    always @* begin
        same_index = {INDEX_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1)
            if (stays[k])
                same_index = k[INDEX_W-1:0] - {{(INDEX_W-1){1'b0}}, moves[k]};
    end

    // ------------------------------------------------------------------
    // Entries move

    // what stands behind the last entry is empty
    wire [ENTRIES*WORD_W-1:0]  next_words = words >> WORD_W;
    wire [ENTRIES*INDEX_W-1:0] next_fors  = fors_now >> INDEX_W;

    wire [WORD_W-1:0] new_word = {push_write, push_lazy, push_id, burst};

    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : store
            always @(posedge clk) begin
                if (fill[i]) begin
                    words[i*WORD_W +: WORD_W]  <= new_word;
                    fors[i*INDEX_W +: INDEX_W] <= same_index;
                end else if (moves[i]) begin
                    words[i*WORD_W +: WORD_W]  <= next_words[i*WORD_W +: WORD_W];
                    fors[i*INDEX_W +: INDEX_W] <= next_fors[i*INDEX_W +: INDEX_W];
                end else begin
                    fors[i*INDEX_W +: INDEX_W] <= fors_now[i*INDEX_W +: INDEX_W];
                end
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            count  <= {COUNT_W{1'b0}};
            valids <= {ENTRIES{1'b0}};
            ready  <= {ENTRIES{1'b0}};
            hits   <= {ENTRIES{1'b0}};
        end else begin
            count  <= count + {{(COUNT_W-1){1'b0}}, push} - {{(COUNT_W-1){1'b0}}, leaves};
            valids <= (moves & (valids >> 1)) | (~moves & valids) | fill;
            ready  <= (((moves & (ready_now >> 1)) | (~moves & ready_now)) & ~fill) |
                      (fill & {ENTRIES{~|stays}});
            hits   <= (((moves & (hits_now >> 1)) | (~moves & hits_now)) & ~fill) |
                      (fill & {ENTRIES{push_hit}});
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_dram_channel_queue_formal.vh"
`endif
endmodule

`default_nettype wire
