//% output("formal/ndp_lsu_link_base_formal.vh")
${header{title = "what is proved of ndp_lsu_link_base", text = [[
With anything coming up, as long as no more packets do than are under way: a packet is
that of the source which is taken, by the fields in their places; no more are under way
than there are places, and a row to write is one of them from its begin to its return; what
comes up shows as what it is, and answers of other cores are neither lost nor doubled.]]}}
`ifdef FORMAL_NDP_LSU_LINK_BASE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst) begin
        // something came down, and no row is told twice
        q_come: assume (!come || under != 0);
        q_written: assume (!write_ready || sent);
    end

    // ------------------------------------------------------------------
    // Packets, by the place of each field

    localparam F_REG = 3 + WARP_W, F_STORE = F_REG + REG_W, F_UNIT = F_STORE + 1,
               F_ID = F_UNIT + ${L.UNIT_W}, F_AT = F_ID + LANE_W, F_STROBE = F_AT + ${L.AT_W},
               F_END = F_STROBE + ${L.WORDS};

    wire f_strided = strided_valid && strided_ready;
    wire f_down  = down_valid && down_ready;
    wire f_fetch = fetch_valid && fetch_ready;
    wire f_write = taken[2];
    wire f_data  = f_down && down_store && !down_near;

    always @* if (f_past && !rst) begin
        p_one: assert (f_down + f_fetch + f_write + f_strided == load);
        p_write: assert (!f_write || (write_valid && !sent));
        p_kind: assert (!load || header[2:0] == (f_down ? {2'b0, down_near} : f_fetch ? 3'd2 : f_write ? 3'd3 : 3'd4));
        p_warp: assert (!load || header[3 +: WARP_W] == (f_down ? down_warp : f_fetch ? fetch_warp :
                                                           f_write ? write_warp : strided_warp));
        p_reg: assert (!load || header[F_REG +: REG_W] == (f_down ? down_reg : f_fetch ? fetch_reg :
                                                              f_write ? write_reg : strided_reg));
        p_request: assert (!f_down || (header[F_STORE] == down_store && header[F_UNIT +: ${L.UNIT_W}] == down_unit &&
                                       header[F_ID +: LANE_W] == down_id && header[F_AT +: ${L.AT_W}] == down_address &&
                                       header[F_STROBE +: ${L.WORDS}] == down_strobe));
        p_strided: assert (!f_strided || (header[F_STORE +: ${L.STEP_W}] == strided_step &&
                                          header[F_STORE + ${L.STEP_W} +: ${L.AT_W}] == strided_address &&
                                          body[${L.LANES}-1:0] == strided_mask));
        p_mask: assert (!f_write || header[F_STORE +: ${L.LANES}] == write_mask);
        p_nothing: assert (!f_fetch || (header >> F_STORE) == 0);
        p_sector: assert (!f_data || body[DATA_W-1:0] == down_data);
        p_row: assert (!f_write || body[ROW_W-1:0] == write_data);
        p_bare: assert (!load || f_data || f_write || f_strided || body == 0);
        p_beats: assert (!load || beats == ${L.HEAD_BEATS} + (f_data ? ${L.SECTOR_BEATS} : 0) + (f_write ? ${L.ROW_BEATS} : 0) +
                                  (f_strided ? ${L.MASK_BEATS} : 0));
    end

    // ------------------------------------------------------------------
    // Places

    reg [UNDER_W:0] f_under;

    always @(posedge clk) begin
        if (rst)
            f_under <= 0;
        else
            f_under <= f_under + load - come;
    end

    always @* if (f_past && !rst) begin
        p_under: assert (under == f_under && under <= ALL_PLACES);
        p_full: assert (!load || f_under < ALL_PLACES);
    end

    // ------------------------------------------------------------------
    // What has come up

    reg              f_other; // an answer of another core is here
    reg [LANE_W-1:0] f_id;
    reg [DATA_W-1:0] f_data_of;
    reg              f_fault;

    wire f_own   = come && back[1:0] == 2'd0;
    wire f_shown = answer_valid && !f_own;

    always @(posedge clk) begin
        if (rst)
            f_other <= 1'b0;
        else
            f_other <= (other_valid && other_ready) || (f_other && !f_shown);
        if (other_valid && other_ready)
            {f_id, f_fault, f_data_of} <= {other_id, other_fault, other_data};
    end

    always @* if (f_past && !rst) begin
        p_shows: assert (come == (f_own + done_valid + fetched_valid + write_ready));
        p_own: assert (!f_own || (answer_valid && answer_id == come_id && answer_fault == back[3] &&
                                  answer_data == (back[2] ? 0 : data[DATA_W-1:0])));
        p_end: assert (!done_valid || {done_reg, done_warp, done_fault, done_store} == back[2 +: 2+WARP_W+REG_W]);
        p_up: assert (!fetched_valid || fetched_data == data[ROW_W-1:0]);
        p_other: assert (!f_shown || (f_other && {answer_id, answer_fault, answer_data} == {f_id, f_fault, f_data_of}));
        p_room: assert (!(other_valid && other_ready) || !f_other || f_shown);
        c_wait: cover (f_other && f_own);
        c_full: cover (under == ALL_PLACES && fetch_valid);
        c_row: cover (write_ready);
    end
`endif
