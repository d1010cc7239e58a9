//% output("formal/ndp_nbu_landing_formal.vh")
${header{title = "what is proved of ndp_nbu_landing", text = [[
Any bit of the row that is presented is the bit of the data beat it came with
(zero where no beat came), under the header's warp, register and kind; rows and
finished moves are announced once, no packet is lost.]]}}
`ifdef FORMAL_NDP_NBU_LANDING
`define NDP_NBU_LANDING_CONTRACT assume
`elsif FORMAL_NDP_NBU_NEAR
`define NDP_NBU_LANDING_CONTRACT assume
`else
`define NDP_NBU_LANDING_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: whole packets, and none before the last one is dealt with.

    localparam PRED_BEATS = ${L.PRED_BEATS};
    localparam F_W        = ${clog2(L.ROW_BEATS + 2)}; // counts data beats

    reg           f_inside; // a packet has begun
    reg [1:0]     f_kind;
    reg [F_W-1:0] f_beat;   // data beats so far

    wire [F_W-1:0] f_beats = f_kind == PREDICATE ? PRED_BEATS : ROW_BEATS;

    always @(posedge clk) begin
        if (rst) begin
            f_inside <= 1'b0;
        end else if (header) begin
            f_inside <= 1'b1;
            f_beat   <= 0;
            f_kind   <= beat_data[WARP_W+REG_W+2 +: 2];
        end else if (beat_valid) begin
            f_inside <= !beat_last;
            f_beat   <= f_beat + 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_first: `NDP_NBU_LANDING_CONTRACT (!beat_valid ||
                                            beat_first == !f_inside);
        q_last: `NDP_NBU_LANDING_CONTRACT (!data ||
                                           beat_last == (f_beat == f_beats - 1));
        q_free: `NDP_NBU_LANDING_CONTRACT (!header ||
                                           !(write_valid || finished));
        q_update: `NDP_NBU_LANDING_CONTRACT (!update_taken || finished);
    end

`ifdef FORMAL_NDP_NBU_LANDING
    // ------------------------------------------------------------------
    // Twin of the header and of any one bit of the row

    localparam F_BIT_W = ${clog2(L.ROW_W)};

    (* anyconst *) reg [F_BIT_W-1:0] f_bit;

    reg              f_value;
    reg              f_final;
    reg              f_epoch;
    reg [REG_W-1:0]  f_reg;
    reg [WARP_W-1:0] f_warp;
    reg              f_valid;
    reg              f_done;

    wire f_hit = data && f_bit / TSV_W == f_beat;

    always @(posedge clk) begin
        if (rst) begin
            f_value <= 1'b0;
            f_warp  <= 0;
            f_reg   <= 0;
        end else if (header) begin
            f_value <= 1'b0;
            {f_final, f_epoch, f_reg, f_warp} <= beat_data;
        end else if (f_hit) begin
            f_value <= beat_data[f_bit % TSV_W];
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            f_valid <= 1'b0;
            f_done  <= 1'b0;
        end else begin
            f_valid <= (data && beat_last) || (f_valid && !write_ready);
            f_done  <= (f_valid && write_ready && f_final) ||
                       (f_done && !update_taken);
        end
    end

    always @* if (f_past) begin
        p_row: assert (write_row[f_bit] == f_value);
        p_header: assert (write_warp == f_warp && write_reg == f_reg);
        p_valid: assert (write_valid == f_valid);
        p_finished: assert (finished == f_done);
        p_row_taken: assert (row_taken ==
                             (f_valid && write_ready && !f_final));
    end

    always @* if (f_past && (f_inside || f_valid || f_done)) begin
        p_kind: assert (write_pred == (f_kind == PREDICATE));
        p_move: assert (move_epoch == f_epoch && move_reg ==
                        (f_kind == PAIR ? f_reg & ~1 : f_reg));
    end

    // The slice that is filled next: helps the proof.
    always @* if (f_past && f_inside)
        p_slice: assert (fill == (f_beat < ROW_BEATS ? 1 << f_beat : 0));

    always @* if (f_past && !rst) begin
        c_row: cover (f_valid && write_ready && f_value && f_kind != PREDICATE);
        c_pred: cover (f_valid && write_ready && f_value && f_kind == PREDICATE);
        c_pair: cover (f_done && f_kind == PAIR && update_taken);
    end
`endif
