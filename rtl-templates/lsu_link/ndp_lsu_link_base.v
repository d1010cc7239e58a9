//% use "ndp_lsu_link_turn.v"
//% use "ndp_lsu_link_send.v"
//% use "ndp_lsu_link_receive.v"
//% use "ndp_lsu_link_base_formal.vh"
//% local r = function(w) return pad(range(w), 9) end
//% -- name, of w bits, with zeros above up to `to`
//% local function wide(name, w, to)
//%     if w == to then return name end
//%     return "{" .. (to - w) .. "'d0, " .. name .. "}"
//% end
//% local BEATS = L.HEAD_BEATS + L.BODY_BEATS
//% local HEAD = L.HEAD_BEATS * L.TSV_W
//% local BODY = L.BODY_BEATS * L.TSV_W
//% local BACK = L.BACK_BEATS * L.TSV_W
//% local REQUEST = 3 + L.WARP_W + L.REG_W + L.WHERE_W
//% local ROW = 3 + L.WARP_W + L.REG_W + L.LANES
${header{title = "load-store traffic between the dies: base die", text = [[
Makes packets of what the load-store unit wants of the DRAM die, one at a time in turn,
and gives it what comes up: answers, among them those of other cores, rows, ends.

    down, fetch, write, strided -> packet -> lsu_down
    answer, fetched, write, done <- packet <- lsu_far

Each packet is answered by one, so the number under way is kept here.

Latency: a packet taken on edge t shows its first beat after t; what came up shows after
the edge of its last beat, for one cycle.

See docs/blocks/lsu_link.md, Base die.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link_base (
    input  wire           clk,            // clock
    input  wire           rst,            // synchronous reset, active high

    // messages and transactions
    input  wire           down_valid,     // a request
    output wire           down_ready,     // taken
    input  wire           down_near,      // a message
    input  wire           down_store,     // 1 store, 0 load
    input  wire ${r(L.UNIT_W)} down_unit,      // near-bank unit
    input  wire ${r(L.WARP_W)} down_warp,      // of a message: warp
    input  wire ${r(L.REG_W)} down_reg,       // of a message: register
    input  wire ${r(L.LANE_W)} down_id,        // of a transaction: id
    input  wire ${r(L.AT_W)} down_address,   // word at its core
    input  wire ${r(L.WORDS)} down_strobe,    // words that a transaction writes
    input  wire ${r(L.DATA_W)} down_data,      // their data

    // strided messages
    input  wire           strided_valid,  // a message
    output wire           strided_ready,  // taken
    input  wire ${r(L.WARP_W)} strided_warp,   // warp
    input  wire ${r(L.REG_W)} strided_reg,    // register
    input  wire ${r(L.LANES)} strided_mask,   // active lanes
    input  wire ${r(L.STEP_W)} strided_step,   // words from a lane's to the next one's
    input  wire ${r(L.AT_W)} strided_address, // word of the lowest active lane

    // rows of stores
    input  wire           fetch_valid,    // a request
    output wire           fetch_ready,    // taken
    input  wire ${r(L.WARP_W)} fetch_warp,     // warp
    input  wire ${r(L.REG_W)} fetch_reg,      // register
    output wire           fetched_valid,  // a row
    output wire ${r(L.ROW_W)} fetched_data,   // the row

    // rows that were gathered
    input  wire           write_valid,    // a row
    output wire           write_ready,    // it is written
    input  wire ${r(L.WARP_W)} write_warp,     // warp
    input  wire ${r(L.REG_W)} write_reg,      // register
    input  wire ${r(L.LANES)} write_mask,     // lanes to write
    input  wire ${r(L.ROW_W)} write_data,     // the row

    // answers
    input  wire           other_valid,    // one of another core
    output wire           other_ready,    // taken
    input  wire ${r(L.LANE_W)} other_id,       // id of the transaction
    input  wire           other_fault,    // there is no such sector
    input  wire ${r(L.DATA_W)} other_data,     // sector that was loaded
    output wire           answer_valid,   // an answer
    output wire ${r(L.LANE_W)} answer_id,      // id of the transaction
    output wire           answer_fault,   // there is no such sector
    output wire ${r(L.DATA_W)} answer_data,    // sector that was loaded

    // ends of messages
    output wire           done_valid,     // a message has been carried out
    output wire ${r(L.WARP_W)} done_warp,      // its warp
    output wire ${r(L.REG_W)} done_reg,       // its register
    output wire           done_store,     // 1 store, 0 load
    output wire           done_fault,     // one of its sectors had a fault

    // beats
    output wire           lsu_down_valid, // a beat
    input  wire           lsu_down_ready, // taken
    output wire           lsu_down_last,  // last of its packet
    output wire ${r(L.TSV_W)} lsu_down_data,  // beat
    input  wire           lsu_far_valid,  // a beat that has come up
    input  wire           lsu_far_last,   // last of its packet
    input  wire ${r(L.TSV_W)} lsu_far_data    // beat
);
${localparams("LANE_W", "WARP_W", "REG_W", "DATA_W", "ROW_W", "TSV_W", "BACK_W", "BACK_BEATS")}

    localparam LEFT_W  = ${clog2(BEATS + 1)}; // bits of a number of beats
    localparam PUT_W   = ${math.max(1, clog2(L.BODY_BEATS))}; // ... of that of a beat of data
    localparam UNDER_W = ${clog2(L.PLACES + 1)}; // bits of a number of packets

    localparam [UNDER_W-1:0] ALL_PLACES = ${L.PLACES};

    // see kind
    localparam [1:0] TRANSACTION = 2'd0;
    localparam [1:0] MESSAGE     = 2'd1;
    localparam [1:0] FETCH       = 2'd2;
    localparam [1:0] WRITE       = 2'd3;

    localparam [2:0] STRIDED = 3'd4; // of packets down

    wire       come;    // a packet has come up
    wire [1:0] come_as; // its kind

    // ------------------------------------------------------------------
    // Whose packet is next

    reg [UNDER_W-1:0] under; // packets under way
    reg               sent;  // the row at write is one of them

    wire       behind; // a packet may follow the one that is sent
    wire       free = behind && under != ALL_PLACES;
    wire [3:0] offers = {strided_valid, write_valid && !sent, fetch_valid, down_valid};
    wire [3:0] ready;
    wire [3:0] taken;
    wire       load = taken != 4'd0;

    ${prefix}ndp_lsu_link_turn #(
        .N (4)
    ) turn (
        .clk    (clk),
        .rst    (rst),
        .free   (free),
        .offers (offers),
        .ready  (ready),
        .taken  (taken)
    );

    assign down_ready    = ready[0];
    assign fetch_ready   = ready[1];
    assign strided_ready = ready[3];
    assign write_ready   = come && come_as == WRITE;

    wire unused_ready = &{1'b0, ready[2]}; // that of write comes later

    always @(posedge clk) begin
        if (rst)
            under <= {UNDER_W{1'b0}};
        else if (load && !come)
            under <= under + 1'b1;
        else if (come && !load)
            under <= under - 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            sent <= 1'b0;
        else if (taken[2])
            sent <= 1'b1;
        else if (write_ready)
            sent <= 1'b0;
    end

    // ------------------------------------------------------------------
    // Packets down

    wire stores = taken[0] && down_store && !down_near; // with a sector

    wire [${REQUEST - 1}:0] request = taken[1] ?
        {${L.WHERE_W}'d0, fetch_reg, fetch_warp, 1'b0, FETCH} : taken[3] ?
        {strided_address, strided_step, strided_reg, strided_warp, STRIDED} :
        {down_strobe, down_address, down_id, down_unit, down_store, down_reg, down_warp,
         1'b0, down_near ? MESSAGE : TRANSACTION};
    wire [${ROW - 1}:0] row = {write_mask, write_reg, write_warp, 1'b0, WRITE};

    wire [${HEAD - 1}:0] header = taken[2] ?
        ${wide("row", ROW, HEAD)} :
        ${wide("request", REQUEST, HEAD)};
    wire [${BODY - 1}:0] body =
        taken[2] ? ${wide("write_data", L.ROW_W, BODY)} :
        taken[3] ? ${wide("strided_mask", L.LANES, BODY)} :
        stores ? ${wide("down_data", L.DATA_W, BODY)} : ${BODY}'d0;
    wire [LEFT_W-1:0] beats = taken[2] ? ${L.HEAD_BEATS + L.ROW_BEATS} :
                              taken[3] ? ${L.HEAD_BEATS + L.MASK_BEATS} :
                              stores ? ${L.HEAD_BEATS + L.SECTOR_BEATS} : ${L.HEAD_BEATS};
    wire [LEFT_W-1:0] left;
    wire              marked;

    ${prefix}ndp_lsu_link_send #(
        .TSV_W  (TSV_W),
        .BEATS  (${BEATS}),
        .LEFT_W (LEFT_W)
    ) sender (
        .clk    (clk),
        .rst    (rst),
        .load   (load),
        .mark   (1'b0),
        .beats  (beats),
        .packet ({body, header}),
        .free   (behind),
        .left   (left),
        .marked (marked),
        .valid  (lsu_down_valid),
        .ready  (lsu_down_ready),
        .last   (lsu_down_last),
        .data   (lsu_down_data)
    );

    wire unused_left = &{1'b0, left, marked};

    // ------------------------------------------------------------------
    // Packets up

    wire [${BACK - 1}:0] back;
    wire              put;
    wire [PUT_W-1:0]  put_at;

    ${prefix}ndp_lsu_link_receive #(
        .TSV_W (TSV_W),
        .HEADS (BACK_BEATS),
        .AT_W  (PUT_W)
    ) receiver (
        .clk    (clk),
        .rst    (rst),
        .beat   (lsu_far_valid),
        .last   (lsu_far_last),
        .data   (lsu_far_data),
        .header (back),
        .put    (put),
        .put_at (put_at),
        .come   (come)
    );

    wire              come_store;
    wire              come_fault;
    wire [WARP_W-1:0] come_warp;
    wire [REG_W-1:0]  come_reg;
    wire [LANE_W-1:0] come_id;

    assign {come_id, come_reg, come_warp, come_fault, come_store, come_as} = back[BACK_W-1:0];

//% if BACK > L.BACK_W then
    wire unused_back = &{1'b0, back[${BACK - 1}:BACK_W]};

//% end
//% local KEPT = math.max(L.ROW_W, L.DATA_W)
    reg [${KEPT - 1}:0] data; // a row or a sector

    always @(posedge clk) begin
        if (put)
//% if L.BODY_BEATS > 1 then
            data[put_at*TSV_W +: TSV_W] <= lsu_far_data;
//% else
            data <= lsu_far_data[${KEPT - 1}:0];
//% end
    end

//% if L.BODY_BEATS == 1 then
    wire unused_at = &{1'b0, put_at};

//% end
    // ------------------------------------------------------------------
    // Answers: own ones first, as they cannot wait

    reg              o_valid; // one of another core is held
    reg [LANE_W-1:0] o_id;
    reg              o_fault;
    reg [DATA_W-1:0] o_data;

    wire own  = come && come_as == TRANSACTION;
    wire hold = other_valid && other_ready;

    assign other_ready = !o_valid || !own;

    always @(posedge clk) begin
        if (rst)
            o_valid <= 1'b0;
        else if (hold)
            o_valid <= 1'b1;
        else if (!own)
            o_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (hold) begin
            o_id    <= other_id;
            o_fault <= other_fault;
            o_data  <= other_data;
        end
    end

    assign answer_valid = own || o_valid;
    assign answer_id    = own ? come_id : o_valid ? o_id : {LANE_W{1'b0}};
    assign answer_fault = own ? come_fault : o_valid && o_fault;
    assign answer_data  = own ? (come_store ? {DATA_W{1'b0}} : data[DATA_W-1:0]) :
                          o_valid ? o_data : {DATA_W{1'b0}};

    // ------------------------------------------------------------------
    // Rows and ends

    assign fetched_valid = come && come_as == FETCH;
    assign fetched_data  = fetched_valid ? data[ROW_W-1:0] : {ROW_W{1'b0}};
    assign done_valid    = come && come_as == MESSAGE;
    assign done_warp     = done_valid ? come_warp : {WARP_W{1'b0}};
    assign done_reg      = done_valid ? come_reg : {REG_W{1'b0}};
    assign done_store    = done_valid && come_store;
    assign done_fault    = done_valid && come_fault;

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_base_formal.vh"
`endif
endmodule

`default_nettype wire
