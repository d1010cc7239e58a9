//% output("formal/ndp_cache_sets_formal.vh")
${header{title = "what is proved of ndp_cache_sets", text = [[
No line is valid twice.  The ages of a set are a permutation.  A line is found
once it has entered, and not once it was dropped.

Contract of the user (q_*): a line enters only if it is not valid, is touched only if it
is, and one thing happens at a time.]]}}
`ifdef FORMAL_NDP_CACHE_SETS
`define NDP_CACHE_SETS_CONTRACT assume
`else
`define NDP_CACHE_SETS_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_enter: `NDP_CACHE_SETS_CONTRACT (!enter || !hit);
        q_touch: `NDP_CACHE_SETS_CONTRACT (!touch || hit);
        q_one: `NDP_CACHE_SETS_CONTRACT (touch + enter + drop + clear <= 1);
    end

`ifdef FORMAL_NDP_CACHE_SETS
    // ------------------------------------------------------------------
    // A line, any: how many ways of its set have it

    (* anyconst *) reg [SADDR_W-1:0] f_line;

    wire [SET_W-1:0] f_set  = ${set_of("f_line")};
    wire [WAYS-1:0]  f_here;

    generate
        for (g = 0; g < WAYS; g = g + 1) begin : f_ways
            assign f_here[g] = valid[{f_set, g[WAY_W-1:0]}] &&
                               way_tags[g].tags[f_set*LINE_TAG_W +: LINE_TAG_W] == f_line[SADDR_W-1:SET_W];
        end
    endgenerate

    wire f_once = (f_here & (f_here - 1'b1)) == 0;

    reg f_entered; // on the edge before
    reg f_dropped;

    always @(posedge clk) begin
        f_entered <= !rst && enter && line == f_line;
        f_dropped <= !rst && (clear || (drop && line == f_line));
    end

    always @* if (f_past && !rst) begin
        p_once: assert (f_once);
        p_entered: assert (!f_entered || f_here != 0);
        p_dropped: assert (f_once && (!f_dropped || f_here == 0)); // not inductive alone
        p_hit: assert (line != f_line || hit == (f_here != 0));
        c_in: cover (f_here != 0 && line == f_line && hit_fresh);
        c_old: cover (enter && old_valid && old_fresh);
    end

    // ------------------------------------------------------------------
    // Ages: each is there once in any set

    (* anyconst *) reg [SET_W-1:0] f_any;
    (* anyconst *) reg [WAY_W-1:0] f_a;
    (* anyconst *) reg [WAY_W-1:0] f_b;

    wire [AGES_W-1:0] f_ages = ages[f_any*AGES_W +: AGES_W];
    wire [WAY_W-1:0]  f_age_a = f_ages >> (f_a * WAY_W);
    wire [WAY_W-1:0]  f_age_b = f_ages >> (f_b * WAY_W);

    always @* if (f_past && !rst) begin
        p_ages: assert (f_a == f_b || f_age_a != f_age_b);
        p_oldest: assert ((oldest & (oldest - 1'b1)) == 0);
    end
`endif
