//% use "ndp_analyzer_score_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local COUNT_W = L.STACK_W + 1
${header{title = "analyzer: scores and choice", text = [[
Counts, for every mapping, the instances that it would have kept on one stack
(score) and the stacks that all of them would have touched (sum), until enough
instances were seen.  Then it goes through the mappings for the best one: the
highest score, then the smallest sum, then the lowest bit.

The number of instances with the next one added is held beside it, so that the
limit is compared with a register; a mapping's figures are fetched one edge
before they are compared.

Latency: an ended instance counts on the edge that takes it.  irq rises MAPS
edges after the edge that sets done.  An answer is shown one edge after its
query.]]}}
`default_nettype none

module ${prefix}ndp_analyzer_score (
    input  wire         clk,         // clock
    input  wire         rst,         // synchronous reset, active high
    input  wire         clear,       // forget everything
    input  wire ${w(L.LEARN_W)} limit,       // instances after which learning ends

    // ended instance
    input  wire         end_valid,   // an instance has ended
    input  wire ${w(L.BITMAP_W)} end_word,    // stacks it touched, by mapping
    output wire         scored,      // it counts
    output reg          done,        // learning has ended

    // queries
    input  wire         query_valid, // a query
    input  wire ${w(L.QUERY_W)} query_index, // mapping
    output reg  ${w(L.LEARN_W)} query_score, // its score
    output reg  ${w(L.SUM_W)} query_sum,   // its sum

    // choice
    output reg          irq,         // the best mapping is known
    output reg  ${w(L.BIT_W)} irq_best     // its lowest address bit
);
${localparams("STACKS", "MAPS", "FIRST_BIT", "LEARN_W", "SUM_W", "MAP_W", "QUERY_W", "BIT_W")}

    localparam COUNT_W = ${COUNT_W}; // bits of a number of stacks

    assign scored = end_valid && !clear && !done;

    // ------------------------------------------------------------------
    // Instances

    reg [LEARN_W:0] following; // instances so far, and one

    always @(posedge clk) begin
        if (rst || clear) begin
            following <= ${L.LEARN_W + 1}'d1;
            done      <= 1'b0;
        end else if (scored) begin
            following <= following + 1'b1;
            done      <= following >= {1'b0, limit};
        end
    end

    // ------------------------------------------------------------------
    // Scores and sums

    wire [MAPS*LEARN_W-1:0] scores;
    wire [MAPS*SUM_W-1:0]   sums;
    genvar                  g;

    generate
        for (g = 0; g < MAPS; g = g + 1) begin : map
            reg [LEARN_W-1:0] score;
            reg [SUM_W-1:0]   sum;
            reg [COUNT_W-1:0] stacks; // that the ended instance touched
            integer           k;

            always @* begin
                stacks = {COUNT_W{1'b0}};
                for (k = 0; k < STACKS; k = k + 1)
                    stacks = stacks +
                             {{(COUNT_W-1){1'b0}}, end_word[g*STACKS+k]};
            end

            always @(posedge clk) begin
                if (rst || clear) begin
                    score <= {LEARN_W{1'b0}};
                    sum   <= {SUM_W{1'b0}};
                end else if (scored) begin
                    if (stacks == ${COUNT_W}'d1)
                        score <= score + 1'b1;
                    sum <= sum + {${L.SUM_W - COUNT_W}'d0, stacks};
                end
            end

            assign scores[g*LEARN_W +: LEARN_W] = score;
            assign sums[g*SUM_W +: SUM_W]       = sum;
        end
    endgenerate

    // ------------------------------------------------------------------
    // Queries

    reg [LEARN_W-1:0] asked_score;
    reg [SUM_W-1:0]   asked_sum;
    integer           q;

    always @* begin
        asked_score = {LEARN_W{1'b0}};
        asked_sum   = {SUM_W{1'b0}};
        for (q = 0; q < MAPS; q = q + 1)
            if (query_index == q[QUERY_W-1:0]) begin
                asked_score = asked_score | scores[q*LEARN_W +: LEARN_W];
                asked_sum   = asked_sum | sums[q*SUM_W +: SUM_W];
            end
    end

    always @(posedge clk) begin
        if (rst || !query_valid) begin
            query_score <= {LEARN_W{1'b0}};
            query_sum   <= {SUM_W{1'b0}};
        end else begin
            query_score <= asked_score;
            query_sum   <= asked_sum;
        end
    end

    // ------------------------------------------------------------------
    // Choice.  A mapping's rank is its score and, below it, its inverted sum:
    // the better one has the greater number.

    localparam RANK_W = LEARN_W + SUM_W;

    localparam [MAP_W-1:0] LAST = ${L.MAP_W}'d${L.MAPS - 1};

    reg [MAP_W-1:0]  at;        // mapping that is compared on this edge
    reg [RANK_W-1:0] at_rank;   // its rank, except of the first one
    reg [RANK_W-1:0] best_rank;
    reg [BIT_W-1:0]  at_bit;    // its lowest address bit
    reg [BIT_W-1:0]  best;      // of the best mapping so far

    wire              at_first = at == {MAP_W{1'b0}};
    // Scores and sums side by side: two short comparisons, not one long one.
    wire              higher   = at_rank[RANK_W-1:SUM_W] > best_rank[RANK_W-1:SUM_W];
    wire              equal    = at_rank[RANK_W-1:SUM_W] == best_rank[RANK_W-1:SUM_W];
    wire              fewer    = at_rank[SUM_W-1:0] > best_rank[SUM_W-1:0];
    wire              better   = at_first || higher || (equal && fewer);
    wire [RANK_W-1:0] first_rank = {scores[LEARN_W-1:0], ~sums[SUM_W-1:0]};

    reg [RANK_W-1:0] next_rank; // of the mapping after it
    integer          n;

    always @* begin
        next_rank = {RANK_W{1'b0}};
        for (n = 1; n < MAPS; n = n + 1)
            if (at == n[MAP_W-1:0] - 1'b1)
                next_rank = next_rank | {scores[n*LEARN_W +: LEARN_W],
                                         ~sums[n*SUM_W +: SUM_W]};
    end

    always @(posedge clk) begin
        at_rank <= next_rank;
        if (better) begin
            best_rank <= at_first ? first_rank : at_rank;
            best      <= at_bit;
        end
    end

    always @(posedge clk) begin
        if (rst || clear) begin
            at       <= {MAP_W{1'b0}};
            at_bit   <= FIRST_BIT[BIT_W-1:0];
            irq      <= 1'b0;
            irq_best <= {BIT_W{1'b0}};
        end else if (done && !irq) begin
            at     <= at + 1'b1;
            at_bit <= at_bit + 1'b1;
            if (at == LAST) begin
                irq      <= 1'b1;
                irq_best <= better ? at_bit : best;
            end
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_analyzer_score_formal.vh"
`endif
endmodule

`default_nettype wire
