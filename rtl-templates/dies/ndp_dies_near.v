//% use "ndp_nbu_near.v"
//% use "ndp_dies_beats.v"
//% use "ndp_dies_row.v"
//% if L.DONE_PACK > 1 then use "ndp_dies_pack.v" end
//% use "ndp_cut_dram.v"
//% use "ndp_dies_near_formal.vh"
//% local shown = L.DONE_PACK > 1 and "done_shown" or "done_valid"
//% local spare = L.DONE_BEATS * L.TSV_W - L.DONE_W
${header{title = "near-bank unit: the DRAM die", text = [[
All of the near-bank unit that stands beside the banks, and its side of the cut:
instructions, rows and row requests come in, and completions and rows go out.

What the base die has to know of it are three wires: an instruction was delivered, a
row request has left its queue, a row is in the near register file.

Handshake: as in ndp_dies, whose ports of this die these are.

Latency: a beat is looked at two edges after the base die has given it.]]}}
`default_nettype none

module ${prefix}ndp_dies_near (
${die_ports(of_dram)}

${fragment("ndp_dies_wires.inc", {down = "input ", up = "output"})}
);
${localparams("REG_W", "TSV_W", "DONE_W")}
//% if L.DONE_PACK == 1 then
${localparams("DONE_BEATS")}
//% end

${fragment("ndp_dies_kinds.inc")}

    wire             come_valid; // a beat has come
    wire [1:0]       come_kind;
    wire             come_first;
    wire             come_last;
    wire [TSV_W-1:0] come_data;

    // ------------------------------------------------------------------
    // Queues, landing register, mover

    wire              done_valid;
    wire              done_ready;
    wire [DONE_W-1:0] done_packet;
    wire              done_left;
    wire              up_valid;
    wire              up_ready;
    wire              up_pred;
    wire [TSV_W-1:0]  up_data;
    wire              up_first;
    wire              up_last;
    wire              up_shift;
    wire              up_left;
    wire              ask_taken;
    wire              finished;         // the base die tracks the move, by the
    wire              unused_row_taken; // header that it has, too
    wire [REG_W-1:0]  unused_reg;
    wire              unused_epoch;

${fragment("ndp_nbu_near_side.inc", {
    instr_beat = "come_valid && come_kind == WORK",
    row_beat = "come_valid && come_kind == ROW",
    ask_beat = "come_valid && come_kind == ASK", bus_first = "come_first",
    bus_last = "come_last", bus_data = "come_data", done_ready = "done_valid",
    row_taken = "unused_row_taken", down_finished = "finished", down_taken = "finished",
    down_reg = "unused_reg", down_epoch = "unused_epoch", up_ready = "up_valid",
    up_beat = "up_data", up_first = "up_first"})}

    // ------------------------------------------------------------------
    // What goes up, in beats

    wire             done_last;
    wire [TSV_W-1:0] done_data;

//% if L.DONE_PACK > 1 then
    wire done_shown; // a packet of completions

    ${prefix}ndp_dies_pack done_pack (
        .clk        (clk),
        .rst        (rst),
        .done_valid (done_valid),
        .done_word  (done_packet),
        .done_taken (done_left),
        .valid      (done_shown),
        .ready      (done_ready),
        .data       (done_data)
    );

    assign done_last = 1'b1;
//% else
    ${prefix}ndp_dies_beats #(
        .BEATS (DONE_BEATS)
    ) done_beats (
        .clk    (clk),
        .rst    (rst),
        .packet (${spare > 0 and "{" .. spare .. "'d0, done_packet}" or "done_packet"}),
        .valid  (done_valid),
        .ready  (done_ready),
        .last   (done_last),
        .data   (done_data),
        .left   (done_left)
    );
//% end

    ${prefix}ndp_dies_row row (
        .clk   (clk),
        .rst   (rst),
        .valid (up_valid),
        .ready (up_ready),
        .pred  (up_pred),
        .first (up_first),
        .last  (up_last),
        .shift (up_shift),
        .left  (up_left)
    );

    // ------------------------------------------------------------------
    // The cut

    wire back_instr = near_exec_valid && near_exec_ready;
    wire back_row   = near_write_valid && near_write_ready;

    ${prefix}ndp_cut_dram cut (
        .clk          (clk),
        .rst          (rst),
        .near_valid   (come_valid),
        .near_kind    (come_kind),
        .near_first   (come_first),
        .near_last    (come_last),
        .near_data    (come_data),
        .up_valid     (up_valid),
        .up_ready     (up_ready),
        .up_last      (up_last),
        .up_data      (up_data),
        .done_valid   (${shown}),
        .done_ready   (done_ready),
        .done_last    (done_last),
        .done_data    (done_data),
        .lsu_up_valid (lsu_up_valid),
        .lsu_up_ready (lsu_up_ready),
        .lsu_up_last  (lsu_up_last),
        .lsu_up_data  (lsu_up_data),
        .back_instr   (back_instr),
        .back_ask     (ask_taken),
        .back_row     (back_row),
        .grant        (grant),
        .request      (request),
        .returns      (returns),
        .drives       (drives),
        .out          (out),
        .shared       (shared)
    );

    wire come_lsu = come_valid && come_kind == LSU;

    assign lsu_near_valid = come_lsu;
    assign lsu_near_last  = come_lsu && come_last;
    assign lsu_near_data  = come_lsu ? come_data : {TSV_W{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_dies_near_formal.vh"
`endif
endmodule

`default_nettype wire
