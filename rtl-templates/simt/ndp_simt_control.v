//% use "ndp_simt_control_formal.vh"
//% local P, A, N = L.PASSES, L.ALUS, L.LANES
//% local AP = pad(range(L.PC_W), 6)
//% local AN = pad(range(N), 6)
//% local AD = pad(range(L.DEPTH_W), 6)
${header{title = "SIMT core: control", text = [[
What an instruction does with its warp: branches, the end of lanes, barriers that
may not be, and pc + 1 of all others.  The lanes of its passes are gathered; with
the last one it is carried out.

    X1: gather, decide -> X2: what comes of the warp

Latency: the warp's new state, and a push, stand on the edge on which the last pass
leaves X1; after, what the release will do, while that pass is in X2.

See docs/blocks/simt.md, Control.]]}}
`default_nettype none

module ${prefix}ndp_simt_control (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high
    input  wire        hold,       // the pipe stands still

    // stage X1
    input  wire        x_valid,    // it holds something
    input  wire [1:0]  x_kind,     // 0 instruction, 1 return, 2 init, 3 read
    input  wire        x_last,     // its last pass
${P > 1 and "    input  wire " .. pad(range(L.PASS_W), 6) .. " x_pass,     // which pass" or ""}
    input  wire ${pad(vec(A), 6)} x_active,   // active lanes
    input  wire        x_control,  // it has to do with the flow of the warp
    input  wire [7:0]  x_op,       // operation
//% if L.OFFERS == 1 then
    input  wire        x_offer,    // it is offered,
    input  wire        x_next,     // and its warp ${L.BUILDS == 1 and "is at the next word already" or "stays where it is"}
//% end
    input  wire ${AP} x_pc,       // instruction; entry of an init
    input  wire ${AP} x_target,   // target of a branch
    input  wire ${AP} x_join,     // its join
    input  wire        x_no_join,  // it has none

    // the warp
    input  wire ${AN} mask,       // lanes that execute
    input  wire ${AN} gone,       // lanes that do not any more
    input  wire ${AP} meet,       // of the top of its stack
    input  wire ${AD} depth,      // entries below that
//% if L.MOVES == 1 then
    input  wire        guest,      // it has come from another core,
    input  wire ${AP} guest_end,  // and ends here
//% end

    // its new state
    output wire        update,     // these are the warp's:
    output reg  ${AP} new_pc,     // pc
    output reg  ${AN} new_mask,   // lanes that execute
    output reg  ${AN} new_gone,   // lanes that do not any more
    output reg  ${AP} new_join,   // of the top of its stack
    output reg  ${AD} new_depth,  // entries below that
    output wire        push,       // an entry goes onto its stack
    output wire ${pad(range(L.ENTRY_W), 6)} entry,      // {mask, else_mask, join, else_pc}
    output reg  [3:0]  fault,      // cause, 0: none
    output reg         count_diverged, // the warp diverged

    // stage X2
    output wire [3:0]  after       // what the release does, see below
);
${localparams("LANES", "PC_W", "STACK", "DEPTH_W")}

    localparam [1:0] INSTRUCTION = 2'd0;
    localparam [1:0] INIT        = 2'd2;

    localparam [7:0] EXIT   = ${op "exit"};
    localparam [7:0] BRA    = ${op "bra"};
    localparam [7:0] BAR    = ${op "bar"};
    localparam [7:0] MEMBAR = ${op "membar"};
    localparam [7:0] TRAP   = ${op "trap"};

    localparam [3:0] OVERFLOW = 4'd4; // causes
    localparam [3:0] NO_JOIN  = 4'd5;
    localparam [3:0] BARRIER  = 4'd6;
    localparam [3:0] TRAPPED  = 4'd7;

    // ------------------------------------------------------------------
    // Lanes of all passes

//% if P > 1 then
    reg  [LANES-1:0] gathered; // of the passes before
    wire [LANES-1:0] here = {{(LANES-${A}){1'b0}}, x_active} << (x_pass * ${A});
    wire [LANES-1:0] t    = gathered | here; // lanes that are active

    always @(posedge clk) begin
        if (rst || (x_valid && x_last && !hold))
            gathered <= {LANES{1'b0}};
        else if (x_valid && !hold)
            gathered <= t;
    end
//% else
    wire [LANES-1:0] t = x_active; // lanes that are active
//% end

    wire [LANES-1:0] n    = mask & ~t; // lanes that execute and are not
    wire             some = t != {LANES{1'b0}};
    wire             all  = n == {LANES{1'b0}};

    // ------------------------------------------------------------------
    // Decide

${fragment("ndp_simt_flow.inc", {init = "x_kind == INIT",
    does = "x_valid && x_last && !hold &&" .. (L.OFFERS == 1 and " !x_next &&" or "") .. "\n                  (x_kind == INSTRUCTION || x_kind == INIT)"})}

    // ------------------------------------------------------------------
    // What the release will do: bit 3 a barrier, bit 2 a membar, bit 1 a pop
    // (after those), bit 0 nothing is left.  None: the warp is ready.${L.OFFERS == 1 and " Bits 3 and 2: in chain." or ""}

    reg            some_2;   // lanes are left
    reg            nested_2; // there are entries
    reg [PC_W-1:0] pc_2;
    reg [PC_W-1:0] join_2;
    reg            bar_2;
    reg            membar_2;
//% if L.MOVES == 1 then
    reg            guest_2;
    reg [PC_W-1:0] end_2;
//% end

    always @(posedge clk) begin
        if (!hold) begin
            some_2   <= fine ? new_mask != {LANES{1'b0}} : mask != {LANES{1'b0}};
            nested_2 <= fine ? new_depth != {DEPTH_W{1'b0}} : nested;
            pc_2     <= fine ? new_pc : x_pc;
            join_2   <= fine ? new_join : meet;
//% if L.MOVES == 1 then
            guest_2  <= guest;
            end_2    <= guest_end;
//% end
//% if L.OFFERS == 1 then
            bar_2    <= x_offer || (x_control && x_op == BAR);
            membar_2 <= x_offer || (x_control && x_op == MEMBAR);
//% else
            bar_2    <= x_control && x_op == BAR;
            membar_2 <= x_control && x_op == MEMBAR;
//% end
        end
    end

    wire over = !some_2 || (nested_2 && pc_2 == join_2);

//% if L.MOVES == 1 then
    wire stands = guest_2 && some_2 && !nested_2 && pc_2 == end_2 && !bar_2 &&
                  !membar_2; // a guest at its end

    assign after = {bar_2 || stands, membar_2 || stands, over && nested_2,
                    over && !nested_2};
//% else
    assign after = {bar_2, membar_2, over && nested_2, over && !nested_2};
//% end

`ifdef FORMAL
`include "${prefix}ndp_simt_control_formal.vh"
`endif
endmodule

`default_nettype wire
