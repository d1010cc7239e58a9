//% use "ndp_dram_monitor_rank.v"
//% use "ndp_dram_monitor_wires.v"
//% use "ndp_dram_monitor_formal.vh"
${header{title = "monitor of a DRAM channel's commands", text = [[
Watches the commands of a DRAM channel, the host's and those of an accelerator in each
rank, and tells of each that breaks a timing rule, a rule of open rows, of the data
bus or of refreshes.

    cmd, ndc -> each rank: ages, open rows -> which rules -> broken, first, total
    cmd      -> other ranks, data bus      ->

Parameters: all sizes and times are generated; see the localparams.

Handshake: a command stands on an edge with its valid high; nothing is refused.

Latency: what commands of an edge break is told after it, for one cycle.

See docs/blocks/dram_monitor.md.]]}}
`default_nettype none

module ${prefix}ndp_dram_monitor (
${ports{reg = {"broken_valid", "broken_rules", "broken_commands", "broken_rule", "broken_near", "broken_kind",
    "broken_rank", "broken_group", "broken_bank", "first_valid", "first_rule", "first_near", "first_kind",
    "first_rank", "first_group", "first_bank", "first_edge", "total_commands", "total_broken"}}}
);
${localparams("RANKS", "RANK_W", "GROUP_W", "BANK_W", "ROW_W", "CHECKS", "RULE_W", "COUNT_W", "TIME_W")}

    localparam [2:0] PREA = 3'd2; // commands to a rank
    localparam [2:0] REF  = 3'd7;

    wire [RANKS-1:0] h_at = ${L.RA_W > 0 and "{{(RANKS-1){1'b0}}, 1'b1} << cmd_rank" or "1'b1"};

    // ports of all ranks; of one rank some are no vectors
    wire [RANKS-1:0]         n_valids = ndc_valid;
    wire [RANKS*GROUP_W-1:0] n_groups = ndc_group;
    wire [RANKS*BANK_W-1:0]  n_banks  = ndc_bank;
    wire [RANKS-1:0]         lates;

    assign late_ranks = lates;

    // ------------------------------------------------------------------
    // What each command breaks: 0 the host's, r + 1 the accelerator's of rank r

    wire [(RANKS+1)*CHECKS-1:0] breaks;
    wire [RANKS*CHECKS-1:0]     h_in_rank; // the host's, by the rules of each rank
    wire [CHECKS-1:0]           h_on_wires;

    reg  begun; // there was a command
    wire begins = begun || cmd_valid || |n_valids;

    genvar r;

    generate
        for (r = 0; r < RANKS; r = r + 1) begin : each
            ${prefix}ndp_dram_monitor_rank of_rank (
                .clk      (clk),
                .rst      (rst),
                .h_valid  (cmd_valid && h_at[r]),
                .h_kind   (cmd_kind),
                .h_group  (cmd_group),
                .h_bank   (cmd_bank),
                .h_row    (cmd_row),
                .n_valid  (n_valids[r]),
                .n_kind   (ndc_kind[r*3 +: 3]),
                .n_group  (n_groups[r*GROUP_W +: GROUP_W]),
                .n_bank   (n_banks[r*BANK_W +: BANK_W]),
                .n_row    (ndc_row[r*ROW_W +: ROW_W]),
                .begun    (begins),
                .h_broken (h_in_rank[r*CHECKS +: CHECKS]),
                .n_broken (breaks[(r+1)*CHECKS +: CHECKS]),
                .late     (lates[r])
            );
        end
    endgenerate

    ${prefix}ndp_dram_monitor_wires wires (
        .clk      (clk),
        .rst      (rst),
        .h_valid  (cmd_valid),
        .h_kind   (cmd_kind),
        .h_rank   (cmd_rank),
        .h_broken (h_on_wires)
    );

    reg [CHECKS-1:0] h_breaks;
    integer          q;

    always @* begin
        h_breaks = h_on_wires;
        for (q = 0; q < RANKS; q = q + 1)
            h_breaks = h_breaks | h_in_rank[q*CHECKS +: CHECKS];
    end

    assign breaks[0 +: CHECKS] = h_breaks;

    // ------------------------------------------------------------------
    // The first of them, and its first rule

    wire [RANKS:0] valids = {n_valids, cmd_valid};

    reg [CHECKS-1:0]  all_rules, its_rules;
    reg [RANKS:0]     guilty; // commands that break a rule
    reg [COUNT_W-1:0] commands, bad;
    reg               near;
    reg [2:0]         kind;
    reg [RANK_W-1:0]  rank;
    reg [GROUP_W-1:0] group;
    reg [BANK_W-1:0]  bank;
    integer           k;

    always @* begin
        all_rules = {CHECKS{1'b0}};
        its_rules = {CHECKS{1'b0}};
        guilty    = {(RANKS+1){1'b0}};
        commands  = {COUNT_W{1'b0}};
        bad       = {COUNT_W{1'b0}};
        near      = 1'b0;
        kind      = 3'd0;
        rank      = {RANK_W{1'b0}};
        group     = {GROUP_W{1'b0}};
        bank      = {BANK_W{1'b0}};
        for (k = RANKS; k >= 0; k = k - 1) begin
            guilty[k] = |breaks[k*CHECKS +: CHECKS];
            all_rules = all_rules | breaks[k*CHECKS +: CHECKS];
            commands  = commands + {{(COUNT_W-1){1'b0}}, valids[k]};
            bad       = bad + {{(COUNT_W-1){1'b0}}, guilty[k]};
            if (guilty[k])
                its_rules = breaks[k*CHECKS +: CHECKS];
        end
        for (k = RANKS - 1; k >= 0; k = k - 1)
            if (guilty[k+1]) begin
                near  = 1'b1;
                kind  = ndc_kind[k*3 +: 3];
                rank  = k[RANK_W-1:0];
//% if L.BG_W > 0 then
                group = n_groups[k*GROUP_W +: GROUP_W];
//% end
//% if L.BA_W > 0 then
                bank  = n_banks[k*BANK_W +: BANK_W];
//% end
            end
        if (guilty[0]) begin
            near  = 1'b0;
            kind  = cmd_kind;
            rank  = ${L.RA_W > 0 and "cmd_rank" or "{RANK_W{1'b0}}"};
//% if L.BG_W > 0 then
            group = cmd_group;
//% end
//% if L.BA_W > 0 then
            bank  = cmd_bank;
//% end
        end
    end

    reg [RULE_W-1:0] rule;
    integer          i;

    always @* begin
        rule = {RULE_W{1'b0}};
        for (i = CHECKS - 1; i >= 0; i = i - 1)
            if (its_rules[i])
                rule = i[RULE_W-1:0];
    end

    wire whole = kind == PREA || kind == REF;

    // ------------------------------------------------------------------
    // Telling

    reg  [TIME_W-1:0]  edges; // since reset
    wire [COUNT_W:0]   commands_sum = {1'b0, total_commands} + {1'b0, commands};
    wire [COUNT_W:0]   broken_sum   = {1'b0, total_broken} + {1'b0, bad};

    always @(posedge clk) begin
        if (rst || !(|guilty)) begin
            broken_valid    <= 1'b0;
            broken_rules    <= {CHECKS{1'b0}};
            broken_commands <= {(RANKS+1){1'b0}};
            broken_rule     <= {RULE_W{1'b0}};
            broken_near     <= 1'b0;
            broken_kind     <= 3'd0;
            broken_rank     <= {RANK_W{1'b0}};
            broken_group    <= {GROUP_W{1'b0}};
            broken_bank     <= {BANK_W{1'b0}};
        end else begin
            broken_valid    <= 1'b1;
            broken_rules    <= all_rules;
            broken_commands <= guilty;
            broken_rule     <= rule;
            broken_near     <= near;
            broken_kind     <= kind;
            broken_rank     <= rank;
            broken_group    <= whole ? {GROUP_W{1'b0}} : group;
            broken_bank     <= whole ? {BANK_W{1'b0}} : bank;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            begun          <= 1'b0;
            edges          <= {TIME_W{1'b0}};
            total_commands <= {COUNT_W{1'b0}};
            total_broken   <= {COUNT_W{1'b0}};
        end else begin
            begun          <= begins;
            edges          <= edges + {{(TIME_W-1){1'b0}}, ~&edges};
            total_commands <= commands_sum[COUNT_W] ? {COUNT_W{1'b1}} : commands_sum[COUNT_W-1:0];
            total_broken   <= broken_sum[COUNT_W] ? {COUNT_W{1'b1}} : broken_sum[COUNT_W-1:0];
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            first_valid <= 1'b0;
            first_rule  <= {RULE_W{1'b0}};
            first_near  <= 1'b0;
            first_kind  <= 3'd0;
            first_rank  <= {RANK_W{1'b0}};
            first_group <= {GROUP_W{1'b0}};
            first_bank  <= {BANK_W{1'b0}};
            first_edge  <= {TIME_W{1'b0}};
        end else if (!first_valid && |guilty) begin
            first_valid <= 1'b1;
            first_rule  <= rule;
            first_near  <= near;
            first_kind  <= kind;
            first_rank  <= rank;
            first_group <= whole ? {GROUP_W{1'b0}} : group;
            first_bank  <= whole ? {BANK_W{1'b0}} : bank;
            first_edge  <= edges;
        end
    end
${checks{must = {{"(^ndc_valid) !== 1'bx", "ndc_valid is unknown"},
    {"!cmd_valid || (^" .. (L.RA_W > 0 and "{cmd_kind, cmd_rank}" or "cmd_kind") .. ") !== 1'bx", "a command is unknown"}}}}
`ifdef FORMAL
`include "${prefix}ndp_dram_monitor_formal.vh"
`endif
endmodule

`default_nettype wire
