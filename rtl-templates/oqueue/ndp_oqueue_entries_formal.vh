//% output("formal/ndp_oqueue_entries_formal.vh")
${header{title = "what is proved of ndp_oqueue_entries", text = [[
Of any entry (f_at), with a builder that takes free ones and hands back or lets wait
what it has taken (q_*): it is taken once until it is free again; once it waits it
becomes free by exactly one end, which shows the wavefront and mask that it waited
with; answers that it does not wait for end nothing; both loads of two must come.]]}}
`ifdef FORMAL_NDP_OQUEUE_ENTRIES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyconst *) reg [ENTRY_W-1:0] f_at;

    always @* assume (f_at < ${L.ENTRIES});

    // ------------------------------------------------------------------
    // The builder: it has at most one entry, f_mine

    reg [ENTRIES-1:0] f_mine;

    always @(posedge clk) begin
        if (rst)
            f_mine <= 0;
        else if (free_take != 0)
            f_mine <= free_take;
        else if (free_back != 0 || waits)
            f_mine <= 0;
    end

    always @* if (f_past && !rst) begin
        q_take: assume ((free_take & ~free) == 0 && (free_take & (free_take - 1'b1)) == 0 &&
                        (free_take == 0 || f_mine == 0));
        q_back: assume (free_back == 0 || (free_back == f_mine && !waits));
        q_waits: assume (!waits || (f_mine != 0 && f_mine == {{ENTRIES-1{1'b0}}, 1'b1} << entry));
    end

    // ------------------------------------------------------------------
    // The entry f_at: what it waits with

    reg              f_waits;
    reg [WAVE_W-1:0] f_wave;
    reg [MASK_W-1:0] f_mask;
    reg              f_two;
    reg              f_a;     // loads that came back
    reg              f_b;

    wire f_mine_at = f_mine[f_at];
    wire f_begins  = waits && entry == f_at;
    wire f_here    = valid && waited && at == f_at;
    wire f_ends    = count_ends && at == f_at;

    always @(posedge clk) begin
        if (rst || f_ends)
            f_waits <= 1'b0;
        else if (f_begins)
            f_waits <= 1'b1;
        if (f_begins) begin
            f_wave <= wave;
            f_mask <= mask;
            f_two  <= two;
            f_a    <= 1'b0;
            f_b    <= 1'b0;
        end else if (f_here && kind == LOADED && !f_ends) begin
            f_a <= f_a || (!second && part);
            f_b <= f_b || (second && part);
        end
    end

    reg f_ended;

    always @(posedge clk) f_ended <= f_ends && !rst;

    always @* if (f_past && !rst) begin
        p_busy: assert (busy[f_at] == (f_waits || f_mine_at));
        p_apart: assert (!(f_waits && f_mine_at));
        p_waiting: assert (waiting[f_at] == f_waits);
        p_back: assert (!f_waits || (has_a[f_at] == f_a && has_b[f_at] == f_b));
        p_clean: assert (f_waits || (!has_a[f_at] && !has_b[f_at]));
        p_bit: assert (!valid || !waited || at_bit == ({{ENTRIES-1{1'b0}}, 1'b1} << at));
        p_legal: assert (!f_here || f_waits);
        p_status: assert (!f_here || (at_wave == f_wave && at_mask == f_mask && at_two == f_two));
        p_ends: assert (!f_ends || f_waits);
        p_two: assert (!(f_ends && kind == LOADED && f_two) || (second ? f_a : f_b));
        p_done: assert (!f_ended || (done_valid && done_entry == f_at &&
                        done_wave == f_wave && done_mask == f_mask));
        c_ends: cover (f_ends);
        c_loads: cover (f_ends && kind == LOADED && f_two);
        c_stray: cover (count_strays);
    end
`endif
