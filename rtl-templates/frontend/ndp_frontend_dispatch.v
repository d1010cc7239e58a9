//% use "ndp_lowest.v"
//% use "ndp_frontend_dispatch_formal.vh"
//% local N, MW = L.LANES, math.max(ROWS_W, L.CTA_W)
//% local FW = math.max(L.WARP_W, L.CTA_W, L.BORN_W)
//% local AW, AN = pad(range(L.WARP_W), 6), pad(range(L.LANES), 6)
${header{title = "front end: CTA dispatch", text = [[
Takes CTAs in their order into slots that are free, and begins their warps: threads,
special values, and what they see of shared memory.

    idle -> take a CTA -> base -> fill -> init -> next warp's fill, or idle

Latency: a CTA is taken on one edge, its first warp's threads are shown ]] .. L.FILL + 1 .. [[ edges later.

See docs/blocks/frontend.md, Dispatch.]]}}
`default_nettype none

module ${prefix}ndp_frontend_dispatch (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // launch
    input  wire        start,        // a launch begins
    input  wire        running,      // it is under way
    input  wire        faulted,      // a fault has happened
    input  wire [31:0] ctas_x,       // CTAs of the grid
    input  wire [15:0] ctas_y,       //
    input  wire [15:0] ctas_z,       //
    input  wire [10:0] tids_x,       // threads of a CTA
    input  wire [10:0] tids_y,       //
    input  wire [10:0] tids_z,       //
    input  wire ${pad(range(L.THREADS_W), 6)} threads,      // and in all
    input  wire ${pad(range(L.BORN_W), 6)} cta_warps,    // warps of a CTA
    input  wire ${pad(range(L.SLOTS_W), 6)} resident,     // CTAs that may be resident
    input  wire [31:0] shared_bytes, // shared memory of a CTA
    input  wire [7:0]  first_cta,    // CTAs before the first one
    input  wire [7:0]  cta_step,     // CTAs from one that is taken to the next
    output wire        over,         // no CTA is left, and none begins

    // slots and warps
    input  wire ${pad(range(L.CTAS), 6)} lives,        // slots of which a warp lives
    output wire ${pad(range(L.WARPS), 6)} born,         // these warps live after this edge,
    output wire ${pad(range(L.CTA_W), 6)} born_slot,    // in this slot
    output wire        begins,       // the warp at init begins

    // of a warp that begins
//% for _, g in ipairs{ "value", "window", "init" } do
//%     for _, p in ipairs(iface.ports) do
//%         if p.name:find("^" .. g .. "_") then
    ${p.dir == "in" and "input " or "output"} ${(g == "init" or p.dir == "in") and "wire" or "reg "} ${pad(range(p.width), 6)} ${pad(p.name .. ",", 13)} // ${p.doc}
//%         end
//%     end
//% end

    output reg         count_cta     // a CTA was taken
);
${localparams("WARPS", "LANES", "CTAS", "WARP_W", "CTA_W", "REG_W", "THREADS_W", "BORN_W", "SLOTS_W", "BANK_W", "VALUES", "FILL")}

    localparam EDGE_W = ${EDGE_W}; // bits of an edge of a warp's filling
    localparam ROWS_W = ${ROWS_W}; // bits of a number of rows of all banks

    // ------------------------------------------------------------------
    // Slots

    reg  [CTAS-1:0]  allowed; // those below the number of resident CTAs
    wire [CTAS-1:0]  first;
    wire [CTA_W-1:0] free;    // the lowest slot that is free

    integer s;

    always @* begin
        for (s = 0; s < CTAS; s = s + 1)
            allowed[s] = s[SLOTS_W-1:0] < resident;
    end

    ${prefix}ndp_lowest #(
        .N       (CTAS),
        .INDEX_W (CTA_W)
    ) lowest (
        .set   (~lives & allowed),
        .first (first),
        .index (free)
    );

    // ------------------------------------------------------------------
    // CTAs in their order

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] BASE = 2'd1;
    localparam [1:0] LOAD = 2'd2; // a warp is filled in
    localparam [1:0] INIT = 2'd3;

    reg [1:0]  state;
    reg        left;  // CTAs are left
    reg [7:0]  skip;  // CTAs to be passed over
    reg [31:0] cta_x; // the one that begins, when idle the next one
    reg [15:0] cta_y;
    reg [15:0] cta_z;

    wire looks  = running && left && state == IDLE;
    wire passes = looks && skip != 8'd0;
    wire take   = looks && skip == 8'd0 && first != {CTAS{1'b0}};

    wire [31:0] x_next = cta_x + 32'd1;
    wire [15:0] y_next = cta_y + 16'd1;
    wire [15:0] z_next = cta_z + 16'd1;
    wire        x_ends = x_next == ctas_x;
    wire        y_ends = y_next == ctas_y;
    wire        z_ends = z_next == ctas_z;

    reg  [BORN_W-1:0] warps; // to begin, this one included
    wire              last  = warps == {{(BORN_W-1){1'b0}}, 1'b1};
    wire              again = begins && !last;

    always @(posedge clk) begin
        if (rst)
            left <= 1'b0;
        else if (start)
            left <= ctas_x != 32'd0 && ctas_y != 16'd0 && ctas_z != 16'd0;
        else if ((take || passes) && x_ends && y_ends && z_ends)
            left <= 1'b0;
    end

    always @(posedge clk) begin
        if (start) begin
            cta_x <= 32'd0;
            cta_y <= 16'd0;
            cta_z <= 16'd0;
        end else if (passes || (begins && last)) begin
            cta_x <= x_ends ? 32'd0 : x_next;
            if (x_ends)
                cta_y <= y_ends ? 16'd0 : y_next;
            if (x_ends && y_ends)
                cta_z <= z_next;
        end
    end

    always @(posedge clk) begin
        if (start)
            skip <= first_cta;
        else if (take)
            skip <= cta_step - {7'd0, cta_step != 8'd0};
        else if (passes)
            skip <= skip - 8'd1;
    end

    assign over = !left && state == IDLE;

    always @(posedge clk) begin
        if (rst)
            count_cta <= 1'b0;
        else
            count_cta <= take;
    end

    // ------------------------------------------------------------------
    // Warps of a CTA

    reg  [EDGE_W-1:0] k;      // edge of the filling
    reg  [CTA_W-1:0]  slot;   // the CTA's
    reg  [WARP_W-1:0] warp;   // from the base on
    reg  [WARP_W-1:0] number; // of the warp in its CTA
    wire              fills = state == LOAD && !faulted;
    wire              full  = k == ${hex(EDGE_W, L.FILL - 1)};

    assign begins    = init_valid && init_ready;
    assign born_slot = slot;

    always @(posedge clk) begin
        if (rst)
            state <= IDLE;
        else if (take)
            state <= BASE;
        else if (state == BASE || again)
            state <= LOAD;
        else if (fills && full)
            state <= INIT;
        else if (begins)
            state <= IDLE;
    end

    always @(posedge clk) begin
        if (state == BASE || begins)
            k <= {EDGE_W{1'b0}};
        else if (fills)
            k <= k + 1'b1;
    end

    wire [${FW - 1}:0] base = ${wide("slot", L.CTA_W, FW)} * ${wide("cta_warps", L.BORN_W, FW)}; // its first warp

    integer v;

    reg [WARPS-1:0] of_cta; // warps of the CTA
    reg [6:0]       from;   // of one, its number in the CTA, if it is of it

    always @* begin
        for (v = 0; v < WARPS; v = v + 1) begin
            from      = v[6:0] - ${FW < 7 and "{" .. 7 - FW .. "'d0, base}" or "base"};
            of_cta[v] = from < ${wide("cta_warps", L.BORN_W, 7)};
        end
    end

    assign born = of_cta & {WARPS{state == BASE}};

    always @(posedge clk) begin
        if (take) begin
            slot   <= free;
            warps  <= cta_warps;
            number <= {WARP_W{1'b0}};
        end else if (begins) begin
            warps  <= warps - 1'b1;
            number <= number + 1'b1;
        end
        if (state == BASE)
            warp <= base[WARP_W-1:0];
        else if (begins)
            warp <= warp + 1'b1;
    end

    // ------------------------------------------------------------------
    // Its threads

    reg  [THREADS_W-1:0] rest;  // threads to come
    reg  [LANES-1:0]     lane;  // the next one, as a bit; none: all are there
    reg  [LANES-1:0]     lanes; // that have a thread
    reg  [9:0]           x;     // thread
    reg  [9:0]           y;
    reg  [9:0]           z;
    reg  [30*LANES-1:0]  row;   // packed threads

    wire [10:0] tid_x  = {1'b0, x} + 11'd1;
    wire [10:0] tid_y  = {1'b0, y} + 11'd1;
    wire        x_full = tid_x == tids_x;
    wire        y_full = tid_y == tids_y;
    wire        adds   = fills && lane != {LANES{1'b0}} && rest != {THREADS_W{1'b0}};

    always @(posedge clk) begin
        if (state == BASE || begins) begin
            lane  <= {{(LANES-1){1'b0}}, 1'b1};
            lanes <= {LANES{1'b0}};
        end else if (fills) begin
            lane <= lane << 1;
            if (adds)
                lanes <= lanes | lane;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            rest <= threads;
            x    <= 10'd0;
            y    <= 10'd0;
            z    <= 10'd0;
        end else if (adds) begin
            rest <= rest - 1'b1;
            x    <= x_full ? 10'd0 : tid_x[9:0];
            if (x_full)
                y <= y_full ? 10'd0 : tid_y[9:0];
            if (x_full && y_full)
                z <= z + 10'd1;
        end
    end

    integer l;

    always @(posedge clk) begin
        for (l = 0; l < LANES; l = l + 1)
            if (adds && lane[l])
                row[l*30 +: 30] <= {z, y, x};
    end

    integer g;
    reg [${L.ROW_W - 1}:0] shown; // the row, of lanes with a thread

    always @* begin
        for (g = 0; g < LANES; g = g + 1)
            shown[g*32 +: 32] = {2'd0, row[g*30 +: 30] & {30{lanes[g]}}};
    end

    assign init_valid = state == INIT;
    assign init_warp  = warp & {WARP_W{init_valid}};
    assign init_reg   = {REG_W{1'b0}};
    assign init_mask  = lanes & {LANES{init_valid}};
    assign init_row   = shown & {${L.ROW_W}{init_valid}};

    // ------------------------------------------------------------------
    // Its values, and its window

    wire [3:0]  at     = k[3:0];
    wire        valued = fills && ${EDGE_W > 4 and "k < VALUES[EDGE_W-1:0]" or "at < VALUES[3:0]"};
    wire [3:0]  index  = at == 4'd11 ? 4'd13 : at + 4'd1;
    reg  [31:0] word;

    always @* begin
        case (at)
        4'd0: word = {${32 - L.WARP_W}'d0, number};
        4'd1: word = cta_x;
        4'd2: word = {16'd0, cta_y};
        4'd3: word = {16'd0, cta_z};
        4'd4: word = {21'd0, tids_x};
        4'd5: word = {21'd0, tids_y};
        4'd6: word = {21'd0, tids_z};
        4'd7: word = ctas_x;
        4'd8: word = {16'd0, ctas_y};
        4'd9: word = {16'd0, ctas_z};
        4'd10: word = {${32 - L.WARP_W - clog2(N)}'d0, warp, ${clog2(N)}'d0};
        default: word = shared_bytes;
        endcase
    end

    always @(posedge clk) begin
        if (rst || !valued) begin
            value_valid <= 1'b0;
            value_warp  <= {WARP_W{1'b0}};
            value_index <= 4'd0;
            value_word  <= 32'd0;
        end else begin
            value_valid <= 1'b1;
            value_warp  <= warp;
            value_index <= index;
            value_word  <= word;
        end
    end

    wire [ROWS_W-1:0] rows  = shared_bytes[${2 + ALU_W + ROWS_W - 1}:${2 + ALU_W}];
    wire [${MW - 1}:0] above = ${wide("slot", L.CTA_W, MW)} * ${wide("rows", ROWS_W, MW)}; // rows of slots below

    wire windowed = fills && k == {EDGE_W{1'b0}};

    always @(posedge clk) begin
        if (rst || !windowed) begin
            window_valid <= 1'b0;
            window_warp  <= {WARP_W{1'b0}};
            window_base  <= {BANK_W{1'b0}};
            window_rows  <= {ROWS_W{1'b0}};
        end else begin
            window_valid <= 1'b1;
            window_warp  <= warp;
            window_base  <= above[BANK_W-1:0];
            window_rows  <= rows;
        end
    end

    wire unused = &{1'b0, above[${MW - 1}:BANK_W], FILL[0], VALUES[0]${FW > L.WARP_W and ", base[" .. FW - 1 .. ":WARP_W]" or ""}};

`ifdef FORMAL
`include "${prefix}ndp_frontend_dispatch_formal.vh"
`endif
endmodule

`default_nettype wire
