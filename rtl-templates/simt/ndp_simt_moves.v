//% use "ndp_simt_moves_formal.vh"
//% local AW = pad(range(L.WARP_W), 6)
//% local AV = pad(range(L.WARPS), 6)
//% local AP = pad(range(L.PC_W), 6)
//% local AT = pad(range(L.TICKETS), 6)
${header{title = "SIMT core: blocks that leave and come", text = [[
Which marked words are offered, which warps are guests from other cores and where
they end, which register of a warp somebody looks at, and the least time between two
instructions.

    mark -> offer, unless the warp is alone or a guest
    spawn -> guest -> at its end, owes nothing -> over

Latency: changes stand after their edge.

See docs/blocks/simt.md, Blocks.]]}}
`default_nettype none

module ${prefix}ndp_simt_moves (
    input  wire        clk,         // clock
    input  wire        rst,         // synchronous reset, active high

    // an instruction in stage F
    input  wire ${AW} f_warp,      // of this warp
    input  wire        f_mark,      // it is marked
    input  wire        accepted,    // it is in D after this edge
    output wire        offer,       // it is to be offered,
    output wire        unsettled,   // but its warp has requests under way,
    output wire        unready,     // or registers that are not there yet

    // a warp that begins, and how one goes on
    input  wire        init_done,   // a warp is released for the first time:
    input  wire ${AW} init_warp,   // which
    input  wire        go,          // a warp goes on:
    input  wire ${AW} go_warp,     // which
    input  wire        go_alone,    // it executes its block by itself

    // what warps owe
    input  wire ${AV} busy,        // warps with accesses or requests
    input  wire ${AT} used,        // tickets that hold a register
    input  wire ${range(L.TICKETS * L.WARP_W)} used_warps,  // of these warps

    // guests
    input  wire        spawn_valid, // a warp comes:
    input  wire ${AW} spawn_warp,  // which
    input  wire ${AP} spawn_end,   // where it ends
    input  wire ${AV} chained,     // warps that stand
    output wire ${AV} guests,      // warps that have come
    output wire ${AV} gone,        // the guest that is idle after this edge
    input  wire ${AW} o_warp,      // of this warp
    output wire        o_guest,     // whether it is a guest
    output wire ${AP} o_end,       // and where it ends
    input  wire ${AW} pop_warp,    // and of this one
    output wire        pop_guest,   //
    output wire ${AP} pop_end,     //
    output reg         over_valid,  // a guest is at its end
    input  wire        over_ready,  // that is taken
    output reg  ${AW} over_warp,   // which

    // registers of warps that stand
    input  wire        look_valid,  // one is to be read
    output wire        look_ready,  // taken
    input  wire ${AW} look_warp,   // of this warp
    input  wire        look_pred,   // it is a predicate
    input  wire [5:0]  look_reg,    // its number
    output reg         held,        // one waits for its turn
    output reg  ${AW} held_warp,   //
    output reg         held_pred,   //
    output reg  [5:0]  held_reg,    //
    input  wire        held_taken,  // it is selected

    // pace
    input  wire [7:0]  pace,        // edges between two instructions
    input  wire        take_warp,   // one is selected
    output wire        paced        // none may be
);
${localparams("WARPS", "TICKETS", "WARP_W", "PC_W")}

    wire [WARPS-1:0] one = {{(WARPS-1){1'b0}}, 1'b1};

    // ------------------------------------------------------------------
    // Marks

    reg [WARPS-1:0] alone; // warps that execute their block by themselves
    reg [WARPS-1:0] pend;  // warps with registers that are not there yet

    integer t;

    always @* begin
        pend = {WARPS{1'b0}};
        for (t = 0; t < TICKETS; t = t + 1)
            if (used[t])
                pend[used_warps[t*WARP_W +: WARP_W]] = 1'b1;
    end

    assign offer     = f_mark && !alone[f_warp] && !guests[f_warp];
    assign unsettled = offer && busy[f_warp];
    assign unready   = offer && pend[f_warp];

    wire over = accepted && f_mark && !offer; // the marked word is behind it

    integer w;

    always @(posedge clk) begin
        for (w = 0; w < WARPS; w = w + 1)
            if (go && go_warp == w[WARP_W-1:0])
                alone[w] <= go_alone;
            else if ((over && f_warp == w[WARP_W-1:0]) ||
                     (spawn_valid && spawn_warp == w[WARP_W-1:0]) ||
                     (init_done && init_warp == w[WARP_W-1:0]))
                alone[w] <= 1'b0;
    end

    // ------------------------------------------------------------------
    // Guests

    reg [WARPS-1:0]      is_guest;
    reg [WARPS*PC_W-1:0] ends;

    wire [WARPS-1:0] spawned = (one << spawn_warp) & {WARPS{spawn_valid}};
    wire             left    = over_valid && over_ready;

    assign guests = is_guest;
    assign gone   = (one << over_warp) & {WARPS{left}};

    always @(posedge clk) begin
        if (rst)
            is_guest <= {WARPS{1'b0}};
        else
            is_guest <= (is_guest & ~gone) | spawned;
    end

    integer e;

    always @(posedge clk) begin
        for (e = 0; e < WARPS; e = e + 1)
            if (spawned[e])
                ends[e*PC_W +: PC_W] <= spawn_end;
    end

    assign o_guest   = is_guest[o_warp];
    assign o_end     = ends[o_warp*PC_W +: PC_W];
    assign pop_guest = is_guest[pop_warp];
    assign pop_end   = ends[pop_warp*PC_W +: PC_W];

    wire [WARPS-1:0]  first;
    wire [WARP_W-1:0] index;

    ${prefix}ndp_lowest #(
        .N       (WARPS),
        .INDEX_W (WARP_W)
    ) lowest (
        .set   (is_guest & chained & ~busy & ~pend),
        .first (first),
        .index (index)
    );

    wire done = first != {WARPS{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            over_valid <= 1'b0;
            over_warp  <= {WARP_W{1'b0}};
        end else if (!over_valid) begin
            over_valid <= done;
            over_warp  <= index & {WARP_W{done}};
        end else if (over_ready) begin
            over_valid <= 1'b0;
            over_warp  <= {WARP_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Registers that are looked at

    assign look_ready = !held;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else
            held <= (look_valid && !held) || (held && !held_taken);
    end

    always @(posedge clk) begin
        if (look_valid && !held) begin
            held_warp <= look_warp;
            held_pred <= look_pred;
            held_reg  <= look_pred ? {3'd0, look_reg[2:0]} : ${L.REGS < 64 and "{" .. 6 - clog2(L.REGS) .. "'d0, look_reg[" .. clog2(L.REGS) - 1 .. ":0]}" or "look_reg"};
        end
    end

    // ------------------------------------------------------------------
    // Pace

    reg [7:0] left_edges; // until a warp may be selected

    assign paced = left_edges != 8'd0;

    always @(posedge clk) begin
        if (rst)
            left_edges <= 8'd0;
        else if (take_warp && pace != 8'd0)
            left_edges <= pace - 8'd1;
        else if (paced)
            left_edges <= left_edges - 8'd1;
    end
//% if L.REGS < 64 then

    wire unused = &{1'b0, look_reg[5:${clog2(L.REGS)}]};
//% end

`ifdef FORMAL
`include "${prefix}ndp_simt_moves_formal.vh"
`endif
endmodule

`default_nettype wire
