${header{title = "requests of a bank, by age", text = [[
Entry 0 is the oldest.  One enters behind the others, one leaves from any place, and
those behind it move up.  An entry waits while an older one has its burst.

Parameters: all sizes are generated; see the localparams.

Latency: what is pushed on an edge is an entry after it.]]}}
//% local function w(n) return pad(range(n), 8) end
`default_nettype none

module ${prefix}ndp_bank_queue (
    input  wire          clk,         // clock
    input  wire          rst,         // synchronous reset, active high
    input  wire          push,        // a request; needs room
    input  wire ${w(L.WORD_W)} push_word,   // {write, id, row, column}
    input  wire          leave,       // an entry leaves
    input  wire ${w(L.INDEX_W)} leave_index, // which
    output reg  ${w(L.COUNT_W)} count,       // entries
    output reg  ${w(L.ENTRIES)} valids,      // there is an entry
    output reg  ${w(L.ENTRIES)} waits,       // for an older one of its burst
    output reg  ${w(L.ENTRIES * L.WORD_W)} words        // by entry
);
${localparams("ENTRIES", "WORD_W", "BURST_W", "COUNT_W")}

    wire [COUNT_W-1:0] tail = count - {{(COUNT_W-1){1'b0}}, leave};

    // entry i takes the place of entry i - 1
    wire [ENTRIES-1:0] moves = leave ? {ENTRIES{1'b1}} << leave_index : {ENTRIES{1'b0}};
    wire [ENTRIES-1:0] fill  = push ? {{(ENTRIES-1){1'b0}}, 1'b1} << tail : {ENTRIES{1'b0}};

    // what stands behind the last entry is empty
    wire [ENTRIES*WORD_W-1:0] next_words = words >> WORD_W;

    genvar i;

    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : entry
            always @(posedge clk) begin
                if (fill[i])
                    words[i*WORD_W +: WORD_W] <= push_word;
                else if (moves[i])
                    words[i*WORD_W +: WORD_W] <= next_words[i*WORD_W +: WORD_W];
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            count  <= {COUNT_W{1'b0}};
            valids <= {ENTRIES{1'b0}};
        end else begin
            count  <= tail + {{(COUNT_W-1){1'b0}}, push};
            valids <= (moves & (valids >> 1)) | (~moves & valids) | fill;
        end
    end

    integer k, older;

    always @* begin
        waits = {ENTRIES{1'b0}};
        for (k = 1; k < ENTRIES; k = k + 1)
            for (older = 0; older < k; older = older + 1)
                if (valids[k] && words[k*WORD_W +: BURST_W] == words[older*WORD_W +: BURST_W])
                    waits[k] = 1'b1;
    end
endmodule

`default_nettype wire
