//% output("formal/ndp_far_pipe_unit_formal.vh")
//% local P = L.PASSES
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "what is proved of ndp_far_pipe_unit", text = [[
Demands on the user (q_*), asserted inside another module.  The passes of the lanes come
out in the order in which they left, all of an instruction and its last one as such; what
the lanes have is what began and is not told (in which order: ndp_far_pipe_under); what
an instruction reads, takes along and writes is its own; one that is not the lanes' is in
the collector and in dispatch, and nowhere else.  Arithmetic and file are open: they give
anything.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_UNIT
`define NDP_FAR_PIPE_CONTRACT assume
`else
`define NDP_FAR_PIPE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire f_unread = (left[0] && at_src0 == put_at) || (left[1] && at_src1 == put_at) ||
                    (left[2] && at_src2 == put_at) || (left[3] && at_guard == put_at) ||
                    (left[4] && at_dst == put_at);

    always @* if (f_past && !rst) begin
        q_take: `NDP_FAR_PIPE_CONTRACT (!(take && !room));
        q_result: `NDP_FAR_PIPE_CONTRACT (!(take && to_reg && to_pred));
        q_access: `NDP_FAR_PIPE_CONTRACT (!(take && to_shared && (to_reg || to_pred)));
        q_gives: `NDP_FAR_PIPE_CONTRACT (!gives || wants);
        q_s_puts: `NDP_FAR_PIPE_CONTRACT (!(s_puts && taken));
        q_told: `NDP_FAR_PIPE_CONTRACT (!told || ended);
        q_puts: `NDP_FAR_PIPE_CONTRACT (!(puts && comes));
        q_unread: `NDP_FAR_PIPE_CONTRACT (!(puts && held && f_unread));
    end

`ifdef FORMAL_NDP_FAR_PIPE_UNIT
    // ------------------------------------------------------------------
    // Passes of the lanes: which one stands where follows from the one that leaves next

    wire ours = stands && !d_shared; // an instruction of the lanes is in dispatch

    reg [3:0] f_pass; // going back from there
    reg       f_marked; // each last one is marked as such, and no other
    reg [3:0] f_ends; // last ones under way

    integer f_i;

    always @* begin
        f_pass   = ours ? pass : 0;
        f_marked = 1'b1;
        f_ends   = 4'd0;
        for (f_i = 0; f_i < ${LAST}; f_i = f_i + 1) begin
            if (there[f_i])
                f_pass = f_pass == 0 ? ${P - 1} : f_pass - 1;
            if (ends[f_i] != (there[f_i] && f_pass == ${P - 1}))
                f_marked = 1'b0;
            f_ends = f_ends + ends[f_i];
        end
    end

    reg [3:0] f_have; // instructions that have begun and are not told,
    reg [3:0] f_over; // those of them that have ended

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 4'd0;
            f_over <= 4'd0;
        end else begin
            f_have <= f_have + (leaves && !begun) - told;
            f_over <= f_over + closes - told;
        end
    end

    // ------------------------------------------------------------------
    // What they are given, and what dispatch has, is as it was taken

    localparam F_W = WARP_W + TAG_W + TICKET_W + PLACE_W + LANES + 3;

    reg [F_W-1:0] f_in_c; // the collector's
    reg [F_W-1:0] f_in_d; // dispatch's
    reg [4:0]     f_needs; // operands that the collector's has to read,
    reg [4:0]     f_got;   // and has
    reg [4:0]     f_d_needs;
    reg [PLACE_W-1:0] f_read_at; // the row that was read last
//% for i, s in ipairs(sources) do
    reg [PLACE_W-1:0] ${pad("f_at_" .. s .. ";", 12)}
//% end
//% for _, s in ipairs{ "a", "b", "c" } do
    reg [ROW_W-1:0] f_${s};   // what the file gave
    reg [ROW_W-1:0] f_d_${s};
//% end

    wire [PLACE_W-1:0] f_dst = ${place("warp", register "dst")};

    always @(posedge clk) begin
        if (take) begin
            f_in_c <= {warp, tag, ticket, f_dst, mask, to_reg && ${is_there "dst"},
                    to_pred && ${is_there "dst"}, to_shared};
            f_needs <= {${is_there "dst"} && to_pred, {4{computes}} &
                        {${is_there "guard"}, ${is_there "src2"}, ${is_there "src1"},
                         ${is_there "src0"}}};
            f_got   <= 5'd0;
//% for _, s in ipairs(sources) do
            ${pad("f_at_" .. s, 10)} <= ${place("warp", register(s))};
//% end
        end else begin
            f_got <= f_got | asked;
        end
        if (reads || asks)
            f_read_at <= reads ? read_at : ask_at;
//% for i, s in ipairs{ "a", "b", "c" } do
        if (asked[${i - 1}])
            f_${s} <= row;
//% end
        if (moves_on) begin
            f_in_d       <= f_in_c;
            f_d_needs <= f_needs;
//% for i, s in ipairs{ "a", "b", "c" } do
            f_d_${s}     <= asked[${i - 1}] ? row : f_${s};
//% end
        end
    end

    always @* if (f_past && !rst) begin
        p_pass: assert (pass < ${P} && (stands || pass == 0));
        p_marked: assert (f_marked);
        p_next: assert (out_at == 1 << f_pass);
        p_closes: assert (closes == (comes && out_at[${P - 1}]));
        p_under: assert (f_have == f_over + f_ends + (ours && begun));
        p_begins: assert (f_have <= ${L.LANES_DEPTH} && free == (f_have < ${L.LANES_DEPTH}));
        p_ended: assert (ended == (f_over != 0));
        p_one: assert (!(leaves && gives));
        p_lanes: assert (!leaves || ours);
        p_waits: assert (!(waits && there[0]) || !leaves);
        p_wants: assert (!wants || !ours);
        p_collector: assert (!held || {c_warp, c_tag, c_ticket, at_dst, c_mask, c_to_reg, c_to_pred, c_shared} == f_in_c);
        p_dispatch: assert (!stands || {d_warp, d_tag, d_ticket, d_at_dst, d_to_reg, d_to_pred, d_shared} ==
                                       {f_in_d[F_W-1:LANES+3], f_in_d[2:0]});
        p_mask: assert (!stands || lanes == f_in_d[3 +: LANES] >> pass * ALUS);
        p_apart: assert (!(comes && to_file) ||
                         (out_lanes & ~({LANES{1'b0}} | {ALUS{1'b1}} << f_pass * ALUS)) == 0);
        p_needs: assert (!held || (left | asked | f_got) == f_needs);
        p_once: assert (!held || ((left & asked) == 0 && (left & f_got) == 0 && (asked & f_got) == 0));
        p_all: assert (!moves_on || (f_got | asked) == f_needs);
//% for i, s in ipairs(sources) do
        p_read_${s}: assert (!(held && asked[${i - 1}]) || f_read_at == f_at_${s});
//% end
//% for i, s in ipairs{ "a", "b", "c" } do
        p_got_${s}: assert (!(held && f_got[${i - 1}]) || got_${s} == f_${s});
        p_row_${s}: assert (!(moves && f_d_needs[${i - 1}]) || row_${s} == f_d_${s} >> pass * DATA_W);
//% end
        c_pred: cover (comes && closes && to_bits && !ended);
        c_full: cover (stands && !d_shared && !begun && !free);
        c_again: cover (take && moves_on && moves && f_needs == 5'b00111);
        c_waits: cover (ours && begun && waits && there[0]);
        c_gives: cover (gives && last_pass && there != 0 && moves_on);
        c_s_puts: cover (s_puts && leaves);
    end
`endif
