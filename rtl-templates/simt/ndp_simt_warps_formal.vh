//% output("formal/ndp_simt_warps_formal.vh")
${header{title = "what is proved of ndp_simt_warps", text = [[
A warp is in one state at a time, its stack never deeper than it can be and not empty
where it is popped, and while it stands at a barrier only that barrier's release makes
it go on.]] .. (L.OFFERS == 1 and [[  In chain it stays until it is told where to go on.]] or "") .. [[  What select, check, control and release may do to a warp in which state is
their contract (q_).]]}}
`ifdef FORMAL_NDP_SIMT_WARPS
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_STACK = ${L.STACK};

    wire [WARPS-1:0] f_idle = ~(is_ready | is_flight | is_wait | is_barrier |
                                is_membar | is_pop${L.OFFERS == 1 and " | is_chain" or ""});
    wire [WARPS-1:0] f_update = (one << x_warp) & {WARPS{update}};

    // any warp
    (* anyconst *) reg [WARP_W-1:0] f_w;

    wire [DEPTH_W-1:0] f_depth = depths[f_w*DEPTH_W +: DEPTH_W];
    wire [6:0]         f_state = {is_ready[f_w], is_flight[f_w], is_wait[f_w],
                                  is_barrier[f_w], is_membar[f_w], is_pop[f_w],
                                  ${L.OFFERS == 1 and "is_chain[f_w]" or "1'b0"}};

    always @* if (f_past && !rst) begin
        q_warp: assume (f_w < WARPS);
        q_range: assume (x_warp < WARPS && release_warp < WARPS && drop_warp < WARPS);
        q_taken: assume ((taken & ~(is_ready | f_idle)) == 0 &&
                         (taken & (taken - 1)) == 0);
        q_drop: assume ((dropped & ~is_flight) == 0);
        q_update: assume ((f_update & ~is_flight) == 0);
        q_release: assume ((released & ~is_flight) == 0);
        q_one: assume ((dropped & released) == 0 && (f_update & released) == 0 &&
                       (f_update & dropped) == 0);
        q_passed: assume ((passed & ~is_barrier) == 0);
        q_push: assume (!push || (update && push_depth < F_STACK &&
                                  new_depth == push_depth + 1));
        q_depth: assume (!update || new_depth <= F_STACK);
//% if L.OFFERS == 1 then
        q_after: assume (!release_en || !(after[1] && after[0]));
        q_go: assume (!go || (go_warp < WARPS && (went & ~is_chain) == 0));
        q_next: assume (!next || (next_warp < WARPS && (followed & ~is_flight) == 0));
        q_alone: assume ((followed & (dropped | f_update | released)) == 0);
//% else
        q_after: assume (!release_en || (!(after[3] && after[2]) && !(after[1] && after[0])));
//% end
        q_pop: assume (!release_en || release_warp != f_w || !after[1] || f_depth != 0);
        q_idle: assume (!(release_en && after[0] && (after[3] || after[2])));
    end

    reg f_barrier; // it stood at a barrier
    reg f_passed;
    reg f_flight;  // it was in flight, and nothing took it from there
    reg f_pop;

    always @(posedge clk) begin
        f_barrier <= is_barrier[f_w] && !rst;
        f_passed  <= passed[f_w];
//% if L.OFFERS == 1 then
        f_flight  <= is_flight[f_w] && !dropped[f_w] && !released[f_w] && !followed[f_w] && !rst;
//% else
        f_flight  <= is_flight[f_w] && !dropped[f_w] && !released[f_w] && !rst;
//% end
        f_pop     <= popping && !rst && push;
    end

//% if L.OFFERS == 1 then
    reg f_chain; // it was in chain
    reg f_gone;  // ... and was told to go on
    reg f_next;  // its next word follows
    reg [PC_W-1:0] f_pc; // there
    reg [PC_W-1:0] f_next_pc;

    always @(posedge clk) begin
        f_chain <= is_chain[f_w] && !rst;
        f_gone  <= went[f_w];
        f_next  <= followed[f_w] && !rst;
        f_pc    <= go_pc;
        f_next_pc <= next_pc;
    end

//% end
    always @* if (f_past && !rst) begin
        p_one: assert ((f_state & (f_state - 7'd1)) == 0);
        p_depth: assert (f_depth <= F_STACK);
        p_pop: assert (!is_pop[f_w] || f_depth != 0);
        p_then: assert (!((is_barrier[f_w] || is_membar[f_w]) && then_pop[f_w]) ||
                        f_depth != 0);
        p_popping: assert (!(popping && warp_p == f_w) ||
                           (is_pop[f_w] && depth_p + 1'b1 == f_depth));
        p_barrier: assert (!f_barrier || is_barrier[f_w] != f_passed);
        p_flight: assert (!f_flight || is_flight[f_w]);
        p_pushed: assert (!f_pop || popping);
//% if L.OFFERS == 1 then
        p_chain: assert (!f_chain || is_chain[f_w] != f_gone);
        p_goes: assert (!(f_chain && f_gone) || ((is_ready[f_w] || is_pop[f_w]) &&
                                                 pcs[f_w*PC_W +: PC_W] == f_pc));
        p_next: assert (!f_next || (is_ready[f_w] && pcs[f_w*PC_W +: PC_W] == f_next_pc));
        c_pops: cover (f_chain && is_pop[f_w]);
        c_next: cover (f_next && is_ready[f_w]);
//% end
        c_again: cover (pop_done && pop_again);
        c_idle: cover (end_pop);
        c_else: cover (pop_done && other);
        c_held: cover (popping && push);
        c_freed: cover (drop && freed);
        c_then: cover ((free & then_pop) != 0);
    end
`endif
