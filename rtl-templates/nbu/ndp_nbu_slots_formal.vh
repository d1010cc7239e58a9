//% output("formal/ndp_nbu_slots_formal.vh")
//% local BODY_W = L.TAG_W + L.OP_W + L.LANES + 5 * L.OPERAND_W
${header{title = "what is proved of ndp_nbu_slots", text = [[
A twin of every warp's flags, written from the note: one instruction a warp,
accepted only when it is not busy; the warp picked is the first pickable one
after the last; what enters the pipeline is what the warp's front end issued;
and no wake is lost.]]}}
`ifdef FORMAL_NDP_NBU_SLOTS
`define NDP_NBU_SLOTS_CONTRACT assume
`else
`define NDP_NBU_SLOTS_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Twin of the flags that the contract needs, from the ports only

    reg               f_init; // the table is ready
    reg [WARPS-1:0]   f_busy;
    reg [WARPS-1:0]   f_held;
    reg [WARPS-1:0]   f_open; // a lookup has begun and not ended
    reg [3*WARPS-1:0] f_left;

    always @(posedge clk) begin
        if (rst) begin
            f_init <= 1'b0;
            f_busy <= 0;
            f_held <= 0;
            f_open <= 0;
            f_left <= 0;
        end else begin
            if (init_last)
                f_init <= 1'b1;
            if (accept) begin
                f_busy[issue_warp] <= 1'b1;
                f_held[issue_warp] <= 1'b1;
            end
            if (p1_valid)
                f_open[p1_warp] <= 1'b1;
            if (act)
                f_open[act_warp] <= 1'b0;
            if (act_go)
                f_held[act_warp] <= 1'b0;
            if (update_move)
                f_left[3*update_warp +: 3] <= f_left[3*update_warp +: 3] - 1;
            if (act_move)
                f_left[3*act_warp +: 3] <= act_moves;
            if (far_taken)
                f_busy[far_warp] <= 1'b0;
            if (near_taken)
                f_busy[near_warp] <= 1'b0;
        end
    end

    always @* if (f_past && !rst) begin
        q_init: `NDP_NBU_SLOTS_CONTRACT (!(f_init && init_last));
        q_act: `NDP_NBU_SLOTS_CONTRACT (!act || (act_warp < WARPS &&
                   f_open[act_warp] && f_held[act_warp]));
        q_one_act: `NDP_NBU_SLOTS_CONTRACT ((act || !(act_move || act_go)) &&
                                            !(act_move && act_go));
        q_moves: `NDP_NBU_SLOTS_CONTRACT (!act_move || (act_moves >= 1 &&
                                                        act_moves <= 5));
        q_update: `NDP_NBU_SLOTS_CONTRACT (!update_write ||
                                           update_warp < WARPS);
        q_move_done: `NDP_NBU_SLOTS_CONTRACT (!update_move ||
                         (update_write && f_left[3*update_warp +: 3] != 0));
        q_move_warp: `NDP_NBU_SLOTS_CONTRACT (!update_move ||
                                              move_warp == update_warp);
        q_far: `NDP_NBU_SLOTS_CONTRACT (!far_taken || (far_warp < WARPS &&
                   f_busy[far_warp] && !f_held[far_warp]));
        q_near: `NDP_NBU_SLOTS_CONTRACT (!near_taken || (near_warp < WARPS &&
                    f_busy[near_warp] && !f_held[near_warp]));
        q_one_side: `NDP_NBU_SLOTS_CONTRACT (!(far_taken && near_taken) ||
                                             far_warp != near_warp);
    end

`ifdef FORMAL_NDP_NBU_SLOTS
    // ------------------------------------------------------------------
    // Twin of the others, and of the pick

    reg [WARPS-1:0]  f_ask;
    reg [WARPS-1:0]  f_look;
    reg [WARP_W-1:0] f_last;
    reg              f_pick;
    reg [WARP_W-1:0] f_pick_warp; // the first pickable one after f_last
    reg [WARPS-1:0]  f_pickable;
    integer          f_i;

    wire [WARPS-1:0] f_ready  = f_init ? ~f_busy : {WARPS{1'b0}};
    wire             f_accept = issue_valid && issue_warp < WARPS &&
                                f_ready[issue_warp];

    always @* begin
        f_pick_warp = 0;
        for (f_i = 0; f_i < WARPS; f_i = f_i + 1)
            f_pickable[f_i] = f_held[f_i] && f_ask[f_i] && !f_look[f_i] &&
                              f_left[3*f_i +: 3] == 0;
        for (f_i = WARPS - 1; f_i >= 0; f_i = f_i - 1)
            if (f_pickable[f_i])
                f_pick_warp = f_i;
        for (f_i = WARPS - 1; f_i >= 0; f_i = f_i - 1)
            if (f_pickable[f_i] && f_i > f_last)
                f_pick_warp = f_i;
        f_pick = f_pickable != 0;
    end

    always @(posedge clk) begin
        if (rst) begin
            f_ask  <= 0;
            f_look <= 0;
            f_last <= WARPS - 1;
        end else begin
            if (f_pick) begin
                f_look[f_pick_warp] <= 1'b1;
                f_ask[f_pick_warp]  <= 1'b0;
                f_last              <= f_pick_warp;
            end
            if (act)
                f_look[act_warp] <= 1'b0;
            if (f_accept)
                f_ask[issue_warp] <= 1'b1;
            if (update_write)
                f_ask[update_warp] <= 1'b1;
        end
    end

    always @* if (f_past) begin
        p_ready: assert (issue_ready == f_ready);
        p_accept: assert (accept == f_accept);
    end

    // ------------------------------------------------------------------
    // Any one warp: its instruction, and what it waits for

    (* anyconst *) reg [WARP_W-1:0] f_warp;

    always @* assume (f_warp < WARPS);

    wire f_mine    = f_accept && issue_warp == f_warp;
    wire f_picked  = f_pick && f_pick_warp == f_warp;
    wire f_updated = update_write && update_warp == f_warp;
    wire f_hold    = act && act_warp == f_warp && !act_move && !act_go;

    reg [${BODY_W + 1}:0] f_word;  // its instruction
    reg ${pad("", #tostring(BODY_W + 1) + 3)} f_shown; // it was picked on the last edge
    reg ${pad("", #tostring(BODY_W + 1) + 3)} f_valid; // some warp was
    reg ${pad("", #tostring(BODY_W + 1) + 3)} f_since; // an update came since its last pick
    reg ${pad("", #tostring(BODY_W + 1) + 3)} f_slept; // its last lookup met a pending write

    always @(posedge clk) begin
        if (rst) begin
            f_shown <= 1'b0;
            f_valid <= 1'b0;
            f_since <= 1'b0;
            f_slept <= 1'b0;
        end else begin
            f_shown <= f_picked;
            f_valid <= f_pick;
            f_since <= f_updated || (f_since && !f_picked);
            f_slept <= f_hold || (f_slept && !f_picked && !f_updated);
        end
        if (f_mine)
            f_word <= {issue_hint, issue_body};
    end

    always @* if (f_past) begin
        p_pick: assert (p1_valid == f_valid &&
                        (f_valid && p1_warp == f_warp) == f_shown);
        p_instruction: assert (!f_shown || {p1_hint, p1_body} == f_word);
        p_one_a_warp: assert (!(f_held[f_warp] && !f_busy[f_warp]) &&
                              !(f_look[f_warp] && !f_held[f_warp]));
        // A held warp that no one looks at sleeps because of a pending write,
        // and no update has come since that could have ended it.
        p_no_lost_wake: assert (!(f_held[f_warp] && !f_look[f_warp] &&
                                  !f_ask[f_warp] &&
                                  f_left[3*f_warp +: 3] == 0) ||
                                (f_slept && !f_since));
        p_moves_first: assert (!f_shown || f_left[3*f_warp +: 3] == 0);
    end

    always @* if (f_past && !rst) begin
        c_slept: cover (f_slept && f_held[f_warp] && !f_ask[f_warp]);
        c_moved: cover (update_move && f_left[3*f_warp +: 3] == 1 && f_updated);
        c_wake_in_lookup: cover (f_look[f_warp] && f_ask[f_warp] && act_move);
        c_all_busy: cover (f_busy == {WARPS{1'b1}});
        c_second: cover (f_mine && f_last == f_warp && f_ask != 0);
    end
`endif
