//% use "ndp_queue.v"
//% use "ndp_broker_regs.v"
//% use "ndp_broker_share.v"
//% use "ndp_broker_formal.vh"
//% -- operations of the class global, of which the first access is the marked word's
//% local accesses = ops(function(o) return o.class == "global" end)
${header{title = "between a core and its offload controller", text = [[
Asks the offload controller for each warp at a mark, tells the core how it goes on,
reads and writes registers for the controller, and takes its packets to the mesh and
back.

    offer -> queue -> ask                   release -> queue -+-> go
    oper, reg_read, reg_write <-> ndp_broker_regs <-> look,    ans -+
    tx -> ndp_broker_share -> send_req                    seen, put
    take_ans -> queue -> ack

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; go, value, reg_data and
drop cannot be refused.  Fields are zero while valid is low.

Latency: an offer that is taken on edge t is at ask after edge t+1; a decision to stay
is at go after the edge on which it is taken.

See docs/blocks/broker.md.]]}}
`default_nettype none

module ${prefix}ndp_broker (
${ports{reg = {"go_valid", "go_moves", "go_warp", "go_pc", "go_alone", "drop_valid"}}}
);
${localparams("WARP_W", "PC_W", "THREADS", "AWAY_W", "FLIT_W", "MARK_W", "PIECE_W")}

    // ------------------------------------------------------------------
    // Warps that ask

    localparam ASK_W = WARP_W + PC_W + THREADS + 32;

    wire [7:0]       op = offer_code[7:0];
    reg              accesses; // the marked word is the block's first access
    wire [PC_W-1:0]  key = accesses ? offer_pc : offer_pc + 1'b1;
    wire [ASK_W-1:0] asks; // the oldest offer
    reg              learned;

    always @* begin
        case (op)
//% for i, o in ipairs(accesses) do
        ${op(o.name)}${i < #accesses and "," or ":"} // ${o.text}
//% end
            accesses = 1'b1;
        default:
            accesses = 1'b0;
        endcase
    end

    ${prefix}ndp_queue #(
        .WIDTH (ASK_W),
        .DEPTH (2)
    ) offers (
        .clk       (clk),
        .rst       (rst),
        .push      (offer_valid && offer_ready),
        .in_word   ({offer_a, offer_mask, key, offer_warp}),
        .can_push  (offer_ready),
        .pop       (ask_ready),
        .out_valid (ask_valid),
        .out_word  (asks)
    );

    always @(posedge clk) learned <= map_learned;

    assign {ask_address, ask_mask, ask_key, ask_warp} = ask_valid ? asks : {ASK_W{1'b0}};
    assign ask_learned = ask_valid && learned;

    // ------------------------------------------------------------------
    // How they go on

    wire              over; // a block is done
    wire [WARP_W-1:0] over_warp;
    wire [PC_W-1:0]   over_pc;
    wire              writing; // a register of a block is being written

    wire stays = ans_valid && !ans_offload;
    wire lands = over && !writing && !stays;

    assign ans_ready = 1'b1;
    assign go_frees  = 1'b0;

    ${prefix}ndp_queue #(
        .WIDTH (WARP_W + PC_W),
        .DEPTH (2)
    ) releases (
        .clk       (clk),
        .rst       (rst),
        .push      (release_valid && release_ready),
        .in_word   ({release_pc, release_warp}),
        .can_push  (release_ready),
        .pop       (lands),
        .out_valid (over),
        .out_word  ({over_pc, over_warp})
    );

    always @(posedge clk) begin
        if (rst || !(stays || lands)) begin
            go_valid <= 1'b0;
            go_moves <= 1'b0;
            go_alone <= 1'b0;
            go_warp  <= {WARP_W{1'b0}};
            go_pc    <= {PC_W{1'b0}};
        end else begin
            go_valid <= 1'b1;
            go_moves <= 1'b1;
            go_alone <= stays;
            go_warp  <= stays ? ans_warp : over_warp;
            go_pc    <= stays ? {PC_W{1'b0}} : over_pc;
        end
    end

    // ------------------------------------------------------------------
    // How many ask or are away

    reg [AWAY_W-1:0] away;

    wire leaves = offer_valid && offer_ready;

    always @(posedge clk) begin
        if (rst)
            away <= {AWAY_W{1'b0}};
        else if (leaves && !go_valid)
            away <= away + 1'b1;
        else if (go_valid && !leaves)
            away <= away - 1'b1;
    end

    assign chain_busy = away != {AWAY_W{1'b0}};

    // ------------------------------------------------------------------
    // Registers for the controller

    ${prefix}ndp_broker_regs regs (
        .clk             (clk),
        .rst             (rst),
        .oper_valid      (oper_valid),
        .oper_ready      (oper_ready),
        .oper_warp       (oper_warp),
        .oper_reg        (oper_reg),
        .oper_lane       (oper_lane),
        .value_valid     (value_valid),
        .value_data      (value_data),
        .reg_read_valid  (reg_read_valid),
        .reg_read_ready  (reg_read_ready),
        .reg_read_warp   (reg_read_warp),
        .reg_read_reg    (reg_read_reg),
        .reg_data_valid  (reg_data_valid),
        .reg_data_row    (reg_data_row),
        .look_valid      (look_valid),
        .look_ready      (look_ready),
        .look_warp       (look_warp),
        .look_pred       (look_pred),
        .look_reg        (look_reg),
        .seen_valid      (seen_valid),
        .seen_last       (seen_last),
        .seen_data       (seen_data),
        .reg_write_valid (reg_write_valid),
        .reg_write_ready (reg_write_ready),
        .reg_write_warp  (reg_write_warp),
        .reg_write_reg   (reg_write_reg),
        .reg_write_mask  (reg_write_mask),
        .reg_write_row   (reg_write_row),
        .put_valid       (put_valid),
        .put_ready       (put_ready),
        .put_last        (put_last),
        .put_warp        (put_warp),
        .put_pc          (put_pc),
        .put_pred        (put_pred),
        .put_d           (put_d),
        .put_mask        (put_mask),
        .put_data        (put_data),
        .writing         (writing)
    );

    // ------------------------------------------------------------------
    // Packets that go

    reg  begun; // the flit that comes is not the first of its packet
    wire come = take_ans_valid && take_ans_ready;

    always @(posedge clk) begin
        if (rst)
            begun <= 1'b0;
        else if (come)
            begun <= !take_ans_last;
    end

    ${prefix}ndp_broker_share share (
        .clk            (clk),
        .rst            (rst),
        .at_node        (at_node),
        .tx_valid       (tx_valid),
        .tx_ready       (tx_ready),
        .tx_stack       (tx_stack),
        .tx_head        (tx_head),
        .tx_last        (tx_last),
        .tx_data        (tx_data),
        .back           (come && !begun),
        .back_warp      (take_ans_data[MARK_W +: WARP_W]),
        .send_req_valid (send_req_valid),
        .send_req_ready (send_req_ready),
        .send_req_last  (send_req_last),
        .send_req_order (send_req_order),
        .send_req_x     (send_req_x),
        .send_req_y     (send_req_y),
        .send_req_data  (send_req_data)
    );

    // ------------------------------------------------------------------
    // Packets that come

    wire [PIECE_W-1:0] piece;

    ${prefix}ndp_queue #(
        .WIDTH (PIECE_W),
        .DEPTH (2)
    ) acks (
        .clk       (clk),
        .rst       (rst),
        .push      (come),
        .in_word   (take_ans_data[MARK_W +: PIECE_W]),
        .can_push  (take_ans_ready),
        .pop       (ack_ready),
        .out_valid (ack_valid),
        .out_word  (piece)
    );

    assign ack_data = ack_valid ? piece : {PIECE_W{1'b0}};

    // ------------------------------------------------------------------
    // Lines of the cache: all of them, whichever has been written

    assign inval_ready = 1'b1;
    assign drop_all    = drop_valid;

    always @(posedge clk) drop_valid <= !rst && (inval_valid || fenced);

    wire unused = &{1'b0, offer_code[63:8], offer_b, offer_in_row, offer_same_a, offer_same_b,
                    ans_reason, ans_stack, inval_line, take_ans_data[MARK_W-1:0],
                    take_ans_data[FLIT_W-1:MARK_W+PIECE_W]};

${checks{still = {"at_node"}}}
`ifdef FORMAL
`include "${prefix}ndp_broker_formal.vh"
`endif
endmodule

`default_nettype wire
