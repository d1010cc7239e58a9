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
//% if L.DONE_PACK > 1 then use "ndp_dies_unpack.v" end
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

${fragment("ndp_dies_wires.inc", {down = "output", up = "input "})}
);
${localparams("WARPS", "WARP_W", "REG_W", "LANES", "TSV_W", "TAG_W", "OP_W", "OPERAND_W", "INSTR_W", "INSTR_BEATS")}
//% if L.DONE_PACK > 1 then
${localparams("DONE_W")}
//% end

${fragment("ndp_dies_kinds.inc")}

${fragment("ndp_nbu_wires.inc")}
    wire              delivered; // the near pipeline has taken an instruction
    wire [WARP_W-1:0] delivered_warp;

${fragment("ndp_nbu_issue.inc", {
    near_taken = "delivered", near_warp = "delivered_warp", send_valid = "send_valid"})}

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

${fragment("ndp_nbu_moves.inc", {
    row_ready = "row_valid", row_pred = "row_pred", ask_ready = "ask_valid",
    beat = "move_beat", beat_first = "row_first", row_shift = "row_shift",
    row_left = "row_left", ask_left = "ask_valid && ask_ready"})}

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

${fragment("ndp_nbu_rows_up.inc", {
    beat_valid = "far_row", beat_first = "far_first", beat_last = "far_last",
    beat_data = "far_data"})}

    assign taken_row = up_row_taken || up_taken;

//% if L.DONE_PACK > 1 then
    wire              near_done; // a completion of those that come up
    wire [DONE_W-1:0] near_done_word;

    ${prefix}ndp_dies_unpack done_unpack (
        .clk        (clk),
        .rst        (rst),
        .beat       (far_work),
        .data       (far_data),
        .done_valid (near_done),
        .done_word  (near_done_word)
    );

${fragment("ndp_nbu_updates.inc", {
    done_beat = "near_done", done_last = "near_done", done_data = "near_done_word",
    down_warp = "down_warp"})}
//% else
${fragment("ndp_nbu_updates.inc", {
    done_beat = "far_work", done_last = "far_last",
    done_data = "far_data" .. (L.DONE_W < L.TSV_W and range(L.DONE_W) or ""),
    down_warp = "down_warp"})}
//% end

    // ------------------------------------------------------------------
    // Registers.  Beats are counted where they stand in a register of this die.

    wire [1:0] out_kind = out[4:3];

${fragment("ndp_nbu_registers.inc", {
    instr = "drives && out_kind == WORK", down = "drives && out_kind == ROW",
    request = "drives && out_kind == ASK", up = "far_row", done = "far_work",
    lsu = "(drives && out_kind == LSU) || far_lsu"})}

`ifdef FORMAL
`include "${prefix}ndp_dies_base_formal.vh"
`endif
endmodule

`default_nettype wire
