//% output("formal/ndp_squeue_admit_formal.vh")
${header{title = "what is proved of ndp_squeue_admit", text = [[
Of a chain that stands still until it is taken (q_still), with places that are taken
by keep and become free otherwise (q_taken, q_free): it is kept only if it can be
computed and there is room, in a place that is free, and only with its first load; it
shows one load or two, as its pattern has, and all of them go the same way.  The
patterns stand here as a list, not as sets.]]}}
`ifdef FORMAL_NDP_SQUEUE_ADMIT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What must become of the chain

    reg f_both;  // it has two loads
    reg f_good;  // it can be computed

    wire f_alone = got_f == 12 || got_f == 13 || got_f == 14;
    wire f_op    = got_f >= 1 && got_f <= 14 && got_f != 4;
    wire f_op_g  = got_g >= 1 && got_g <= 14 && got_g != 4;

    always @* begin
        f_both = 1'b0;
        f_good = 1'b0;
        case (got_pattern)
        1, 2: begin f_both = 1'b1; f_good = f_op; end
        3:    f_good = 1'b1;
        4:    begin f_both = !f_alone; f_good = f_op; end
        5:    begin f_both = 1'b1; f_good = got_f < 14; end
        6:    f_good = got_f < 14;
        7:    f_good = f_op;
        8, 9: begin f_both = 1'b1; f_good = got_fused || (f_op && f_op_g); end
        default: ;
        endcase
        if (got_type == 7)
            f_good = 1'b0;
    end

    // ------------------------------------------------------------------
    // The chain stands still

//% local names, was = {}, {}
//% for _, n in ipairs{"pattern", "f", "g", "type", "fused", "core", "entry", "a", "b", "c"} do names[#names + 1] = "got_" .. n end
    wire [${4 + 4 + 4 + 3 + 1 + L.NODE_W + L.ENTRY_W + 3 * L.ADDR_W + L.MASK_W - 1}:0] f_chain = {
        ${table.concat(names, ", ")}, got_mask
    };
    reg  [${4 + 4 + 4 + 3 + 1 + L.NODE_W + L.ENTRY_W + 3 * L.ADDR_W + L.MASK_W - 1}:0] f_was;
    reg  f_stands;

    always @(posedge clk) begin
        f_was    <= f_chain;
        f_stands <= got_valid && !got_ready && !rst;
    end

    // ------------------------------------------------------------------
    // Places

    reg [PLACES-1:0] f_taken;
    (* anyseq *) reg [PLACES-1:0] f_frees;

    always @(posedge clk) begin
        if (rst)
            f_taken <= 0;
        else
            f_taken <= (f_taken | (keep ? keep_bit : 0)) & ~(free ? f_frees : 0);
    end

    always @* if (f_past && !rst) begin
        q_still: assume (!f_stands || (got_valid && f_chain == f_was));
        q_taken: assume (taken == f_taken);
        q_free: assume (!free || ((f_frees & ~f_taken) == 0 && f_frees != 0 &&
                                  (f_frees & (f_frees - 1'b1)) == 0));
    end

    integer f_i;
    reg [USED_W-1:0] f_count;

    always @* begin
        f_count = 0;
        for (f_i = 0; f_i < PLACES; f_i = f_i + 1)
            f_count = f_count + f_taken[f_i];
    end

    // ------------------------------------------------------------------
    // Loads that have been shown of it, and where the first one went

    reg f_first;
    reg f_kept;

    always @(posedge clk) begin
        if (rst)
            f_first <= 1'b0;
        else if (shows)
            f_first <= !got_ready;
        if (first)
            f_kept <= keep;
    end

    reg f_shows, f_second, f_away;
    reg [ADDR_W-1:0] f_address;

    always @(posedge clk) begin
        f_shows   <= shows && !rst;
        f_second  <= f_first;
        f_away    <= f_first ? !f_kept : !keep;
        f_address <= !f_first ? got_a : got_pattern == 4 ? got_c : got_b;
    end

    always @* if (f_past && !rst) begin
        p_used: assert (used == f_count);
        p_place: assert (!keep || ((keep_bit & f_taken) == 0 && keep_bit != 0 &&
                         keep_bit == {{PLACES-1{1'b0}}, 1'b1} << keep_place));
        p_room: assert (!keep || f_count < places);
        p_able: assert (!keep || f_good);
        p_keeps: assert (!(first && f_good && f_count < places && f_count < PLACES) || keep);
        p_due: assert (second == f_first && (!second || (got_valid && f_both)));
        p_all: assert (!shows || got_ready == (f_first || !f_both));
        p_once: assert (!keep || !f_first);
        p_same: assert (!second || kept == f_kept);
        p_load: assert (!f_shows || (load_valid && load_second == f_second &&
                        load_away == f_away && load_address == f_address));
        p_counts: assert (count_packets == (count_full || count_unable || keep));
        c_kept: cover (f_shows && f_second && !f_away);
        c_away: cover (f_shows && f_second && f_away);
        c_full: cover (count_full && f_count == PLACES);
    end
`endif
