//% output("formal/ndp_lsu_remote_formal.vh")
//% local per_chunk, per_line = L.CHUNK // L.SECTOR, L.LINE // 4
${header{title = "what is proved of ndp_lsu_remote", text = [[
The banks answer transactions that they were given, other cores requests that were sent
(q_); who holds a sector says so until its store was taken.

A slot is a transaction that waits for its answer, and no two have one; each answer goes
to who asked, with its id; there is room for those of other cores.  Nothing goes down
between a change's load and its store, and between those of who holds, nothing of others
that stores.  Nobody goes twice while another is able.  What is sent, and what goes down
for others, is what was asked for, at its sector.]]}}
`ifdef FORMAL_NDP_LSU_REMOTE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the banks and the other cores have

    reg [LANES-1:0] f_out;  // transactions that they were given
    reg [OWED_W:0]  f_away; // requests
    reg [OWED_W:0]  f_come; // answers of them that are kept

    wire f_given = down_valid && down_ready;
    wire f_sent  = send_valid && send_ready;

    always @(posedge clk) begin
        if (rst) begin
            f_out  <= 0;
            f_away <= 0;
            f_come <= 0;
        end else begin
            if (answer_valid)
                f_out[answer_id] <= 1'b0;
            if (f_given && !down_near)
                f_out[down_id] <= 1'b1;
            f_away <= f_away + f_sent - got_valid;
            f_come <= f_come + got_valid - come_goes;
        end
    end

    always @* if (f_past && !rst) begin
        q_answer: assume (!answer_valid || f_out[answer_id]);
        q_got: assume (!got_valid || f_away != 0);
        q_ops: assume (!req_valid || req_op < 12);
        q_one: assume (!(part_valid && away_valid));
    end

    // an atomic has the bytes of one word
    reg     f_atomic;
    integer f;

    always @* begin
        f_atomic = 1'b0;
        for (f = 0; f < WORDS; f = f + 1)
            if (req_strobe == ${4 * L.WORDS}'d15 << (4 * f))
                f_atomic = 1'b1;
    end

    always @* if (f_past && !rst)
        q_atomic: assume (!req_valid || req_op < 2 || f_atomic);

    // ------------------------------------------------------------------
    // Slots and places

    (* anyconst *) reg [LANE_W-1:0] f_slot; // any

    reg [1:0]        f_who; // for whom it is
    reg [KEEP_W-1:0] f_by;

    always @(posedge clk) begin
        if (takes && slot == f_slot) begin
            f_who <= t_goes ? OWN : r_goes ? OTHER : CHANGE;
            f_by  <= t_goes ? t_id : r_goes ? r_id : 0;
        end
    end

    wire [KEEP_W+1:0] f_kept  = slots[(KEEP_W+2)*f_slot +: KEEP_W + 2];
    wire              f_waits = down_valid && !down_near; // a transaction that has not gone yet

    always @* if (f_past && !rst) begin
        p_used: assert (used[f_slot] == (f_out[f_slot] || (f_waits && down_id == f_slot)));
        p_once: assert (!f_waits || !f_out[down_id]);
        p_slot: assert (!used[f_slot] || f_kept[KEEP_W+1:KEEP_W] == f_who);
        p_by: assert (!used[f_slot] || f_who == CHANGE || f_kept[KEEP_W-1:0] == f_by);
        p_owed: assert (owed == send_valid + f_away + f_come);
        p_places: assert (owed <= PLACES);
        p_change: assert (!used[f_slot] || f_who != CHANGE || state == COME || state == KEPT);
        p_other: assert (!used[f_slot] || f_who != CHANGE || r_full);
        c_own: cover (answer_valid && answer_id == f_slot && f_who == OWN);
        c_other: cover (answer_valid && answer_id == f_slot && f_who == OTHER);
    end

    // ------------------------------------------------------------------
    // Answers: the edge before

    reg                    f_to_own;
    reg                    f_to_other;
    reg                    f_popped;
    reg                    f_ended;
    reg                    f_brought;
    reg [KEEP_W+DATA_W:0]  f_answer;
    reg [LANE_W+DATA_W:0]  f_word;
    reg [TAG_W-1:0]        f_tag;
    reg [DATA_W-1:0]       f_was;

    always @(posedge clk) begin
        f_to_own   <= !rst && to_own;
        f_to_other <= !rst && to_other;
        f_popped   <= !rst && come_goes;
        f_ended    <= !rst && ends;
        f_brought  <= r_op != 1 && !answer_fault;
        f_answer   <= {answer_by, answer_fault, answer_data};
        f_word     <= come;
        f_tag      <= r_id;
        f_was      <= was;
    end

    always @* if (f_past && !rst) begin
        p_back: assert (back_valid == (f_to_own || f_popped));
        p_own: assert (!f_to_own || {back_id, back_fault, back_data} ==
                       f_answer[LANE_W+DATA_W:0]);
        p_come: assert (!f_popped || {back_data, back_fault, back_id} == f_word);
        p_rsp: assert (rsp_valid == (f_to_other || f_ended));
        p_theirs: assert (!f_to_other || {rsp_id, rsp_fault, rsp_data} ==
                          f_answer[TAG_W+DATA_W:0]);
        p_ended: assert (!f_ended || (rsp_id == f_tag && rsp_fault == f_answer[DATA_W]));
        p_brings: assert (!f_ended || rsp_data == (f_brought ? f_was : 0));
        p_meet: assert (!(f_to_own && f_popped) && !(f_to_other && f_ended));
        c_atomic: cover (f_ended && f_brought && rsp_data != 0);
    end

    // ------------------------------------------------------------------
    // Nobody between: what the banks are given, one after the other

    reg  f_between; // the change's load, and not its store
    reg  f_held;    // the load of who holds, and not its store
    reg  f_theirs;  // what is at down is theirs
    wire f_changes = f_given && slots[(KEEP_W+2)*down_id + KEEP_W +: 2] == CHANGE && !down_near;

    always @(posedge clk) begin
        if (t_goes)
            f_theirs <= t_held;
        else if (passes || changes)
            f_theirs <= 1'b0;
        if (rst) begin
            f_between <= 1'b0;
            f_held    <= 1'b0;
        end else begin
            if (f_changes)
                f_between <= !down_store;
            else if (state == IDLE)
                f_between <= 1'b0;
            if (f_given && f_theirs)
                f_held <= !down_store && !down_near;
            else if (!hold_stores && !(t_full && t_held) && !(down_valid && f_theirs))
                f_held <= 1'b0;
        end
    end

    wire f_own_down = down_near || slots[(KEEP_W+2)*down_id + KEEP_W +: 2] == OWN;

    // who holds goes on until its store was taken, if it stores
    reg f_load_taken;
    reg f_holds;

    always @(posedge clk) begin
        f_holds      <= !rst && hold_stores;
        f_load_taken <= !rst && ((tx_valid && tx_ready && hold_stores && !tx_store && !tx_near) ||
                                 (f_load_taken && hold_stores));
    end

    always @* if (f_past && !rst)
        q_store: assume (!(tx_valid && tx_store && f_load_taken) || hold_stores);

    always @* if (f_past && !rst) begin
        p_between: assert (!(f_between && f_given) || state == IDLE || f_changes);
        p_alone: assert (!(f_between && f_given && state != IDLE) || down_store);
        p_held: assert (!(f_held && f_given && down_store) || f_own_down);
        c_held: cover (f_held && f_given && f_own_down && down_store);
        c_changed: cover (f_between && f_changes && down_store);
    end

    // ------------------------------------------------------------------
    // Turns: who was able while the other went goes next

    reg f_t_passed;
    reg f_r_passed;

    always @(posedge clk) begin
        f_t_passed <= !rst && !t_goes && (f_t_passed || (r_goes && t_able));
        f_r_passed <= !rst && !r_goes && (f_r_passed || (t_goes && r_able));
    end

    always @* if (f_past && !rst) begin
        p_t_next: assert (!(f_t_passed && t_able && r_goes));
        p_r_next: assert (!(f_r_passed && r_able && t_goes));
        p_idle: assert (!free || busy || !(t_able || r_able) || t_goes || r_goes);
        c_t_next: cover (f_t_passed && t_goes);
        c_r_next: cover (f_r_passed && r_goes);
    end

    // ------------------------------------------------------------------
    // What goes down for others, and what is sent

    reg                f_passed; // on the edge before: a request itself
    reg                f_loaded; // the load of a change
    reg                f_stored; // its store
    reg                f_own;    // the own core's
    reg [AT_W-1:0]     f_place;
    reg [DATA_W-1:0]   f_data;
    reg [DATA_W-1:0]   f_value;
    reg [WORDS-1:0]    f_strobe;
    reg                f_op;
    reg [AT_W+WORDS+DATA_W+UNIT_W+WARP_W+REG_W+1:0] f_t;

    always @(posedge clk) begin
        f_passed <= !rst && passes;
        f_loaded <= !rst && loads;
        f_stored <= !rst && stores;
        f_own    <= !rst && t_goes;
        f_place  <= r_sector * ${L.WORDS};
        f_data   <= r_data;
        f_value  <= value;
        f_strobe <= r_some;
        f_op     <= r_op == 1;
        f_t      <= {t_address, t_strobe, t_data, t_unit, t_warp, t_reg, t_near, t_store};
    end

    wire f_down = f_passed || f_loaded || f_stored;

    always @* if (f_past && !rst) begin
        p_place: assert (!f_down || (down_address == f_place && !down_near && down_warp == 0 &&
                                     down_reg == 0));
        p_unit: assert (!f_down || down_unit == (down_address / ${per_line}) % ${L.UNITS});
        p_kind: assert (!f_down || down_store == (f_stored || (f_passed && f_op)));
        p_strobe: assert (!f_down || down_strobe == (down_store ? f_strobe : 0));
        p_data: assert (!f_down || down_data == (f_stored ? f_value :
                                                 down_store ? f_data : 0));
        p_same: assert (!f_own || {down_address, down_strobe, down_data, down_unit, down_warp,
                                   down_reg, down_near, down_store} == f_t);
        p_down: assert (!(f_down || f_own) || down_valid);
    end

    reg                 f_left;
    reg                 f_part;
    reg                 f_stores;
    reg [WHOLE_W-1:0]   f_whole;
    reg [LANE_W-1:0]    f_id;
    reg [SECTOR-1:0]    f_bytes;
    reg [DATA_W-1:0]    f_with;
    reg [35:0]          f_rest;

    always @(posedge clk) begin
        f_left   <= !rst && leaves;
        f_part   <= part_valid;
        f_stores <= away_store;
        f_whole  <= part_valid ? part_address :
                    (away_address / ${per_chunk}) * ${per_chunk * L.CORES} +
                    away_core * ${per_chunk} + away_address % ${per_chunk};
        f_id     <= part_valid ? part_id : away_id;
        f_bytes  <= part_valid ? part_strobe : away_bytes;
        f_with   <= part_valid ? part_data : away_data;
        f_rest   <= {part_op, part_compare};
    end

    always @* if (f_past && !rst) begin
        p_send: assert (!f_left || (send_valid && send_address == f_whole && send_id == f_id));
        p_with: assert (!f_left || (send_strobe == f_bytes && send_data == f_with));
        p_what: assert (!f_left || {send_op, send_compare} ==
                        (f_part ? f_rest : {3'd0, f_stores, 32'd0}));
        p_bytes: assert (away_bytes[${L.SECTOR - 1}] == away_strobe[WORDS-1] &&
                         away_bytes[3] == away_strobe[0] && away_bytes[4] == away_strobe[1]);
    end
`endif
