//% output("formal/ndp_vault_unit_formal.vh")
//% local read, write = L.READ_D - 4, L.WRITE_D - 4
//% local W = clog2(math.max(read, write, 1) + 2)
${header{title = "what is proved of ndp_vault_unit", text = [[
Of its banks is demanded what is proved of them: a column command is that of a request
which was given and had none, of its kind (assumed here; ndp_bank has its own proofs),
and bursts of a bank come one after the other (assumed here, and with the macro F_BANKS
shown of the banks as they are).  Queues are open: what they show is a place that
entered and has not left, as it is proved of them; they have room, as none enters twice
(p_enters).  A place has one request at a time, is at its bank, on its way or in its
queue, and is carried out once, as it came.  A response is that of the request, and a
load's data are what was carried out before it.]]}}
`ifdef FORMAL_NDP_VAULT_UNIT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifndef F_BANKS
    // ------------------------------------------------------------------
    // Requests, by place

    reg [PLACES-1:0]        f_given; // at its bank
    reg [PLACES-1:0]        f_way;   // its burst is on its way
    reg [PLACES-1:0]        f_queue; // it may respond
    reg [PLACES*BANK_W-1:0] f_side;  // its bank
    reg [PLACES-1:0]        f_store;

    integer f_b;

    reg [PLACES-1:0]  f_leaves; // its bank's column command
    reg [PLACES-1:0]  f_dues;
    reg [PLACES-1:0]  f_served;

    always @* begin
        f_leaves = 0;
        f_dues   = 0;
        for (f_b = 0; f_b < BANKS; f_b = f_b + 1) begin
            if (cmd_valid[f_b] && (cmd_kind[3*f_b +: 3] == RD || cmd_kind[3*f_b +: 3] == WR))
                f_leaves[ids[f_b*BANK_ID_W +: PLACE_W]] = 1'b1;
            if (due[f_b])
                f_dues[due_place[f_b*PLACE_W +: PLACE_W]] = 1'b1;
        end
        f_served = 0;
        if (serves)
            f_served[served] = 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            f_given <= 0;
            f_way   <= 0;
            f_queue <= 0;
        end else begin
            f_given <= (f_given | (first & {PLACES{goes}})) & ~f_leaves;
            f_way   <= (f_way | f_leaves) & ~f_dues;
            f_queue <= (f_queue | f_dues) & ~f_served;
        end
        if (goes) begin
            f_side[place*BANK_W +: BANK_W] <= e_bank;
            f_store[place]                 <= e_store;
        end
    end

    // ------------------------------------------------------------------
    // What is demanded of each bank and its queue

//% for b = 0, L.BANKS - 1 do
    wire                     f_column_${b} = cmd_valid[${b}] && (cmd_kind[${3 * b} +: 3] == RD || cmd_kind[${3 * b} +: 3] == WR);
    wire [BANK_ID_W-1:0]     f_id_${b}     = ids[${b}*BANK_ID_W +: BANK_ID_W];
    wire [${W - 1}:0]               f_takes_${b}  = cmd_kind[${3 * b} +: 3] == RD ? ${W}'d${read} : ${W}'d${write};
    wire [PLACE_W-1:0]       f_shown_${b}  = shown[${b}*PLACE_W +: PLACE_W];
    reg                      f_some_${b}; // a burst is on its way
    reg [${W - 1}:0]                f_left_${b};

    always @(posedge clk) begin
        if (rst) begin
            f_some_${b} <= 1'b0;
            f_left_${b} <= 0;
        end else if (f_column_${b}) begin
            f_some_${b} <= f_takes_${b} != 0;
            f_left_${b} <= f_takes_${b} - 1'b1;
        end else begin
            f_some_${b} <= f_some_${b} && f_left_${b} != 0;
            f_left_${b} <= f_left_${b} - 1'b1;
        end
    end

    always @* if (f_past) begin
        q_none_${b}: assume (!(rst && cmd_valid[${b}]));
        q_known_${b}: assume (!f_column_${b} || (f_id_${b} < PLACES && f_given[f_id_${b}[PLACE_W-1:0]] &&
                              f_side[f_id_${b}[PLACE_W-1:0]*BANK_W +: BANK_W] == ${b} &&
                              f_store[f_id_${b}[PLACE_W-1:0]] == (cmd_kind[${3 * b} +: 3] == WR)));
        q_apart_${b}: assume (!f_column_${b} || !f_some_${b} || f_takes_${b} > f_left_${b});
        q_shown_${b}: assume (!shows[${b}] || (f_queue[f_shown_${b}] && f_side[f_shown_${b}*BANK_W +: BANK_W] == ${b}));
        q_reset_${b}: assume (!(rst && shows[${b}]));
    end

//% end
    // ------------------------------------------------------------------
    // Where a place is

    (* anyconst *) reg [PLACE_W-1:0] f_at; // any

    // the request that it was given last, as it came
    reg [KEPT_W-1:0] f_kept;
    (* anyconst *) reg [${clog2(L.KEPT_W) - 1}:0] f_any; // a bit of it

    always @* assume (f_any < KEPT_W);

    reg [KEPT_W-1:0] f_came; // the request that was taken last
    reg              f_far;  // ... which is beyond

    always @(posedge clk) begin
        if (takes) begin
            f_came <= {mem_data, mem_strobe, mem_address[INDEX_W-1:0], mem_id, mem_store};
            f_far  <= mem_address >= SECTORS;
        end
        if (goes && place == f_at)
            f_kept <= f_came;
    end

    reg f_mine; // it was carried out on the edge before

    always @(posedge clk) f_mine <= !rst && serves && served == f_at;

    // ------------------------------------------------------------------
    // A bit of the memory

    (* anyconst *) reg [INDEX_W-1:0]          f_sector;
    (* anyconst *) reg [${clog2(L.WORDS) - 1}:0] f_word;
    (* anyconst *) reg [4:0]                  f_bit;

    reg f_value; // as those that were carried out have left it
    reg f_wrote; // one of them has written it
    reg f_load;  // its sector has been read, and is shown
    reg f_shown;

    wire f_writes = s_win ? win_write && win_there && win_sector == f_sector && win_word == f_word
                          : s_bank && k_store && k_sector == f_sector && k_strobe[f_word];
    wire f_reads  = s_win ? !win_write && win_sector == f_sector : s_bank && !k_store && k_sector == f_sector;

    always @(posedge clk) begin
        if (rst) begin
            f_wrote <= 1'b0;
            f_load  <= 1'b0;
        end else begin
            if (f_writes) begin
                f_value <= s_win ? win_data[f_bit] : k_data[{f_word, f_bit}];
                f_wrote <= 1'b1;
            end
            f_load  <= f_reads && f_wrote;
        end
        f_shown <= f_value;
    end

    reg            f_was_bank; // a response is a bank's
    reg            f_was_mine; // ... of the place
    reg            f_was_far;
    reg            f_was_win;
    reg [ID_W-1:0] f_far_id;
    reg [ID_W:0]   f_then; // what was carried out, of the place

    always @(posedge clk) begin
        f_was_bank <= !rst && s_bank;
        f_was_mine <= !rst && f_mine;
        f_then     <= f_kept[ID_W:0];
        f_was_far  <= !rst && s_far;
        f_was_win  <= !rst && s_win;
        if (far_goes)
            f_far_id <= f_came[1 +: ID_W];
    end

    always @* if (f_past && !rst) begin
        p_entry: assert (!e_valid || ({e_data, e_strobe, e_sector, e_id, e_store} == f_came && e_beyond == f_far));
        p_ready: assert (mem_ready || (e_valid && !goes));
        p_room: assert (!goes || (room[e_bank] && !used[place]));
        p_used: assert (used[f_at] == (f_given[f_at] || f_way[f_at] || f_queue[f_at]));
        p_one_stage: assert (f_given[f_at] + f_way[f_at] + f_queue[f_at] <= 2'd1);
        p_due: assert (!f_dues[f_at] || f_way[f_at] || f_leaves[f_at]);
        p_enters: assert (!f_dues[f_at] || !f_queue[f_at]);
        p_served: assert (!f_served[f_at] || f_queue[f_at]);
        p_one_turn: assert ((chosen & (chosen - 1'b1)) == 0 && (chosen & ~wants) == 0);
        p_goes_on: assert (wants == 0 || chosen != 0);
        p_once: assert (s_bank + s_far + s_win <= 2'd1);
        p_kept: assert (!f_mine || (s_bank && kept[f_any] == f_kept[f_any]));
        p_response: assert (rsp_valid == (f_was_bank || f_was_far));
        p_carried: assert (!f_mine || (k_store == f_kept[0] && k_id == f_kept[1 +: ID_W]));
        p_id: assert (!f_was_mine || (rsp_valid && rsp_id == f_then[1 +: ID_W] && !rsp_fault));
        p_far: assert (!f_was_far || (rsp_fault && rsp_id == f_far_id && rsp_data == 0));
        p_store: assert (!(f_was_mine && f_then[0]) || rsp_data == 0);
        p_load: assert (!f_load || read[{f_word, f_bit}] == f_shown);
        p_shows: assert (!(f_load && f_was_bank) || rsp_data[{f_word, f_bit}] == f_shown);
        p_zero: assert (rsp_valid || {rsp_id, rsp_fault, rsp_data} == 0);
        c_full: cover (used == {PLACES{1'b1}} && e_valid);
        c_load: cover (f_load && f_was_bank && rsp_data[{f_word, f_bit}]);
        c_win: cover (f_load && f_was_win);
        c_far: cover (rsp_valid && rsp_fault);
        c_meet: cover (shows == {BANKS{1'b1}} && win);
    end
`endif
`endif
