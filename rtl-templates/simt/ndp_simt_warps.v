//% use "ndp_ram.v"
//% use "ndp_lowest.v"
//% use "ndp_simt_warps_formal.vh"
//% local AW = pad(range(L.WARP_W), 6)
//% local AV = pad(range(L.WARPS), 6)
//% local AP = pad(range(L.PC_W), 6)
//% local AN = pad(range(L.LANES), 6)
//% local AD = pad(range(L.DEPTH_W), 6)
//% local OFFERS = L.OFFERS == 1
//% local BUILDS, MOVES = L.BUILDS == 1, L.MOVES == 1
${header{title = "SIMT core: states of warps", text = [[
A warp is idle, ready, in flight, waiting for a resource, at a barrier, at a membar,
or to be popped: a bit a warp for each but idle.  Beside that its pc, its lanes and
its stack, of which only the top is here and the rest in memory.

    ready -> flight -> ready, wait, barrier, membar, pop, idle
    wait -> ready        when a ticket or an access buffer becomes free
    barrier, membar -> ready, pop]] .. (L.BUILDS == 1 and [[

    flight -> ready      when the next word of its chain follows
    flight -> chain -> ready, pop]] or "") .. (L.MOVES == 1 and [[

    flight -> membar     at a mark, with requests under way
    flight -> chain -> ready, pop     while its block is elsewhere
    idle -> ready        as a guest; flight, pop -> chain -> idle at its end]] or "") .. [[

    pop -> ready, pop, idle

Latency: every change stands after its edge.  A pop takes two edges, more while an
entry is pushed.

See docs/blocks/simt.md, Pop, barrier, membar.]]}}
`default_nettype none

module ${prefix}ndp_simt_warps (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // select
    output wire ${AV} ready,        // warps that are ready
    input  wire ${AV} taken,        // warp that is in flight after this edge
    input  wire ${AV} chosen,       // whose pc is wanted
    output reg  ${AP} choice_pc,    // that

    // check
    input  wire        drop,         // a warp has to wait:
    input  wire ${AW} drop_warp,    // which
    input  wire        freed,        // something is free for those that wait

    // the warp of stage O, or that the host looks at
    input  wire        o_valid,      // there is something in O
    input  wire ${AW} o_warp,       // of this warp
    output reg  ${AN} o_mask,       // lanes that execute
    output reg  ${AN} o_gone,       // lanes that do not any more
    output reg  ${AP} o_meet,       // of the top of its stack
    output reg  ${AD} o_depth,      // entries below that
    input  wire ${AW} look_warp,    // the host's
    input  wire [1:0]  look_what,    // 0 pc, 1 mask, 2 state and depth
    output wire [31:0] look_value,   //

    // control
    input  wire        update,       // a warp gets
    input  wire ${AW} x_warp,       // which
    input  wire ${AP} new_pc,       // pc
    input  wire ${AN} new_mask,     // lanes that execute
    input  wire ${AN} new_gone,     // lanes that do not any more
    input  wire ${AP} new_join,     // top of its stack
    input  wire ${AD} new_depth,    //
    input  wire        push,         // an entry goes to memory
    input  wire ${AD} push_depth,   // above so many
    input  wire ${pad(range(L.ENTRY_W), 6)} push_entry,   // {mask, else_mask, join, else_pc}

    // release
    input  wire        release_en,   // a warp is released:
    input  wire ${AW} release_warp, // which
    input  wire [3:0]  after,        // and what comes of it
    output wire        end_release,  // it is idle after that
    output wire        at_barrier,   // it is at a barrier after that

    // barriers
    output wire ${AV} waiting,      // warps at a barrier
    input  wire ${AV} passed,       // these pass it on this edge
    input  wire ${AV} busy,         // warps with accesses or requests under way
//% if L.FENCES == 1 then
    output reg         fenced_some,  // a membar was passed
//% end

//% if BUILDS then
    // chains
    input  wire        next,         // a word is in D, and the next of its chain follows:
    input  wire ${AW} next_warp,    // warp
    input  wire ${AP} next_pc,      // that word's place
    output wire ${AV} chained,      // warps whose last word was released
    input  wire        go,           // a warp goes on:
    input  wire ${AW} go_warp,      // which
    input  wire ${AP} go_pc,        // there

//% end
//% if MOVES then
    // blocks
    input  wire        settle,       // drop_warp waits for its requests
    output wire ${AV} chained,      // warps whose marked word, or guests whose last word, was released
    input  wire        go,           // a warp goes on:
    input  wire ${AW} go_warp,      // which
    input  wire ${AP} go_pc,        // there,
    input  wire        go_alone,     // or from where it is
    input  wire        spawn,        // a guest comes:
    input  wire ${AW} spawn_warp,   // which
    input  wire ${AP} spawn_pc,     // where it begins
    input  wire ${AN} spawn_mask,   // its lanes
    input  wire ${AV} left,         // the guest that is idle after this edge
    input  wire        pop_guest,    // the warp that is popped is a guest,
    input  wire ${AP} pop_end,      // and ends here

//% end
    // pop
    output wire        end_pop,      // a warp is idle after its pop
    output wire ${AW} pop_warp      // which
);
${localparams("WARPS", "WARP_W", "LANES", "PC_W", "DEPTH_W", "ENTRY_W")}

    localparam INDEX_W = ${clog2(L.STACK)};         // bits of an entry's number
    localparam ENTRIES = ${L.WARPS * L.STACK}; // of all stacks

    // ------------------------------------------------------------------
    // States

    reg [WARPS-1:0] is_ready;
    reg [WARPS-1:0] is_flight;
    reg [WARPS-1:0] is_wait;
    reg [WARPS-1:0] is_barrier;
    reg [WARPS-1:0] is_membar;
    reg [WARPS-1:0] is_pop;
    reg [WARPS-1:0] then_pop;  // of those at a barrier or membar: pop is next

    wire [WARPS-1:0] one      = {{(WARPS-1){1'b0}}, 1'b1};
    wire [WARPS-1:0] dropped  = (one << drop_warp) & {WARPS{drop}};
    wire [WARPS-1:0] released = (one << release_warp) & {WARPS{release_en}};

//% if OFFERS then
    wire to_barrier = after[3] && !after[2];
    wire to_membar  = after[2] && !after[3];
    wire to_chain   = after[3] && after[2];
    wire to_pop     = after[1] && !after[3] && !after[2];
    wire to_idle    = after[0] && !after[3] && !after[2];
//% else
    wire to_barrier = after[3];
    wire to_membar  = after[2];
    wire to_pop     = after[1] && !to_barrier && !to_membar;
    wire to_idle    = after[0] && !to_barrier && !to_membar;
//% end
    wire to_ready   = after == 4'd0;

    wire [WARPS-1:0] fenced = is_membar & ~busy; // membars that are over
    wire [WARPS-1:0] free   = passed | fenced;
//% if MOVES then
    wire [WARPS-1:0] settled = (one << drop_warp) & {WARPS{settle}};
    wire [WARPS-1:0] spawned = (one << spawn_warp) & {WARPS{spawn}};
    wire             pop_stands; // a guest is at its end after its pop
    reg  [WARPS-1:0] asks;       // warps at a membar that are at a mark
//% end
    wire [WARPS-1:0] held   = is_wait | dropped;

    // the pop that is over on this edge, and what comes of its warp
    wire             pop_done;
    wire             pop_again;
    wire             pop_idle;
    wire [WARPS-1:0] popped = (one << pop_warp) & {WARPS{pop_done}};

//% if OFFERS then
    // the warp that goes on behind a ${BUILDS and "chain" or "block"}, and whether it is at its join
    reg  [WARPS-1:0] is_chain;
    reg              go_pops;
    wire [WARPS-1:0] went     = (one << go_warp) & {WARPS{go}};
//% if BUILDS then
    wire [WARPS-1:0] followed = (one << next_warp) & {WARPS{next}};
//% end

    integer g;

    always @* begin
        go_pops = 1'b0;
        for (g = 0; g < WARPS; g = g + 1)
            if (went[g] && ${MOVES and "!go_alone && " or ""}depths[g*DEPTH_W +: DEPTH_W] != {DEPTH_W{1'b0}} &&
                joins[g*PC_W +: PC_W] == go_pc)
                go_pops = 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            is_chain <= {WARPS{1'b0}};
        else
//% if MOVES then
            is_chain <= (is_chain & ~went & ~left) | (released & {WARPS{to_chain}}) |
                        (popped & {WARPS{pop_stands}});
//% else
            is_chain <= (is_chain & ~went) | (released & {WARPS{to_chain}});
//% end
    end

    assign chained = is_chain;

//% end
    always @(posedge clk) begin
        if (rst) begin
            is_ready   <= {WARPS{1'b0}};
            is_flight  <= {WARPS{1'b0}};
            is_wait    <= {WARPS{1'b0}};
            is_barrier <= {WARPS{1'b0}};
            is_membar  <= {WARPS{1'b0}};
            is_pop     <= {WARPS{1'b0}};
        end else begin
            is_ready   <= (is_ready & ~taken) | (released & {WARPS{to_ready}}) |
                          (popped & {WARPS{!pop_again && !pop_idle${MOVES and " && !pop_stands" or ""}}}) |
                          (free & ~then_pop) | (held & {WARPS{freed}})${OFFERS and " |" or ";"}
//% if BUILDS then
                          (went & {WARPS{!go_pops}}) | followed;
            is_flight  <= (is_flight & ~dropped & ~released & ~followed) | taken;
//% elseif MOVES then
                          (went & {WARPS{!go_pops}}) | spawned;
            is_flight  <= (is_flight & ~dropped & ~settled & ~released) | taken;
//% else
            is_flight  <= (is_flight & ~dropped & ~released) | taken;
//% end
            is_wait    <= held & {WARPS{!freed}};
            is_barrier <= (is_barrier & ~passed) |
                          (released & {WARPS{to_barrier}});
            is_membar  <= (is_membar & ~fenced) |${MOVES and " settled |" or ""}
                          (released & {WARPS{to_membar}});
            is_pop     <= (is_pop & ~(popped & {WARPS{!pop_again}})) |
                          (released & {WARPS{to_pop}}) | (free & then_pop)${OFFERS and " |" or ";"}
//% if OFFERS then
                          (went & {WARPS{go_pops}});
//% end
        end
    end

    always @(posedge clk) then_pop <= (then_pop & ~released${MOVES and " & ~settled" or ""}) |
                                      (released & {WARPS{after[1]}});

//% if MOVES then
    always @(posedge clk) begin
        if (rst)
            asks <= {WARPS{1'b0}};
        else
            asks <= (asks & ~fenced) | settled;
    end

    always @(posedge clk) fenced_some <= !rst && (fenced & ~asks) != {WARPS{1'b0}};

//% elseif L.FENCES == 1 then
    always @(posedge clk) fenced_some <= !rst && fenced != {WARPS{1'b0}};

//% end
    assign ready       = is_ready;
    assign waiting     = is_barrier;
    assign end_release = release_en && to_idle;
    assign at_barrier  = release_en && to_barrier;

    // ------------------------------------------------------------------
    // What a warp has.  Control and pop never meet at one warp.

    reg [WARPS*PC_W-1:0]    pcs;
    reg [WARPS*LANES-1:0]   masks;
    reg [WARPS*LANES-1:0]   gones;
    reg [WARPS*PC_W-1:0]    joins;
    reg [WARPS*DEPTH_W-1:0] depths;

    wire [WARPS-1:0] updated = (one << x_warp) & {WARPS{update}};

    wire [PC_W-1:0]  pop_pc;
    wire [LANES-1:0] pop_mask;
    wire [PC_W-1:0]  pop_join;
    wire             pop_entry; // the entry is used up

    reg [DEPTH_W-1:0] depth_p; // of the warp that is popped, one less

    integer w;

    always @(posedge clk) begin
        for (w = 0; w < WARPS; w = w + 1)
            if (rst) begin
                pcs[w*PC_W +: PC_W]          <= {PC_W{1'b0}};
                masks[w*LANES +: LANES]      <= {LANES{1'b0}};
                depths[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
            end else if (updated[w]) begin
                pcs[w*PC_W +: PC_W]          <= new_pc;
                masks[w*LANES +: LANES]      <= new_mask;
                depths[w*DEPTH_W +: DEPTH_W] <= new_depth;
            end else if (popped[w]) begin
                pcs[w*PC_W +: PC_W]          <= pop_pc;
                masks[w*LANES +: LANES]      <= pop_mask;
                if (pop_entry)
                    depths[w*DEPTH_W +: DEPTH_W] <= depth_p;
//% if MOVES then
            end else if (spawned[w]) begin
                pcs[w*PC_W +: PC_W]          <= spawn_pc;
                masks[w*LANES +: LANES]      <= spawn_mask;
                depths[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
            end else if (went[w] && !go_alone) begin
                pcs[w*PC_W +: PC_W]          <= go_pc;
//% elseif OFFERS then
            end else if (went[w]) begin
                pcs[w*PC_W +: PC_W]          <= go_pc;
            end else if (followed[w]) begin
                pcs[w*PC_W +: PC_W]          <= next_pc;
//% end
            end
    end

    integer v;

    always @(posedge clk) begin
        for (v = 0; v < WARPS; v = v + 1) begin
            if (updated[v])
                gones[v*LANES +: LANES] <= new_gone;
//% if MOVES then
            else if (spawned[v])
                gones[v*LANES +: LANES] <= ~spawn_mask;
            if (spawned[v])
                joins[v*PC_W +: PC_W] <= {PC_W{1'b0}};
            else if (updated[v])
                joins[v*PC_W +: PC_W] <= new_join;
//% else
            if (updated[v])
                joins[v*PC_W +: PC_W] <= new_join;
//% end
            else if (popped[v] && pop_entry)
                joins[v*PC_W +: PC_W] <= pop_join;
        end
    end

    wire [WARP_W-1:0] at    = o_valid ? o_warp : look_warp;
    wire [WARPS-1:0]  at_it = one << at;

    reg  [PC_W-1:0]    look_pc;
    reg  [LANES-1:0]   pop_gone;
    reg  [PC_W-1:0]    pop_meet;
    reg  [DEPTH_W-1:0] depth;
    wire [WARPS-1:0]   first; // the warp to be popped next

    integer r;

    always @* begin
        choice_pc = {PC_W{1'b0}};
        o_mask    = {LANES{1'b0}};
        o_gone    = {LANES{1'b0}};
        o_meet    = {PC_W{1'b0}};
        o_depth   = {DEPTH_W{1'b0}};
        look_pc   = {PC_W{1'b0}};
        pop_gone  = {LANES{1'b0}};
        pop_meet  = {PC_W{1'b0}};
        depth     = {DEPTH_W{1'b0}};
        for (r = 0; r < WARPS; r = r + 1) begin
            if (chosen[r])
                choice_pc = choice_pc | pcs[r*PC_W +: PC_W];
            if (at_it[r]) begin
                o_mask  = o_mask | masks[r*LANES +: LANES];
                o_gone  = o_gone | gones[r*LANES +: LANES];
                o_meet  = o_meet | joins[r*PC_W +: PC_W];
                o_depth = o_depth | depths[r*DEPTH_W +: DEPTH_W];
                look_pc = look_pc | pcs[r*PC_W +: PC_W];
            end
            if (first[r]) begin
                pop_gone = pop_gone | gones[r*LANES +: LANES];
                pop_meet = pop_meet | joins[r*PC_W +: PC_W];
                depth    = depth | depths[r*DEPTH_W +: DEPTH_W];
            end
        end
    end

    wire [2:0] look_state = is_ready[at]   ? 3'd1 :
                            is_flight[at]  ? 3'd2 :
                            is_wait[at]    ? 3'd3 :
                            is_barrier[at] ? 3'd4 :
                            is_membar[at]  ? 3'd5 :
                            is_pop[at]     ? 3'd6 :${OFFERS and "\n                            is_chain[at]   ? 3'd7 :" or ""} 3'd0;

    assign look_value =
        look_what == 2'd0 ? {${32 - L.PC_W}'d0, look_pc} :
        look_what == 2'd1 ? ${L.LANES < 32 and "{" .. 32 - L.LANES .. "'d0, o_mask}" or "o_mask"} :
                            {${28 - L.DEPTH_W}'d0, o_depth, 1'b0, look_state};

    // ------------------------------------------------------------------
    // Pop: the lowest warp's entry is read, then one of its paths goes on

${fragment("ndp_simt_pop.inc")}
//% if MOVES then

    assign pop_stands = pop_guest && !other && !over && !nested && join_p == pop_end;
//% end

    wire unused = &{1'b0, push_depth[DEPTH_W-1]};

`ifdef FORMAL
`include "${prefix}ndp_simt_warps_formal.vh"
`endif
endmodule

`default_nettype wire
