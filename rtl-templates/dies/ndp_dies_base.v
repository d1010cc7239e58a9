//% use "ndp_queue.v"
//% use "ndp_regs.v"
//% use "ndp_nbu_slots.v"
//% use "ndp_nbu_track.v"
//% use "ndp_nbu_decide.v"
//% use "ndp_nbu_update.v"
//% use "ndp_nbu_far_mover.v"
//% use "ndp_nbu_landing.v"
//% use "ndp_dies_beats.v"
//% use "ndp_dies_row.v"
//% use "ndp_cut_base.v"
//% use "ndp_dies_base_formal.vh"
//% local spare = L.INSTR_BEATS * L.TSV_W - L.INSTR_W
${header{title = "near-bank unit: the base logic die", text = [[
All of the near-bank unit that stands beside the front end, and its side of the cut:

    issue -> slots -> decide -+-> far queue ---------> far_exec
               ^      ^       +-> near send -> beats -> |
               |      |       +-> far mover -> row ---> | cut -> the wires
             update -> track  <- far_done               |
               ^------- completions, rows, moved <----- |

What the DRAM die does is known here by returns: that an instruction was delivered,
that a row is in its register file.

Handshake: as in ndp_dies, whose ports of this die these are.

Latency: accept to far_exec_valid 5 edges without a wait.]]}}
`default_nettype none

module ${prefix}ndp_dies_base (
${die_ports(of_base)}

    // the wires
    output wire ${pad("[1:0]", 6)} grant,   // 1 row, 2 completion, 3 load-store
    input  wire ${pad("[2:0]", 6)} request, // {load-store, completion, row} waits
    input  wire ${pad("[2:0]", 6)} returns, // {row, row request, instruction}
    output wire ${pad("", 6)} drives,  // out holds a beat
    output wire ${pad(range(L.SHARED_W), 6)} out,     // {data, kind, last, first, valid}
    input  wire ${pad(range(L.SHARED_W), 6)} shared   // the same wires, whoever drives
);
${localparams("WARPS", "WARP_W", "REG_W", "LANES", "TSV_W", "TAG_W", "OP_W", "OPERAND_W", "INSTR_W", "INSTR_BEATS")}

    localparam [1:0] WORK = 2'd0; // kinds of beats
    localparam [1:0] ROW  = 2'd1;
    localparam [1:0] ASK  = 2'd2;
    localparam [1:0] LSU  = 2'd3;

    localparam BODY_W  = 5 * OPERAND_W + LANES + OP_W + TAG_W; // instruction
    localparam MOVES_W = WARP_W + 5 * (REG_W + 5); // list of moves

    wire       init_last; // the track table is initialised after this edge
    wire       init_done; // it is initialised
    wire [1:0] policy;    // setting

    // ------------------------------------------------------------------
    // Held instructions.  Operands lie in the order of their moves.

    wire              accept;
    wire              p1_valid;
    wire [WARP_W-1:0] p1_warp;
    wire [1:0]        p1_hint;
    wire [BODY_W-1:0] p1_body;

    wire              act;
    wire              act_hold;
    wire              act_move;
    wire              act_go;
    wire              act_near;
    wire [WARP_W-1:0] act_warp;
    wire [2:0]        act_moves;

    wire              update_write;
    wire [WARP_W-1:0] update_warp;
    wire [REG_W-1:0]  update_reg;
    wire              update_far;
    wire              update_near;
    wire              update_epoch;
    wire              update_move;
    wire [WARP_W-1:0] move_warp;

    wire              far_taken  = far_exec_valid && far_exec_ready;
    wire              delivered; // the near pipeline has taken an instruction
    wire [WARP_W-1:0] delivered_warp;

    ${prefix}ndp_nbu_slots slots (
        .clk          (clk),
        .rst          (rst),
        .init_last    (init_last),
        .issue_valid  (issue_valid),
        .issue_ready  (issue_ready),
        .issue_warp   (issue_warp),
        .issue_hint   (issue_hint),
        .issue_body   ({issue_dst, issue_guard, issue_src2, issue_src1,
                        issue_src0, issue_mask, issue_op, issue_tag}),
        .accept       (accept),
        .p1_valid     (p1_valid),
        .p1_warp      (p1_warp),
        .p1_hint      (p1_hint),
        .p1_body      (p1_body),
        .act          (act),
        .act_move     (act_move),
        .act_go       (act_go),
        .act_warp     (act_warp),
        .act_moves    (act_moves),
        .update_write (update_write),
        .update_warp  (update_warp),
        .update_move  (update_move),
        .move_warp    (move_warp),
        .far_taken    (far_taken),
        .far_warp     (far_exec_warp),
        .near_taken   (delivered),
        .near_warp    (delivered_warp)
    );

    // ------------------------------------------------------------------
    // Lookup and decision

    wire [5*REG_W-1:0] lookup_regs;
    wire [4:0]         found_far;
    wire [4:0]         found_near;
    wire [4:0]         found_retired;
    wire [4:0]         found_issued;
    wire               issued_write;
    wire [REG_W-1:0]   issued_reg;
    wire               issued_epoch;
    wire [MOVES_W-1:0] moves;
    wire [INSTR_W-1:0] packet;

    ${prefix}ndp_nbu_track track (
        .clk           (clk),
        .rst           (rst),
        .init_last     (init_last),
        .init_done     (init_done),
        .lookup_valid  (p1_valid),
        .lookup_warp   (p1_warp),
        .lookup_regs   (lookup_regs),
        .found_far     (found_far),
        .found_near    (found_near),
        .found_retired (found_retired),
        .found_issued  (found_issued),
        .update_write  (update_write),
        .update_warp   (update_warp),
        .update_reg    (update_reg),
        .update_far    (update_far),
        .update_near   (update_near),
        .update_epoch  (update_epoch),
        .issued_write  (issued_write),
        .issued_warp   (act_warp),
        .issued_reg    (issued_reg),
        .issued_epoch  (issued_epoch)
    );

    ${prefix}ndp_nbu_decide decide (
        .clk           (clk),
        .rst           (rst),
        .policy        (policy),
        .p1_valid      (p1_valid),
        .p1_warp       (p1_warp),
        .p1_hint       (p1_hint),
        .p1_body       (p1_body),
        .lookup_regs   (lookup_regs),
        .found_far     (found_far),
        .found_near    (found_near),
        .found_retired (found_retired),
        .found_issued  (found_issued),
        .act           (act),
        .act_hold      (act_hold),
        .act_move      (act_move),
        .act_go        (act_go),
        .act_near      (act_near),
        .act_warp      (act_warp),
        .act_moves     (act_moves),
        .moves         (moves),
        .packet        (packet),
        .issued_write  (issued_write),
        .issued_reg    (issued_reg),
        .issued_epoch  (issued_epoch)
    );

    // ------------------------------------------------------------------
    // Instructions that run far

    wire [INSTR_W-1:0] far_word;
    wire               unused_far_can_push; // a place for every warp

    ${prefix}ndp_queue #(
        .WIDTH (INSTR_W),
        .DEPTH (WARPS)
    ) far_queue (
        .clk       (clk),
        .rst       (rst),
        .push      (act_go && !act_near),
        .in_word   (packet),
        .can_push  (unused_far_can_push),
        .pop       (far_exec_ready),
        .out_valid (far_exec_valid),
        .out_word  (far_word)
    );

    assign {far_exec_ticket, far_exec_dst, far_exec_guard, far_exec_src2,
            far_exec_src1, far_exec_src0, far_exec_mask, far_exec_op,
            far_exec_tag, far_exec_warp} =
        far_exec_valid ? far_word : {INSTR_W{1'b0}};

    // ------------------------------------------------------------------
    // Instructions that run near

    wire               send_valid;
    wire [INSTR_W-1:0] send_packet;
    wire               send_left;
    wire               unused_send_can_push; // a place for every warp

    ${prefix}ndp_queue #(
        .WIDTH (INSTR_W),
        .DEPTH (WARPS)
    ) near_send (
        .clk       (clk),
        .rst       (rst),
        .push      (act_go && act_near),
        .in_word   (packet),
        .can_push  (unused_send_can_push),
        .pop       (send_left),
        .out_valid (send_valid),
        .out_word  (send_packet)
    );

    wire             instr_ready;
    wire             instr_last;
    wire [TSV_W-1:0] instr_data;

    ${prefix}ndp_dies_beats #(
        .BEATS (INSTR_BEATS)
    ) instr_beats (
        .clk    (clk),
        .rst    (rst),
        .packet (${spare > 0 and "{" .. spare .. "'d0, send_packet}" or "send_packet"}),
        .valid  (send_valid),
        .ready  (instr_ready),
        .last   (instr_last),
        .data   (instr_data),
        .left   (send_left)
    );

    // ------------------------------------------------------------------
    // Moves

    wire             row_valid;
    wire             row_ready;
    wire             row_first;
    wire             row_last;
    wire             row_shift;
    wire             row_left;
    wire             row_pred;
    wire             ask_valid;
    wire             ask_ready;
    wire [TSV_W-1:0] move_beat;

    ${prefix}ndp_nbu_far_mover far_mover (
        .clk            (clk),
        .rst            (rst),
        .push           (act_move),
        .moves          (moves),
        .far_read_valid (far_read_valid),
        .far_read_ready (far_read_ready),
        .far_read_warp  (far_read_warp),
        .far_read_reg   (far_read_reg),
        .far_data_valid (far_data_valid),
        .far_data_row   (far_data_row),
        .row_ready      (row_valid),
        .row_pred       (row_pred),
        .ask_ready      (ask_valid),
        .beat           (move_beat),
        .beat_first     (row_first),
        .row_shift      (row_shift),
        .row_left       (row_left),
        .ask_left       (ask_valid && ask_ready)
    );

    ${prefix}ndp_dies_row row (
        .clk   (clk),
        .rst   (rst),
        .valid (row_valid),
        .ready (row_ready),
        .pred  (row_pred),
        .first (row_first),
        .last  (row_last),
        .shift (row_shift),
        .left  (row_left)
    );

    // ------------------------------------------------------------------
    // The cut

    wire             far_valid;
    wire [1:0]       far_kind;
    wire             far_first;
    wire             far_last;
    wire [TSV_W-1:0] far_data;
    wire             taken_row;
    wire             stall;
    wire              down_finished;
    wire              down_taken;
    wire [WARP_W-1:0] down_warp;
    wire [REG_W-1:0]  down_reg;
    wire              down_epoch;

    ${prefix}ndp_cut_base cut (
        .clk             (clk),
        .rst             (rst),
        .instr_valid     (send_valid),
        .instr_ready     (instr_ready),
        .instr_last      (instr_last),
        .instr_data      (instr_data),
        .row_valid       (row_valid),
        .row_ready       (row_ready),
        .row_last        (row_last),
        .row_data        (move_beat),
        .ask_valid       (ask_valid),
        .ask_ready       (ask_ready),
        .ask_data        (move_beat),
        .lsu_down_valid  (lsu_down_valid),
        .lsu_down_ready  (lsu_down_ready),
        .lsu_down_last   (lsu_down_last),
        .lsu_down_data   (lsu_down_data),
        .far_valid       (far_valid),
        .far_kind        (far_kind),
        .far_first       (far_first),
        .far_last        (far_last),
        .far_data        (far_data),
        .taken_row       (taken_row),
        .bus_stall       (stall),
        .delivered_valid (delivered),
        .delivered_warp  (delivered_warp),
        .moved_valid     (down_finished),
        .moved_ready     (down_taken),
        .moved_warp      (down_warp),
        .moved_reg       (down_reg),
        .moved_epoch     (down_epoch),
        .grant           (grant),
        .request         (request),
        .returns         (returns),
        .drives          (drives),
        .out             (out),
        .shared          (shared)
    );

    wire far_work = far_valid && far_kind == WORK;
    wire far_row  = far_valid && far_kind == ROW;
    wire far_lsu  = far_valid && far_kind == LSU;

    assign lsu_far_valid = far_lsu;
    assign lsu_far_last  = far_lsu && far_last;
    assign lsu_far_data  = far_lsu ? far_data : {TSV_W{1'b0}};

    // ------------------------------------------------------------------
    // Rows that come up

    wire             up_row_taken;
    wire             up_finished;
    wire             up_taken;
    wire [REG_W-1:0] up_reg;
    wire             up_epoch;

    ${prefix}ndp_nbu_landing far_landing (
        .clk          (clk),
        .rst          (rst),
        .beat_valid   (far_row),
        .beat_first   (far_first),
        .beat_last    (far_last),
        .beat_data    (far_data),
        .write_valid  (far_write_valid),
        .write_ready  (far_write_ready),
        .write_pred   (far_write_pred),
        .write_warp   (far_write_warp),
        .write_reg    (far_write_reg),
        .write_row    (far_write_row),
        .row_taken    (up_row_taken),
        .finished     (up_finished),
        .update_taken (up_taken),
        .move_reg     (up_reg),
        .move_epoch   (up_epoch)
    );

    assign taken_row = up_row_taken || up_taken;

    // ------------------------------------------------------------------
    // Updates of the track table, commit

    wire complete;

    ${prefix}ndp_nbu_update update (
        .clk             (clk),
        .rst             (rst),
        .init_done       (init_done),
        .far_done_valid  (far_done_valid),
        .far_done_ready  (far_done_ready),
        .far_done_warp   (far_done_warp),
        .far_done_tag    (far_done_tag),
        .far_done_ticket (far_done_ticket),
        .done_beat       (far_work),
        .done_last       (far_last),
        .done_data       (far_data${L.DONE_W < L.TSV_W and range(L.DONE_W) or ""}),
        .up_finished     (up_finished),
        .up_warp         (far_write_warp),
        .up_reg          (up_reg),
        .up_epoch        (up_epoch),
        .up_taken        (up_taken),
        .down_finished   (down_finished),
        .down_warp       (down_warp),
        .down_reg        (down_reg),
        .down_epoch      (down_epoch),
        .down_taken      (down_taken),
        .update_write    (update_write),
        .update_warp     (update_warp),
        .update_reg      (update_reg),
        .update_far      (update_far),
        .update_near     (update_near),
        .update_epoch    (update_epoch),
        .update_move     (update_move),
        .move_warp       (move_warp),
        .complete        (complete),
        .commit_valid    (commit_valid),
        .commit_near     (commit_near),
        .commit_warp     (commit_warp),
        .commit_tag      (commit_tag)
    );

    // ------------------------------------------------------------------
    // Registers.  Beats are counted where they stand in a register of this die.

    wire [1:0] out_kind = out[4:3];

    wire count_accepted      = accept;
    wire count_went_far      = act_go && !act_near;
    wire count_went_near     = act_go && act_near;
    wire count_committed     = complete;
    wire count_held          = act_hold;
    wire count_moved_down    = down_taken;
    wire count_moved_up      = up_taken;
    wire count_beats_instr   = drives && out_kind == WORK;
    wire count_beats_down    = drives && out_kind == ROW;
    wire count_beats_request = drives && out_kind == ASK;
    wire count_beats_up      = far_row;
    wire count_beats_done    = far_work;
    wire count_beats_lsu     = (drives && out_kind == LSU) || far_lsu;
    wire count_bus_stall     = stall;

    ${prefix}ndp_dies_regs regs (
        .clk                 (clk),
        .rst                 (rst),
        .wb_cyc              (wb_cyc),
        .wb_stb              (wb_stb),
        .wb_we               (wb_we),
        .wb_adr              (wb_adr),
        .wb_dat_w            (wb_dat_w),
        .wb_sel              (wb_sel),
        .wb_dat_r            (wb_dat_r),
        .wb_ack              (wb_ack),
        .policy              (policy),
${count_ports(19)}
    );

`ifdef FORMAL
`include "${prefix}ndp_dies_base_formal.vh"
`endif
endmodule

`default_nettype wire
