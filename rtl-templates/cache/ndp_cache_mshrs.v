//% use "ndp_cache_mshrs_formal.vh"
//% local M = L.MSHR_W
${header{title = "cache: lines in flight", text = [[
The miss status holding registers (MSHRs): which lines are fetched, and which loads
wait for each.

An MSHR in use is live or dead: a dead line does not enter the cache when it arrives.

Latency: what is looked up shows in the same cycle; changes are made on the edge.]]}}
`default_nettype none

module ${prefix}ndp_cache_mshrs (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // look-up
    input  wire ${pad(range(L.SADDR_W), 6)} line,       // that is looked for
    output wire        met,        // it is in flight
    output wire        met_dead,   // and dead
    output wire        met_full,   // no target is left
    output wire        met_fresh,  // prefetched, and no load waits for it yet
    output wire        none,       // no MSHR is free
    output wire        crowded,    // not more than RESERVE are
    output wire ${pad(range(M), 6)} lowest,     // free MSHR

    // changes for the line; one at most
    input  wire        fetch,      // the lowest free MSHR is in use for it
    input  wire        fetch_pre,  // by a prefetch, else by a load
    input  wire        merge,      // a load waits for it, too
    input  wire ${pad(range(L.ID_W), 6)} id,         // of the load
    input  wire        kill,       // it is dead, if it is in flight
    input  wire        kill_all,   // all are

    // a line that has arrived
    input  wire ${pad(range(M), 6)} number,     // its MSHR
    input  wire        answer,     // a load is answered, or none waits
    output wire ${pad(range(L.SADDR_W), 6)} its_line,
    output wire        its_dead,
    output wire        its_pre,    // a prefetch began it
    output wire        its_fresh,
    output wire        its_load,   // a load waits for it
    output wire ${pad(range(L.ID_W), 6)} its_id,     // of that load
    output wire        its_last    // it is the last one, or there was none
);
${localparams("MSHRS", "TARGETS", "RESERVE", "SADDR_W", "ID_W", "MSHR_W", "TARGET_W", "COUNT_W", "FREE_W")}

    localparam [COUNT_W-1:0] FULL = TARGETS[COUNT_W-1:0];
    localparam [FREE_W-1:0]  LEAVE = RESERVE[FREE_W-1:0];

    reg [MSHRS-1:0]         used;
    reg [MSHRS-1:0]         dead;
    reg [MSHRS-1:0]         pre;
    reg [MSHRS-1:0]         fresh;
    reg [MSHRS*SADDR_W-1:0] lines;
    reg [MSHRS*COUNT_W-1:0] counts; // of targets

    reg [MSHRS*TARGETS*ID_W-1:0] targets; // ids of loads

    // ------------------------------------------------------------------
    // Look-up

    reg [MSHRS-1:0]   same; // in use for the line
    reg [MSHR_W-1:0]  match;
    reg [COUNT_W-1:0] count;
    reg [FREE_W-1:0]  n_free;

    integer i;

    always @* begin
        match  = {MSHR_W{1'b0}};
        count  = {COUNT_W{1'b0}};
        n_free = {FREE_W{1'b0}};
        for (i = 0; i < MSHRS; i = i + 1) begin
            same[i] = used[i] && lines[i*SADDR_W +: SADDR_W] == line;
            if (same[i]) begin
                match = match | i[MSHR_W-1:0];
                count = count | counts[i*COUNT_W +: COUNT_W];
            end
            if (!used[i])
                n_free = n_free + 1'b1;
        end
    end

    wire [MSHRS-1:0] first; // free

    ${prefix}ndp_lowest #(
        .N       (MSHRS),
        .INDEX_W (MSHR_W)
    ) free (
        .set   (~used),
        .first (first),
        .index (lowest)
    );

    assign met       = |same;
    assign met_dead  = |(same & dead);
    assign met_fresh = |(same & fresh);
    assign met_full  = count == FULL;
    assign none      = first == {MSHRS{1'b0}};
    assign crowded   = n_free <= LEAVE;

    // ------------------------------------------------------------------
    // The MSHR of a line that has arrived

    reg [SADDR_W-1:0]  of_line;
    reg [COUNT_W-1:0]  of_count;
    reg [MSHRS-1:0]    of;
    reg [TARGET_W-1:0] served; // of its targets
    reg [ID_W-1:0]     of_id;  // of the next one

    integer j;

    always @* begin
        of_line  = {SADDR_W{1'b0}};
        of_count = {COUNT_W{1'b0}};
        of_id    = {ID_W{1'b0}};
        for (j = 0; j < MSHRS; j = j + 1) begin
            of[j] = number == j[MSHR_W-1:0];
            if (of[j]) begin
                of_line  = lines[j*SADDR_W +: SADDR_W];
                of_count = counts[j*COUNT_W +: COUNT_W];
            end
        end
        for (j = 0; j < MSHRS*TARGETS; j = j + 1)
            if ({number, served} == j[MSHR_W+TARGET_W-1:0])
                of_id = targets[j*ID_W +: ID_W];
    end

    wire [COUNT_W-1:0] after = {${L.COUNT_W > L.TARGET_W and (L.COUNT_W - L.TARGET_W) .. "'d0, " or ""}served} + 1'b1;

    assign its_line  = of_line;
    assign its_dead  = |(of & dead);
    assign its_pre   = |(of & pre);
    assign its_fresh = |(of & fresh);
    assign its_load  = of_count != {COUNT_W{1'b0}};
    assign its_id    = of_id;
    assign its_last  = after >= of_count;

    always @(posedge clk) begin
        if (rst)
            served <= {TARGET_W{1'b0}};
        else if (answer)
            served <= its_last ? {TARGET_W{1'b0}} : served + 1'b1;
    end

    // ------------------------------------------------------------------
    // Changes

    wire [MSHRS-1:0] begins = fetch ? first : {MSHRS{1'b0}};
    wire [MSHRS-1:0] ends   = answer && its_last ? of : {MSHRS{1'b0}};
    wire [MSHRS-1:0] merges = merge ? same : {MSHRS{1'b0}};
    wire [MSHRS-1:0] dies   = kill_all ? {MSHRS{1'b1}} : kill ? same : {MSHRS{1'b0}};

    always @(posedge clk) begin
        if (rst)
            used <= {MSHRS{1'b0}};
        else
            used <= (used | begins) & ~ends;
    end

    integer k;

    always @(posedge clk) begin
        dead  <= (dead & ~begins) | dies;
        pre   <= (pre & ~begins) | (fetch_pre ? begins : {MSHRS{1'b0}});
        fresh <= (fresh & ~begins & ~merges) | (fetch_pre ? begins : {MSHRS{1'b0}});
        for (k = 0; k < MSHRS; k = k + 1) begin
            if (begins[k]) begin
                lines[k*SADDR_W +: SADDR_W]  <= line;
                counts[k*COUNT_W +: COUNT_W] <= {{(COUNT_W-1){1'b0}}, !fetch_pre};
            end else if (merges[k]) begin
                counts[k*COUNT_W +: COUNT_W] <= count + 1'b1;
            end
        end
    end

    wire [MSHR_W-1:0]   to = fetch ? lowest : match;
    wire [TARGET_W-1:0] at = fetch ? {TARGET_W{1'b0}} : count[TARGET_W-1:0];

    integer n;

    always @(posedge clk) begin
        for (n = 0; n < MSHRS*TARGETS; n = n + 1)
            if ((fetch || merge) && {to, at} == n[MSHR_W+TARGET_W-1:0])
                targets[n*ID_W +: ID_W] <= id;
    end

`ifdef FORMAL
`include "${prefix}ndp_cache_mshrs_formal.vh"
`endif
endmodule

`default_nettype wire
