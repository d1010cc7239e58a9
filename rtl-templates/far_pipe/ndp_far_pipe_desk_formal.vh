//% output("formal/ndp_far_pipe_desk_formal.vh")
//% local P, N, A = L.PASSES, L.LANES, L.ALUS
${header{title = "what is proved of ndp_far_pipe_desk", text = [[
Demands on the unit (q_*), asserted inside another module: what wants goes on wanting
until its last pass has left, an end is told when there is one, and no access of a warp
comes to be under way while another of it is shown.

The instruction, what any lane of it has (f_l: whether it is active; bit f_b of its
address) and whether one goes wrong are noted apart, as they come; what is written and
shown is its own, once, and after all of it is there.  Tables and the exchange of lanes
are open: they give anything.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_DESK
`define NDP_FAR_PIPE_DESK_CONTRACT assume
`else
`define NDP_FAR_PIPE_DESK_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg f_must;  // passes are left
    reg f_asked; // an access at ask was not taken

    always @(posedge clk) begin
        f_asked <= !rst && ask_valid && !ask_ready;
        if (rst)
            f_must <= 1'b0;
        else
            f_must <= (f_must || wants) && !(gives && last_sent);
    end

    always @* if (f_past && !rst) begin
        q_wants: `NDP_FAR_PIPE_DESK_CONTRACT (!f_must || wants);
        q_open: `NDP_FAR_PIPE_DESK_CONTRACT (!f_asked || !open[end_warp]);
        q_told: `NDP_FAR_PIPE_DESK_CONTRACT (!told || ended);
    end

`ifdef FORMAL_NDP_FAR_PIPE_DESK
    // ------------------------------------------------------------------
    // The instruction, and any lane of it

    (* anyconst *) reg [${LANE_W - 1}:0] f_l;
    (* anyconst *) reg [4:0] f_b;

    reg [WARP_W+TAG_W+PLACE_W+REG_W:0] f_own; // warp, tag, place, source b, destination
    reg [7:0]       f_op;
    reg [3:0]       f_came;   // passes that are kept
    reg             f_active; // the lane is
    reg             f_at;     // bit of its address
    reg             f_wrong;  // an active lane of those that were checked is
    reg [3:0]       f_put;    // passes that were written
    reg             f_wrote;  // that of the lane was
    reg [1:0]       f_shown;  // times that something was shown, 2: or more

    wire [${math.max(ALU_W, 1) - 1}:0] f_k = f_l % ${A}; // the lane within its pass
    wire f_here = x_there && f_came == f_l / ${A};
    wire [31:0] f_new = x_a[32*f_k +: 32] +
                        (f_op >= ${op "atg_add"} && f_op <= ${op "atg_cas"} ? 0 : x_b[32*f_k +: 32]);

    wire f_store  = f_op == ${op "stg_b32"};
    wire f_word   = f_op == ${op "ldg_b32"} || f_store;
    wire f_change = f_op >= ${op "atg_add"} && f_op <= ${op "atg_cas"};
    wire f_half   = f_op == ${op "ldg_u16"} || f_op == ${op "ldg_s16"} || f_op == ${op "stg_b16"};
    wire f_byte   = f_op == ${op "ldg_u8"} || f_op == ${op "ldg_s8"} || f_op == ${op "stg_b8"};
    wire f_part   = f_change || f_half || f_byte;
    wire f_access = f_word || f_part;
    wire [31:0] f_size = f_byte ? 1 : f_half ? 2 : 4;

    // lanes that go wrong, of the pass that was kept last
    integer f_i;
    reg     f_goes_wrong;

    always @* begin
        f_goes_wrong = 1'b0;
        for (f_i = 0; f_i < ALUS; f_i = f_i + 1)
            if (k_on[f_i] && ((k_at[32*f_i +: 32] & (f_size - 1)) != 0 || k_at[32*f_i +: 32] < 256 ||
                (launch_bound != 0 && k_at[32*f_i +: 32] >= launch_bound)))
                f_goes_wrong = 1'b1;
    end

    always @(posedge clk) begin
        if (starts) begin
            f_own   <= {want_warp, want_tag, want_at, want_src1, want_dst};
            f_op    <= want_op;
            f_came  <= 4'd0;
            f_wrong <= 1'b0;
            f_put   <= 4'd0;
            f_wrote <= 1'b0;
            f_shown <= 2'd0;
        end else begin
            f_came  <= f_came + x_there;
            f_wrong <= f_wrong || (k_there && f_goes_wrong);
            f_put   <= f_put + put;
            f_wrote <= f_wrote || (put && put_lanes[f_l]);
            f_shown <= f_shown + ((resolves || fails || opens) && !f_shown[1]);
        end
        if (f_here) begin
            f_active <= x_active[f_k];
            f_at     <= f_new[f_b];
        end
    end

    // the access that is shown, as it was handed over
    reg [WARP_W+REG_W+1:0] f_shows;
    reg                    f_bit;
    reg                    f_owed; // a transfer is

    always @(posedge clk) begin
        if (opens && f_word) begin
            f_shows <= {f_own[WARP_W+TAG_W+PLACE_W+REG_W -: WARP_W],
                        f_store ? f_own[1 +: REG_W] : f_own[1+REG_W +: REG_W], f_active, f_store};
            f_bit   <= f_at;
        end
        f_owed <= !rst && access_valid && !access_ready;
    end

    always @* if (f_past && !rst) begin
        p_own: assert (!busy || {end_warp, end_tag, dst, src1, to_file} == f_own);
        p_op: assert (!busy || op == f_op);
        p_came: assert (!busy || f_came <= ${P});
        p_idle: assert (busy || !(x_there || k_there || ready || ended));
        p_there: assert (!ready || (f_came == ${P} && !x_there && !k_there));
        p_lane: assert (!ready || lanes[f_l] == f_active);
        p_where: assert (!(ready && f_access) || row_a[{f_l, f_b}] == f_at);
        p_bad: assert (!(ready && f_access) || bad == f_wrong);
        p_once: assert (!busy || !f_shown[1]);
        p_one_kind: assert (resolves + put + fails + opens <= 1);
        p_shown: assert (!ended || is_words || f_shown == 1);
        p_put: assert (!ended || !is_words || (f_put == ${P} && f_wrote == f_active));
        p_none: assert (!(busy && !is_words) || f_put == 0);
        p_words: assert (!put || (f_put < ${P} && !taken));
        p_again: assert (!(put && f_wrote) || !put_lanes[f_l]);
        p_apart: assert (!(put && put_lanes[f_l]) || (f_active && f_put == f_l / ${A}));
        p_file: assert (!puts || f_own[0]);
        p_right: assert (!opens || (f_access && !f_wrong && !open[end_warp]));
        p_wrong: assert (!(fails && f_access) || f_wrong);
        p_resolve: assert (!resolve_valid || (ended && f_shown == 1 && resolve_lanes[f_l] == f_active &&
                           {resolve_warp, resolve_tag} == f_own[PLACE_W+REG_W+1 +: WARP_W + TAG_W]));
        p_access: assert (!access_valid ||
                          {access_warp, access_reg, access_mask[f_l], access_store} == f_shows);
        p_address: assert (!access_valid || f_b < 2 || access_address[f_l*30 + f_b - 2] == f_bit);
        p_ask: assert (!ask_valid || (busy && f_part && !f_wrong && f_shown == 0 && !open[end_warp] &&
                                      {ask_warp, ask_reg} == {end_warp, dst[REG_W-1:0]} &&
                                      ask_mask[f_l] == f_active && ask_address[f_l*32 + f_b] == f_at &&
                                      ask_size == (f_byte ? 0 : f_half ? 1 : 2)));
        p_ask_stands: assert (!f_asked || ask_valid);
        p_hands: assert (!hands || !f_part);
        p_kept: assert (!f_owed || access_valid);
        c_ask: cover (ask_valid && ask_ready && f_active && f_change);
        c_access: cover (hands && access_valid && f_active);
        c_fault: cover (fault_valid && fault_cause == MISALIGNED);
        c_words: cover (ended && told && is_words && f_wrote);
        c_late: cover (late_valid && acts && !is_legal);
    end
`endif
