//% use "ndp_frontend_control_formal.vh"
//% local AT = pad(range(L.TAG_W), 6)
//% local AN = pad(range(L.LANES), 6)
//% local AD = pad(range(L.DEPTH_W), 6)
${header{title = "front end: control", text = [[
What a word of class control does with its warp, once its active lanes are known:
branches, the end of lanes, barriers that may not be, and pc + 1 of the others.

    X: warp, lanes, word -> new state of the warp, a push, a fault

Latency: none; the warp has its new state on the edge with valid.

See docs/blocks/simt.md, Control.]]}}
`default_nettype none

module ${prefix}ndp_frontend_control (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high

    // stage X
    input  wire        valid,      // it holds a word
    input  wire ${AN} lanes,      // active lanes
    input  wire [7:0]  x_op,       // operation
    input  wire ${AT} x_target,   // target of a branch
    input  wire ${AT} x_join,     // its join
    input  wire        x_no_join,  // it has none

    // the warp
    input  wire ${AT} x_pc,       // the word's place
    input  wire ${AN} mask,       // lanes that execute
    input  wire ${AN} gone,       // lanes that do not any more
    input  wire ${AT} meet,       // of the top of its stack
    input  wire ${AD} depth,      // entries below that

    // its new state
    output wire        update,     // these are the warp's:
    output reg  ${AT} new_pc,     // pc
    output reg  ${AN} new_mask,   // lanes that execute
    output reg  ${AN} new_gone,   // lanes that do not any more
    output reg  ${AT} new_join,   // of the top of its stack
    output reg  ${AD} new_depth,  // entries below that
    output wire        push,       // an entry goes onto its stack
    output wire ${pad(range(L.ENTRY_W), 6)} entry,      // {mask, else_mask, join, else_pc}
    output wire        stops,      // it is at a barrier
    output wire        fences,     // it waits for what has not committed
    output reg  [3:0]  fault,      // cause, 0: none
    output reg         count_diverged // the warp diverged
);
${localparams("LANES", "PC_W", "STACK", "DEPTH_W")}

    localparam [7:0] EXIT   = ${op "exit"};
    localparam [7:0] BRA    = ${op "bra"};
    localparam [7:0] BAR    = ${op "bar"};
    localparam [7:0] MEMBAR = ${op "membar"};
    localparam [7:0] TRAP   = ${op "trap"};

    localparam [3:0] OVERFLOW = 4'd4; // causes
    localparam [3:0] NO_JOIN  = 4'd5;
    localparam [3:0] BARRIER  = 4'd6;
    localparam [3:0] TRAPPED  = 4'd7;

    wire             x_control = 1'b1; // nothing else comes here
    wire [LANES-1:0] t    = lanes;
    wire [LANES-1:0] n    = mask & ~t; // lanes that execute and are not active
    wire             some = t != {LANES{1'b0}};
    wire             all  = n == {LANES{1'b0}};

${fragment("ndp_simt_flow.inc", {does = "valid", init = ""})}

    assign stops  = update && x_op == BAR;
    assign fences = update && x_op == MEMBAR;

`ifdef FORMAL
`include "${prefix}ndp_frontend_control_formal.vh"
`endif
endmodule

`default_nettype wire
