//% use "ndp_lowest.v"
//% use "ndp_squeue_admit_formal.vh"
${header{title = "admission to a service queue", text = [[
Gives a chain that has come a place, if it can be computed and there is room, and
shows its loads one after the other: for that place, or marked to go away to the core.

    got -> able, room -> place -> load

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.  keep tells of the edge on which a place is taken.

Latency: a chain's first load is at load an edge after the chain is shown, when
nothing is in the way, the second on the next edge.]]}}
`default_nettype none

module ${prefix}ndp_squeue_admit (
    input  wire         clk,            // clock
    input  wire         rst,            // synchronous reset, active high
    input  wire ${pad(range(L.USED_W), 7)} places,         // setting: places in use at most

    // got: the chain that has come
    input  wire         got_valid,      // a chain
    output wire         got_ready,      // taken
//% for _, f in ipairs(record.packet.list) do if f.name ~= "compute" and f.name ~= "masked" and f.name ~= "wave" and f.name ~= "node" then
    input  wire ${pad(range(f.width), 7)} ${pad("got_" .. f.name .. ",", 15)} // ${f.doc}
//% end end
    input  wire ${pad(range(L.MASK_W), 7)} got_mask,       // lanes that take part

    // load: its loads
    output reg          load_valid,     // a load
    input  wire         load_ready,     // taken
    output reg          load_away,      // it goes to the core
    output reg  ${pad(range(L.NODE_W), 7)} load_core,      // the core
    output reg  ${pad(range(L.ENTRY_W), 7)} load_entry,     // entry of its offload queue
    output reg  ${pad(range(L.PLACE_W), 7)} load_place,     // or the chain's place
    output reg          load_second,    // the second load
    output reg  ${pad(range(L.ADDR_W), 7)} load_address,   // of lane 0
    output reg  [2:0]   load_type,      // type of the data
    output reg  ${pad(range(L.MASK_W), 7)} load_mask,      // lanes that take part

    // places
    input  wire ${pad(range(L.PLACES), 7)} taken,          // bit i: place i is taken
    input  wire         free,           // one becomes free
    output wire         keep,           // one is taken,
    output wire ${pad(range(L.PLACES), 7)} keep_bit,       // this one
    output wire ${pad(range(L.PLACE_W), 7)} keep_place,     //
    output wire ${pad(range(L.SOURCE_W), 7)} keep_source,    // where its operands are
    output wire ${pad(range(L.WORK_W), 7)} keep_work,      // what is to be done

    // what is counted
    output wire         count_packets,  // a chain
    output wire         count_full,     // there is no room for it
    output wire         count_unable    // it cannot be computed
);
${localparams("NODE_W", "ENTRY_W", "ADDR_W", "MASK_W", "PLACES", "PLACE_W", "USED_W")}

    localparam [3:0] DIV = 4'd4; // operations
    localparam [3:0] NEG = 4'd12;
    localparam [3:0] ABS = 4'd13;
    localparam [3:0] NOT = 4'd14;

    localparam [3:0] NAN = 4'd13; // the last comparison

    // ------------------------------------------------------------------
    // Can it be computed, and has it two loads

    wire [15:0] use_b = ${hex(16, L.HAS_B)};
    wire [15:0] use_f = ${hex(16, L.HAS_F)};
    wire [15:0] use_g = ${hex(16, L.HAS_G)};

    wire known    = got_pattern >= 4'd1 && got_pattern <= 4'd9;
    wire four     = got_pattern == 4'd4;
    wire compares = got_pattern == 4'd5 || got_pattern == 4'd6;
    wire has_g    = use_g[got_pattern];
    wire fused    = has_g && got_fused;
    wire unary    = got_f == NEG || got_f == ABS || got_f == NOT;
    wire two      = use_b[got_pattern] || (four && !unary);

    wire good_f = got_f != 4'd0 && got_f != DIV && got_f <= NOT;
    wire good_g = got_g != 4'd0 && got_g != DIV && got_g <= NOT;
    wire good_h = got_f <= NAN;

    wire able = known && got_type != 3'd7 &&
                (compares ? good_h :
                            fused || ((good_f || !use_f[got_pattern]) &&
                                      (good_g || !has_g)));

    // ------------------------------------------------------------------
    // Is there room

    reg [USED_W-1:0] used; // places that are taken

    always @(posedge clk) begin
        if (rst)
            used <= {USED_W{1'b0}};
        else if (keep != free)
            used <= keep ? used + 1'b1 : used - 1'b1;
    end

    wire [PLACES-1:0]  lowest;
    wire [PLACE_W-1:0] lowest_index;

    ${prefix}ndp_lowest #(
        .N       (PLACES),
        .INDEX_W (PLACE_W)
    ) choice (
        .set   (~taken),
        .first (lowest),
        .index (lowest_index)
    );

    wire room = used < places && taken != {PLACES{1'b1}};

    // ------------------------------------------------------------------
    // Its loads

    reg               second; // the second load is due
    reg               kept;   // and the chain has a place,
    reg [PLACE_W-1:0] place;  // this one

    wire moves = !load_valid || load_ready;
    wire shows = got_valid && moves;
    wire first = shows && !second;
    wire stays = second ? kept : able && room;

    wire [PLACE_W-1:0] at = second ? place : lowest_index;

    assign keep       = first && able && room;
    assign keep_bit   = lowest;
    assign keep_place = lowest_index;
    assign got_ready  = shows && (second || !two);

    always @(posedge clk) begin
        if (rst)
            second <= 1'b0;
        else if (shows)
            second <= !second && two;
        if (first) begin
            kept  <= able && room;
            place <= lowest_index;
        end
    end

    wire [ADDR_W-1:0] address_b = four ? got_c : got_b;

    always @(posedge clk) begin
        if (rst || (moves && !got_valid)) begin
            load_valid   <= 1'b0;
            load_away    <= 1'b0;
            load_core    <= {NODE_W{1'b0}};
            load_entry   <= {ENTRY_W{1'b0}};
            load_place   <= {PLACE_W{1'b0}};
            load_second  <= 1'b0;
            load_address <= {ADDR_W{1'b0}};
            load_type    <= 3'd0;
            load_mask    <= {MASK_W{1'b0}};
        end else if (shows) begin
            load_valid   <= 1'b1;
            load_away    <= !stays;
            load_core    <= stays ? {NODE_W{1'b0}} : got_core;
            load_entry   <= stays ? {ENTRY_W{1'b0}} : got_entry;
            load_place   <= stays ? at : {PLACE_W{1'b0}};
            load_second  <= second;
            load_address <= second ? address_b : got_a;
            load_type    <= got_type;
            load_mask    <= got_mask;
        end
    end

    // ------------------------------------------------------------------
    // What is kept of it

//% local from = {b = "address_b", two = "two"}
//% for _, r in ipairs{"source", "work"} do
    assign keep_${r} = {
//%     local list = record[r].list
//%     for i = #list, 1, -1 do
        ${r == "source" and from[list[i].name] or "got_" .. list[i].name}${i > 1 and "," or ""}
//%     end
    };
//% end

    assign count_packets = first;
    assign count_full    = first && able && !room;
    assign count_unable  = first && !able;

`ifdef FORMAL
`include "${prefix}ndp_squeue_admit_formal.vh"
`endif
endmodule

`default_nettype wire
