//% output("formal/ndp_frontend_warps_formal.vh")
${header{title = "what is proved of ndp_frontend_warps", text = [[
A warp is in one state at a time, so that one that waits is not ready; its lanes never
gain one that has ended; its stack is never deeper than it can be and not empty where it
is popped.  What has not committed is counted, between none and all that may be; a warp
drains until there is none, ends only so, and stands at a barrier until all of its slot
that live do with none.  What select, check, control and dispatch may do to a warp in
which state is their contract (q_); that select, check and control keep it is proved of
all of them together.  Dispatch's part, and what is said of commits and of words that were
resolved, is not.]]}}
`ifdef FORMAL_NDP_FRONTEND_WARPS
`define NDP_FRONTEND_WARPS_CONTRACT assume
`define NDP_FRONTEND_WARPS_SEEN
`endif
`ifdef NDP_FRONTEND_WHOLE
`define NDP_FRONTEND_WARPS_CONTRACT assert
`define NDP_FRONTEND_WARPS_SEEN
`endif
`ifdef NDP_FRONTEND_WARPS_SEEN
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_STACK = ${L.STACK};

    wire [WARPS-1:0] f_idle = ~(is_ready | is_flight | is_await | is_drain | is_barrier | is_pop);

    // any warp, another one, and a lane
    (* anyconst *) reg [WARP_W-1:0] f_w;
    (* anyconst *) reg [WARP_W-1:0] f_v;
    (* anyconst *) reg [${clog2(L.LANES) - 1}:0] f_l;

    wire [5:0]         f_state = {is_ready[f_w], is_flight[f_w], is_await[f_w], is_drain[f_w],
                                  is_barrier[f_w], is_pop[f_w]};
    wire [DEPTH_W-1:0] f_depth = depths[f_w*DEPTH_W +: DEPTH_W];
    wire [LANES-1:0]   f_on    = masks[f_w*LANES +: LANES];
    wire [LANES-1:0]   f_gone  = gones[f_w*LANES +: LANES];
    wire [COUNT_W-1:0] f_count = counts[f_w*COUNT_W +: COUNT_W];
    wire [CTA_W-1:0]   f_slot  = slots[f_w*CTA_W +: CTA_W];
    wire [CTA_W-1:0]   f_other = slots[f_v*CTA_W +: CTA_W];

    // a warp that has begun has lanes and a stack
    reg [WARPS-1:0] f_runs;

    always @(posedge clk) f_runs <= rst ? {WARPS{1'b0}} : (f_runs | begun) & ~ended;

    always @* if (f_past && !rst) begin
        q_warp: assume (f_w < WARPS && f_v < WARPS);
        q_range: assume (c_warp < WARPS && x_warp < WARPS && b_warp < WARPS);
        q_slot: assume (born == 0 || born_slot < CTAS);
        q_selected: `NDP_FRONTEND_WARPS_CONTRACT ((selected & ~ready) == 0 && (selected & (selected - 1)) == 0);
        q_drop: `NDP_FRONTEND_WARPS_CONTRACT ((dropped & ~is_flight) == 0);
        q_taken: `NDP_FRONTEND_WARPS_CONTRACT ((went & ~is_flight) == 0 && (went & dropped) == 0);
        q_store: `NDP_FRONTEND_WARPS_CONTRACT (!taken || (!(t_control && t_global) && (!t_store || t_global)));
        q_commit: assume ((committed & zero) == 0);
        q_x: assume (!x_valid || (at_x & ~is_await) == 0);
        q_update: `NDP_FRONTEND_WARPS_CONTRACT (!update || (x_valid && !x_fresh));
        q_push: `NDP_FRONTEND_WARPS_CONTRACT (!push || (update && x_depth < F_STACK && new_depth == x_depth + 1));
        q_depth: `NDP_FRONTEND_WARPS_CONTRACT (!update || (new_depth <= F_STACK && (push || new_depth == x_depth)));
        q_join: `NDP_FRONTEND_WARPS_CONTRACT (!update || push || new_join == x_meet);
        q_mask: `NDP_FRONTEND_WARPS_CONTRACT (!update || ((new_mask & ~x_mask) == 0 && (new_mask & new_gone) == 0 &&
                                    (x_gone & ~new_gone) == 0));
        q_stops: `NDP_FRONTEND_WARPS_CONTRACT (!(stops || fences) || (update && new_mask != 0));
        q_one: `NDP_FRONTEND_WARPS_CONTRACT (!(stops && fences));
        q_born: assume ((born & live) == 0 && (born == 0 || !lives[born_slot]));
        q_begins: assume ((begun & ~(live & f_idle & ~f_runs)) == 0 && (begun & born) == 0);
        q_lanes: assume (!begins || b_mask != 0);
    end

    reg       f_drain;   // it was in drain and had not all committed
    reg       f_barrier; // it was at a barrier
    reg       f_passed;
    reg       f_flight;  // it was in flight, and nothing took it from there
    reg       f_await;   // it awaited, and nothing came
    reg       f_popped;  // an entry was read, and one was pushed
    reg       f_lost;    // a lane of it had ended, and no other warp begins there
    reg       f_begun;
    reg [COUNT_W-1:0] f_were; // what had not committed, and what came on the edge
    reg       f_runs_on; // no reset
    reg       f_under;   // an access was taken, and never since had all committed

    always @(posedge clk) begin
        f_drain   <= !rst && is_drain[f_w] && f_count != 0;
        f_barrier <= !rst && is_barrier[f_w];
        f_passed  <= passed[f_w];
        f_flight  <= !rst && is_flight[f_w] && !dropped[f_w] && !went[f_w];
        f_await   <= !rst && is_await[f_w] && !(x_valid && at_x[f_w] && (update || x_fresh));
        f_popped  <= !rst && popping && push;
        f_lost    <= !rst && f_runs[f_w] && f_gone[f_l];
        f_begun   <= begun[f_w];
        f_were    <= f_count + {{(COUNT_W-1){1'b0}}, went[f_w]} -
                     {{(COUNT_W-1){1'b0}}, committed[f_w]};
        f_runs_on <= !rst;
        f_under   <= !rst && ((went[f_w] && t_global) || (f_under && f_count != 0));
    end

    always @* if (f_past && !rst) begin
        p_one: assert ((f_state & (f_state - 6'd1)) == 0);
        p_idle: assert (f_runs[f_w] == (f_state != 0));
        p_dead: assert (live[f_w] || (f_state == 0 && f_count == 0));
        p_count: assert (f_count <= MOST);
        p_steps: assert (!f_runs_on || f_count == f_were);
        p_room: assert (!is_flight[f_w] || f_count < MOST);
        p_under: assert (!f_under || open[f_w]);
        p_apart: assert (!f_runs[f_w] || (f_on & f_gone) == 0);
        p_lost: assert (!(f_lost && f_runs[f_w] && !f_begun) || (f_gone[f_l] && !f_on[f_l]));
        p_runs: assert (!(is_ready[f_w] || is_flight[f_w]) || f_on != 0);
        p_depth: assert (!f_runs[f_w] || f_depth <= F_STACK);
        p_pop: assert (!is_pop[f_w] || f_depth != 0);
        p_then: assert (!((is_barrier[f_w] || is_drain[f_w]) && then_pop[f_w]) || f_depth != 0);
        p_ends: assert (!(is_drain[f_w] && then_end[f_w]) || (f_on == 0 && f_depth == 0));
        p_lives: assert (!(is_drain[f_w] && !then_end[f_w] && !then_pop[f_w]) || f_on != 0);
        p_popping: assert (!(popping && warp_p == f_w) ||
                           (is_pop[f_w] && depth_p + 1'b1 == f_depth && gone_p == f_gone &&
                            join_p == joins[f_w*PC_W +: PC_W]));
        p_pushed: assert (!f_popped || popping);
        p_drain: assert (!f_drain || is_drain[f_w]);
        p_barrier: assert (!f_barrier || is_barrier[f_w] != f_passed);
        p_flight: assert (!f_flight || is_flight[f_w]);
        p_await: assert (!f_await || is_await[f_w]);
        p_pass: assert (!passed[f_w] || (f_count == 0 && (!live[f_v] || f_other != f_slot ||
                                                          (is_barrier[f_v] && passed[f_v]))));
    end

`ifdef FORMAL_NDP_FRONTEND_WARPS
    always @* if (f_past && !rst) begin
        c_again: cover (pop_done && pop_again);
        c_end: cover (pop_done && pop_idle);
        c_else: cover (pop_done && other);
        c_held: cover (popping && push);
        c_drops: cover (drop && f_count == 2);
        c_both: cover (went[f_w] && committed[f_w]);
        c_full: cover (is_ready[f_w] && full[f_w]);
        c_pass: cover (passed[f_w] && passed[f_v] && f_w != f_v);
        c_then: cover ((freed & then_pop) != 0);
        c_ended: cover (ended[f_w] && live[f_v] && f_w != f_v);
    end
`endif
`endif
