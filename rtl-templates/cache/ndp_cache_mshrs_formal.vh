//% output("formal/ndp_cache_mshrs_formal.vh")
${header{title = "what is proved of ndp_cache_mshrs", text = [[
No line is in two MSHRs.  The loads that wait are those that were told to, less those
that were answered; an MSHR answers as many as it took, and none has more targets than
there are.  A line that was killed in flight is dead when it arrives.

Contract of the user (q_*): a line is fetched only if it is not in flight and an MSHR is
free; a load waits only for a live line with a target left; what arrives was fetched.]]}}
`ifdef FORMAL_NDP_CACHE_MSHRS
`define NDP_CACHE_MSHRS_CONTRACT assume
`else
`define NDP_CACHE_MSHRS_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        q_fetch: `NDP_CACHE_MSHRS_CONTRACT (!fetch || (!met && !none));
        q_merge: `NDP_CACHE_MSHRS_CONTRACT (!merge || (met && !met_dead && !met_full));
        q_one: `NDP_CACHE_MSHRS_CONTRACT (fetch + merge + (kill || kill_all) + answer <= 1);
        q_pre: `NDP_CACHE_MSHRS_CONTRACT (!fetch_pre || fetch);
        q_number: `NDP_CACHE_MSHRS_CONTRACT (!answer || |(of & used));
    end

`ifdef FORMAL_NDP_CACHE_MSHRS
    // one line after the other arrives
    reg              f_mid;
    reg [MSHR_W-1:0] f_mid_number;

    always @(posedge clk) begin
        f_mid <= !rst && (answer ? !its_last : f_mid);
        if (answer)
            f_mid_number <= number;
    end

    always @* assume (!answer || !f_mid || number == f_mid_number);

    // ------------------------------------------------------------------
    // A line, any: how many MSHRs are in use for it, and whether it died

    (* anyconst *) reg [SADDR_W-1:0] f_line;

    reg [MSHRS-1:0] f_here;
    reg             f_dead; // it was killed since it was fetched
    integer         f_i;

    always @* begin
        for (f_i = 0; f_i < MSHRS; f_i = f_i + 1)
            f_here[f_i] = used[f_i] && lines[f_i*SADDR_W +: SADDR_W] == f_line;
    end

    always @(posedge clk) begin
        if (rst || (fetch && line == f_line))
            f_dead <= 1'b0;
        else if (kill_all || (kill && line == f_line))
            f_dead <= 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_once: assert ((f_here & (f_here - 1'b1)) == 0);
        // with p_once, without which it is not inductive
        p_dead: assert ((f_here & (f_here - 1'b1)) == 0 &&
                        (f_here == 0 || (|(f_here & dead)) == f_dead) &&
                        (!(answer && its_line == f_line) || its_dead == f_dead));
        c_dead: cover (answer && its_dead && its_load);
    end

    // ------------------------------------------------------------------
    // Loads that wait

    reg [${clog2(L.MSHRS * L.TARGETS + 1) - 1}:0] f_waits; // told to, and not answered
    reg [${clog2(L.MSHRS * L.TARGETS + 1) - 1}:0] f_sum;   // targets of the MSHRs in use

    always @* begin
        f_sum = 0;
        for (f_i = 0; f_i < MSHRS; f_i = f_i + 1)
            if (used[f_i])
                f_sum = f_sum + counts[f_i*COUNT_W +: COUNT_W];
    end

    always @(posedge clk) begin
        if (rst)
            f_waits <= 0;
        else
            f_waits <= f_waits + ((fetch && !fetch_pre) || merge) - (answer && its_load);
    end

    reg [MSHRS-1:0] f_full; // more targets than there are
    reg [MSHRS-1:0] f_short; // fewer targets than were served

    always @* begin
        for (f_i = 0; f_i < MSHRS; f_i = f_i + 1) begin
            f_full[f_i]  = used[f_i] && counts[f_i*COUNT_W +: COUNT_W] > FULL;
            f_short[f_i] = f_mid && f_mid_number == f_i &&
                           (!used[f_i] || counts[f_i*COUNT_W +: COUNT_W] <= served);
        end
    end

    always @* if (f_past && !rst) begin
        p_full: assert (f_full == 0);
        p_waits: assert (f_sum == f_waits + served && f_full == 0 &&
                         f_mid == (served != 0) && f_short == 0);
        p_fresh: assert ((used & fresh & ~pre) == 0);
        c_two: cover (answer && its_last && served != 0);
        c_pre: cover (answer && its_fresh && !its_load);
    end
`endif
