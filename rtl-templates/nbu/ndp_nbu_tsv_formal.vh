//% output("formal/ndp_nbu_tsv_formal.vh")
//% local longest = math.max(L.INSTR_BEATS, L.ROW_BEATS + 1, L.DONE_BEATS, L.LSU_BURST)
${header{title = "what is proved of ndp_nbu_tsv", text = [[
Owner, turn, credits and beats against a twin written from the note; packets are
whole and have the length of their kind; load-store traffic is cut at its burst
limit; no source that stays eligible waits for more than six grants, each of
bounded length; any bit of an instruction or completion, and every beat of the
others, is on the bus where it belongs.]]}}
`ifdef FORMAL_NDP_NBU_TSV
`define NDP_NBU_TSV_CONTRACT assume
`else
`define NDP_NBU_TSV_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: what has been granted stays, credits come back once each, a
    // landing register becomes free once.

    localparam F_INSTR = ${L.INSTR_BEATS};
    localparam F_ROW   = ${L.ROW_BEATS + 1};
    localparam F_PRED  = ${L.PRED_BEATS + 1};
    localparam F_DONE  = ${L.DONE_BEATS};
    localparam F_BURST = ${L.LSU_BURST};
    localparam F_W     = ${clog2(longest + 1)}; // counts beats

    reg [${clog2(L.NEAR_QUEUE + 1) - 1}:0] f_near_out;// instructions granted and not delivered
    reg [${clog2(L.MOVE_QUEUE + 1) - 1}:0] f_move_out; // requests granted and not taken
    reg       f_down_out; // a row that is under way down
    reg       f_up_out;   // a row that is under way up
    reg       f_was_send; // what was ready on the last edge and did not leave
    reg       f_was_down;
    reg       f_was_ask;
    reg       f_was_up;
    reg       f_was_done;
    reg       f_was_down_pred;
    reg       f_was_up_pred;

    wire [6:0] f_granted = grant ? chosen : 7'd0;

    always @(posedge clk) begin
        if (rst) begin
            f_near_out <= 0;
            f_move_out <= 0;
            f_down_out <= 1'b0;
            f_up_out   <= 1'b0;
        end else begin
            f_near_out <= f_near_out + f_granted[0] - send_credit;
            f_move_out <= f_move_out + f_granted[2] - ask_credit;
            f_down_out <= f_granted[1] || (f_down_out && !down_done);
            f_up_out   <= f_granted[3] || (f_up_out && !up_done);
        end
        f_was_send      <= !rst && send_ready && !send_left;
        f_was_down      <= !rst && down_ready && !down_left;
        f_was_ask       <= !rst && ask_ready && !ask_left;
        f_was_up        <= !rst && up_ready && !up_left;
        f_was_done      <= !rst && done_ready && !done_left;
        f_was_down_pred <= down_pred;
        f_was_up_pred   <= up_pred;
    end

    always @* if (f_past && !rst) begin
        q_send: `NDP_NBU_TSV_CONTRACT (send_ready || !f_was_send);
        q_down: `NDP_NBU_TSV_CONTRACT ((down_ready &&
                    down_pred == f_was_down_pred) || !f_was_down);
        q_ask: `NDP_NBU_TSV_CONTRACT (ask_ready || !f_was_ask);
        q_up: `NDP_NBU_TSV_CONTRACT ((up_ready &&
                  up_pred == f_was_up_pred) || !f_was_up);
        q_done: `NDP_NBU_TSV_CONTRACT (done_ready || !f_was_done);
        q_send_credit: `NDP_NBU_TSV_CONTRACT (!send_credit || f_near_out != 0);
        q_ask_credit: `NDP_NBU_TSV_CONTRACT (!ask_credit || f_move_out != 0);
        q_down_done: `NDP_NBU_TSV_CONTRACT (!down_done ||
                         (f_down_out && !down_shift));
        q_up_done: `NDP_NBU_TSV_CONTRACT (!up_done ||
                       (f_up_out && !up_shift));
    end

`ifdef FORMAL_NDP_NBU_TSV
    reg [INSTR_BEATS*TSV_W-1:0] f_was_packet; // packets stay, too
    reg [DONE_BEATS*TSV_W-1:0]  f_was_done_packet;

    always @(posedge clk) begin
        f_was_packet      <= send_packet;
        f_was_done_packet <= done_packet;
    end

    always @* if (f_past && !rst) begin
        assume (!f_was_send || send_packet == f_was_packet);
        assume (!f_was_done || done_packet == f_was_done_packet);
    end

    // ------------------------------------------------------------------
    // Twin: owner, turn and beats

    reg           f_owned;
    reg [2:0]     f_owner;
    reg [2:0]     f_last;  // last owner
    reg [F_W-1:0] f_beat;  // beats of this grant so far
    reg [F_W-1:0] f_beats; // beats that it has, for load-store at most
    integer       f_i;

    wire [6:0] f_eligible = {
        lsu_up_valid,
        lsu_down_valid,
        done_ready,
        up_ready && !f_up_out,
        ask_ready && f_move_out < MOVE_QUEUE,
        down_ready && !f_down_out,
        send_ready && f_near_out < NEAR_QUEUE
    };

    reg [2:0] f_next; // first eligible source after the last owner

    always @* begin
        f_next = 0;
        for (f_i = 6; f_i >= 0; f_i = f_i - 1)
            if (f_eligible[f_i])
                f_next = f_i;
        for (f_i = 6; f_i >= 0; f_i = f_i - 1)
            if (f_eligible[f_i] && f_i > f_last)
                f_next = f_i;
    end

    wire f_lsu      = f_owner >= 5;
    wire f_gap      = (f_owner == 5 && !lsu_down_valid) ||
                      (f_owner == 6 && !lsu_up_valid);
    wire f_lsu_last = f_owner == 5 ? lsu_down_last : lsu_up_last;
    wire f_full     = f_beat == f_beats - 1;
    wire f_moves    = f_owned && !f_gap;
    wire f_ends     = f_moves && (f_lsu ? f_lsu_last : f_full);
    wire f_leaves   = f_owned && (f_gap || f_ends || f_full);

    always @(posedge clk) begin
        if (rst) begin
            f_owned <= 1'b0;
            f_last  <= 6;
        end else if (!f_owned) begin
            f_owned <= f_eligible != 0;
            f_beat  <= 0;
            if (f_eligible != 0) begin
                f_owner <= f_next;
                f_last  <= f_next;
                case (f_next)
                0: f_beats <= F_INSTR;
                1: f_beats <= down_pred ? F_PRED : F_ROW;
                2: f_beats <= 1;
                3: f_beats <= up_pred ? F_PRED : F_ROW;
                4: f_beats <= F_DONE;
                default: f_beats <= F_BURST;
                endcase
            end
        end else begin
            f_beat  <= f_beat + 1'b1;
            f_owned <= !f_leaves;
        end
    end

    always @* if (f_past && !rst) begin
        p_owner: assert (owner == (f_owned ? 7'd1 << f_owner : 7'd0));
        p_grant: assert (f_granted == (!f_owned && f_eligible != 0 ?
                                       7'd1 << f_next : 7'd0));
        p_near_credit: assert (f_near_out <= NEAR_QUEUE);
        p_move_credit: assert (f_move_out <= MOVE_QUEUE);
        p_some: assert (near_some == (near_credit != 0) && move_some == (move_credit != 0));
        p_left: assert ({done_left, up_left, ask_left, down_left, send_left} ==
                        (f_ends && !f_lsu ? 5'd1 << f_owner : 5'd0));
        p_shift: assert ({up_shift, down_shift} ==
                         {f_owned && f_owner == 3, f_owned && f_owner == 1});
        p_lsu_ready: assert ({lsu_up_ready, lsu_down_ready} ==
                             {f_owned && f_owner == 6, f_owned && f_owner == 5});
        p_stall: assert (stall == (f_owned &&
                                   (f_eligible & ~(7'd1 << f_owner)) != 0));
        p_first: assert (!f_owned || next_first == (f_beat == 0));
        p_progress: assert (!f_owned || f_beat < f_beats);
    end

    // ------------------------------------------------------------------
    // The bus register: the beat that the owner gave on the last edge

    localparam F_SEND_BITS = ${clog2(L.INSTR_BEATS * L.TSV_W)};
    localparam F_DONE_BITS = ${clog2(L.DONE_BEATS * L.TSV_W)};

    (* anyconst *) reg [F_SEND_BITS-1:0] f_bit;

    always @* assume (f_bit < F_INSTR * TSV_W);

    wire [F_INSTR*TSV_W-1:0] f_send = send_packet;
    wire [F_DONE*TSV_W-1:0]  f_done = done_packet;

    reg             f_on;
    reg [2:0]       f_kind;
    reg             f_on_last;
    reg             f_on_first;
    reg [F_W-1:0]   f_on_beat;
    reg [TSV_W-1:0] f_data;      // of sources that give their beats themselves
    reg             f_send_bit;
    reg             f_done_bit;

    always @(posedge clk) begin
        f_on       <= !rst && f_moves;
        f_kind     <= f_owner;
        f_on_last  <= f_ends;
        f_on_first <= f_beat == 0;
        f_on_beat  <= f_beat;
        case (f_owner)
        1, 2:    f_data <= down_beat;
        3:       f_data <= up_beat;
        5:       f_data <= lsu_down_data;
        default: f_data <= lsu_up_data;
        endcase
        f_send_bit <= f_send[f_bit];
        f_done_bit <= f_done[f_bit % (F_DONE * TSV_W)];
    end

    // The highest part of a packet comes first.
    wire f_send_here = f_on_beat == F_INSTR - 1 - f_bit / TSV_W;
    wire f_done_here = f_on_beat == F_DONE - 1 - (f_bit / TSV_W) % F_DONE;

    always @* if (f_past) begin
        p_valid: assert (tsv_valid == f_on);
        p_kind: assert (tsv_kind == (f_on ? f_kind : 3'd0));
        p_from: assert (bus_from == (f_on ? 7'd1 << f_kind : 7'd0));
        p_last: assert (tsv_last == (f_on && f_on_last));
        p_bus_first: assert (!f_on || bus_first == f_on_first);
        p_data: assert (!f_on || f_kind == 0 || f_kind == 4 ||
                        bus_data == f_data);
        p_send_bit: assert (!(f_on && f_kind == 0 && f_send_here) ||
                            bus_data[f_bit % TSV_W] == f_send_bit);
        p_done_bit: assert (!(f_on && f_kind == 4 && f_done_here) ||
                            bus_data[f_bit % TSV_W] == f_done_bit);
    end

    // ------------------------------------------------------------------
    // What a monitor outside sees: packets are whole.

    reg           f_open;  // a packet of a die's own has begun and not ended
    reg [2:0]     f_open_kind;
    reg [F_W-1:0] f_seen;  // its beats
    reg [F_W-1:0] f_run;   // load-store beats without a turn

    wire f_own = tsv_valid && tsv_kind < 5;

    always @(posedge clk) begin
        if (rst) begin
            f_open <= 1'b0;
            f_seen <= 0;
            f_run  <= 0;
        end else begin
            f_open <= f_own && !tsv_last;
            f_seen <= f_own && !tsv_last ? f_seen + 1'b1 : 0;
            f_run  <= tsv_valid && tsv_kind >= 5 ? f_run + 1'b1 : 0;
        end
        f_open_kind <= tsv_kind;
    end

    always @* if (f_past) begin
        p_atomic: assert (!f_open || (tsv_valid && tsv_kind == f_open_kind));
        p_length: assert (!(f_own && tsv_last) ||
            (tsv_kind == 0 && f_seen + 1 == F_INSTR) ||
            ((tsv_kind == 1 || tsv_kind == 3) &&
             (f_seen + 1 == F_ROW || f_seen + 1 == F_PRED)) ||
            (tsv_kind == 2 && f_seen == 0) ||
            (tsv_kind == 4 && f_seen + 1 == F_DONE));
        p_burst: assert (f_run <= F_BURST);
    end

    // ------------------------------------------------------------------
    // Bounded wait of any source

    (* anyconst *) reg [2:0] f_who;

    always @* assume (f_who < 7);

    reg [2:0]  f_grants; // grants of others while it is eligible
    reg [15:0] f_edges;  // edges of that

    wire f_waits = f_eligible[f_who] && !f_granted[f_who] &&
                   !(f_owned && f_owner == f_who);

    always @(posedge clk) begin
        if (rst || !f_waits) begin
            f_grants <= 0;
            f_edges  <= 0;
        end else begin
            f_edges  <= f_edges + 1'b1;
            f_grants <= f_grants + (f_granted != 0);
        end
    end

    // Grants that can still come before its own: helps the proof.
    wire [2:0] f_between = f_who > f_last ? f_who - f_last - 1
                                          : 6 + f_who - f_last;

    always @* if (f_past) begin
        p_six_grants: assert (f_grants <= 6);
        p_nearer: assert (f_grants == 0 || f_grants + f_between <= 6);
        p_bounded_wait: assert (f_edges <= 7 * (${longest} + 1));
    end

    always @* if (f_past && !rst) begin
        c_all: cover (f_eligible == 7'h7f && grant);
        c_longest: cover (f_grants == 6 && f_granted[f_who]);
        c_burst: cover (f_run == F_BURST && !tsv_last && lsu_up_valid);
        c_row: cover (tsv_valid && tsv_kind == 3 && tsv_last && f_seen == F_ROW - 1);
        c_pred: cover (tsv_valid && tsv_kind == 1 && tsv_last && f_seen == F_PRED - 1);
        c_credit: cover (f_near_out == NEAR_QUEUE && send_ready && !f_owned && f_move_out == MOVE_QUEUE);
        c_instr: cover (tsv_valid && tsv_kind == 0 && tsv_last && f_send_bit);
        c_done: cover (tsv_valid && tsv_kind == 4 && tsv_last && f_done_bit);
    end
`endif
