//% use "ndp_queue.v"
//% use "ndp_regs.v"
//% use "ndp_nbu_slots.v"
//% use "ndp_nbu_track.v"
//% use "ndp_nbu_decide.v"
//% use "ndp_nbu_update.v"
//% use "ndp_nbu_far_mover.v"
//% use "ndp_nbu_landing.v"
//% use "ndp_nbu_near.v"
//% use "ndp_nbu_tsv.v"
${header{title = "near-bank unit", text = [[
For a SIMT core on the base logic die of a 3D memory stack, which can execute
an instruction in its own pipeline (far) or in pipelines on the DRAM die (near):
decides where each instruction runs, tracks which register file has a valid copy
of each register, moves registers that are on the wrong side, and shares the
through-silicon vias between instructions, rows, completions and load-store
traffic.  One instance serves all warps of a core.

    issue -> slots -> decide -+-> far queue ---------------> far_exec
               ^      ^       +-> near send -> bus -> near -> near_exec
               |      |       +-> far mover -> bus -> near (rows both ways)
             update -> track  <- far_done, near completions, finished moves

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with <channel>_valid and <channel>_ready high;
fields are stable while valid and not ready.  Every output is a register or a
function of registers.  Fields are zero while their valid is low, except those
of far_write and near_write, which show the landing registers.

Latency: accept to far_exec_valid 5 edges without a wait.  One lookup, one
delivery on each side and one commit a cycle.  A row holds the bus for
]] .. L.ROW_BEATS + 2 .. [[ cycles with its turn.

See docs/blocks/nbu.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_nbu (
${ports()}
);
${localparams("WARPS", "WARP_W", "REG_W", "LANES", "TSV_W", "TAG_W", "OP_W", "OPERAND_W", "INSTR_W", "DONE_W")}

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
    wire              near_taken = near_exec_valid && near_exec_ready;

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
        .near_taken   (near_taken),
        .near_warp    (near_exec_warp)
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

    wire               send_ready;
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
        .out_valid (send_ready),
        .out_word  (send_packet)
    );

    // ------------------------------------------------------------------
    // Moves

    wire             next_first;
    wire             down_ready;
    wire             down_pred;
    wire             ask_ready;
    wire [TSV_W-1:0] down_beat;
    wire             down_shift;
    wire             down_left;
    wire             ask_left;

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
        .row_ready      (down_ready),
        .row_pred       (down_pred),
        .ask_ready      (ask_ready),
        .beat           (down_beat),
        .beat_first     (next_first),
        .row_shift      (down_shift),
        .row_left       (down_left),
        .ask_left       (ask_left)
    );

    wire [6:0]       bus_from; // source of the beat on the bus, one-hot
    wire             bus_first;
    wire [TSV_W-1:0] bus_data;

    wire             up_row_taken;
    wire             up_finished;
    wire             up_taken;
    wire [REG_W-1:0] up_reg;
    wire             up_epoch;

    ${prefix}ndp_nbu_landing far_landing (
        .clk          (clk),
        .rst          (rst),
        .beat_valid   (bus_from[3]),
        .beat_first   (bus_first),
        .beat_last    (tsv_last),
        .beat_data    (bus_data),
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

    // ------------------------------------------------------------------
    // The other die

    wire              done_ready;
    wire [DONE_W-1:0] done_packet;
    wire              done_left;
    wire              down_row_taken;
    wire              down_finished;
    wire              down_taken;
    wire [REG_W-1:0]  down_reg;
    wire              down_epoch;
    wire              ask_taken;
    wire              up_ready;
    wire              up_pred;
    wire [TSV_W-1:0]  up_beat;
    wire              up_shift;
    wire              up_left;

    ${prefix}ndp_nbu_near near (
        .clk              (clk),
        .rst              (rst),
        .instr_beat       (bus_from[0]),
        .row_beat         (bus_from[1]),
        .ask_beat         (bus_from[2]),
        .bus_first        (bus_first),
        .bus_last         (tsv_last),
        .bus_data         (bus_data),
        .near_exec_valid  (near_exec_valid),
        .near_exec_ready  (near_exec_ready),
        .near_exec_packet ({near_exec_ticket, near_exec_dst, near_exec_guard,
                            near_exec_src2, near_exec_src1, near_exec_src0,
                            near_exec_mask, near_exec_op, near_exec_tag,
                            near_exec_warp}),
        .near_done_valid  (near_done_valid),
        .near_done_ready  (near_done_ready),
        .near_done_packet ({near_done_ticket, near_done_tag, near_done_warp}),
        .done_ready       (done_ready),
        .done_packet      (done_packet),
        .done_left        (done_left),
        .near_write_valid (near_write_valid),
        .near_write_ready (near_write_ready),
        .near_write_pred  (near_write_pred),
        .near_write_warp  (near_write_warp),
        .near_write_reg   (near_write_reg),
        .near_write_row   (near_write_row),
        .row_taken        (down_row_taken),
        .down_finished    (down_finished),
        .down_taken       (down_taken),
        .down_reg         (down_reg),
        .down_epoch       (down_epoch),
        .near_read_valid  (near_read_valid),
        .near_read_ready  (near_read_ready),
        .near_read_warp   (near_read_warp),
        .near_read_reg    (near_read_reg),
        .near_data_valid  (near_data_valid),
        .near_data_row    (near_data_row),
        .ask_taken        (ask_taken),
        .up_ready         (up_ready),
        .up_pred          (up_pred),
        .up_beat          (up_beat),
        .up_first         (next_first),
        .up_shift         (up_shift),
        .up_left          (up_left)
    );

    // ------------------------------------------------------------------
    // TSV bus

    wire stall;

    ${prefix}ndp_nbu_tsv tsv (
        .clk            (clk),
        .rst            (rst),
        .send_ready     (send_ready),
        .send_packet    (send_packet),
        .send_left      (send_left),
        .send_credit    (near_taken),
        .down_ready     (down_ready),
        .down_pred      (down_pred),
        .ask_ready      (ask_ready),
        .down_beat      (down_beat),
        .down_shift     (down_shift),
        .down_left      (down_left),
        .ask_left       (ask_left),
        .down_done      (down_row_taken || down_taken),
        .ask_credit     (ask_taken),
        .up_ready       (up_ready),
        .up_pred        (up_pred),
        .up_beat        (up_beat),
        .up_shift       (up_shift),
        .up_left        (up_left),
        .up_done        (up_row_taken || up_taken),
        .done_ready     (done_ready),
        .done_packet    (done_packet),
        .done_left      (done_left),
        .lsu_down_valid (lsu_down_valid),
        .lsu_down_ready (lsu_down_ready),
        .lsu_down_last  (lsu_down_last),
        .lsu_down_data  (lsu_down_data),
        .lsu_up_valid   (lsu_up_valid),
        .lsu_up_ready   (lsu_up_ready),
        .lsu_up_last    (lsu_up_last),
        .lsu_up_data    (lsu_up_data),
        .tsv_valid      (tsv_valid),
        .tsv_kind       (tsv_kind),
        .tsv_last       (tsv_last),
        .bus_from       (bus_from),
        .bus_first      (bus_first),
        .bus_data       (bus_data),
        .next_first     (next_first),
        .stall          (stall)
    );

    assign lsu_near_valid = bus_from[5];
    assign lsu_near_last  = bus_from[5] && tsv_last;
    assign lsu_near_data  = bus_from[5] ? bus_data : {TSV_W{1'b0}};
    assign lsu_far_valid  = bus_from[6];
    assign lsu_far_last   = bus_from[6] && tsv_last;
    assign lsu_far_data   = bus_from[6] ? bus_data : {TSV_W{1'b0}};

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
        .done_beat       (bus_from[4]),
        .done_last       (tsv_last),
        .done_data       (bus_data${L.DONE_W < L.TSV_W and "[DONE_W-1:0]" or ""}),
        .up_finished     (up_finished),
        .up_warp         (far_write_warp),
        .up_reg          (up_reg),
        .up_epoch        (up_epoch),
        .up_taken        (up_taken),
        .down_finished   (down_finished),
        .down_warp       (near_write_warp),
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
    // Registers

    wire count_accepted      = accept;
    wire count_went_far      = act_go && !act_near;
    wire count_went_near     = act_go && act_near;
    wire count_committed     = complete;
    wire count_held          = act_hold;
    wire count_moved_down    = down_taken;
    wire count_moved_up      = up_taken;
    wire count_beats_instr   = bus_from[0];
    wire count_beats_down    = bus_from[1];
    wire count_beats_request = bus_from[2];
    wire count_beats_up      = bus_from[3];
    wire count_beats_done    = bus_from[4];
    wire count_beats_lsu     = bus_from[5] || bus_from[6];
    wire count_bus_stall     = stall;

    ${prefix}ndp_nbu_regs regs (
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
${checks()}
endmodule

`default_nettype wire
