//% output("formal/ndp_nbu_near_mover_formal.vh")
${header{title = "what is proved of ndp_nbu_near_mover", text = [[
Any request that arrives is answered once and in order: the row of its register
is read, and its packet carries its header and, in any bit one looks at, the row
that the register file gave.]]}}
`ifdef FORMAL_NDP_NBU_NEAR_MOVER
`define NDP_NBU_NEAR_MOVER_CONTRACT assume
`elsif FORMAL_NDP_NBU_NEAR
`define NDP_NBU_NEAR_MOVER_CONTRACT assume
`else
`define NDP_NBU_NEAR_MOVER_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: a place for every request, whole packets taken from the row

    localparam F_PRED_BEATS = ${L.PRED_BEATS};
    localparam F_ROW_BEATS  = ${L.ROW_BEATS};
    localparam F_W          = ${clog2(L.ROW_BEATS + 2)}; // counts beats
    localparam F_QUEUE_W    = ${clog2(L.MOVE_QUEUE + 2)}; // counts requests

    reg [F_QUEUE_W-1:0] f_queued; // requests that have not been taken
    reg [F_W-1:0]       f_beat;   // beats of this packet so far

    wire [F_W-1:0] f_last_beat = row_pred ? F_PRED_BEATS : F_ROW_BEATS;

    always @(posedge clk) begin
        if (rst) begin
            f_queued <= 0;
            f_beat   <= 0;
        end else begin
            f_queued <= f_queued + ask - ask_taken;
            if (row_left)
                f_beat <= 0;
            else if (row_shift)
                f_beat <= f_beat + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_room: `NDP_NBU_NEAR_MOVER_CONTRACT (!ask || f_queued < MOVE_QUEUE);
        q_shift: `NDP_NBU_NEAR_MOVER_CONTRACT (!row_shift || row_ready);
        q_first: `NDP_NBU_NEAR_MOVER_CONTRACT (!row_shift ||
                                               beat_first == (f_beat == 0));
        q_left: `NDP_NBU_NEAR_MOVER_CONTRACT (row_left ==
                    (row_shift && f_beat == f_last_beat));
    end

`ifdef FORMAL_NDP_NBU_NEAR_MOVER
    // ------------------------------------------------------------------
    // Token: any request, and any bit of its row

    localparam F_BIT_W = ${clog2(L.ROW_W)};

    (* anyseq *)   reg               f_pick; // the request now is the token
    (* anyconst *) reg [F_BIT_W-1:0] f_bit;

    reg                 f_have;   // the token waits
    reg                 f_mine;   // the token is under way
    reg                 f_asked;  // its row has been asked for
    reg                 f_filled; // its row has come
    reg                 f_value;  // the bit of it
    reg [HEADER_W-1:0]  f_header;
    reg [F_QUEUE_W-1:0] f_ahead;  // requests before it

    wire       f_pred = f_header[WARP_W+REG_W+2 +: 2] == 2;
    wire [31:0] f_at  = f_bit / TSV_W + 1; // the beat that carries the bit

    always @(posedge clk) begin
        if (rst) begin
            f_have   <= 1'b0;
            f_mine   <= 1'b0;
        end else if (f_mine) begin
            if (near_read_valid && near_read_ready)
                f_asked <= 1'b1;
            if (f_asked && !f_filled && near_data_valid) begin
                f_filled <= 1'b1;
                f_value  <= near_data_row[f_bit] && !(f_pred && f_bit >= LANES);
            end
            if (row_left)
                f_mine <= 1'b0;
        end else if (f_have) begin
            if (ask_taken && f_ahead == 0) begin
                f_have   <= 1'b0;
                f_mine   <= 1'b1;
                f_asked  <= 1'b0;
                f_filled <= 1'b0;
            end
            f_ahead <= f_ahead - ask_taken;
        end else if (ask && f_pick) begin
            f_have   <= 1'b1;
            f_header <= ask_header;
            f_ahead  <= f_queued - ask_taken;
        end
    end

    always @* if (f_past && !rst) begin
        p_waits: assert (!f_have || f_ahead < f_queued);
        p_queued: assert (!ask_taken || f_queued != 0);
        p_taken_idle: assert (!ask_taken || !(near_read_valid || row_ready));
    end

    always @* if (f_past && !rst && f_mine) begin
        p_one_at_a_time: assert (!ask_taken);
        p_read: assert (near_read_valid == !f_asked);
        p_register: assert (!near_read_valid ||
                            {near_read_reg, near_read_warp} ==
                            f_header[0 +: WARP_W + REG_W]);
        p_ready: assert (row_ready == f_filled);
        p_kind: assert (!row_ready || row_pred == f_pred);
        p_header: assert (!(row_shift && beat_first) || beat == f_header);
        p_row: assert (!(row_shift && f_beat == f_at) ||
                       beat[f_bit % TSV_W] == f_value);
    end

    always @* if (f_past && !f_mine)
        p_zero: assert (near_read_valid || {near_read_reg, near_read_warp} == 0);

    always @* if (f_past && !rst) begin
        c_row: cover (f_mine && row_left && f_value && !f_pred && f_bit == 0);
        c_pred: cover (f_mine && row_left && f_value && f_pred);
        c_full: cover (ask && f_queued == MOVE_QUEUE - 1 && f_mine);
    end
`endif
