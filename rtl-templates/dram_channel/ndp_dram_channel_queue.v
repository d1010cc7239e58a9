//% use "ndp_dram_channel_queue_formal.vh"
${header{title = "requests of the host, by age", text = [[
Entry 0 is the oldest.  One enters behind the others, one leaves from any place, and
those behind it move up.  Each entry knows of its bank whether a row is open and
whether it is its own, from when it entered and from the row commands since; and
which entry before it has the same burst, for which it waits.

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
    input  wire                       push_open,    // a row of its bank will be open
    input  wire                       push_hit,     // it will be its own
    input  wire                       leave,        // an entry leaves
    input  wire ${pad(range(L.INDEX_W), 21)} leave_index,  // which
    input  wire                       opens,        // the host opens a row
    input  wire                       closes,       // it closes a row
    input  wire                       closes_rank,  // it closes all rows of a rank
    input  wire ${pad(range(L.PLACE_W), 21)} at,           // bank of that
    input  wire ${pad(range(L.ROW_W), 21)} row,          // row of that
    output reg  ${pad(range(L.COUNT_W), 21)} count,        // entries
    output reg  ${pad(range(L.ENTRIES), 21)} valids,       // there is an entry
    output wire ${pad(range(L.ENTRIES), 21)} writes,       // it is a write
    output wire ${pad(range(L.ENTRIES), 21)} lazy,         // it is a write that waits for a drain
    output reg  ${pad(range(L.ENTRIES), 21)} waits,        // for another of its burst
    output reg  ${pad(range(L.ENTRIES), 21)} opened,       // a row of its bank is open
    output reg  ${pad(range(L.ENTRIES), 21)} hits,         // it is its own
    output wire ${pad(range(L.ENTRIES * L.ID_W), 21)} ids,          // by entry
    output wire ${pad(range(L.ENTRIES * L.PLACE_W), 21)} places,       // by entry
    output wire ${pad(range(L.ENTRIES * L.ROW_W), 21)} rows,         // by entry
    output wire ${pad(range(L.ENTRIES * L.COL_W), 21)} columns       // by entry
);
${localparams("ENTRIES", "ID_W", "PLACE_W", "ROW_W", "COL_W", "RA_W", "INDEX_W", "COUNT_W")}
    localparam BURST_W = PLACE_W + ROW_W + COL_W; // what tells bursts apart
    localparam WORD_W  = 2 + ID_W + BURST_W;      // of an entry

    // ------------------------------------------------------------------
    // Where things stand

    wire [COUNT_W-1:0] tail = count - {{(COUNT_W-1){1'b0}}, leave};

    // entry i takes the place of entry i - 1
    wire [ENTRIES-1:0] moves = leave ? {ENTRIES{1'b1}} << leave_index : {ENTRIES{1'b0}};
    wire [ENTRIES-1:0] gone  = moves & ~(moves << 1);
    wire [ENTRIES-1:0] fill  = push ? {{(ENTRIES-1){1'b0}}, 1'b1} << tail : {ENTRIES{1'b0}};

    wire [BURST_W-1:0] burst = {push_place, push_row, push_column};

    // ------------------------------------------------------------------
    // Entries, before they move

    reg  [ENTRIES*WORD_W-1:0]  words;
    reg  [ENTRIES*INDEX_W-1:0] fors; // entry that one waits for

    wire [ENTRIES-1:0]         now_opened, now_hits, now_waits, same;
    wire [ENTRIES*INDEX_W-1:0] now_fors;

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

            wire here   = place == at;
            wire closed = (closes && here) ||
                          (closes_rank && place[PLACE_W-1 -: RA_W] == at[PLACE_W-1 -: RA_W]);
            wire opens_here = opens && here;

            assign now_opened[i] = opens_here || (opened[i] && !closed);
            assign now_hits[i]   = opens_here ? word[COL_W +: ROW_W] == row : hits[i] && !closed;

            assign now_waits[i] = waits[i] && !(leave && of == leave_index);
            assign now_fors[i*INDEX_W +: INDEX_W] =
                of - {{(INDEX_W-1){1'b0}}, leave && of > leave_index};

            assign same[i] = valids[i] && word[0 +: BURST_W] == burst && !gone[i];
        end
    endgenerate

    // ------------------------------------------------------------------
    // The youngest of the same burst, as it stands once all have moved

    reg [INDEX_W-1:0] same_index;
    integer k;

    always @* begin
        same_index = {INDEX_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1)
            if (same[k])
                same_index = k[INDEX_W-1:0] - {{(INDEX_W-1){1'b0}}, moves[k]};
    end

    // ------------------------------------------------------------------
    // Entries move

    // what stands behind the last entry is empty
    wire [ENTRIES*WORD_W-1:0]  next_words = words >> WORD_W;
    wire [ENTRIES*INDEX_W-1:0] next_fors  = now_fors >> INDEX_W;

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
                    fors[i*INDEX_W +: INDEX_W] <= now_fors[i*INDEX_W +: INDEX_W];
                end
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            count  <= {COUNT_W{1'b0}};
            valids <= {ENTRIES{1'b0}};
            waits  <= {ENTRIES{1'b0}};
            opened <= {ENTRIES{1'b0}};
            hits   <= {ENTRIES{1'b0}};
        end else begin
            count  <= tail + {{(COUNT_W-1){1'b0}}, push};
            valids <= (moves & (valids >> 1)) | (~moves & valids) | fill;
            waits  <= (((moves & (now_waits >> 1)) | (~moves & now_waits)) & ~fill) |
                      (fill & {ENTRIES{|same}});
            opened <= (((moves & (now_opened >> 1)) | (~moves & now_opened)) & ~fill) |
                      (fill & {ENTRIES{push_open}});
            hits   <= (((moves & (now_hits >> 1)) | (~moves & now_hits)) & ~fill) |
                      (fill & {ENTRIES{push_hit}});
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_dram_channel_queue_formal.vh"
`endif
endmodule

`default_nettype wire
