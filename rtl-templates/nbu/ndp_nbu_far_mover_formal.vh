//% output("formal/ndp_nbu_far_mover_formal.vh")
${header{title = "what is proved of ndp_nbu_far_mover", text = [[
Any list of moves is worked off in order, every wanted entry once: rows of
registers that go down are read and sent with the right header and, in any bit
one looks at, unaltered; for those that come up a request is sent; a pair is two
rows or two requests, the last of which is final.]]}}
`ifdef FORMAL_NDP_NBU_FAR_MOVER
`define NDP_NBU_FAR_MOVER_CONTRACT assume
`else
`define NDP_NBU_FAR_MOVER_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: a place for every list, whole packets taken from the row

    localparam F_PRED_BEATS = ${L.PRED_BEATS};
    localparam F_ROW_BEATS  = ${L.ROW_BEATS};
    localparam F_W          = ${clog2(L.ROW_BEATS + 2)}; // counts beats
    localparam F_QUEUE_W    = ${clog2(L.WARPS + 2)}; // counts lists

    reg [F_QUEUE_W-1:0] f_queued; // lists that have not been taken
    reg [F_W-1:0]       f_beat;   // beats of this packet so far

    wire [F_W-1:0] f_last_beat = row_pred ? F_PRED_BEATS : F_ROW_BEATS;

    always @(posedge clk) begin
        if (rst) begin
            f_queued <= 0;
            f_beat   <= 0;
        end else begin
            f_queued <= f_queued + push - list_taken;
            if (row_left)
                f_beat <= 0;
            else if (row_shift)
                f_beat <= f_beat + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_room: `NDP_NBU_FAR_MOVER_CONTRACT (!push || f_queued < WARPS);
        q_shift: `NDP_NBU_FAR_MOVER_CONTRACT (!row_shift || row_ready);
        q_first: `NDP_NBU_FAR_MOVER_CONTRACT (!row_shift ||
                                              beat_first == (f_beat == 0));
        q_left: `NDP_NBU_FAR_MOVER_CONTRACT (row_left ==
                    (row_shift && f_beat == f_last_beat));
        q_ask: `NDP_NBU_FAR_MOVER_CONTRACT (!ask_left ||
                                            (ask_ready && beat_first));
    end

`ifdef FORMAL_NDP_NBU_FAR_MOVER
    // ------------------------------------------------------------------
    // Token: any list of moves; the move under way; any bit of its row

    localparam F_BIT_W = ${clog2(L.ROW_W)};

    (* anyseq *)   reg               f_pick; // the list now is the token
    (* anyconst *) reg [F_BIT_W-1:0] f_bit;

    reg                 f_have;  // the token waits
    reg                 f_mine;  // the token is under way
    reg [MOVES_W-1:0]   f_list;
    reg [4:0]           f_todo;  // its moves that are not done
    reg                 f_row;   // the row of a pair
    reg [F_QUEUE_W-1:0] f_ahead; // lists before it
    reg                 f_asked; // the row has been asked for
    reg                 f_filled; // it has come
    reg                 f_value; // the bit of it

    // The first move that is not done
    reg [MOVE_W-1:0] f_move;
    reg [4:0]        f_first;
    integer          f_i;

    always @* begin
        f_move  = 0;
        f_first = 0;
        for (f_i = 4; f_i >= 0; f_i = f_i - 1)
            if (f_todo[f_i]) begin
                f_move  = f_list[f_i*MOVE_W +: MOVE_W];
                f_first = 1 << f_i;
            end
    end

    wire              f_up    = f_move[MOVE_W-1];
    wire [1:0]        f_kind  = f_move[MOVE_W-2 -: 2];
    wire              f_epoch = f_move[REG_W];
    wire [REG_W-1:0]  f_reg   = f_move[0 +: REG_W] + f_row;
    wire [WARP_W-1:0] f_warp  = f_list[MOVES_W-1 -: WARP_W];
    wire              f_final = f_kind != 1 || f_row;
    wire              f_sent  = row_left || ask_left;
    wire [31:0]       f_at    = f_bit / TSV_W + 1; // the beat with the bit

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
            f_mine <= 1'b0;
        end else if (f_mine) begin
            if (f_sent) begin
                f_row    <= !f_final;
                f_todo   <= f_final ? f_todo & ~f_first : f_todo;
                f_asked  <= 1'b0;
                f_filled <= 1'b0;
            end else begin
                if (far_read_valid && far_read_ready)
                    f_asked <= 1'b1;
                if (f_asked && !f_filled && far_data_valid) begin
                    f_filled <= 1'b1;
                    f_value  <= far_data_row[f_bit] &&
                                !(f_kind == 2 && f_bit >= LANES);
                end
            end
            if (state == IDLE)
                f_mine <= 1'b0;
        end else if (f_have) begin
            if (list_taken && f_ahead == 0) begin
                f_have   <= 1'b0;
                f_mine   <= 1'b1;
                f_todo   <= f_list[5*MOVE_W +: 5];
                f_row    <= 1'b0;
                f_asked  <= 1'b0;
                f_filled <= 1'b0;
            end
            f_ahead <= f_ahead - list_taken;
        end else if (push && f_pick) begin
            f_have  <= 1'b1;
            f_list  <= moves;
            f_ahead <= f_queued - list_taken;
        end
    end

    // A pair has an even index.
//% for k = 0, 4 do
    always @* if (f_have || f_mine)
        assume (f_list[${k}*MOVE_W + REG_W + 1 +: 2] != 1 || !f_list[${k}*MOVE_W]);
//% end

    always @* if (f_past && !rst) begin
        p_waits: assert (!f_have || f_ahead < f_queued);
        p_queued: assert (!list_taken || f_queued != 0);
        p_zero: assert (far_read_valid || {far_read_reg, far_read_warp} == 0);
        p_exclusive: assert (far_read_valid + row_ready + ask_ready <= 1);
    end

    always @* if (f_past && !rst && f_mine) begin
        // Nothing is sent that is not wanted, and all that is wanted.
        p_all_served: assert (state != IDLE || f_todo == 0);
        p_no_other: assert (!(far_read_valid || row_ready || ask_ready) ||
                            f_todo != 0);
        p_direction: assert (!(far_read_valid || row_ready) || !f_up);
        p_request: assert (!ask_ready || f_up);
        p_read: assert (!far_read_valid || (!f_asked &&
                        far_read_reg == f_reg && far_read_warp == f_warp));
        p_ready: assert (row_ready == f_filled);
        p_kind: assert (!row_ready || row_pred == (f_kind == 2));
        p_header: assert (!((row_shift && beat_first) || ask_left) ||
                          beat == {f_kind, f_final, f_epoch, f_reg, f_warp});
        p_row: assert (!(row_shift && f_beat == f_at) ||
                       beat[f_bit % TSV_W] == f_value);
    end

    always @* if (f_past && !rst) begin
        c_pair_down: cover (f_mine && row_left && f_row && f_value);
        c_pair_up: cover (f_mine && ask_left && f_row && f_todo[4]);
        c_pred: cover (f_mine && row_left && f_kind == 2 && f_value);
        c_both: cover (f_mine && f_todo == 5'b10000 && f_list[5*MOVE_W] &&
                       f_up && !f_list[MOVE_W-1]);
        c_full: cover (push && f_queued == WARPS - 1);
    end
`endif
