//% output("formal/ndp_lsu_link_dram_formal.vh")
//% local function place(name, at, w)
//%     return "h_header[" .. at .. " +: " .. w .. "] == " .. name
//% end
//% local REG = 3 + L.WARP_W
//% local STORE = REG + L.REG_W
//% local UNIT = STORE + 1
//% local ID = UNIT + L.UNIT_W
//% local AT = ID + L.LANE_W
//% local STROBE = AT + L.AT_W
${header{title = "what is proved of ndp_lsu_link_dram", text = [[
Demands (q_*), always assumed: no more packets come than there are places, counted from
their first beat to the last one of their return, as the base die sees to; one row to write
at a time, from its begin to its return; the extension answers and ends what it has, and
keeps what it shows; one row comes for each that is asked for.

Each packet is in one place from its begin to its return, and so is returned once, and
no place is ever missing.  What is handed on is the head, field by field; a row is given to
who asked for it, goes up unaltered, and is written as it came; an end is told behind its
writing.  A header is of one beat here.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_W = ${clog2(L.PLACES + 1) + 2};

    // ------------------------------------------------------------------
    // Packets that are here, and the row to write among them

    reg           f_inside; // the next beat is not a packet's first
    reg [F_W-1:0] f_held;   // packets, to the last beat of their returns
    reg           f_row;    // one of them is a row to write
    reg           f_tells;  // what goes up is that it is written
    reg           f_next;   // ... what follows it
    reg           f_follows; // something does

    wire f_first = lsu_near_valid && !f_inside;
    wire f_gone  = lsu_up_valid && lsu_up_ready && lsu_up_last;

    always @(posedge clk) begin
        if (rst) begin
            f_inside <= 1'b0;
            f_held   <= 0;
            f_row    <= 1'b0;
            f_tells  <= 1'b0;
            f_follows <= 1'b0;
        end else begin
            if (lsu_near_valid)
                f_inside <= !lsu_near_last;
            f_held <= f_held + f_first - f_gone;
            if (f_first && lsu_near_data[2:0] == WRITE)
                f_row <= 1'b1;
            else if (f_gone && f_tells)
                f_row <= 1'b0;
            if (f_gone || !lsu_up_valid) begin
                f_tells   <= f_follows ? f_next : taken[3];
                f_follows <= 1'b0;
            end else if (taken != 4'd0) begin
                f_follows <= 1'b1;
            end
            if (taken != 4'd0)
                f_next <= taken[3];
        end
    end

    always @* if (f_past && !rst) begin
        q_room: assume (!f_first || f_held < PLACES);
        q_row: assume (!(f_first && lsu_near_data[2:0] == WRITE) || !f_row);
        q_whole: assume (!(f_first && lsu_near_data[2:0] == WRITE) || !lsu_near_last);
    end

    // ------------------------------------------------------------------
    // The extension, and what it keeps

    reg [F_W-1:0] f_far;  // transactions that it has
    reg [F_W-1:0] f_near; // messages

    always @(posedge clk) begin
        if (rst) begin
            f_far  <= 0;
            f_near <= 0;
        end else begin
            f_far  <= f_far + (ext_down_valid && ext_down_ready && !ext_down_near) - taken[0];
            f_near <= f_near + (ext_down_valid && ext_down_ready && ext_down_near) - taken[1];
        end
    end

    always @* if (f_past && !rst) begin
        q_answer: assume (!ext_answer_valid || f_far != 0);
        q_done: assume (!ext_done_valid || f_near != 0);
    end

`ifdef FORMAL_NDP_LSU_LINK_DRAM
    reg f_loads; // the extension's row was not taken on the edge before

    always @(posedge clk) f_loads <= !rst && ext_load_valid && !ext_load_ready;

    always @* if (f_past && !rst) begin
        q_load: assume (!f_loads || ext_load_valid);
        q_fetched: assume (!pipe_fetched_valid || f_waits);
    end

    // ------------------------------------------------------------------
    // Each packet is in one place

    reg [F_W-1:0] f_words; // in the queue

    always @(posedge clk) begin
        if (rst)
            f_words <= 0;
        else
            f_words <= f_words + come - leaves;
    end

    wire f_asked = (pipe_fetch_valid || f_waits) && f_own;
    wire f_row_next = k_goes && !(row_goes && left != 0); // the row follows what is sent

    always @* if (f_past && !rst) begin
        p_held: assert (f_held == f_inside + come + f_words + f_far + f_near + f_asked + k_up + written +
                                  (left != 0 && !row_goes) + (!free && !f_row_next));
        p_sends: assert (f_follows == !free && (free || left != 0) && (!f_row_next || !free));
        p_goes: assert (!(row_goes && left != 0) || k_goes);
        p_tells: assert (!f_tells || (left != 0 && !row_goes));
        p_places: assert (f_held <= PLACES);
        p_way: assert ((ext_down_valid && ext_down_ready) + asks_h + (l_leaves && l_own) <= 1);
        p_leaves: assert (!leaves || h_valid);
    end

    // ------------------------------------------------------------------
    // What is handed on, by the place of each field

    (* anyconst *) reg [LANE_W-1:0] f_id; // of a transaction, any

    reg f_store;     // it is a store
    reg f_known;     // one with this id has gone to the extension

    always @(posedge clk) begin
        if (rst) begin
            f_known <= 1'b0;
        end else if (ext_down_valid && ext_down_ready && !ext_down_near && ext_down_id == f_id) begin
            f_known <= 1'b1;
            f_store <= ext_down_store;
        end
    end

    always @* if (f_past && !rst) begin
        p_kind: assert (!ext_down_valid || (h_valid && h_header[2:0] == (ext_down_strided ? 3'd4 : {2'b0, ext_down_near})));
        p_whose: assert (!ext_down_valid || (${place("ext_down_warp", 3, L.WARP_W)} && ${place("ext_down_reg", REG, L.REG_W)}));
        p_request: assert (!ext_down_valid || ext_down_strided || (${place("ext_down_store", STORE, 1)} && ${place("ext_down_unit", UNIT, L.UNIT_W)} &&
                           ${place("ext_down_id", ID, L.LANE_W)} && ${place("ext_down_address", AT, L.AT_W)} &&
                           ${place("ext_down_strobe", STROBE, L.WORDS)}));
        p_strided: assert (!ext_down_strided || (ext_down_near && ext_down_mask == h_sector[LANES-1:0] &&
                           ${place("ext_down_step", STORE, L.STEP_W)} && ${place("ext_down_address", STORE + L.STEP_W, L.AT_W)} &&
                           {ext_down_store, ext_down_unit, ext_down_id, ext_down_strobe} == 0));
        p_data: assert (!ext_down_valid || ext_down_data == (!ext_down_near && ext_down_store ? h_sector : 0));
        p_store: assert (!f_known || stores[f_id] == f_store);
        p_answer: assert (!taken[0] || back == {ext_answer_id, ${L.WARP_W + L.REG_W}'d0, ext_answer_fault,
                                                stores[ext_answer_id], 2'd0});
        p_sector: assert (!taken[0] || body == (answer_store ? 0 : ext_answer_data));
        p_end: assert (!taken[1] || (back == {${L.LANE_W}'d0, ext_done_reg, ext_done_warp, ext_done_fault, ext_done_store, 2'd1} && body == 0));
        p_bare: assert (!(taken[2] || taken[3]) || (back == (taken[2] ? 2 : 3) && body == 0));
    end

    // ------------------------------------------------------------------
    // Rows that are asked for: any bit of the one that came last

    (* anyconst *) reg [${clog2(L.ROW_W) - 1}:0] f_bit;

    reg              f_asks; // one is asked for or waited for
    reg              f_mine; // ... for the base die
    reg [WARP_W-1:0] f_of;
    reg [REG_W-1:0]  f_reg_of;
    reg              f_wants; // the extension waits for one
    reg [WARP_W-1:0] f_e_warp;
    reg [REG_W-1:0]  f_e_reg;
    reg              f_came; // the bit of it
    reg              f_gives; // it came on the edge before, for the extension
    reg [7:0]        f_beats; // of it that went up

    wire f_begins = asks_e || asks_h;

    always @(posedge clk) begin
        if (rst) begin
            f_asks  <= 1'b0;
            f_wants <= 1'b0;
            f_gives <= 1'b0;
            f_beats <= 0;
        end else begin
            f_asks <= f_begins || (f_asks && !pipe_fetched_valid);
            if (ext_fetch_valid && ext_fetch_ready)
                f_wants <= 1'b1;
            else if (asks_e)
                f_wants <= 1'b0;
            f_gives <= pipe_fetched_valid && !f_mine;
            if (pipe_fetched_valid)
                f_beats <= 0;
            else if (k_beat)
                f_beats <= f_beats + 1'b1;
        end
        if (f_begins)
            {f_mine, f_of, f_reg_of} <= asks_e ? {1'b0, f_e_warp, f_e_reg} :
                                                 {1'b1, h_header[3 +: WARP_W], h_header[${REG} +: REG_W]};
        if (ext_fetch_valid && ext_fetch_ready)
            {f_e_warp, f_e_reg} <= {ext_fetch_warp, ext_fetch_reg};
        if (pipe_fetched_valid)
            f_came <= pipe_fetched_data[f_bit];
    end

    always @* if (f_past && !rst) begin
        p_alone: assert (pipe_fetch_valid + f_waits + k_up <= 1);
        p_asks: assert (f_asks == (pipe_fetch_valid || f_waits));
        p_asked: assert (!pipe_fetch_valid || {f_mine, f_of, f_reg_of} == {f_own, pipe_fetch_warp, pipe_fetch_reg});
        p_entry: assert (ext_fetch_ready == !f_wants);
        p_given: assert (ext_fetched_valid == f_gives && (!f_gives || ext_fetched_data[f_bit] == f_came));
        p_row_up: assert (!shows_row || f_beats != f_bit / TSV_W || lsu_up_data[f_bit % TSV_W] == f_came);
        p_row_last: assert (!k_goes || (k_up && left != 0));
        p_row_first: assert (!k_up || (row_goes && left != 0) || f_beats == 0);
        p_row_beats: assert (!(row_goes && left != 0) || left + f_beats == ROW_BEATS + (shows_row ? 0 : 1));
    end

    // ------------------------------------------------------------------
    // Rows to write

    reg f_put_e; // one of the extension was written on the edge before
    reg [LANES+REG_W+WARP_W:0] f_puts; // what is at pipe_load, with that bit of its row

    always @(posedge clk) begin
        f_put_e <= !rst && pipe_load_valid && pipe_load_ready && !l_own;
        if (loads_e)
            f_puts <= {ext_load_data[f_bit], ext_load_mask, ext_load_reg, ext_load_warp};
        else if (loads_h)
            f_puts <= {row[f_bit], h_header[${STORE} +: LANES], h_header[${REG} +: REG_W], h_header[3 +: WARP_W]};
    end

    always @* if (f_past && !rst) begin
        p_put: assert (!pipe_load_valid || {pipe_load_data[f_bit], pipe_load_mask, pipe_load_reg, pipe_load_warp} == f_puts);
        p_head: assert (!(pipe_load_valid && l_own) || h_writes);
        p_taken: assert (ext_load_ready == f_put_e);
        p_behind: assert (!ext_load_ready || (ext_load_valid && !l_valid));
        c_both: cover (h_asks && e_valid && f_free);
        c_load: cover (h_writes && e_writes && !l_valid);
        c_full: cover (f_words == PLACES);
        c_row: cover (k_leaves);
        c_told: cover (f_tells && f_gone);
    end
`endif
