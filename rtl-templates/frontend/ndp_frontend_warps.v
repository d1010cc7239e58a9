//% use "ndp_ram.v"
//% use "ndp_lowest.v"
//% use "ndp_frontend_warps_formal.vh"
//% local AW = pad(range(L.WARP_W), 6)
//% local AV = pad(range(L.WARPS), 6)
//% local AT = pad(range(L.TAG_W), 6)
//% local AN = pad(range(L.LANES), 6)
//% local AD = pad(range(L.DEPTH_W), 6)
//% local AC = pad(range(L.CTA_W), 6)
${header{title = "front end: states of warps", text = [[
A warp is idle, ready, in flight, awaits what a word of class control does, drains until
all of it has committed, is at a barrier, or to be popped: a bit a warp for each but idle.
Beside that its pc, its lanes, its stack, of which only the top is here and the rest in
memory, and how many of its instructions have not committed.

    ready -> flight -> ready, await, drain, pop
    await -> ready, drain, barrier, pop
    drain -> ready, pop, idle    barrier -> ready, pop    pop -> ready, pop, drain

Latency: every change stands after its edge.  A pop takes two edges, more while an
entry is pushed.

See docs/blocks/frontend.md, On each edge.]]}}
`default_nettype none

module ${prefix}ndp_frontend_warps (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // select
    output wire ${AV} ready,        // warps that may be selected
    input  wire ${AV} selected,     // warp that is in flight after this edge
    input  wire ${AV} chosen,       // whose pc is wanted
    output reg  ${AT} choice_pc,    // that

    // the warp of stage F
    input  wire ${AW} f_warp,       // which
    input  wire        drop,         // it has to drain first
    output reg  ${AN} f_mask,       // lanes that execute
    output wire        f_fresh,      // it has not begun its first word
    output wire        f_open,       // an access of it may be under way

    // issue
    input  wire        taken,        // an instruction is taken,
    input  wire ${AW} t_warp,       // of this warp,
    input  wire        t_control,    // of class control,
    input  wire        t_global,     // an access to global memory,
    input  wire        t_store,      // a store
    input  wire        commits,      // an instruction has ended,
    input  wire ${AW} c_warp,       // of this warp

    // stage X
    input  wire        x_valid,      // it holds a word,
    input  wire ${AW} x_warp,       // of this warp
    output wire        x_fresh,      // which begins with it
    output reg  ${AT} x_pc,         // its place
    output reg  ${AN} x_mask,       // lanes that execute
    output reg  ${AN} x_gone,       // lanes that do not any more
    output reg  ${AT} x_meet,       // of the top of its stack
    output reg  ${AD} x_depth,      // entries below that
    input  wire        update,       // the warp gets
    input  wire ${AT} new_pc,       // pc
    input  wire ${AN} new_mask,     // lanes that execute
    input  wire ${AN} new_gone,     // lanes that do not any more
    input  wire ${AT} new_join,     // top of its stack
    input  wire ${AD} new_depth,    //
    input  wire        stops,        // ... and is at a barrier
    input  wire        fences,       // ... and drains
    input  wire        push,         // an entry goes to memory
    input  wire ${pad(range(L.ENTRY_W), 6)} push_entry,   // {mask, else_mask, join, else_pc}

    // dispatch
    input  wire ${AV} born,         // these warps live after this edge,
    input  wire ${AC} born_slot,    // in this slot
    input  wire        begins,       // a warp begins:
    input  wire ${AW} b_warp,       // which
    input  wire ${AN} b_mask,       // its lanes
    input  wire ${AT} b_pc,         // its first word
    output reg  ${pad(vec(L.CTAS), 6)} lives,        // slots of which a warp lives
    output wire        none_lives,   // no warp does
    output wire        none_waits,   // all that was taken has committed

    output reg         count_barrier // a barrier was passed
);
${localparams("WARPS", "WARP_W", "LANES", "PC_W", "DEPTH_W", "ENTRY_W", "CTAS", "CTA_W", "COUNT_W")}

    localparam INDEX_W = ${clog2(L.STACK)};         // bits of an entry's number
    localparam ENTRIES = ${L.WARPS * L.STACK}; // of all stacks

    localparam [COUNT_W-1:0] MOST = ${hex(L.COUNT_W, L.LIMIT)}; // instructions of a warp

    wire [WARPS-1:0] one    = {{(WARPS-1){1'b0}}, 1'b1};
    wire [WARPS-1:0] at_f   = one << f_warp;
    wire [WARPS-1:0] at_t   = one << t_warp;
    wire [WARPS-1:0] at_x   = one << x_warp;
    wire [WARPS-1:0] dropped   = at_f & {WARPS{drop}};
    wire [WARPS-1:0] went      = at_t & {WARPS{taken}};
    wire [WARPS-1:0] committed = (one << c_warp) & {WARPS{commits}};
    wire [WARPS-1:0] updated   = at_x & {WARPS{update}};
    wire [WARPS-1:0] begun     = (one << b_warp) & {WARPS{begins}};

    // ------------------------------------------------------------------
    // What has not committed

    reg [WARPS*COUNT_W-1:0] counts;
    reg [WARPS-1:0]         zero; // nothing of it
    reg [WARPS-1:0]         full; // as many as may be

    integer c;

    always @* begin
        for (c = 0; c < WARPS; c = c + 1) begin
            zero[c] = counts[c*COUNT_W +: COUNT_W] == {COUNT_W{1'b0}};
            full[c] = counts[c*COUNT_W +: COUNT_W] == MOST;
        end
    end

    integer d;

    always @(posedge clk) begin
        for (d = 0; d < WARPS; d = d + 1)
            if (rst)
                counts[d*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
            else if (went[d] && !committed[d])
                counts[d*COUNT_W +: COUNT_W] <= counts[d*COUNT_W +: COUNT_W] + 1'b1;
            else if (committed[d] && !went[d])
                counts[d*COUNT_W +: COUNT_W] <= counts[d*COUNT_W +: COUNT_W] - 1'b1;
    end

    assign none_waits = &zero;

    // ------------------------------------------------------------------
    // States

    reg [WARPS-1:0] is_ready;
    reg [WARPS-1:0] is_flight;
    reg [WARPS-1:0] is_await;
    reg [WARPS-1:0] is_drain;
    reg [WARPS-1:0] is_barrier;
    reg [WARPS-1:0] is_pop;
    reg [WARPS-1:0] then_pop; // of those in drain or at a barrier: pop is next
    reg [WARPS-1:0] then_end; // of those in drain: idle is
    reg [WARPS-1:0] fresh;
    reg [WARPS-1:0] open;
    reg [WARPS-1:0] live;

    // X: the first word is over, or another one
    wire [WARPS-1:0] started = at_x & {WARPS{x_valid && x_fresh}};
    wire             x_nested = new_depth != {DEPTH_W{1'b0}};
    wire             x_over   = new_mask == {LANES{1'b0}} || (x_nested && new_pc == new_join);
    wire             x_pop    = x_over && x_nested;
    wire             x_end    = x_over && !x_nested;
    wire             x_stays  = !stops && !fences; // nothing comes before that

    // issue: the next word is where the warp's paths meet
    reg  t_joins;
    wire t_plain = !t_control && !t_store;

    // drain and barrier
    wire [WARPS-1:0] fenced = is_drain & zero;
    wire [WARPS-1:0] passed; // a barrier
    wire [WARPS-1:0] ended  = fenced & then_end;
    wire [WARPS-1:0] freed  = (fenced & ~then_end) | passed;

    // the pop that is over on this edge, and what comes of its warp
    wire [WARP_W-1:0] pop_warp;
    wire              pop_done;
    wire              pop_again;
    wire              pop_idle;
    wire              end_pop;
    wire [WARPS-1:0]  popped = (one << pop_warp) & {WARPS{pop_done}};

    always @(posedge clk) begin
        if (rst) begin
            is_ready   <= {WARPS{1'b0}};
            is_flight  <= {WARPS{1'b0}};
            is_await   <= {WARPS{1'b0}};
            is_drain   <= {WARPS{1'b0}};
            is_barrier <= {WARPS{1'b0}};
            is_pop     <= {WARPS{1'b0}};
        end else begin
            is_ready   <= (is_ready & ~selected) | begun | started |
                          (went & {WARPS{t_plain && !t_joins}}) |
                          (updated & {WARPS{x_stays && !x_over}}) |
                          (popped & {WARPS{!pop_again && !pop_idle}}) |
                          (freed & ~then_pop);
            is_flight  <= (is_flight & ~dropped & ~went) | selected;
            is_await   <= (is_await & ~updated & ~started) |
                          (went & {WARPS{t_control}});
            is_drain   <= (is_drain & ~fenced) | dropped |
                          (went & {WARPS{t_store}}) |
                          (updated & {WARPS{fences || (x_stays && x_end)}}) |
                          (popped & {WARPS{pop_idle}});
            is_barrier <= (is_barrier & ~passed) | (updated & {WARPS{stops}});
            is_pop     <= (is_pop & ~(popped & {WARPS{!pop_again}})) |
                          (went & {WARPS{t_plain && t_joins}}) |
                          (updated & {WARPS{x_stays && x_pop}}) |
                          (freed & then_pop);
        end
    end

    wire [WARPS-1:0] enters = dropped | went | updated | popped;

    always @(posedge clk) begin
        then_pop <= (then_pop & ~enters) | (went & {WARPS{t_joins}}) |
                    (updated & {WARPS{x_pop}});
        then_end <= (then_end & ~enters) | (updated & {WARPS{x_end}}) |
                    (popped & {WARPS{pop_idle}});
    end

    always @(posedge clk) begin
        if (rst) begin
            fresh <= {WARPS{1'b0}};
            open  <= {WARPS{1'b0}};
            live  <= {WARPS{1'b0}};
        end else begin
            fresh <= (fresh & ~started) | begun;
            open  <= (open & ~zero) | (went & {WARPS{t_global}});
            live  <= (live & ~ended) | born;
        end
    end

    assign ready      = is_ready & ~full;
    assign f_fresh    = (fresh & at_f) != {WARPS{1'b0}};
    assign f_open     = (open & at_f) != {WARPS{1'b0}};
    assign x_fresh    = (fresh & at_x) != {WARPS{1'b0}};
    assign none_lives = live == {WARPS{1'b0}};

    // ------------------------------------------------------------------
    // What a warp has

    reg [WARPS*PC_W-1:0]    pcs;
    reg [WARPS*LANES-1:0]   masks;
    reg [WARPS*LANES-1:0]   gones;
    reg [WARPS*PC_W-1:0]    joins;
    reg [WARPS*DEPTH_W-1:0] depths;

    wire [PC_W-1:0]  pop_pc;
    wire [LANES-1:0] pop_mask;
    wire [PC_W-1:0]  pop_join;
    wire             pop_entry; // the entry is used up

    reg [DEPTH_W-1:0] depth_p; // of the warp that is popped, one less
    reg [PC_W-1:0]    t_next;  // behind the instruction that is taken

    integer w;

    always @(posedge clk) begin
        for (w = 0; w < WARPS; w = w + 1)
            if (updated[w]) begin
                pcs[w*PC_W +: PC_W]          <= new_pc;
                masks[w*LANES +: LANES]      <= new_mask;
                gones[w*LANES +: LANES]      <= new_gone;
                joins[w*PC_W +: PC_W]        <= new_join;
                depths[w*DEPTH_W +: DEPTH_W] <= new_depth;
            end else if (popped[w]) begin
                pcs[w*PC_W +: PC_W]     <= pop_pc;
                masks[w*LANES +: LANES] <= pop_mask;
                if (pop_entry) begin
                    joins[w*PC_W +: PC_W]        <= pop_join;
                    depths[w*DEPTH_W +: DEPTH_W] <= depth_p;
                end
            end else if (begun[w]) begin
                pcs[w*PC_W +: PC_W]          <= b_pc;
                masks[w*LANES +: LANES]      <= b_mask;
                gones[w*LANES +: LANES]      <= ~b_mask;
                joins[w*PC_W +: PC_W]        <= {PC_W{1'b0}};
                depths[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
            end else if (went[w] && !t_control) begin
                pcs[w*PC_W +: PC_W] <= t_next;
            end
    end

    reg  [PC_W-1:0]    t_meet;
    reg  [DEPTH_W-1:0] t_depth;
    reg  [LANES-1:0]   pop_gone;
    reg  [PC_W-1:0]    pop_meet;
    reg  [DEPTH_W-1:0] depth;
    wire [WARPS-1:0]   first; // the warp to be popped next

    integer r;

    always @* begin
        choice_pc = {PC_W{1'b0}};
        f_mask    = {LANES{1'b0}};
        t_next    = {PC_W{1'b0}};
        t_meet    = {PC_W{1'b0}};
        t_depth   = {DEPTH_W{1'b0}};
        x_pc      = {PC_W{1'b0}};
        x_mask    = {LANES{1'b0}};
        x_gone    = {LANES{1'b0}};
        x_meet    = {PC_W{1'b0}};
        x_depth   = {DEPTH_W{1'b0}};
        pop_gone  = {LANES{1'b0}};
        pop_meet  = {PC_W{1'b0}};
        depth     = {DEPTH_W{1'b0}};
        for (r = 0; r < WARPS; r = r + 1) begin
            if (chosen[r])
                choice_pc = choice_pc | pcs[r*PC_W +: PC_W];
            if (at_f[r])
                f_mask = f_mask | masks[r*LANES +: LANES];
            if (at_t[r]) begin
                t_next  = t_next | pcs[r*PC_W +: PC_W];
                t_meet  = t_meet | joins[r*PC_W +: PC_W];
                t_depth = t_depth | depths[r*DEPTH_W +: DEPTH_W];
            end
            if (at_x[r]) begin
                x_pc    = x_pc | pcs[r*PC_W +: PC_W];
                x_mask  = x_mask | masks[r*LANES +: LANES];
                x_gone  = x_gone | gones[r*LANES +: LANES];
                x_meet  = x_meet | joins[r*PC_W +: PC_W];
                x_depth = x_depth | depths[r*DEPTH_W +: DEPTH_W];
            end
            if (first[r]) begin
                pop_gone = pop_gone | gones[r*LANES +: LANES];
                pop_meet = pop_meet | joins[r*PC_W +: PC_W];
                depth    = depth | depths[r*DEPTH_W +: DEPTH_W];
            end
        end
        t_next  = t_next + 1'b1;
        t_joins = t_depth != {DEPTH_W{1'b0}} && t_next == t_meet;
    end

    // ------------------------------------------------------------------
    // Slots, and barriers: one of them each edge

    reg [WARPS*CTA_W-1:0] slots; // of warps

    integer b;

    always @(posedge clk) begin
        for (b = 0; b < WARPS; b = b + 1)
            if (born[b])
                slots[b*CTA_W +: CTA_W] <= born_slot;
    end

    reg [CTA_W-1:0] look;    // the slot whose barrier is looked at
    reg [WARPS-1:0] members; // its warps that live

    integer s, m;

    always @* begin
        for (m = 0; m < WARPS; m = m + 1)
            members[m] = live[m] && slots[m*CTA_W +: CTA_W] == look;
        for (s = 0; s < CTAS; s = s + 1) begin
            lives[s] = 1'b0;
            for (m = 0; m < WARPS; m = m + 1)
                if (live[m] && slots[m*CTA_W +: CTA_W] == s[CTA_W-1:0])
                    lives[s] = 1'b1;
        end
    end

    wire pass = members != {WARPS{1'b0}} && (members & ~(is_barrier & zero)) == {WARPS{1'b0}};

    assign passed = members & {WARPS{pass}};

    always @(posedge clk) begin
        if (rst)
            look <= {CTA_W{1'b0}};
        else
            look <= look == ${hex(L.CTA_W, L.CTAS - 1)} ? {CTA_W{1'b0}} : look + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            count_barrier <= 1'b0;
        else
            count_barrier <= pass;
    end

    // ------------------------------------------------------------------
    // Pop: the lowest warp's entry is read, then one of its paths goes on

    wire [DEPTH_W-1:0] push_depth = x_depth; // above so many

${fragment("ndp_simt_pop.inc")}

    wire unused = &{1'b0, push_depth[DEPTH_W-1], end_pop};

`ifdef FORMAL
`include "${prefix}ndp_frontend_warps_formal.vh"
`endif
endmodule

`default_nettype wire
