//% output("formal/ndp_nbu_decide_formal.vh")
//% local BODY_W = L.TAG_W + L.OP_W + L.LANES + 5 * L.OPERAND_W
${header{title = "what is proved of ndp_nbu_decide", text = [[
For any instruction and any answer of the track table: what is done against a
twin written rule by rule from the note (side, required copies, list of moves
without repetition, ticket), and, said once more without the twin, that nothing
goes that has a write under way or an operand on the wrong side only.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_NBU_DECIDE
    // ------------------------------------------------------------------
    // What the stages have: an instruction, then with it the table's answer
    // and the policy.

    reg              f2_valid;
    reg [WARP_W-1:0] f2_warp;
    reg [1:0]        f2_hint;
    reg [BODY_W-1:0] f2_body;
    reg              f3_valid;
    reg [WARP_W-1:0] f3_warp;
    reg [1:0]        f3_hint;
    reg [BODY_W-1:0] f3_body;
    reg [1:0]        f3_policy;
    reg [4:0]        f3_far;
    reg [4:0]        f3_near;
    reg [4:0]        f3_retired;
    reg [4:0]        f3_issued;

    always @(posedge clk) begin
        f2_valid   <= !rst && p1_valid;
        f2_warp    <= p1_warp;
        f2_hint    <= p1_hint;
        f2_body    <= p1_body;
        f3_valid   <= !rst && f2_valid;
        f3_warp    <= f2_warp;
        f3_hint    <= f2_hint;
        f3_body    <= f2_body;
        f3_policy  <= policy;
        f3_far     <= found_far;
        f3_near    <= found_near;
        f3_retired <= found_retired;
        f3_issued  <= found_issued;
    end

    // ------------------------------------------------------------------
    // The instruction's parts; o counts src0, src1, src2, guard, dst.

    wire [4:0]       f_op   = f3_body[TAG_W +: 5];
    wire [LANES-1:0] f_mask = f3_body[TAG_W + 5 +: LANES];

    reg             f_valid  [0:4];
    reg [1:0]       f_kind   [0:4];
    reg [REG_W-1:0] f_reg    [0:4];
    reg             f_at_near[0:4]; // where the operand has to be
    reg             f_missing[0:4];
    reg             f_dropped[0:4]; // an earlier missing one moves it, too
    reg             f_pending;
    reg             f_any_source;
    reg             f_all_near;
    reg             f_runs_near;
    reg             f_partial;
    reg             f_any_missing;
    reg [2:0]       f_count;
    reg [4:0]       f_wanted;
    integer         o, e;

    localparam [31:0] F_FAR_SET  = ${string.format("32'h%08x", P["nbu.far_set"])};
    localparam [31:0] F_NEAR_SET = ${string.format("32'h%08x", P["nbu.near_set"])};

    always @* begin
        f_pending    = 1'b0;
        f_any_source = 1'b0;
        f_all_near   = 1'b1;
        for (o = 0; o < 5; o = o + 1) begin
            {f_valid[o], f_kind[o], f_reg[o]} =
                f3_body[TAG_W + 5 + LANES + o*OPERAND_W +: OPERAND_W];
            if (f_valid[o] && f3_issued[o] != f3_retired[o])
                f_pending = 1'b1;
            if (f_valid[o] && o < 4) begin
                f_any_source = 1'b1;
                if (!f3_near[o])
                    f_all_near = 1'b0;
            end
        end

        // Where it runs, first rule that applies
        if (F_NEAR_SET[f_op])                          // 1
            f_runs_near = 1'b1;
        else if (f3_policy == 2'd3)                    // 2
            f_runs_near = 1'b0;
        else if (F_FAR_SET[f_op])                      // 3
            f_runs_near = 1'b0;
        else if (f3_policy == 2'd2)                    // 4
            f_runs_near = 1'b1;
        else if (f3_policy == 2'd0 && f3_hint == 2'd1) // 5
            f_runs_near = 1'b0;
        else if (f3_policy == 2'd0 && f3_hint == 2'd2)
            f_runs_near = 1'b1;
        else                                           // 6
            f_runs_near = f_any_source && f_all_near;

        // Where its operands must be
        for (o = 0; o < 5; o = o + 1)
            f_at_near[o] = f_runs_near;
        if (f_op == ${12} || f_op == ${13}) begin // ld_global, st_global
            f_at_near[0] = 1'b0;
            f_at_near[1] = 1'b1;
            f_at_near[2] = 1'b1;
            f_at_near[4] = 1'b1;
        end
        if (f_op == ${14} || f_op == ${15}) begin // ld_shared, st_shared
            f_at_near[0] = 1'b1;
            f_at_near[1] = 1'b1;
            f_at_near[2] = 1'b1;
            f_at_near[4] = 1'b1;
        end

        // What is missing
        f_partial = f_mask != {LANES{1'b1}} || f_valid[3];
        f_any_missing = 1'b0;
        f_count  = 0;
        f_wanted = 0;
        for (o = 0; o < 5; o = o + 1) begin
            f_missing[o] = f_valid[o] && (o < 4 || f_partial) &&
                           !(f_at_near[o] ? f3_near[o] : f3_far[o]);
            f_dropped[o] = 1'b0;
            for (e = 0; e < o; e = e + 1)
                if (f_missing[e] && f_reg[e] == f_reg[o])
                    f_dropped[o] = 1'b1;
            if (f_missing[o]) begin
                f_any_missing = 1'b1;
                if (!f_dropped[o]) begin
                    f_count     = f_count + 1;
                    f_wanted[o] = 1'b1;
                end
            end
        end
    end

    wire f_hold = f3_valid && f_pending;
    wire f_move = f3_valid && !f_pending && f_any_missing;
    wire f_go   = f3_valid && !f_pending && !f_any_missing;

    always @* if (f_past) begin
        p_act: assert (act == f3_valid);
        p_hold: assert (act_hold == f_hold);
        p_move: assert (act_move == f_move);
        p_go: assert (act_go == f_go);
        p_warp: assert (!f3_valid || act_warp == f3_warp);
        p_policy: assert (!f_go || act_near == f_runs_near);
        p_count: assert (!f_move || act_moves == f_count);
        p_list: assert (!f_move || moves[5*MOVE_W +: 5 + WARP_W] ==
                        {f3_warp, f_wanted});
        p_packet: assert (!f_go || packet[0 +: BODY_W + WARP_W] ==
                          {f3_body, f3_warp});
        p_ticket: assert (!f_go || packet[BODY_W + WARP_W +: TICKET_W] ==
                          (f_valid[4] ? {1'b1, f_at_near[4], !f3_issued[4],
                                         f_reg[4]} : {TICKET_W{1'b0}}));
        p_issued: assert (issued_write == (f_go && f_valid[4]) &&
                          (!issued_write || (issued_reg == f_reg[4] &&
                                             issued_epoch != f3_issued[4])));
//% for k = 0, 4 do
        p_entry_${k}: assert (!f_move || !f_wanted[${k}] ||
                           moves[${k}*MOVE_W +: MOVE_W] ==
                           {!f_at_near[${k}], f_kind[${k}], f3_retired[${k}],
                            f_reg[${k}]});
//% end
    end

    always @*
        p_lookup: assert (lookup_regs == {
//% for k = 4, 0, -1 do
            p1_body[${L.TAG_W + 5 + L.LANES + k * L.OPERAND_W} +: REG_W]${k > 0 and "," or ""}
//% end
        });

    // ------------------------------------------------------------------
    // Once more, of any operand of an instruction that goes

    (* anyconst *) reg [2:0] f_o;

    always @* assume (f_o < 5);

    always @* if (f_past && act_go && f_valid[f_o]) begin
        p_go_settled: assert (f3_issued[f_o] == f3_retired[f_o]);
        p_go_there: assert ((f_o == 4 && f_mask == {LANES{1'b1}} &&
                             !f_valid[3]) ||
                            (f_at_near[f_o] ? f3_near[f_o] : f3_far[f_o]));
    end

    always @* if (f_past && !rst) begin
        c_go_near: cover (f_go && act_near && f_valid[0] && f_valid[4]);
        c_go_global: cover (f_go && f_op == 13 && f_valid[0] && f_valid[1]);
        c_most_moves: cover (f_move && f_count == 4);
        c_shared_move: cover (f_move && f_count == 1 && f_missing[1] &&
                              f_missing[3] && f_missing[4]);
        c_hold: cover (f_hold && f_any_missing);
    end
`endif
