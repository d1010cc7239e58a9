//% output("formal/ndp_frontend_control_formal.vh")
${header{title = "what is proved of ndp_frontend_control", text = [[
Lanes of a warp are never lost: those that no longer execute have ended, or stand in
the entry that is pushed, or in one that is there already.  The stack keeps within its
depth, and a fault changes nothing.  That active lanes execute, and that no lane both
executes and has ended, is the contract of its neighbours (q_).]]}}
`ifdef NDP_FRONTEND_WHOLE
    always @* q_lanes: assume (!valid || (t & ~mask) == 0);
`endif
`ifdef FORMAL_NDP_FRONTEND_CONTROL
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam ENTRY_W = ${L.ENTRY_W};

    always @* if (f_past && !rst) begin
        q_active: assume (!valid || (t & ~mask) == 0);
        q_apart: assume ((mask & gone) == 0);
        q_depth: assume (depth <= STACK);
    end

    reg f_split; // lanes of a warp parted, without a fault

    always @(posedge clk) f_split <= !rst && update && new_mask != mask && x_op == BRA;

    // those for whom an entry is pushed
    wire [LANES-1:0] f_below = entry[2*PC_W+LANES +: LANES];
    wire [LANES-1:0] f_else  = entry[2*PC_W +: LANES];

    always @* if (f_past && !rst) begin
        p_subset: assert (!update || (new_mask & ~mask) == 0);
        p_gone: assert (!update || (gone & ~new_gone) == 0);
        p_apart: assert (!update || (new_mask & new_gone) == 0);
        p_whole: assert (!push || f_below == mask);
        p_else: assert (!push || ((f_else & new_mask) == 0 &&
                                  (f_else == 0 || (f_else | new_mask) == mask)));
        p_kept: assert (!update || push || (branch && plain) ||
                        (new_mask | new_gone) == (mask | gone));
        p_runs: assert (!update || !branch || mask == 0 || new_mask != 0);
        p_room: assert (!push || depth != STACK);
        p_depth: assert (!update || new_depth <= STACK);
        p_fault: assert (fault == 0 || !update);
        p_stops: assert (!stops || (mask == ~gone && new_mask == mask && !fences));
        p_fences: assert (!fences || (new_mask == mask && new_gone == gone));
        p_diverged: assert (count_diverged == f_split);
        c_diverged: cover (count_diverged && push);
        c_push: cover (push && f_else != 0);
        c_short: cover (push && f_else == 0);
        c_plain: cover (update && branch && split && plain);
        c_full: cover (fault == OVERFLOW);
        c_trap: cover (fault == TRAPPED);
        c_barrier: cover (fault == BARRIER);
        c_exit: cover (update && new_gone != gone && new_mask != 0);
    end
`endif
