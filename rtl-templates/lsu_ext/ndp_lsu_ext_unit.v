//% use "ndp_queue.v"
//% use "ndp_ram_parts.v"
//% use "ndp_lsu_ext_unit_formal.vh"
//% local r = function(w) return pad(range(w), 9) end
${header{title = "load-store extension: one unit", text = [[
The way of a near-bank unit to its memory.  One request is in the work; it asks for a
sector an edge, in order.  Where a response belongs stands in its tag: sectors of rows
go into places, which are used and ended in turn, answers into a queue.

    take -> work -> mem
             ^ row of a store (wants, come)
    rsp -+- place -> whole, tell -> row
         +- queue -> answer

Latency: of work taken on edge t sector k is at mem after edge t+k; a place is whole
after the edge of its last response; an answer is shown an edge later.

See docs/blocks/lsu_ext.md, On each edge.]]}}
`default_nettype none

module ${prefix}ndp_lsu_ext_unit (
    input  wire           clk,       // clock
    input  wire           rst,       // synchronous reset, active high

    // a request, of the entry or of the gatherer
    input  wire           take,      // that of the entry becomes the work, which is free
    input  wire           gather,    // that of the gatherer does
    input  wire           message,   // a message, else a transaction
    input  wire           store,     // 1 store, 0 load
    input  wire ${r(L.WARP_W)} warp,      // of a message: warp
    input  wire ${r(L.REG_W)} regno,     // of a message: register
    input  wire ${r(L.LANE_W)} id,        // of a transaction: id
    input  wire ${r(L.OWN_W)} sector,    // of the unit's memory
    input  wire ${r(L.OWN_W)} g_sector,  // of the gatherer: sector
    input  wire ${r(L.GATHER_W)} g_place,   // ... place that waits for it
    input  wire ${r(L.LANE_W)} g_lead,    // ... lowest lane that does
    input  wire ${r(L.WORD_W)} offset,    // of a message: first word in it
    input  wire ${r(L.WORDS)} strobe,    // of a transaction: words that it writes
    input  wire ${r(L.DATA_W)} data,      // their data
    output reg            full,      // there is work
    output wire           free,      // there is none after this edge, but for a new one

    // the row of a store, in its sectors
    output wire           wants,     // it is wanted
    output wire ${r(L.WARP_W)} want_warp, // its warp
    output wire ${r(L.REG_W)} want_reg,  // its register
    output wire ${r(L.WORD_W)} want_off,  // its first word
    input  wire           come,      // here it is
    input  wire ${r(L.SPAN * L.DATA_W)} come_row,  // the row

    // the unit's memory
    output wire           mem_valid,   // a request
    input  wire           mem_ready,   // taken
    output wire           mem_store,   // 1 store, 0 load
    output wire ${r(L.TAG_W)} mem_id,      // tag
    output wire ${r(L.OWN_W)} mem_address, // sector
    output wire ${r(L.WORDS)} mem_strobe,  // words that a store writes
    output wire ${r(L.DATA_W)} mem_data,    // their data
    input  wire           rsp_valid,   // a response
    input  wire ${r(L.TAG_W)} rsp_id,      // tag of the request
    input  wire           rsp_fault,   // there is no such sector
    input  wire ${r(L.DATA_W)} rsp_data,    // sector that was loaded

    // answers
    output wire           answer,      // there is one
    output wire           strided,     // it is a sector of a strided message
    output wire ${r(L.GATHER_W)} answer_place, // ... place that waits for it
    output wire ${r(L.LANE_W)} answer_id,   // id of the transaction, or lowest lane that waits
    output wire           answer_fault, // there is no such sector
    output wire ${r(L.DATA_W)} answer_data, // sector that was loaded
    input  wire           answered,    // it is used on this edge

    // the oldest message
    output wire           whole,     // all of its sectors have come
    input  wire           tell,      // it is ended on this edge
    output wire ${r(L.WARP_W)} end_warp,  // its warp
    output wire ${r(L.REG_W)} end_reg,   // its register
    output wire           end_store, // 1 store, 0 load
    output wire           end_fault, // one of its sectors had a fault
    output wire ${r(L.WORD_W)} end_off,   // its first word in its sectors
    output wire ${r(L.SPAN * L.DATA_W)} row        // of the load that was ended last: its sectors
);
${localparams("LANES", "WARP_W", "REG_W", "LANE_W", "WORDS", "WORD_W", "OWN_W", "DATA_W", "SPAN", "SPAN_W",
              "ROWS", "PLACE_W", "GATHER_W", "SPOT_W", "ANSWERS", "PART_W", "TAG_W")}

    localparam USED_W = PLACE_W + 1;      // bits of a number of places
    localparam OPEN_W = ${clog2(L.ANSWERS + 1)}; // bits of a number of transactions
    localparam DUE_W  = ${clog2(L.SPAN + 1)}; // bits of a number of sectors
    localparam END_W  = WARP_W + REG_W + WORD_W + 1;

    localparam [USED_W-1:0] ALL_ROWS    = ${L.ROWS};
    localparam [OPEN_W-1:0] ALL_ANSWERS = ${L.ANSWERS};

    // ------------------------------------------------------------------
    // The work: its next sector and the words that are still to be asked for

    reg                   w_near;
    reg                   w_strided; // a sector of a strided message
    reg [GATHER_W-1:0]    w_place;   // ... place that waits for it
    reg                   w_store;
    reg                   w_has;    // of a store: the row has come
    reg [WARP_W-1:0]      w_warp;
    reg [REG_W-1:0]       w_reg;
    reg [LANE_W-1:0]      w_id;
    reg [WORD_W-1:0]      w_off;
    reg [OWN_W-1:0]       w_sector;
    reg [SPAN_W-1:0]      w_part;   // which of the row it is
    reg [SPAN*WORDS-1:0]  w_words;  // from it on
    reg [SPAN*DATA_W-1:0] w_data;

    reg [USED_W-1:0]  used;  // places
    reg [PLACE_W-1:0] head;  // the oldest one
    reg [PLACE_W-1:0] tail;  // the next one
    reg [OPEN_W-1:0]  open;  // transactions

    wire room  = w_near ? used != ALL_ROWS && (!w_store || w_has) : open != ALL_ANSWERS;
    wire taken = mem_valid && mem_ready;
    wire last  = w_words[SPAN*WORDS-1:WORDS] == {(SPAN-1)*WORDS{1'b0}};
    wire opens = taken && !w_near;
    wire uses  = taken && w_near && last;

    assign free      = !full || (taken && last);
    assign wants     = full && w_near && w_store && !w_has;
    assign want_warp = w_warp;
    assign want_reg  = w_reg;
    assign want_off  = w_off;

    always @(posedge clk) begin
        if (rst)
            full <= 1'b0;
        else if (take || gather)
            full <= 1'b1;
        else if (free)
            full <= 1'b0;
    end

    always @(posedge clk) begin
        if (gather) begin
            w_near    <= 1'b0;
            w_strided <= 1'b1;
            w_place   <= g_place;
            w_store   <= 1'b0;
            w_has     <= 1'b0;
            w_id      <= g_lead;
            w_sector  <= g_sector;
            w_part    <= {SPAN_W{1'b0}};
            w_words   <= {SPAN*WORDS{1'b0}};
        end else if (take) begin
            w_near    <= message;
            w_strided <= 1'b0;
            w_store   <= store;
            w_has     <= 1'b0;
            w_warp    <= warp;
            w_reg     <= regno;
            w_id      <= id;
            w_off     <= offset;
            w_sector  <= sector;
            w_part    <= {SPAN_W{1'b0}};
            w_words   <= message ? ${string.format("{{%d'd0}, {LANES{1'b1}}} << offset", L.SPAN * L.WORDS - L.LANES)}
                                 : {{(SPAN-1)*WORDS{1'b0}}, strobe};
            w_data    <= {{(SPAN-1)*DATA_W{1'b0}}, data};
        end else if (come) begin
            w_has    <= 1'b1;
            w_data   <= come_row;
        end else if (taken) begin
            w_sector <= w_sector + 1'b1;
            w_part   <= w_part + 1'b1;
            w_words  <= w_words >> WORDS;
            w_data   <= w_data >> DATA_W;
        end
    end

    wire [PART_W-1:0] part; // of the tag

//% if L.PART_W > L.SPAN_W then
    wire [PART_W-1:0] sector_part = {${L.PART_W - L.SPAN_W}'d0, w_part};
//% else
    wire [PART_W-1:0] sector_part = w_part;
//% end
    wire [PART_W-1:0] id_part = w_id; // the wider of both: a sector has two words or more

    assign part = w_near ? sector_part : id_part;

//% local function spot(name, w)
//%     return w == L.SPOT_W and name or "{" .. (L.SPOT_W - w) .. "'d0, " .. name .. "}"
//% end
    wire [SPOT_W-1:0] place  = w_near ? ${spot("tail", L.PLACE_W)} :
                               w_strided ? ${spot("w_place", L.GATHER_W)} : {SPOT_W{1'b0}};
    wire              stores = mem_valid && w_store;

    assign mem_valid   = full && room;
    assign mem_store   = stores;
    assign mem_id      = mem_valid ? {w_strided, w_near, place, part} : {TAG_W{1'b0}};
    assign mem_address = mem_valid ? w_sector : {OWN_W{1'b0}};
    assign mem_strobe  = stores ? w_words[WORDS-1:0] : {WORDS{1'b0}};
    assign mem_data    = stores ? w_data[DATA_W-1:0] : {DATA_W{1'b0}};

    // ------------------------------------------------------------------
    // Responses

    wire               come_near  = rsp_valid && rsp_id[TAG_W-2];
    wire               come_far   = rsp_valid && !rsp_id[TAG_W-2];
    wire [PLACE_W-1:0] come_place = rsp_id[PART_W +: PLACE_W];
    wire [SPAN_W-1:0]  come_part  = rsp_id[SPAN_W-1:0];
    wire [SPAN-1:0]    come_to; // sectors of a place

    genvar i;

    generate
        for (i = 0; i < SPAN; i = i + 1) begin : sectors
            localparam [SPAN_W-1:0] HERE = i;

            assign come_to[i] = come_near && come_part == HERE;
        end
    endgenerate

    ${prefix}ndp_ram_parts #(
        .PARTS     (SPAN),
        .PART_W    (DATA_W),
        .WORDS     (ROWS),
        .ADDRESS_W (PLACE_W)
    ) gathered (
        .clk     (clk),
        .wr_en   (come_to),
        .wr_addr (come_place),
        .wr_data ({SPAN{rsp_data}}),
        .rd_en   (tell),
        .rd_addr (head),
        .rd_data (row)
    );

    // ------------------------------------------------------------------
    // Places

    reg [ROWS*DUE_W-1:0] due;   // by place: sectors that were asked for and have not come
    reg [ROWS-1:0]       fault; // one of them had a fault
    reg [END_W-1:0]      ends [0:ROWS-1]; // whose message is in each place

    generate
        for (i = 0; i < ROWS; i = i + 1) begin : places
            localparam [PLACE_W-1:0] HERE = i;

            wire more = taken && w_near && tail == HERE;
            wire less = come_near && come_place == HERE;

            always @(posedge clk) begin
                if (rst)
                    due[DUE_W*i +: DUE_W] <= {DUE_W{1'b0}};
                else if (more && !less)
                    due[DUE_W*i +: DUE_W] <= due[DUE_W*i +: DUE_W] + 1'b1;
                else if (less && !more)
                    due[DUE_W*i +: DUE_W] <= due[DUE_W*i +: DUE_W] - 1'b1;
            end

            always @(posedge clk) begin
                if (rst || (tell && head == HERE))
                    fault[i] <= 1'b0;
                else if (less && rsp_fault)
                    fault[i] <= 1'b1;
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (uses)
            ends[tail] <= {w_off, w_store, w_reg, w_warp};
    end

    assign whole     = used != {USED_W{1'b0}} && due[DUE_W*head +: DUE_W] == {DUE_W{1'b0}};
    assign end_fault = fault[head];
    assign {end_off, end_store, end_reg, end_warp} = ends[head];

    always @(posedge clk) begin
        if (rst) begin
            used <= {USED_W{1'b0}};
            head <= {PLACE_W{1'b0}};
            tail <= {PLACE_W{1'b0}};
        end else begin
            if (uses && !tell)
                used <= used + 1'b1;
            else if (tell && !uses)
                used <= used - 1'b1;
            if (uses)
                tail <= tail + 1'b1;
            if (tell)
                head <= head + 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // Answers: open transactions are no more than the queue holds

    wire answers_room;

    ${prefix}ndp_queue #(
        .WIDTH (LANE_W + GATHER_W + 2 + DATA_W),
        .DEPTH (ANSWERS)
    ) answers (
        .clk       (clk),
        .rst       (rst),
        .push      (come_far),
        .in_word   ({rsp_data, rsp_fault, rsp_id[TAG_W-1], rsp_id[PART_W +: GATHER_W],
                     rsp_id[LANE_W-1:0]}),
        .can_push  (answers_room),
        .pop       (answered),
        .out_valid (answer),
        .out_word  ({answer_data, answer_fault, strided, answer_place, answer_id})
    );

    always @(posedge clk) begin
        if (rst)
            open <= {OPEN_W{1'b0}};
        else if (opens && !answered)
            open <= open + 1'b1;
        else if (answered && !opens)
            open <= open - 1'b1;
    end

    wire unused_room = &{1'b0, answers_room};

`ifdef FORMAL
`include "${prefix}ndp_lsu_ext_unit_formal.vh"
`endif
endmodule

`default_nettype wire
