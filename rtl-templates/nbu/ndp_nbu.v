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

${fragment("ndp_nbu_wires.inc")}
    wire              near_taken = near_exec_valid && near_exec_ready;

${fragment("ndp_nbu_issue.inc", {
    near_taken = "near_taken", near_warp = "near_exec_warp", send_valid = "send_ready"})}

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

${fragment("ndp_nbu_moves.inc", {
    row_ready = "down_ready", row_pred = "down_pred", ask_ready = "ask_ready",
    beat = "down_beat", beat_first = "next_first", row_shift = "down_shift",
    row_left = "down_left", ask_left = "ask_left"})}

    wire [6:0]       bus_from; // source of the beat on the bus, one-hot
    wire             bus_first;
    wire [TSV_W-1:0] bus_data;

${fragment("ndp_nbu_rows_up.inc", {
    beat_valid = "bus_from[3]", beat_first = "bus_first", beat_last = "tsv_last",
    beat_data = "bus_data"})}

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

${fragment("ndp_nbu_near_side.inc", {
    instr_beat = "bus_from[0]", row_beat = "bus_from[1]", ask_beat = "bus_from[2]",
    bus_first = "bus_first", bus_last = "tsv_last", bus_data = "bus_data",
    done_ready = "done_ready", row_taken = "down_row_taken",
    down_finished = "down_finished", down_taken = "down_taken", down_reg = "down_reg",
    down_epoch = "down_epoch", up_ready = "up_ready", up_beat = "up_beat",
    up_first = "next_first"})}

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

${fragment("ndp_nbu_updates.inc", {
    done_beat = "bus_from[4]", done_last = "tsv_last",
    done_data = "bus_data" .. (L.DONE_W < L.TSV_W and "[DONE_W-1:0]" or ""),
    down_warp = "near_write_warp"})}

    // ------------------------------------------------------------------
    // Registers

${fragment("ndp_nbu_registers.inc", {
    instr = "bus_from[0]", down = "bus_from[1]", request = "bus_from[2]",
    up = "bus_from[3]", done = "bus_from[4]", lsu = "bus_from[5] || bus_from[6]"})}
${checks()}
endmodule

`default_nettype wire
