//% use "ndp_lowest.v"
//% use "ndp_sector_group.v"
//% use "ndp_round_robin.v"
//% use "ndp_waiting_access.v"
//% use "ndp_lsu_ext_gather_formal.vh"
//% local r = function(w) return pad(range(w), 13) end
${header{title = "load-store extension: strided messages", text = [[
Loads words that are a step apart, from the memories of all units.  One message is in
front: the words of its lanes are computed, then one sector is requested each cycle.
Responses are gathered in places, whose rows are granted in turn.

    accept -> front -> words -> req
    rsp -> places -> row

Latency: the first sector of a message accepted on edge t is at req after t+2; row_valid
rises after the edge of a place's last response.

See docs/blocks/lsu_ext.md, On each edge.]]}}
`default_nettype none

module ${prefix}ndp_lsu_ext_gather (
    input  wire               clk,         // clock
    input  wire               rst,         // synchronous reset, active high

    // a message
    input  wire               accept,      // the message becomes the one in front; needs idle
    output wire               idle,        // none is in front
    input  wire ${r(L.WARP_W)} warp,        // warp
    input  wire ${r(L.REG_W)} regno,       // register
    input  wire ${r(L.LANES)} mask,        // active lanes
    input  wire ${r(L.STEP_W)} step,        // words from a lane's to the next one's, signed
    input  wire ${r(L.AT_W)} word,        // of the lowest active lane

    // requests for sectors
    output reg                req_valid,   // a request
    input  wire               req_accept,  // accepted by its unit
    output wire ${r(L.UNIT_W)} req_unit,    // unit
    output wire ${r(L.OWN_W)} req_sector,  // of the unit's memory
    output wire ${r(L.GATHER_W)} req_place,   // place that waits for it
    output reg  ${r(L.LANE_W)} req_lead,    // lowest lane that waits

    // sectors
    input  wire               rsp_valid,   // a response
    input  wire ${r(L.GATHER_W)} rsp_place,   // place that waits for it
    input  wire ${r(L.LANE_W)} rsp_lead,    // lowest lane that waits
    input  wire               rsp_fault,   // there is no such sector
    input  wire ${r(L.DATA_W)} rsp_data,    // sector

    // rows
    output wire               row_valid,   // a place has a complete row
    input  wire               row_grant,   // its row is output from now on
    input  wire               row_done,    // the row that is output was written
    output wire ${r(L.WARP_W)} row_warp,    // of the next complete row: warp
    output wire ${r(L.REG_W)} row_reg,     // register
    output wire               row_fault,   // one of its sectors had a fault
    output wire ${r(L.LANES)} row_mask,    // of the row that is output: lanes to write
    output wire ${r(L.ROW_W)} row_data     // row
);
${localparams("LANES", "LANE_W", "WARP_W", "REG_W", "UNIT_W", "WORD_W", "UNIT_AT", "AT_W", "STEP_W",
              "ROW_W", "GATHERS", "GATHER_W")}

    localparam [1:0] IDLE    = 2'd0, // accepts a message
                     WORDS   = 2'd1, // computes the words of its lanes, allocates a place
                     REQUEST = 2'd2; // requests sectors

    reg [1:0] state;

    assign idle = state == IDLE;

    // ------------------------------------------------------------------
    // The message in front

    reg [WARP_W-1:0]     f_warp;
    reg [REG_W-1:0]      f_reg;
    reg [LANES-1:0]      f_mask;
    reg [STEP_W-1:0]     f_step;
    reg [AT_W-1:0]       f_word;
    reg [AT_W*LANES-1:0] words;   // of its lanes
    reg [LANES-1:0]      pending; // lanes without a request

    always @(posedge clk) begin
        if (accept) begin
            f_warp <= warp;
            f_reg  <= regno;
            f_mask <= mask;
            f_step <= step;
            f_word <= word;
        end
    end

    // ------------------------------------------------------------------
    // The lowest pending lane, and all of its sector

    wire [LANES-1:0]  first;
    wire [LANE_W-1:0] lead;
    wire [AT_W-1:0]   lead_word;
    wire [LANES-1:0]  group;

    ${prefix}ndp_sector_group #(
        .LANES  (LANES),
        .LANE_W (LANE_W),
        .ADDR_W (AT_W),
        .WORD_W (WORD_W)
    ) group_of (
        .pending (pending),
        .words   (words),
        .first   (first),
        .lead    (lead),
        .word    (lead_word),
        .group   (group)
    );

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
    reg  [GATHER_W-1:0]       slot;    // place of the message in front
    reg  [GATHER_W-1:0]       granted; // place whose row is output

    wire room     = used != {GATHERS{1'b1}};
    wire allocate = state == WORDS && room;
    wire advance  = state == REQUEST && (!req_valid || req_accept);
    wire issue    = advance && pending != {LANES{1'b0}};
    wire finish   = advance && pending == {LANES{1'b0}};

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
                .claim        (allocate && place_first[p]),
                .claim_store  (1'b0),
                .claim_warp   (f_warp),
                .claim_reg    (f_reg),
                .claim_mask   (f_mask),
                .claim_at     (at),
                .made         (group & {LANES{issue && slot == HERE}}),
                .made_id      (lead),
                .cut          (finish && slot == HERE),
                .answer_valid (rsp_valid && rsp_place == HERE),
                .answer_id    (rsp_lead),
                .answer_fault (rsp_fault),
                .answer_data  (rsp_data),
                .wrote        (1'b0),
                .ends         (row_done && granted == HERE),
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
        if (allocate)
            slot <= place_lowest;
    end

    // ------------------------------------------------------------------
    // The request, and the lanes without one

    reg [AT_W-WORD_W-1:0] req_at; // sector at the core

    always @(posedge clk) begin
        if (rst)
            req_valid <= 1'b0;
        else if (advance)
            req_valid <= issue;
    end

    always @(posedge clk) begin
        if (issue) begin
            req_at   <= lead_word[AT_W-1:WORD_W];
            req_lead <= lead;
        end
    end

    assign req_place = slot;
    assign req_unit  = req_at[UNIT_AT-WORD_W +: UNIT_W];
//% if L.UNIT_AT > L.WORD_W then
    assign req_sector = {req_at[AT_W-WORD_W-1:UNIT_AT-WORD_W+UNIT_W], req_at[UNIT_AT-WORD_W-1:0]};
//% else
    assign req_sector = req_at[AT_W-WORD_W-1:UNIT_AT-WORD_W+UNIT_W];
//% end

    always @(posedge clk) begin
        if (accept)
            pending <= mask;
        else if (issue)
            pending <= pending & ~group;
    end

    always @(posedge clk) begin
        if (rst || finish)
            state <= IDLE;
        else if (accept)
            state <= WORDS;
        else if (allocate)
            state <= REQUEST;
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
        .take    (row_grant),
        .chosen  (chosen),
        .index   (next)
    );

    always @(posedge clk) begin
        if (row_grant)
            granted <= next;
    end

    assign row_valid       = full != {GATHERS{1'b0}};
    assign row_warp  = warps[next*WARP_W +: WARP_W];
    assign row_reg   = registers[next*REG_W +: REG_W];
    assign row_fault = faults[next];
    assign row_mask   = masks[granted*LANES +: LANES];
    assign row_data    = rows[granted*ROW_W +: ROW_W];

    wire unused = &{1'b0, first, lead_word[WORD_W-1:0], over, chosen};

`ifdef FORMAL
`include "${prefix}ndp_lsu_ext_gather_formal.vh"
`endif
endmodule

`default_nettype wire
