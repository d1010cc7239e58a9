//% output("formal/ndp_analyzer_score_formal.vh")
${header{title = "what is proved of ndp_analyzer_score", text = [[
No score, sum or number of instances wraps; score is at most the number of
instances and at most sum.  Learning ends with the instance that reaches the
limit, irq comes MAPS edges later, and the mapping it names is the best: none has
a higher score, or as high a score with a smaller sum, or both alike and a lower
bit.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_ANALYZER_SCORE
    (* anyconst *) reg [MAP_W-1:0] f_map; // any mapping

    always @* assume (f_map < MAPS);

    wire [LEARN_W-1:0] f_score = scores[f_map*LEARN_W +: LEARN_W];
    wire [SUM_W-1:0]   f_sum   = sums[f_map*SUM_W +: SUM_W];

    // ------------------------------------------------------------------
    // Twin: instances, and whether the last one was enough

    reg [LEARN_W:0] f_instances;
    reg             f_done;

    always @(posedge clk) begin
        if (rst || clear) begin
            f_instances <= 0;
            f_done      <= 1'b0;
        end else if (end_valid && !f_done) begin
            f_instances <= f_instances + 1'b1;
            f_done      <= f_instances + 1'b1 >= limit;
        end
    end

    always @* if (f_past) begin
        p_instances: assert (following == f_instances + 1'b1 &&
                             f_instances < (1 << LEARN_W));
        p_done: assert (done == f_done);
        p_open: assert (f_done || f_instances < (1 << LEARN_W) - 1);
        p_score: assert (f_score <= f_instances);
        p_sum: assert (f_score <= f_sum && f_sum <= f_instances * STACKS);
        p_enough: assert (!irq || done);
    end

    // ------------------------------------------------------------------
    // Twin of the choice

    reg [7:0] f_edges; // since done

    always @(posedge clk) begin
        if (rst || clear)
            f_edges <= 0;
        else if (done && f_edges < MAPS)
            f_edges <= f_edges + 1'b1;
    end

    wire [BIT_W-1:0]   f_bit  = irq ? irq_best : best;
    wire [MAP_W-1:0]   f_best = f_bit - FIRST_BIT;
    wire [LEARN_W-1:0] f_best_score = scores[f_best*LEARN_W +: LEARN_W];
    wire [SUM_W-1:0]   f_best_sum   = sums[f_best*SUM_W +: SUM_W];

    always @* if (f_past) begin
        p_edges: assert (irq == (f_edges == MAPS));
        p_no_irq: assert (irq || irq_best == 0);
    end

    always @* if (f_past && f_edges != 0) begin
        p_begun: assert (done);
        p_best: assert (f_bit >= FIRST_BIT && f_bit < FIRST_BIT + f_edges);
        p_rank: assert (irq || best_rank == {f_best_score, ~f_best_sum});
        p_better: assert (f_map >= f_edges || f_best_score > f_score ||
                          (f_best_score == f_score &&
                           (f_best_sum < f_sum ||
                            (f_best_sum == f_sum && f_best <= f_map))));
    end

    // Where the choice is: helps the proof.
    always @* if (f_past && !irq) begin
        p_at: assert (at == f_edges && at_bit == FIRST_BIT + f_edges);
        p_at_rank: assert (f_edges == 0 || f_map != f_edges ||
                           at_rank == {f_score, ~f_sum});
    end

    always @* if (f_past && !rst) begin
        c_second: cover (irq && irq_best == FIRST_BIT + 1);
        c_first: cover (irq && irq_best == FIRST_BIT && f_score > 1);
    end
`endif
