//% use "ndp_cut_base.v"
//% use "ndp_cut_dram.v"
//% use "ndp_cut_wires.v"
//% use "ndp_cut_formal.vh"
${header{title = "registered cut between the dies", text = [[
What a core's two dies say to each other, over ]] .. L.WIRES .. [[ wires beside clock and reset:

    shared   a beat, and what it is, from the die that has the bus
    grant    to the DRAM die: begin a run, a source waits, there is room for a row
    request  to the base die: a source waits, the run has ended
    returns  to the base die: places that have become free

Each leaves a register and goes into one.  A module on each side; who builds two
chips takes ndp_cut_base and ndp_cut_dram.

Latency: a beat is at near or far two edges after it was taken.

See docs/blocks/cut.md.]]}}
`default_nettype none

module ${prefix}ndp_cut (
${ports()}
);
${localparams("SHARED_W")}

${fragment("ndp_cut_nets.inc", {dram = "dram"})}

    ${prefix}ndp_cut_base base (
        .clk             (clk),
        .rst             (rst),
        .instr_valid     (instr_valid),
        .instr_ready     (instr_ready),
        .instr_last      (instr_last),
        .instr_data      (instr_data),
        .row_valid       (row_valid),
        .row_ready       (row_ready),
        .row_last        (row_last),
        .row_data        (row_data),
        .ask_valid       (ask_valid),
        .ask_ready       (ask_ready),
        .ask_data        (ask_data),
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
        .bus_stall       (bus_stall),
        .delivered_valid (delivered_valid),
        .delivered_warp  (delivered_warp),
        .moved_valid     (moved_valid),
        .moved_ready     (moved_ready),
        .moved_warp      (moved_warp),
        .moved_reg       (moved_reg),
        .moved_epoch     (moved_epoch),
        .grant           (grant),
        .request         (request),
        .returns         (returns),
        .drives          (base_drives),
        .out             (base_out),
        .shared          (shared)
    );

    ${prefix}ndp_cut_dram dram (
        .clk          (clk),
        .rst          (rst),
        .near_valid   (near_valid),
        .near_kind    (near_kind),
        .near_first   (near_first),
        .near_last    (near_last),
        .near_data    (near_data),
        .up_valid     (up_valid),
        .up_ready     (up_ready),
        .up_last      (up_last),
        .up_data      (up_data),
        .done_valid   (done_valid),
        .done_ready   (done_ready),
        .done_last    (done_last),
        .done_data    (done_data),
        .lsu_up_valid (lsu_up_valid),
        .lsu_up_ready (lsu_up_ready),
        .lsu_up_last  (lsu_up_last),
        .lsu_up_data  (lsu_up_data),
        .back_instr   (back_instr),
        .back_ask     (back_ask),
        .back_row     (back_row),
        .grant        (grant),
        .request      (request),
        .returns      (returns),
        .drives       (dram_drives),
        .out          (dram_out),
        .shared       (shared)
    );

    ${prefix}ndp_cut_wires wires (
        .base_drives (base_drives),
        .base_out    (base_out),
        .dram_drives (dram_drives),
        .dram_out    (dram_out),
        .shared      (shared)
    );

    assign tsv_valid = shared[0];
    assign tsv_last  = shared[2];
    assign tsv_kind  = shared[4:3];
    assign tsv_up    = dram_drives;

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_cut_formal.vh"
`endif
endmodule

`default_nettype wire
