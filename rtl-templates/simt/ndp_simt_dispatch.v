//% use "ndp_lowest.v"
//% if L.ALUS > 1 then use "ndp_ram_parts.v" end
//% use "ndp_simt_dispatch_formal.vh"
//% local W, N, A, P, C = L.WARPS, L.LANES, L.ALUS, L.PASSES, L.CTAS
//% local THREADS_W, COUNT_W, SLOTS_W = clog2(W * N + 1), clog2(W + 1), clog2(C + 1)
//% local BW = clog2(BANK_WORDS)
//% local TX = math.min(10, THREADS_W) -- bits of a thread's place that can be other than 0
//% local none = TX < 10 and (10 - TX) .. "'d0, " or ""
//% local TW = math.max(2, P)
//% local AW, AC = pad(range(L.WARP_W), 6), pad(range(L.CTA_W), 6)
${header{title = "SIMT core: CTA dispatch and barriers", text = [[
Takes CTAs in their order into slots that are free, and begins their warps, one
thread an edge.  Watches which slots are live, and releases their barriers.

    idle -> take a CTA -> threads of a warp -> offer it -> released -> next warp

Latency: a CTA is taken on one edge, its first warp is offered after as many more as
it has threads.

See docs/blocks/simt.md, Dispatch.]]}}
`default_nettype none

module ${prefix}ndp_simt_dispatch (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // launch
    input  wire        start,        // a launch begins
    input  wire        running,      // it is under way
    input  wire [31:0] cta_x_last,   // last CTA of the ${L.AREAS == 1 and "area" or "grid"},
    input  wire [15:0] cta_y_last,   // all ones: none
    input  wire [15:0] cta_z_last,   //
    input  wire [10:0] tid_x_last,   // last thread of a CTA
    input  wire [10:0] tid_y_last,   //
    input  wire ${pad(range(THREADS_W), 6)} threads,      // and in all
    input  wire ${pad(range(COUNT_W), 6)} cta_warps,    // warps of a CTA
    input  wire ${pad(range(SLOTS_W), 6)} resident,     // CTAs that may be resident
    input  wire ${pad(range(BW), 6)} cta_words,    // words of a CTA in a bank of shared memory
//% if L.STEPS == 1 then
    input  wire [7:0]  first_cta,    // CTAs before the first one
    input  wire [7:0]  between_ctas, // CTAs between two that are taken
//% end
//% if L.AREAS == 1 then
    input  wire [31:0] cta_x_first,  // first one
    input  wire [15:0] cta_y_first,  //
    input  wire        by_column,    // y fastest, not x
//% end
    output wire        over,         // no CTA is left, none is live, none begins

    // who owes
    input  wire ${pad(range(L.TICKETS), 6)} ticket_used,  // tickets in use
    input  wire ${range(L.TICKETS * L.CTA_W)} ticket_slots, // for these slots
//% if L.MOVES == 1 then
    input  wire ${range(L.TICKETS * L.WARP_W)} ticket_warps, // and warps
//% end
    input  wire [1:0]  access_used,  // access buffers in use
    input  wire ${range(2 * L.WARP_W)} access_warps, // for these warps
    input  wire ${range(2 * L.CTA_W)} access_slots, // and slots
    input  wire ${pad(range(W), 6)} under_way,    // warps with requests
    output wire ${pad(range(W), 6)} busy,         // warps with accesses or requests

    // select
    output reg         init_wait,    // a warp is offered
    output reg  ${AW} init_warp,    // which
    input  wire        init_taken,   // it is selected
    input  wire        init_done,    // it is released

    // slot of an instruction's warp, in stage F
    input  wire ${AW} f_warp,       // warp
    output wire ${AC} f_slot,       // its slot

//% if L.OFFERS == 1 then
    // and that of a warp for which a chain has a result
    input  wire ${AW} port_warp,    // warp
    output wire ${AC} port_slot,    // its slot

//% end
    // threads of an init and numbers of a CTA, in stage D
//% if A == 1 then
    input  wire        rd_init,      // the next pass of the init is read
    output reg  [29:0] pass_threads, // after the edge: its packed thread
//% else
    input  wire        rd_en,        // read
    input  wire ${pad(range(L.PASS_W), 6)} rd_pass,      // pass
    output wire ${pad(range(30 * A), 6)} pass_threads, // after the edge: packed threads
//% end
    output wire ${pad(range(N), 6)} init_lanes,   // the lanes of the warp that have one

    // numbers of the CTA in a slot, to be kept
    output wire        number_write, // on this edge
    output wire ${pad(range(L.CTA_W + 2), 6)} number_at,    // slot, and 0-2 x, y, z, 3: first
                                     // warp in 7:0, shared memory in a
                                     // bank from 8 on
    output wire [31:0] number,       // it

    // barriers
    input  wire        end_release,  // a warp has ended:
    input  wire ${AW} end_warp,     // which
    input  wire        end_pop,      // another, after a pop:
    input  wire ${AW} pop_warp,     // which
    input  wire        at_barrier,   // end_warp is at a barrier, instead
    input  wire ${pad(range(W), 6)} waiting,      // warps at a barrier
    output wire ${pad(range(W), 6)} passed,       // warps that pass it on this edge

    // events
    output reg         count_cta,    // a CTA was taken
    output reg         count_barrier // a barrier was passed
);
${A == 1 and localparams("WARPS", "LANES", "CTAS", "TICKETS", "WARP_W", "CTA_W") or localparams("WARPS", "LANES", "ALUS", "CTAS", "TICKETS", "WARP_W", "CTA_W")}

    localparam THREADS_W = ${THREADS_W};
    localparam COUNT_W   = ${COUNT_W};
    localparam SLOTS_W   = ${SLOTS_W};
    localparam WORDS_W   = ${BW};

    // ------------------------------------------------------------------
    // Slots

    reg  [WARPS*CTA_W-1:0]  slots;             // of warps
    reg  [CTAS*COUNT_W-1:0] lives;             // live warps of each
    reg  [CTAS*COUNT_W-1:0] stops;             // warps of each at a barrier
    reg  [CTAS-1:0]         live;              // those with live warps
    reg  [CTAS-1:0]         owes;              // those whose warps owe
    reg  [CTAS-1:0]         allowed;           // those below the number of resident CTAs
//% local owned = function(w) return L.MOVES == 1 and "owned[" .. w .. "] && " or "" end
//% if L.MOVES == 1 then
    reg  [WARPS-1:0]        owned;             // warps of a slot: no guest is
//% end

    integer s, w, t;

    always @* begin
        for (s = 0; s < CTAS; s = s + 1) begin
            live[s]    = lives[s*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}};
            allowed[s] = s[SLOTS_W-1:0] < resident;
            owes[s]    = 1'b0;
            for (t = 0; t < TICKETS; t = t + 1)
                if (${owned('ticket_warps[t*WARP_W +: WARP_W]')}ticket_used[t] && ticket_slots[t*CTA_W +: CTA_W] == s[CTA_W-1:0])
                    owes[s] = 1'b1;
            for (t = 0; t < 2; t = t + 1)
                if (${owned('access_warps[t*WARP_W +: WARP_W]')}access_used[t] && access_slots[t*CTA_W +: CTA_W] == s[CTA_W-1:0])
                    owes[s] = 1'b1;
            for (w = 0; w < WARPS; w = w + 1)
                if (${owned('w')}under_way[w] && slots[w*CTA_W +: CTA_W] == s[CTA_W-1:0])
                    owes[s] = 1'b1;
        end
    end

    wire [CTAS-1:0]  first;
    wire [CTA_W-1:0] free; // the lowest slot that is free

    ${prefix}ndp_lowest #(
        .N       (CTAS),
        .INDEX_W (CTA_W)
    ) lowest (
        .set   (~live & ~owes & allowed),
        .first (first),
        .index (free)
    );

    wire [CTA_W-1:0] end_slot = slots[end_warp*CTA_W +: CTA_W];
    wire [CTA_W-1:0] pop_slot = slots[pop_warp*CTA_W +: CTA_W];

    assign f_slot = slots[f_warp*CTA_W +: CTA_W];
//% if L.OFFERS == 1 then
    assign port_slot = slots[port_warp*CTA_W +: CTA_W];
//% end

    // ------------------------------------------------------------------
    // CTAs in their order

    localparam [1:0] IDLE    = 2'd0;
    localparam [1:0] THREADS = 2'd1;
    localparam [1:0] OFFER   = 2'd2; // until the release

    reg [1:0]  state;
    reg        left;  // CTAs are left
    reg [2:0]  writing; // 4 and on: what is written of a CTA that was taken
    reg [31:0] cta_x; // the next one, from when the last one is written
    reg [15:0] cta_y;
    reg [15:0] cta_z;

//% if L.STEPS == 1 then
    reg [7:0]  skip;  // CTAs to be passed over before it

    wire passes = running && left && state == IDLE && skip != 8'd0;
    wire take   = running && left && state == IDLE && skip == 8'd0 &&
                  first != {CTAS{1'b0}};
//% else
    wire take   = running && left && state == IDLE && first != {CTAS{1'b0}};
//% end
    wire x_ends = cta_x == cta_x_last;
    wire y_ends = cta_y == cta_y_last;
    wire z_ends = cta_z == cta_z_last;

    always @(posedge clk) begin
        if (rst)
            left <= 1'b0;
        else if (start)
            left <= cta_x_last != {32{1'b1}} && cta_y_last != {16{1'b1}} &&
                    cta_z_last != {16{1'b1}}${L.MOVES == 1 and L.STEPS == 1 and " && between_ctas != {8{1'b1}}" or ""};
        else if (${L.STEPS == 1 and "(take || passes)" or "take"} && x_ends && y_ends && z_ends)
            left <= 1'b0;
    end

//% if L.AREAS == 1 then
    always @(posedge clk) begin
        if (start) begin
            cta_x <= cta_x_first;
            cta_y <= cta_y_first;
            cta_z <= 16'd0;
        end else if (writing == 3'd7 || passes) begin
            if (!by_column || y_ends)
                cta_x <= x_ends ? cta_x_first : cta_x + 32'd1;
            if (by_column || x_ends)
                cta_y <= y_ends ? cta_y_first : cta_y + 16'd1;
            if (x_ends && y_ends)
                cta_z <= cta_z + 16'd1;
        end
    end
//% else
    always @(posedge clk) begin
        if (start) begin
            cta_x <= 32'd0;
            cta_y <= 16'd0;
            cta_z <= 16'd0;
        end else if (writing == 3'd7${L.STEPS == 1 and " || passes" or ""}) begin
            cta_x <= x_ends ? 32'd0 : cta_x + 32'd1;
            if (x_ends)
                cta_y <= y_ends ? 16'd0 : cta_y + 16'd1;
            if (x_ends && y_ends)
                cta_z <= cta_z + 16'd1;
        end
    end
//% end

//% if L.STEPS == 1 then
    always @(posedge clk) begin
        if (start)
            skip <= first_cta;
        else if (take)
            skip <= between_ctas;
        else if (passes)
            skip <= skip - 8'd1;
    end

//% end

    // ------------------------------------------------------------------
    // Warps and threads of a CTA

    reg  [CTA_W-1:0]     slot;  // that it has
    reg  [COUNT_W-1:0]   warps; // to begin, this one included
    reg  [THREADS_W-1:0] rest;  // threads to come, this one included
    reg                  fresh; // the CTA was taken on the edge before
    reg  [LANES-1:0]     lane;  // the next one, as a bit
    reg  [LANES-1:0]     lanes; // that have a thread
    reg  ${pad(range(TX), 14)}  x;     // thread: as wide as the
    reg  ${pad(range(TX), 14)}  y;     // number of any thread is
    reg  ${pad(range(TX), 14)}  z;

    wire        filling = state == THREADS;
    wire        ends    = lane[LANES-1] || rest == {{(THREADS_W-1){1'b0}}, 1'b1};
    wire        x_full  = {${11 - TX}'d0, x} == tid_x_last; // the row of threads is
    wire        y_full  = {${11 - TX}'d0, y} == tid_y_last; // and the plane
    wire        again   = init_done && warps != {{(COUNT_W-1){1'b0}}, 1'b1};

    assign init_lanes = lanes;

    always @(posedge clk) begin
        if (rst)
            state <= IDLE;
        else if (take)
            state <= THREADS;
        else if (filling && ends)
            state <= OFFER;
        else if (init_done)
            state <= again ? THREADS : IDLE;
    end

    always @(posedge clk) begin
        if (rst)
            init_wait <= 1'b0;
        else
            init_wait <= (filling && ends) || (init_wait && !init_taken);
    end

    wire [WARP_W-1:0] first_warp = ${wide("slot", L.CTA_W, L.WARP_W)} * cta_warps[WARP_W-1:0]; // of the slot

    always @(posedge clk) begin
        fresh <= take;
        if (take) begin
            slot  <= free;
            warps <= cta_warps;
        end else if (init_done) begin
            warps <= warps - 1'b1;
        end
        if (fresh)
            init_warp <= first_warp;
        else if (init_done)
            init_warp <= init_warp + 1'b1;
    end

    integer i;

    always @(posedge clk) begin
        for (i = 0; i < WARPS; i = i + 1)
            if (init_taken && init_warp == i[WARP_W-1:0])
                slots[i*CTA_W +: CTA_W] <= slot;
    end
//% if L.MOVES == 1 then

    wire [WARPS-1:0] bit_of = {{(WARPS-1){1'b0}}, 1'b1} << init_warp;

    always @(posedge clk) begin
        if (rst || start)
            owned <= {WARPS{1'b0}};
        else
            owned <= owned | (bit_of & {WARPS{init_taken}});
    end
//% end

    always @(posedge clk) begin
        if (take || again) begin
            lane  <= {{(LANES-1){1'b0}}, 1'b1};
            lanes <= {LANES{1'b0}};
        end else if (filling) begin
            lane  <= lane << 1;
            lanes <= lanes | lane;
        end
    end

    always @(posedge clk) begin
        if (take)
            rest <= threads;
        else if (filling)
            rest <= rest - 1'b1;
    end

    always @(posedge clk) begin
        if (take) begin
            x <= ${TX}'d0;
            y <= ${TX}'d0;
            z <= ${TX}'d0;
        end else if (${A == 1 and "rd_init" or "filling"}) begin
            x <= x_full ? ${TX}'d0 : x + ${TX}'d1;
            if (x_full)
                y <= y_full ? ${TX}'d0 : y + ${TX}'d1;
            if (x_full && y_full)
                z <= z + ${TX}'d1;
        end
    end

    wire [29:0] thread = {${none}z, ${none}y, ${none}x}; // packed

//% if A == 1 then
    // One lane a pass: the threads come as the passes of the init read them, those
    // of lanes without one after all others.
    always @(posedge clk) begin
        if (rd_init)
            pass_threads <= thread;
    end

//% else
//% local function parts() 
//%     if P == 1 then return "lane" end
//%     local l = {}
//%     for k = P - 1, 0, -1 do l[#l + 1] = "lane[" .. (k + 1) * A - 1 .. ":" .. k * A .. "]" end
//%     return table.concat(l, " | ")
//% end
    // The warp's threads, a word for each pass
    reg [${clog2(TW) - 1}:0] at; // pass of the next lane

    integer k;

    always @* begin
        at = ${clog2(TW)}'d0;
        for (k = 0; k < LANES; k = k + 1)
            if (lane[k])
                at = at | ${P > 1 and "k[" .. clog2(N) - 1 .. ":" .. ALU_W .. "]" or "1'b0"};
    end

//% local folded = parts()
    wire [ALUS-1:0] parts = (${folded}) & {ALUS{filling}};

    ${prefix}ndp_ram_parts #(
        .PARTS     (ALUS),
        .PART_W    (30),
        .WORDS     (${TW}),
        .ADDRESS_W (${clog2(TW)})
    ) tids (
        .clk     (clk),
        .wr_en   (parts),
        .wr_addr (at),
        .wr_data ({ALUS{thread}}),
        .rd_en   (rd_en),
        .rd_addr (rd_pass),
        .rd_data (pass_threads)
    );

//% end
    // ------------------------------------------------------------------
    // Numbers of the CTA in a slot: written one after the other after it was taken

    //% local MW = math.max(BW, L.CTA_W)
    wire [${MW - 1}:0] slot_words  = ${wide("slot", L.CTA_W, MW)} * ${wide("cta_words", BW, MW)};
    wire [WORDS_W-1:0] first_word = slot_words${MW > BW and "[WORDS_W-1:0]" or ""}; // in a bank

    always @(posedge clk) begin
        if (rst)
            writing <= 3'd0;
        else if (take)
            writing <= 3'd4;
        else if (writing[2])
            writing <= writing + 3'd1;
    end

    wire [31:0] places = {${24 - BW}'d0, first_word, ${8 - L.WARP_W}'d0, first_warp};

    assign number_write = writing[2];
    assign number_at    = {slot, writing[1:0]};
    assign number       = writing[1:0] == 2'd0 ? cta_x :
                          writing[1:0] == 2'd1 ? {16'd0, cta_y} :
                          writing[1:0] == 2'd2 ? {16'd0, cta_z} : places;

    // ------------------------------------------------------------------
    // Accesses of warps

    wire [WARPS-1:0] bit_0 = {{(WARPS-1){1'b0}}, 1'b1};

    assign busy = under_way |
        ((bit_0 << access_warps[WARP_W-1:0]) & {WARPS{access_used[0]}}) |
        ((bit_0 << access_warps[2*WARP_W-1:WARP_W]) & {WARPS{access_used[1]}});

    // ------------------------------------------------------------------
    // Barriers: a slot each edge

    reg  [CTA_W-1:0]   look; // the slot
    reg  [WARPS-1:0]   members;
    wire [COUNT_W-1:0] all = lives[look*COUNT_W +: COUNT_W];
    wire [COUNT_W-1:0] stopped = stops[look*COUNT_W +: COUNT_W];

    integer m;

    always @* begin
        for (m = 0; m < WARPS; m = m + 1)
            members[m] = slots[m*CTA_W +: CTA_W] == look && waiting[m];
    end

    wire pass = all != {COUNT_W{1'b0}} && all == stopped &&
                (members & busy) == {WARPS{1'b0}};

    assign passed = members & {WARPS{pass}};

    always @(posedge clk) begin
        if (rst)
            look <= {CTA_W{1'b0}};
        else
            look <= look == ${hex(L.CTA_W, C - 1)} ? {CTA_W{1'b0}} : look + 1'b1;
    end

    integer n;

    always @(posedge clk) begin
        for (n = 0; n < CTAS; n = n + 1)
            if (rst) begin
                lives[n*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
                stops[n*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
            end else begin
                if (take && first[n])
                    lives[n*COUNT_W +: COUNT_W] <= cta_warps;
                else
                    lives[n*COUNT_W +: COUNT_W] <= lives[n*COUNT_W +: COUNT_W] -
                        {{(COUNT_W-1){1'b0}}, end_release && end_slot == n[CTA_W-1:0]} -
                        {{(COUNT_W-1){1'b0}}, end_pop && pop_slot == n[CTA_W-1:0]};
                if (pass && look == n[CTA_W-1:0])
                    stops[n*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
                else if (at_barrier && end_slot == n[CTA_W-1:0])
                    stops[n*COUNT_W +: COUNT_W] <= stops[n*COUNT_W +: COUNT_W] + 1'b1;
            end
    end

    assign over = !left && state == IDLE && live == {CTAS{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            count_cta     <= 1'b0;
            count_barrier <= 1'b0;
        end else begin
            count_cta     <= take;
            count_barrier <= pass;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_dispatch_formal.vh"
`endif
endmodule

`default_nettype wire
