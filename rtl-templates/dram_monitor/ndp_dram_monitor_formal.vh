//% output("formal/ndp_dram_monitor_formal.vh")
${header{title = "what is proved of ndp_dram_monitor", text = [[
What a command breaks is told on the next edge, counted, and the first such command
kept; nothing is told of an edge without a command.  The parts are cut off, so what each
command breaks is anything; that there is a command is what they promise (q_valid, which
is p_none there), and what it breaks is proved of them.]]}}
`ifdef FORMAL_NDP_DRAM_MONITOR
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    integer f_q;

    always @* if (f_past && !rst)
        for (f_q = 0; f_q <= RANKS; f_q = f_q + 1)
            assume (valids[f_q] || breaks[f_q*CHECKS +: CHECKS] == 0); // q_valid

    // what is broken on this edge
    reg [CHECKS-1:0] f_rules_now;
    reg [RANKS:0]    f_who_now;
    reg [COUNT_W:0]  f_sum;
    integer          f_i;

    always @* begin
        f_rules_now = 0;
        f_who_now   = 0;
        f_sum       = f_total;
        for (f_i = 0; f_i <= RANKS; f_i = f_i + 1) begin
            f_rules_now    = f_rules_now | breaks[f_i*CHECKS +: CHECKS];
            f_who_now[f_i] = breaks[f_i*CHECKS +: CHECKS] != 0;
            f_sum          = f_sum + f_who_now[f_i];
        end
    end

    // of the edge before, and since reset
    reg               f_after; // without reset
    reg [CHECKS-1:0]  f_rules;
    reg [RANKS:0]     f_who, f_valids;
    reg [COUNT_W-1:0] f_total;
    reg               f_first;
    reg [${L.RULE_W + 4 + L.RANK_W + L.GROUP_W + L.BANK_W + L.TIME_W - 1}:0] f_of_first;

    wire [${L.RULE_W + 4 + L.RANK_W + L.GROUP_W + L.BANK_W + L.TIME_W - 1}:0] f_shown =
        {first_rule, first_near, first_kind, first_rank, first_group, first_bank, first_edge};

    always @(posedge clk) begin
        f_after    <= !rst;
        f_rules    <= f_rules_now;
        f_who      <= f_who_now;
        f_valids   <= valids;
        f_total    <= rst ? 0 : f_sum[COUNT_W] ? {COUNT_W{1'b1}} : f_sum;
        f_first    <= first_valid;
        f_of_first <= f_shown;
    end

    always @* if (f_past && f_after) begin
        p_told: assert (broken_valid == (f_who != 0) && broken_rules == f_rules && broken_commands == f_who);
        p_command: assert ((broken_commands & ~f_valids) == 0);
        p_rule: assert (!broken_valid || broken_rules[broken_rule]);
        p_who: assert (!broken_valid || broken_near != broken_commands[0]);
        p_counted: assert (total_broken == f_total);
        p_any: assert (first_valid == (total_broken != 0));
        p_commands: assert (!broken_valid || total_commands != 0);
        p_begins: assert (first_valid == (f_first || broken_valid));
        p_copied: assert (f_first || !broken_valid || f_shown[${L.RULE_W + 4 + L.RANK_W + L.GROUP_W + L.BANK_W + L.TIME_W - 1}:TIME_W] ==
                          {broken_rule, broken_near, broken_kind, broken_rank, broken_group, broken_bank});
        p_stays: assert (!f_first || f_shown == f_of_first);
    end

    always @* if (f_past && f_after) begin
        c_two: cover (broken_commands == 3);
        c_second: cover (broken_valid && f_first);
        c_right: cover (f_valids == {(RANKS+1){1'b1}} && !broken_valid);
    end
`endif
