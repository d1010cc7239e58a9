//% use "ndp_lowest.v"
//% use "ndp_round_robin.v"
//% use "ndp_waiting_access.v"
//% use "ndp_lsu_ext_gather_formal.vh"
//% local r = function(w) return pad(range(w), 13) end
${header{title = "load-store extension: strided messages", text = [[
Loads words that are a step apart, from the memories of all units.  One message is in
front: the words of its lanes are computed, then a sector an edge is asked for.  What
comes is gathered in places, which are ended in turn.

    take -> front -> words -> request (ask)
    come -> places -> whole, tell -> row

Latency: of a message taken on edge t the first sector is at ask after t+2; a place is
whole after the edge that brings its last sector.

See docs/blocks/lsu_ext.md, On each edge.]]}}
`default_nettype none

module ${prefix}ndp_lsu_ext_gather (
    input  wire               clk,         // clock
    input  wire               rst,         // synchronous reset, active high

    // a message
    input  wire               take,        // it becomes the one in front, as idle is 1
    output wire               idle,        // none is in front
    input  wire ${r(L.WARP_W)} warp,        // warp
    input  wire ${r(L.REG_W)} regno,       // register
    input  wire ${r(L.LANES)} mask,        // active lanes
    input  wire ${r(L.STEP_W)} step,        // words from a lane's to the next one's, signed
    input  wire ${r(L.AT_W)} word,        // of the lowest active lane

    // requests for sectors
    output reg                asks,        // a request
    input  wire               taken,       // its unit takes it
    output wire ${r(L.UNIT_W)} ask_unit,    // unit
    output wire ${r(L.OWN_W)} ask_sector,  // of the unit's memory
    output wire ${r(L.GATHER_W)} ask_place,   // place that waits for it
    output reg  ${r(L.LANE_W)} ask_lead,    // lowest lane that does

    // sectors
    input  wire               come,        // one
    input  wire ${r(L.GATHER_W)} come_place,  // place that waits for it
    input  wire ${r(L.LANE_W)} come_lead,   // lowest lane that does
    input  wire               come_fault,  // there is no such sector
    input  wire ${r(L.DATA_W)} come_data,   // sector

    // rows
    output wire               whole,       // a place has one
    input  wire               tell,        // it is shown from now on
    input  wire               wrote,       // the one that is shown is written
    output wire ${r(L.WARP_W)} whole_warp,  // of the next place with a whole row: warp
    output wire ${r(L.REG_W)} whole_reg,   // register
    output wire               whole_fault, // one of its sectors had a fault
    output wire ${r(L.LANES)} show_mask,   // of the one that is shown: lanes to write
    output wire ${r(L.ROW_W)} show_row     // row
);
${localparams("LANES", "LANE_W", "WARP_W", "REG_W", "UNIT_W", "WORD_W", "UNIT_AT", "AT_W", "STEP_W",
              "ROW_W", "GATHERS", "GATHER_W")}

    localparam [1:0] IDLE  = 2'd0, // takes a message
                     WORDS = 2'd1, // computes the words of its lanes, gets a place
                     ASK   = 2'd2; // asks for sectors

    reg [1:0] state;

    assign idle = state == IDLE;

    // ------------------------------------------------------------------
    // The message in front

    reg [WARP_W-1:0]     f_warp;
    reg [REG_W-1:0]      f_reg;
    reg [LANES-1:0]      f_mask;
    reg [STEP_W-1:0]     f_step;
    reg [AT_W-1:0]       f_word;
    reg [AT_W*LANES-1:0] words; // of its lanes
    reg [LANES-1:0]      left;  // lanes without a request

    always @(posedge clk) begin
        if (take) begin
            f_warp <= warp;
            f_reg  <= regno;
            f_mask <= mask;
            f_step <= step;
            f_word <= word;
        end
    end

    // ------------------------------------------------------------------
    // The lowest lane that is left, and all of its sector

    wire [LANES-1:0]  first;
    wire [LANE_W-1:0] lead;
    reg  [AT_W-1:0]   lead_word;
    wire [LANES-1:0]  group;

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest (
        .set   (left),
        .first (first),
        .index (lead)
    );

    integer l;

    always @* begin
        lead_word = {AT_W{1'b0}};
        for (l = 0; l < LANES; l = l + 1)
            lead_word = lead_word | (words[AT_W*l +: AT_W] & {AT_W{first[l]}});
    end

    // ------------------------------------------------------------------
    // Words: that of lane 0, active or not, and a step more from lane to lane

    wire [AT_W*LANES-1:0]   next_words;
    wire [WORD_W*LANES-1:0] at; // words within their sectors

    wire [AT_W-1:0] long_step = {{AT_W-STEP_W{f_step[STEP_W-1]}}, f_step};
    wire [AT_W-1:0] zero_word = f_word - long_step * lead;

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            localparam [AT_W-1:0] PLACE = i;

            assign group[i] = left[i] &&
                              words[AT_W*i + WORD_W +: AT_W - WORD_W] == lead_word[AT_W-1:WORD_W];

            assign next_words[AT_W*i +: AT_W] = zero_word + long_step * PLACE;
            assign at[WORD_W*i +: WORD_W]     = next_words[AT_W*i +: WORD_W];
        end
    endgenerate

    always @(posedge clk) begin
        if (state == WORDS)
            words <= next_words;
    end

    // ------------------------------------------------------------------
    // Places

    wire [GATHERS-1:0]        used;
    wire [GATHERS-1:0]        full;
    wire [GATHERS-1:0]        over;
    wire [GATHERS-1:0]        place_first;
    wire [GATHER_W-1:0]       place_lowest;
    wire [WARP_W*GATHERS-1:0] warps;
    wire [REG_W*GATHERS-1:0]  registers;
    wire [LANES*GATHERS-1:0]  masks;
    wire [ROW_W*GATHERS-1:0]  rows;
    wire [GATHERS-1:0]        faults;
    reg  [GATHER_W-1:0]       here;  // place of the message in front
    reg  [GATHER_W-1:0]       shown; // place whose row is shown

    wire room   = used != {GATHERS{1'b1}};
    wire claims = state == WORDS && room;
    wire moves  = state == ASK && (!asks || taken);
    wire makes  = moves && left != {LANES{1'b0}};
    wire cuts   = moves && left == {LANES{1'b0}};

    ${prefix}ndp_lowest #(
        .N       (GATHERS),
        .INDEX_W (GATHER_W)
    ) free_place (
        .set   (~used),
        .first (place_first),
        .index (place_lowest)
    );

    genvar p;

    generate
        for (p = 0; p < GATHERS; p = p + 1) begin : place
            localparam [GATHER_W-1:0] HERE = p;

            ${prefix}ndp_waiting_access #(
                .LANES  (LANES),
                .LANE_W (LANE_W),
                .WARP_W (WARP_W),
                .REG_W  (REG_W),
                .WORD_W (WORD_W)
            ) waiting (
                .clk          (clk),
                .rst          (rst),
                .claim        (claims && place_first[p]),
                .claim_store  (1'b0),
                .claim_warp   (f_warp),
                .claim_reg    (f_reg),
                .claim_mask   (f_mask),
                .claim_at     (at),
                .made         (group & {LANES{makes && here == HERE}}),
                .made_id      (lead),
                .cut          (cuts && here == HERE),
                .answer_valid (come && come_place == HERE),
                .answer_id    (come_lead),
                .answer_fault (come_fault),
                .answer_data  (come_data),
                .wrote        (1'b0),
                .ends         (wrote && shown == HERE),
                .used         (used[p]),
                .full         (full[p]),
                .over         (over[p]),
                .warp         (warps[WARP_W*p +: WARP_W]),
                .target       (registers[REG_W*p +: REG_W]),
                .mask         (masks[LANES*p +: LANES]),
                .row          (rows[ROW_W*p +: ROW_W]),
                .fault        (faults[p])
            );
        end
    endgenerate

    always @(posedge clk) begin
        if (claims)
            here <= place_lowest;
    end

    // ------------------------------------------------------------------
    // The request, and what is left

    reg [AT_W-WORD_W-1:0] ask_at; // sector at the core

    always @(posedge clk) begin
        if (rst)
            asks <= 1'b0;
        else if (moves)
            asks <= makes;
    end

    always @(posedge clk) begin
        if (makes) begin
            ask_at   <= lead_word[AT_W-1:WORD_W];
            ask_lead <= lead;
        end
    end

    assign ask_place = here;
    assign ask_unit  = ask_at[UNIT_AT-WORD_W +: UNIT_W];
//% if L.UNIT_AT > L.WORD_W then
    assign ask_sector = {ask_at[AT_W-WORD_W-1:UNIT_AT-WORD_W+UNIT_W], ask_at[UNIT_AT-WORD_W-1:0]};
//% else
    assign ask_sector = ask_at[AT_W-WORD_W-1:UNIT_AT-WORD_W+UNIT_W];
//% end

    always @(posedge clk) begin
        if (take)
            left <= mask;
        else if (makes)
            left <= left & ~group;
    end

    always @(posedge clk) begin
        if (rst || cuts)
            state <= IDLE;
        else if (take)
            state <= WORDS;
        else if (claims)
            state <= ASK;
    end

    // ------------------------------------------------------------------
    // Rows

    wire [GATHERS-1:0]  chosen;
    wire [GATHER_W-1:0] next;

    ${prefix}ndp_round_robin #(
        .N       (GATHERS),
        .INDEX_W (GATHER_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (full),
        .take    (tell),
        .chosen  (chosen),
        .index   (next)
    );

    always @(posedge clk) begin
        if (tell)
            shown <= next;
    end

    assign whole       = full != {GATHERS{1'b0}};
    assign whole_warp  = warps[next*WARP_W +: WARP_W];
    assign whole_reg   = registers[next*REG_W +: REG_W];
    assign whole_fault = faults[next];
    assign show_mask   = masks[shown*LANES +: LANES];
    assign show_row    = rows[shown*ROW_W +: ROW_W];

    wire unused = &{1'b0, over, chosen};

`ifdef FORMAL
`include "${prefix}ndp_lsu_ext_gather_formal.vh"
`endif
endmodule

`default_nettype wire
