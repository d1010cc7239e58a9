//% use "ndp_cache_sets_formal.vh"
${header{title = "cache: which lines are valid, and where", text = [[
Tags, valid bits and ages of all lines, with one look-up per cycle.

A line has a slot, {set, way}.  The ages of a set are a permutation: 0 is the line that
was used last.  A line enters the lowest way that is not valid, or else the oldest.

Latency: what is looked up shows in the same cycle; changes are made on the edge.]]}}
`default_nettype none

module ${prefix}ndp_cache_sets (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // look-up
    input  wire ${pad(range(L.SADDR_W), 6)} line,       // that is looked for
    output wire        hit,        // it is valid
    output wire        hit_fresh,  // and no load has found it since it was prefetched
    output wire        old_valid,  // if the line enters, another one leaves
    output wire        old_fresh,  // which no load has found
    output wire ${pad(range(L.SET_W + L.WAY_W), 6)} slot,       // of the line, or where it enters

    // changes; one at most
    input  wire        touch,      // a load has found the line
    input  wire        enter,      // the line enters
    input  wire        enter_fresh, // prefetched, and no load waits for it
    input  wire        drop,       // the line is not valid any more, if it is
    input  wire        clear       // no line is
);
${localparams("LINES", "SETS", "WAYS", "SADDR_W", "SET_W", "WAY_W", "LINE_TAG_W", "AGES_W")}

    wire [SET_W-1:0]      set = ${set_of("line")};
    wire [LINE_TAG_W-1:0] tag = line[SADDR_W-1:SET_W];

    reg [LINES-1:0] valid;
    reg [LINES-1:0] fresh;

    wire [WAYS-1:0] valids = valid[{set, {WAY_W{1'b0}}} +: WAYS]; // of the set
    wire [WAYS-1:0] freshs = fresh[{set, {WAY_W{1'b0}}} +: WAYS];
    wire [WAYS-1:0] here; // the way has the line

    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : way_tags
            reg [SETS*LINE_TAG_W-1:0] tags;
            reg [LINE_TAG_W-1:0]      its_tag; // of the set

            integer t;

            always @* begin
                its_tag = {LINE_TAG_W{1'b0}};
                for (t = 0; t < SETS; t = t + 1)
                    if (set == t[SET_W-1:0])
                        its_tag = tags[t*LINE_TAG_W +: LINE_TAG_W];
            end

            assign here[g] = valids[g] && its_tag == tag;

            integer u;

            always @(posedge clk) begin
                for (u = 0; u < SETS; u = u + 1)
                    if (enter && way == g[WAY_W-1:0] && set == u[SET_W-1:0])
                        tags[u*LINE_TAG_W +: LINE_TAG_W] <= tag;
            end
        end
    endgenerate

    assign hit       = |here;
    assign hit_fresh = |(here & freshs);

    // ------------------------------------------------------------------
    // Ages

    reg [SETS*AGES_W-1:0] ages;
    reg [AGES_W-1:0]      of_set;

    integer r;

    always @* begin
        of_set = {AGES_W{1'b0}};
        for (r = 0; r < SETS; r = r + 1)
            if (set == r[SET_W-1:0])
                of_set = ages[r*AGES_W +: AGES_W];
    end

    reg [WAYS-1:0]   oldest;
    reg [WAY_W-1:0]  age;  // of the way
    reg [AGES_W-1:0] next; // ages of the set when the way has age 0

    integer w;

    always @* begin
        age = {WAY_W{1'b0}};
        for (w = 0; w < WAYS; w = w + 1) begin
            oldest[w] = &of_set[w*WAY_W +: WAY_W];
            if (way == w[WAY_W-1:0])
                age = of_set[w*WAY_W +: WAY_W];
        end
        for (w = 0; w < WAYS; w = w + 1) begin
            if (way == w[WAY_W-1:0])
                next[w*WAY_W +: WAY_W] = {WAY_W{1'b0}};
            else if (of_set[w*WAY_W +: WAY_W] < age)
                next[w*WAY_W +: WAY_W] = of_set[w*WAY_W +: WAY_W] + 1'b1;
            else
                next[w*WAY_W +: WAY_W] = of_set[w*WAY_W +: WAY_W];
        end
    end

    // ------------------------------------------------------------------
    // The way: of the line if it is valid, else where it enters

    wire [WAYS-1:0]  empty; // the lowest way that is not valid
    wire [WAY_W-1:0] empty_way;
    wire [WAYS-1:0]  chosen = hit ? here : oldest;
    reg  [WAY_W-1:0] chosen_way;

    ${prefix}ndp_lowest #(
        .N       (WAYS),
        .INDEX_W (WAY_W)
    ) not_valid (
        .set   (~valids),
        .first (empty),
        .index (empty_way)
    );

    integer c;

    always @* begin
        chosen_way = {WAY_W{1'b0}};
        for (c = 0; c < WAYS; c = c + 1)
            if (chosen[c])
                chosen_way = chosen_way | c[WAY_W-1:0];
    end

    wire [WAY_W-1:0] way = !hit && |empty ? empty_way : chosen_way;

    assign slot      = {set, way};
    assign old_valid = !(|empty);
    assign old_fresh = |(oldest & valids & freshs) && old_valid;

    // ------------------------------------------------------------------
    // Changes

    integer s, a;

    always @(posedge clk) begin
        for (s = 0; s < SETS; s = s + 1) begin
            if (rst) begin
                for (a = 0; a < WAYS; a = a + 1)
                    ages[s*AGES_W + a*WAY_W +: WAY_W] <= a[WAY_W-1:0];
            end else if ((touch || enter) && set == s[SET_W-1:0]) begin
                ages[s*AGES_W +: AGES_W] <= next;
            end
        end
    end

    always @(posedge clk) begin
        if (rst || clear)
            valid <= {LINES{1'b0}};
        else if (enter || (drop && hit))
            valid[slot] <= enter;
    end

    always @(posedge clk) begin
        if (touch || enter)
            fresh[slot] <= enter && enter_fresh;
    end

`ifdef FORMAL
`include "${prefix}ndp_cache_sets_formal.vh"
`endif
endmodule

`default_nettype wire
