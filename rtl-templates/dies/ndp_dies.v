//% use "ndp_dies_base.v"
//% use "ndp_dies_near.v"
//% use "ndp_cut_wires.v"
${header{title = "near-bank unit over the cut between the dies", text = [[
The near-bank unit as two modules, a die each, which meet over ]] .. L.SHARED_W + 8 .. [[ wires beside clock
and reset:

    shared   a beat, and what it is, from the die that has the bus
    grant    to the DRAM die: begin a run, a source waits, there is room for a row
    request  to the base die: a source waits, the run has ended
    returns  to the base die: places that have become free

Each leaves a register and goes into one.  Who builds two chips takes ndp_dies_base
and ndp_dies_near.

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with <channel>_valid and <channel>_ready high;
fields are stable while valid and not ready.  Every output is a register or a
function of registers.  Fields are zero while their valid is low, except those
of far_write and near_write, which show the landing registers.

Latency: accept to far_exec_valid 5 edges without a wait.  A row holds the bus for
]] .. L.ROW_BEATS + 2 .. [[ cycles down with its turn, and three more up.

See docs/blocks/dies.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_dies (
${ports()}
);
${localparams("SHARED_W")}

${fragment("ndp_cut_nets.inc", {dram = "near"})}

    ${prefix}ndp_dies_base base (
        .clk             (clk),
        .rst             (rst),
${die_pins(of_base)}
        .grant           (grant),
        .request         (request),
        .returns         (returns),
        .drives          (base_drives),
        .out             (base_out),
        .shared          (shared)
    );

    ${prefix}ndp_dies_near near (
        .clk             (clk),
        .rst             (rst),
${die_pins(of_dram)}
        .grant           (grant),
        .request         (request),
        .returns         (returns),
        .drives          (near_drives),
        .out             (near_out),
        .shared          (shared)
    );

    ${prefix}ndp_cut_wires wires (
        .base_drives (base_drives),
        .base_out    (base_out),
        .dram_drives (near_drives),
        .dram_out    (near_out),
        .shared      (shared)
    );

    // What the wires carry, by the number of its source.
    wire [1:0] kind = shared[4:3];

    assign tsv_valid = shared[0];
    assign tsv_last  = shared[2];
    assign tsv_kind  = near_drives ? {kind != 2'd1, kind[0], kind == 2'd1}
                                   : {kind == 2'd3, kind == 2'd2, kind[0]};
${checks()}
endmodule

`default_nettype wire
