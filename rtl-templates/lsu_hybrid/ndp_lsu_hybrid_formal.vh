//% output("formal/ndp_lsu_hybrid_formal.vh")
//% local per_chunk, per_line = L.CHUNK // 4, L.LINE // 4
${header{title = "what is proved of ndp_lsu_hybrid", text = [[
The conditions of a message are computed again, by arithmetic and lane by lane, from
the access, and compared with the decision; a message or a split is held against what
was decided when the access was in CHECK, and an access stays what it is until it ends.
A place, any, and a lane of the access that it has: the lane is in one transaction and no
other, at the right way; what it stores and what is written for it are followed from the
row, and from the answer to its transaction; the access ends when all is answered, with
its own fault.  That answers are to transactions that were taken,
that a row was asked for and that the core does not change are demands (q_).]]}}
    reg f_stands = 1'b0; // f_core is what the core was on the edge before
    reg [CORE_W-1:0] f_core;

    always @(posedge clk) begin
        f_stands <= 1'b1;
        f_core   <= at_core;
    end

    always @* q_at: assume (!f_stands || at_core == f_core);

    // transactions that were taken and are not answered, by their ids; a row
    reg [LANES-1:0] f_out;
    reg             f_fetching;

    wire f_went = taken && !ask_near;

    always @(posedge clk) begin
        if (rst) begin
            f_out      <= 0;
            f_fetching <= 1'b0;
        end else begin
            if (answer_valid)
                f_out[answer_id] <= 1'b0;
            if (f_went)
                f_out[away_valid ? away_id : down_id] <= 1'b1;
            if (fetch_valid && fetch_ready)
                f_fetching <= 1'b1;
            else if (fetched_valid)
                f_fetching <= 1'b0;
        end
    end

    always @* if (f_stands && !rst) begin
        q_answer: assume (!answer_valid || f_out[answer_id]);
        q_fetched: assume (!fetched_valid || f_fetching);
    end

`ifdef FORMAL_NDP_LSU_HYBRID
//% if P["lsu_hybrid.messages"] ~= 0 then
    // Nothing is strided
    localparam [2:0] WEIGH  = 3'd6,
                     STRIDE = 3'd7;

    wire                  fits          = 1'b0;
    wire [STEP_W-1:0]     step          = {STEP_W{1'b0}};
    wire [AT_W-1:0]       lead_at       = {AT_W{1'b0}};
    wire [AT_W*LANES-1:0] at_core_words = {AT_W*LANES{1'b0}};

//% end
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // The conditions

    wire [LANES-1:0]    f_local;
    wire [LANES-1:0]    f_in_row;
    wire [LANES-1:0]    f_beside;
    wire [29:0]         f_lead = address[29:0];

    generate
        for (i = 0; i < LANES; i = i + 1) begin : f_each
            wire [29:0] word  = address[30*i +: 30];
            wire [29:0] apart = word - f_lead;

            assign f_local[i]  = (word / ${per_chunk}) % ${L.CORES} == at_core;
            assign f_beside[i] = (word / ${per_line}) % ${L.UNITS} == warp % ${L.UNITS};
            assign f_in_row[i] = apart == i;
        end
    endgenerate

    wire f_all = (&mask) && (&f_local) && (&f_in_row) && (&f_beside);

    reg [AT_W-1:0]     f_lead_at; // word at its core of the lowest active lane

    always @* begin
        f_lead_at = 0;
        for (l = LANES - 1; l >= 0; l = l - 1)
            if (mask[l])
                f_lead_at = at_core_words[AT_W*l +: AT_W];
    end

    reg                f_strode;  // what was decided in WEIGH
    reg [STEP_W-1:0]   f_stepped; // ... with this step
    reg                f_near;    // what was decided in CHECK
    reg                f_busy; // the state was not IDLE on the edge before
    reg                f_store;
    reg [WARP_W-1:0]   f_warp; // and the access was this
    reg [REG_W-1:0]    f_register;
    reg [LANES-1:0]    f_mask;
    reg [30*LANES-1:0] f_address;

    always @(posedge clk) begin
        if (state == CHECK)
            f_near <= near;
        if (state == WEIGH) begin
            f_strode  <= fits;
            f_stepped <= step;
        end
        f_busy     <= !rst && state != IDLE;
        f_store    <= store;
        f_warp     <= warp;
        f_register <= register;
        f_mask     <= mask;
        f_address  <= address;
    end

    // ------------------------------------------------------------------
    // What stands at the ports, as a sector of the whole memory

    wire [29:0] f_down = (down_address / ${per_chunk}) * ${per_chunk * L.CORES} +
                         at_core * ${per_chunk} + down_address % ${per_chunk};
    wire [29:0] f_away = ((away_address * WORDS) / ${per_chunk}) * ${per_chunk * L.CORES} +
                         away_core * ${per_chunk} + (away_address * WORDS) % ${per_chunk};
    wire [29:0] f_first = away_valid ? f_away : f_down;
    wire [29-WORD_W:0] f_sector = f_first[29:WORD_W];
    wire f_part = (down_valid && !down_near) || away_valid; // a transaction

    wire [LANE_W-1:0] f_id     = away_valid ? away_id : down_id;
    wire [WORDS-1:0]  f_strobe = away_valid ? away_strobe : down_strobe;
    wire [DATA_W-1:0] f_data   = away_valid ? away_data : down_data;

    reg f_wanted; // an active lane has the sector

    always @* begin
        f_wanted = 1'b0;
        for (l = 0; l < LANES; l = l + 1)
            if (mask[l] && address[30*l + WORD_W +: 30 - WORD_W] == f_sector)
                f_wanted = 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_decision: assert (near == ${P["lsu_hybrid.messages"] == 2 and "1'b0" or "f_all"});
        p_near: assert (!down_near || f_near);
        p_left: assert (!(state == WEIGH || state == STRIDE) || left == mask);
        p_lead: assert (!(state == WEIGH || state == STRIDE) || lead_at == f_lead_at);
        p_strided: assert (!strided_valid || (f_strode && strided_warp == warp && strided_reg == register &&
                                              strided_mask == mask && strided_step == f_stepped));
        p_gathers: assert (!f_part || store || !f_strode);
        p_split: assert (!f_part || !f_near);
        p_kept: assert (!f_busy || (store == f_store && warp == f_warp &&
                                    register == f_register && mask == f_mask &&
                                    address == f_address));
        p_message: assert (!down_near || (f_down == f_lead && down_unit == warp % ${L.UNITS} &&
                                          down_warp == warp && down_reg == register &&
                                          down_store == store));
        p_one: assert (!(down_valid && away_valid));
        p_way: assert (!away_valid || away_core != at_core);
        p_unit: assert (!(f_part && down_valid) ||
                        down_unit == (f_first / ${per_line}) % ${L.UNITS});
        p_wanted: assert (!f_part || f_wanted);
        p_first: assert (!f_part || f_first[WORD_W-1:0] == 0);
        p_load: assert (!f_part || store || (f_strobe == 0 && f_data == 0));
    end

    // ------------------------------------------------------------------
    // The access of a place, and a lane of it

    (* anyconst *) reg [PLACE_W-1:0] f_place;
    (* anyconst *) reg [LANE_W-1:0]  f_lane;

    wire f_claim = claims && place_first[f_place];
    wire f_end   = ending[f_place];

    reg              f_live; // there is one
    reg              f_cut;  // all of its transactions have been taken
    reg              f_load;
    reg [WARP_W-1:0] f_whose;
    reg [REG_W-1:0]  f_into;
    reg [LANES-1:0]  f_lanes;
    reg [29:0]       f_word;
    reg              f_on;
    reg              f_gone;  // the lane's transaction has been taken
    reg [LANE_W-1:0] f_by;    // with this id
    reg              f_had;   // and answered
    reg [31:0]       f_got;   // with this word
    reg [LANES-1:0]  f_ids;   // ids of the access that are not answered
    reg              f_bad;   // one of its answers had a fault
    reg              f_ended; // it ended on the edge before
    reg [ROW_W-1:0]  f_row;   // row of a store
    reg              f_higher; // a lane above it has its word

    wire [WORD_W-1:0] f_in    = f_word[WORD_W-1:0];
    wire              f_front = f_live && !f_cut;
    wire              f_mine  = f_part && f_front && f_on && f_word[29:WORD_W] == f_sector;
    wire              f_comes = answer_valid && f_gone && !f_had && answer_id == f_by;

    always @* begin
        f_higher = 1'b0;
        for (l = 0; l < LANES; l = l + 1)
            if (l > f_lane && mask[l] && address[30*l +: 30] == f_word)
                f_higher = 1'b1;
    end

    always @(posedge clk) begin
        f_ended <= !rst && f_end;
        if (rst) begin
            f_live <= 1'b0;
        end else if (f_claim) begin
            f_live  <= 1'b1;
            f_cut   <= 1'b0;
            f_load  <= !store;
            f_whose <= warp;
            f_into  <= register;
            f_lanes <= mask;
            f_word  <= address[30*f_lane +: 30];
            f_on    <= mask[f_lane];
            f_gone  <= 1'b0;
            f_had   <= 1'b0;
            f_ids   <= 0;
            f_bad   <= 1'b0;
        end else begin
            f_live <= f_live && !f_end;
            f_cut  <= f_cut || (cuts && front[f_place]);
            if (taken && f_part && f_front)
                f_ids[f_id] <= 1'b1;
            if (answer_valid && f_ids[answer_id]) begin
                f_ids[answer_id] <= 1'b0;
                f_bad            <= f_bad || answer_fault;
            end
            if (taken && f_mine) begin
                f_gone <= 1'b1;
                f_by   <= f_id;
            end
            if (f_comes) begin
                f_had <= 1'b1;
                f_got <= answer_data[32*f_in +: 32];
            end
        end
        if (fetched_valid)
            f_row <= fetched_data;
    end

    // ------------------------------------------------------------------
    // What becomes of it

    wire f_shown = write_valid && w_at == f_place;

    reg [LANES-1:0] f_asked; // the id of a request that has not been taken

    always @* begin
        f_asked = 0;
        if (f_part)
            f_asked[f_id] = 1'b1;
    end

    always @* if (f_past && !rst) begin
        p_place: assert (!f_claim || !f_live);
        p_live: assert (f_live == used[f_place]);
        p_once: assert (!f_mine || !f_gone);
        p_served: assert (!f_end || (f_cut && f_ids == 0 && (!f_on || f_gone)));
        p_highest: assert (!(f_mine && store && !f_higher) ||
                           (f_strobe[f_in] && f_data[32*f_in +: 32] == f_row[32*f_lane +: 32]));
        p_row: assert (!(f_shown && f_on) || (f_had && write_data[32*f_lane +: 32] == f_got));
        p_off: assert (!(f_shown && !f_on) || write_data[32*f_lane +: 32] == 0);
        p_shown: assert (!f_shown || (f_live && f_load));
        p_mask: assert (!(f_shown && f_live) || (write_mask == f_lanes &&
                                                 write_reg == f_into && write_warp == f_whose));
        p_ended: assert (!f_ended || (done_valid && !done_near && done_warp == f_whose));
        p_fault: assert (!f_ended || done_fault == f_bad);
        p_ids: assert (busy == (f_out | f_asked));
        p_free: assert (!f_part || !f_out[f_id]);
        p_idle: assert (state != IDLE || !asks);
//% if P["lsu_hybrid.messages"] == 0 then
        c_strided: cover (strided_valid && strided_ready && strided_step != 0);
//% end
//% if P["lsu_hybrid.messages"] < 2 then
        c_message: cover (down_near && down_ready);
//% end
        c_away: cover (away_valid && away_ready);
        c_row: cover (write_valid && f_on && write_data != 0);
        c_store: cover (f_part && store && taken);
        c_two: cover (&full);
    end
`endif
