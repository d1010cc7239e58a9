//% output("formal/ndp_lsu_ext_formal.vh")
//% local per_line = L.LINE // 4
${header{title = "what is proved of ndp_lsu_ext", text = [[
With the units as they are: their demands hold.  A request goes from the port into the
unit that it names, with the sector that arithmetic makes of its address; one row is
asked for at a time, for who wants it, and every lane of it stands where the unit takes
it; a row that is written is the unit's, lane by lane, and its end comes behind it.]]}}
`ifdef FORMAL_NDP_LSU_EXT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The request that was taken last

    reg [AT_W-1:0]        f_address;
    reg [UNIT_W-1:0]      f_unit_of;
    reg [WARP_W+REG_W+LANE_W+1:0] f_says;
    reg [STEP_W+LANES:0]  f_strides; // whether it is strided, and how
    reg [WORDS+DATA_W-1:0] f_carries;

    always @(posedge clk) begin
        if (takes) begin
            f_address <= down_address;
            f_unit_of <= down_unit;
            f_says    <= {down_near, down_store, down_warp, down_reg, down_id};
            f_carries <= {down_strobe, down_data};
            f_strides <= {down_near && down_strided, down_mask, down_step};
        end
    end

    wire [AT_W-1:0] f_own = f_address / ${per_line * L.UNITS} * ${per_line} + f_address % ${per_line};

    // ------------------------------------------------------------------
    // A lane, and a word of a row's sectors, any

    (* anyconst *) reg [LANE_W-1:0] f_lane;
    (* anyconst *) reg [${clog2(L.SPAN * L.WORDS) - 1}:0] f_word;

    wire [7:0] f_to   = f_off + f_lane; // where the lane stands in the sectors that come
    wire [7:0] f_from = l_off + f_lane; // ... that were gathered

    always @* assume (f_word < ${L.SPAN * L.WORDS});

    reg f_wrote; // the row of the message that is ended has been taken

    always @(posedge clk) begin
        if (rst || l_tells)
            f_wrote <= 1'b0;
        else if (load_valid && load_ready)
            f_wrote <= 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_entry: assert (!e_valid || (e_unit == f_unit_of &&
                         {e_near, e_store, e_warp, e_reg, e_id} == f_says &&
                         {e_strobe, e_data} == f_carries &&
                         {e_strided, e_mask, e_step} == f_strides && e_word == f_address));
        p_own: assert (!e_valid || (e_sector == f_own / WORDS && e_off == f_own % WORDS));
        p_ready: assert (down_ready == !(e_valid && (f_strides[STEP_W+LANES] ? !g_idle :
                                         full[f_unit_of] || (g_req_valid && g_unit == f_unit_of && g_turn))));
        p_no_loss: assert (!(e_valid && takes) || goes || g_accept);
        p_apart: assert (!(goes && g_issue && e_unit == g_unit));
        p_one_row: assert (!(fetch_valid && f_waits));
        p_wanted: assert (!(fetch_valid || f_waits) || wants[f_unit]);
        p_whose: assert (!(fetch_valid || f_waits) ||
                         ({f_warp, f_reg} == {want_warp[f_unit*WARP_W +: WARP_W],
                                              want_reg[f_unit*REG_W +: REG_W]} &&
                          f_off == want_off[f_unit*WORD_W +: WORD_W]));
        p_lane: assert (come_row[32*f_to +: 32] == fetched_data[32*f_lane +: 32]);
        p_beside: assert ((f_word >= f_off && f_word < f_off + LANES) || come_row[32*f_word +: 32] == 0);
        p_one: assert (!(load_valid && done_valid));
        p_gathered: assert (!(load_valid && l_strided) || (load_mask == g_row_mask && load_data == g_row_data));
        p_load: assert (!load_valid || l_strided || (load_mask == {LANES{1'b1}} && load_data[32*f_lane +: 32] ==
                        rows[(l_unit*SPAN*WORDS + f_from)*32 +: 32]));
        p_behind: assert (!done_valid || f_wrote == !done_store);
        p_told: assert ((told & ~whole) == 0 && (told & (told - 1'b1)) == 0 && !(g_row_grant && told != 0));
        p_tells: assert (l_tells == (g_row_grant || told != 0));
        p_answered: assert ((answered & ~answer) == 0 && (answered & (answered - 1'b1)) == 0);
        p_sector: assert ((gathered & ~sector) == 0 && (gathered & (gathered - 1'b1)) == 0);
        c_load: cover (load_valid && load_ready);
        c_store: cover (done_valid && done_store);
        c_answer: cover (answer_valid && answer != 0);
        c_turn: cover (whole == {UNITS{1'b1}});
        c_held: cover (!down_ready);
    end
`endif
