//% output("formal/ndp_simt_control_formal.vh")
${header{title = "what is proved of ndp_simt_control", text = [[
Lanes of a warp are never lost: those that no longer execute have ended, or stand in
the entry that is pushed, or in one that is there already.  The stack keeps within its
depth, and a fault changes nothing.  That active lanes execute, and that no lane both
executes and has ended, is the contract of its neighbours (q_).]]}}
`ifdef FORMAL_NDP_SIMT_CONTROL
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam ENTRY_W = ${L.ENTRY_W};

    wire f_word = x_kind == INSTRUCTION;
    wire f_goes = update && f_word;

    always @* if (f_past && !rst) begin
        q_active: assume (!x_valid || !f_word || (t & ~mask) == 0);
        q_apart: assume ((mask & gone) == 0);
        q_depth: assume (depth <= STACK);
        q_plain: assume (!x_control || f_word);
        q_hold: assume (!hold);
    end
//% if L.PASSES > 1 then

    // passes come one after the other, of one warp
    reg [${L.PASS_W - 1}:0] f_pass;
    reg [LANES-1:0] f_mask;
    reg [LANES-1:0] f_gone;
    reg [1:0]       f_kind;

    always @(posedge clk) begin
        if (rst)
            f_pass <= 0;
        else if (x_valid)
            f_pass <= f_pass + 1;
        if (x_valid) begin
            f_mask <= mask;
            f_gone <= gone;
            f_kind <= x_kind;
        end
    end

    always @* if (f_past && !rst) begin
        q_pass: assume (!x_valid || (x_pass == f_pass &&
                                     x_last == (f_pass == ${L.PASSES - 1})));
        q_same: assume (f_pass == 0 || (mask == f_mask && gone == f_gone && x_kind == f_kind));
        p_gathered: assert (f_pass != 0 || gathered == 0);
        p_subset_0: assert (f_pass == 0 || f_kind != INSTRUCTION || (gathered & ~f_mask) == 0);
    end
//% end

//% if L.OFFERS == 1 then
    // what was in X1 on the edge before
    reg f_does;
    reg f_offer;

    always @(posedge clk) begin
        f_does  <= does && !rst;
        f_offer <= x_offer;
    end

//% end
    // those for whom an entry is pushed
    wire [LANES-1:0] f_below = entry[2*PC_W+LANES +: LANES];
    wire [LANES-1:0] f_else  = entry[2*PC_W +: LANES];

    always @* if (f_past && !rst) begin
        p_subset: assert (!f_goes || (new_mask & ~mask) == 0);
        p_gone: assert (!f_goes || (gone & ~new_gone) == 0);
        p_apart: assert (!update || (new_mask & new_gone) == 0);
        p_whole: assert (!push || f_below == mask);
        p_else: assert (!push || ((f_else & new_mask) == 0 &&
                                  (f_else == 0 || (f_else | new_mask) == mask)));
        p_kept: assert (!f_goes || push || (branch && plain) ||
                        (new_mask | new_gone) == (mask | gone));
        p_runs: assert (!f_goes || !branch || mask == 0 || new_mask != 0);
        p_room: assert (!push || depth != STACK);
        p_depth: assert (!update || new_depth <= STACK);
        p_fault: assert (fault == 0 || !update);
//% if L.OFFERS == 1 then
        q_offer: assume (!x_offer || (f_word && !x_control));
        q_next: assume (!x_next || x_offer);
        p_next: assert (!(update && x_next) && !(x_next && fault != 0));
        p_offer: assert (!(f_goes && x_offer) || (new_mask == mask && new_gone == gone && !push));
        p_chain: assert (!f_does || (after[3] && after[2]) == ${L.MOVES == 1 and "(f_offer || stands)" or "f_offer"});
        c_chain: cover (f_does && f_offer);
//% end
        c_push: cover (push && f_else != 0);
        c_short: cover (push && f_else == 0);
        c_plain: cover (f_goes && branch && split && plain);
        c_full: cover (fault == OVERFLOW);
        c_trap: cover (fault == TRAPPED);
        c_barrier: cover (fault == BARRIER);
        c_exit: cover (f_goes && new_gone != gone && new_mask != 0);
    end
`endif
