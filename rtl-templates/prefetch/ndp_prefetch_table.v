//% use "ndp_ram.v"
//% use "ndp_subtract.v"
//% use "ndp_prefetch_table_formal.vh"
//% local function w(n) return pad(range(n), 7) end
//% local WALK_W = record.entry.last.msb - record.entry.base.lsb + 2
//% local RECIPROCAL = L.RECIPROCAL == 1
//% local fields = {} -- of an entry that have bits, from the lowest
//% for _, f in ipairs(record.entry.list) do
//%     if f.width > 0 then fields[#fields + 1] = f end
//% end
//% -- what is kept until edge 2: axis, and base to last
//% local walk = { record.entry.axis }
//% for _, f in ipairs(fields) do
//%     if f.lsb >= record.entry.base.lsb and f.lsb <= record.entry.last.lsb then
//%         walk[#walk + 1] = f
//%     end
//% end
//% -- fields by name as a concatenation has them, the highest first
//% local function all(prefix, list, indent)
//%     local named = {}
//%     for i = #list, 1, -1 do named[#named + 1] = prefix .. list[i].name end
//%     return joined(named, ",", indent)
//% end
//% if RECIPROCAL then use "ndp_prefetch_scale.v" end
${header{title = "prefetcher: information table", text = [[
Finds the image that an address lies in and says how the core walks over it.

An address is in an image if its distance from the image's start, counted round
the end of the address space, is below the image's size.  An entry that is not
valid is held as an image of no bytes.  The lowest-numbered image counts.

What only later edges need lies in a memory of its own, written one edge later.
]] .. (RECIPROCAL and [[
m and the bounds along x are held times 2^(PITCH_W - s), which makes every
division one by 2^(SIZE_W + PITCH_W).
]] or "") .. [[

Latency: edges relative to the one with ask, on which the distances are taken,
from a start that is loaded on the same edge too.  found, position and divisor are
shown after edge 1, the walk and the address after edge 2, and kept until
another address is found.

Contract: no load while an address is under way.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_table (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high

    // entries
    input  wire         load_valid,   // an entry
    input  wire ${w(L.IMAGE_W)} load_index,   // image
    input  wire ${w(L.ENTRY_W)} load_entry,   // its fields

    // question
    input  wire         ask,          // an address
    input  wire ${w(L.ADDR_W)} ask_address,  // address
    output wire         known,        // the last one lies in an image

    // answer, first half
    output reg          found,        // the address lies in an image
    output reg  ${w(L.SIZE_W)} position,     // bytes from its begin
    output reg  ${w(held_divisor_w)} divisor,      // what the divider needs

    // answer, second half, one edge later
    output reg  ${w(L.ADDR_W)} walk_address, // address
    output wire         axis,         // the walk goes 0 along x, 1 along y
    output wire ${w(L.STRIDE_W)} base,         // stride to the next block
    output wire ${w(L.STRIDE_W)} modified,     // stride at the turn
    output wire ${w(L.ROW_W)} y_lo,         // part: rows
    output wire ${w(L.ROW_W)} y_hi,         // row after it
    output wire ${w(L.ROW_W)} y_turn,       // no block below
    output wire ${w(L.X_W)} x_lo,         // part: bytes, encoded
    output wire ${w(L.X_W)} x_hi,         // byte after it
    output wire ${w(L.X_W)} x_turn,       // no block to the right
    output wire ${w(L.LAST_W)} last          // begin of the last block
);
${localparams("IMAGES", "IMAGE_W", "ADDR_W", "SIZE_W")}

    localparam DIVISOR_W = ${held_divisor_w}; // bits of a divisor as it is held
    localparam WALK_W    = ${WALK_W}; // axis and all after size, up to last
    localparam WORDS     = IMAGES > 1 ? IMAGES : 2; // an address needs one bit

    // ------------------------------------------------------------------
    // Entries: what the search needs

//% for _, f in ipairs(fields) do
    wire ${pad(range(f.width), 15)} entry_${f.name};
//% end

    assign {${all("entry_", fields, 12)}} = load_entry;

    wire [ADDR_W-1:0]    load_not_start = ~entry_start;
    wire [SIZE_W-1:0]    load_size      = entry_valid ? entry_size : {SIZE_W{1'b0}};
//% if RECIPROCAL then
    wire [DIVISOR_W-1:0] load_divisor;

    ${prefix}ndp_prefetch_scale #(
        .WIDTH (${L.SIZE_W + 1}),
        .WIDER (DIVISOR_W)
    ) scale_m (
        .shift  (entry_shift),
        .value  (entry_mult),
        .scaled (load_divisor)
    );
//% else
    wire [DIVISOR_W-1:0] load_divisor = entry_${fields[#fields].name};
//% end

    reg [IMAGES-1:0] load_here; // one-hot: the image that is loaded
    integer          i;

    always @* begin
        for (i = 0; i < IMAGES; i = i + 1)
            load_here[i] = load_valid && load_index == i[IMAGE_W-1:0];
    end

    // ------------------------------------------------------------------
    // Edge 0: distance from each image's start; edge 1: is it below the size?

    reg              asked;   // an address was asked for
    reg [ADDR_W-1:0] address; // it

    always @(posedge clk) begin
        if (rst)
            asked <= 1'b0;
        else
            asked <= ask;
    end

    always @(posedge clk) begin
        if (ask)
            address <= ask_address;
    end

    wire [IMAGES-1:0]           match;
    wire [IMAGES*SIZE_W-1:0]    positions;
    wire [IMAGES*DIVISOR_W-1:0] divisors;
    genvar                      g;

    generate
        for (g = 0; g < IMAGES; g = g + 1) begin : image
            reg  [ADDR_W-1:0]    not_start; // first byte, inverted
            reg  [SIZE_W-1:0]    not_size;  // bytes, inverted
            reg  [DIVISOR_W-1:0] entry_divisor;
            reg  [ADDR_W-1:0]    distance;  // of the address from the start
            wire [ADDR_W-1:0]    next_distance;
            wire                 unused_at_least; // distances go round
            wire [SIZE_W-1:0]    unused_rest;
            wire                 beyond;

            always @(posedge clk) begin
                if (rst) begin
                    not_start <= {ADDR_W{1'b1}};
                    not_size  <= {SIZE_W{1'b1}};
                end else if (load_here[g]) begin
                    not_start <= load_not_start;
                    not_size  <= ~load_size;
                end
            end

            always @(posedge clk) begin
                if (load_here[g])
                    entry_divisor <= load_divisor;
            end

            ${prefix}ndp_subtract #(
                .WIDTH (ADDR_W)
            ) from_start (
                .value      (ask_address),
                .not_number (load_here[g] ? load_not_start : not_start),
                .difference (next_distance),
                .at_least   (unused_at_least)
            );

            always @(posedge clk) begin
                distance <= next_distance;
            end

            ${prefix}ndp_subtract #(
                .WIDTH (SIZE_W)
            ) from_end (
                .value      (distance[SIZE_W-1:0]),
                .not_number (not_size),
                .difference (unused_rest),
                .at_least   (beyond)
            );

//% if L.ADDR_W > L.SIZE_W then
            assign match[g] = asked && !beyond &&
                              distance[ADDR_W-1:SIZE_W] == ${L.ADDR_W - L.SIZE_W}'d0;
//% else
            assign match[g] = asked && !beyond;
//% end
            assign positions[g*SIZE_W +: SIZE_W]      = distance[SIZE_W-1:0];
            assign divisors[g*DIVISOR_W +: DIVISOR_W] = entry_divisor;
        end
    endgenerate

    reg [IMAGE_W-1:0]   first_image; // lowest-numbered image that the address is in
    reg [SIZE_W-1:0]    first_position;
    reg [DIVISOR_W-1:0] first_divisor;
    integer             k;

    always @* begin
        first_image    = ${L.IMAGE_W}'d${L.IMAGES - 1};
        first_position = positions[(IMAGES-1)*SIZE_W +: SIZE_W];
        first_divisor  = divisors[(IMAGES-1)*DIVISOR_W +: DIVISOR_W];
        for (k = IMAGES - 2; k >= 0; k = k - 1)
            if (match[k]) begin
                first_image    = k[IMAGE_W-1:0];
                first_position = positions[k*SIZE_W +: SIZE_W];
                first_divisor  = divisors[k*DIVISOR_W +: DIVISOR_W];
            end
    end

    assign known = match != {IMAGES{1'b0}};

    reg [IMAGE_W-1:0] found_image;
    reg [ADDR_W-1:0]  found_address;

    always @(posedge clk) begin
        if (rst)
            found <= 1'b0;
        else
            found <= known;
    end

    always @(posedge clk) begin
        if (asked) begin
            position      <= first_position;
            divisor       <= first_divisor;
            found_image   <= first_image;
            found_address <= address;
        end
    end

    // ------------------------------------------------------------------
    // Entries: what is needed later

    reg               store;       // an entry is written
    reg [IMAGE_W-1:0] store_index; // image
    reg [WALK_W-1:0]  store_walk;  // its fields, as they were loaded

    always @(posedge clk) begin
        if (rst)
            store <= 1'b0;
        else
            store <= load_valid;
    end

    always @(posedge clk) begin
        store_index <= load_index;
        store_walk  <= {${all("entry_", walk, 24)}};
    end

//% if RECIPROCAL then
    reg  [${L.SHIFT_W - 1}:0] store_shift; // s
    wire [WALK_W-1:0] stored_walk; // fields, as they are held

    always @(posedge clk) begin
        store_shift <= entry_shift;
    end

//%     for _, f in ipairs(walk) do
    wire ${pad(range(f.width), 12)} store_${f.name};
//%     end

    assign {${all("store_", walk, 12)}} = store_walk;

    localparam X_W = ${L.X_W}; // bits of a bound along x

    // No column lies at 2^(X_W-1) or above, but the right end of an image that
    // fills its pitch can come out higher.
    function [X_W-1:0] limit;
        input [X_W-1:0] bound;
        limit = {bound[X_W-1], bound[X_W-2:0] & {(X_W-1){!bound[X_W-1]}}};
    endfunction

//%     for _, name in ipairs { "x_lo", "x_hi", "x_turn", "last" } do
//%         local wider = name == "last" and L.LAST_W > L.X_W
    wire [X_W-1:0] scaled_${name};

    ${prefix}ndp_prefetch_scale #(
        .WIDTH (X_W),
        .WIDER (X_W)
    ) scale_${name} (
        .shift  (store_shift),
        .value  (store_${name}${wider and "[X_W-1:0]" or ""}),
        .scaled (scaled_${name})
    );

//%     end
//%     local zeros = L.LAST_W > L.X_W and "{" .. L.LAST_W - L.X_W .. "'d0, " or ""
//%     local brace = zeros == "" and "" or "}"
    assign stored_walk = {
        store_axis ? store_last : ${zeros}limit(scaled_last)${brace},
        limit(scaled_x_turn), limit(scaled_x_hi), limit(scaled_x_lo),
        store_y_turn, store_y_hi, store_y_lo, store_modified, store_base, store_axis
    };
//% else
    wire [WALK_W-1:0] stored_walk = store_walk;
//% end

    // ------------------------------------------------------------------
    // Edge 2: the walk

    wire [WALK_W-1:0] walk;

    ${prefix}ndp_ram #(
        .WIDTH     (WALK_W),
        .WORDS     (WORDS),
        .ADDRESS_W (IMAGE_W)
    ) walks (
        .clk     (clk),
        .wr_en   (store),
        .wr_addr (store_index),
        .wr_data (stored_walk),
        .rd_en   (found),
        .rd_addr (found_image),
        .rd_data (walk)
    );

    assign {last, x_turn, x_hi, x_lo, y_turn, y_hi, y_lo, modified, base,
            axis} = walk;

    always @(posedge clk) begin
        if (found)
            walk_address <= found_address;
    end

`ifdef FORMAL
`include "${prefix}ndp_prefetch_table_formal.vh"
`endif
endmodule

`default_nettype wire
