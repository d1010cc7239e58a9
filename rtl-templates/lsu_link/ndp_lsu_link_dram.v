//% use "ndp_queue.v"
//% use "ndp_lsu_link_turn.v"
//% use "ndp_lsu_link_send.v"
//% use "ndp_lsu_link_receive.v"
//% use "ndp_lsu_link_dram_formal.vh"
//% local r = function(w) return pad(range(w), 9) end
//% -- name, of w bits, with zeros above up to `to`
//% local function wide(name, w, to)
//%     if w == to then return name end
//%     return "{" .. (to - w) .. "'d0, " .. name .. "}"
//% end
//% local BEATS = L.BACK_BEATS + L.SECTOR_BEATS
//% local HEAD = L.HEAD_BEATS * L.TSV_W
//% local BODY = L.SECTOR_BEATS * L.TSV_W
//% local BACK = L.BACK_BEATS * L.TSV_W
//% local REQUEST = 3 + L.WARP_W + L.REG_W + L.WHERE_W
//% local WHERE = 3 + L.WARP_W + L.REG_W
${header{title = "load-store traffic between the dies: DRAM die", text = [[
Carries out, one after the other in the order in which they came down, what the packets
say: transactions and messages go to the extension, requests for rows and rows to write
to the near register files, where the extension has some, too.  What comes of it goes
up, a packet for each.

    lsu_near -> places -> head -+-> ext_down
                                +-> pipe_fetch -> row -> lsu_up, ext_fetched
                                +-> pipe_load
    ext_answer, ext_done, row, written -> packet -> lsu_up

Latency: with l the edge of its last beat a packet is the head after l+2; a packet up
that is taken on edge t shows its first beat after t.

See docs/blocks/lsu_link.md, DRAM die.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link_dram (
    input  wire           clk,                // clock
    input  wire           rst,                // synchronous reset, active high

    // beats
    input  wire           lsu_near_valid,     // one that has come down
    input  wire           lsu_near_last,      // last of its packet
    input  wire ${r(L.TSV_W)} lsu_near_data,      // beat
    output wire           lsu_up_valid,       // a beat
    input  wire           lsu_up_ready,       // taken
    output wire           lsu_up_last,        // last of its packet
    output wire ${r(L.TSV_W)} lsu_up_data,        // beat

    // the extension: messages and transactions
    output wire           ext_down_valid,     // a request
    input  wire           ext_down_ready,     // taken
    output wire           ext_down_near,      // a message
    output wire           ext_down_store,     // 1 store, 0 load
    output wire ${r(L.UNIT_W)} ext_down_unit,      // near-bank unit
    output wire ${r(L.WARP_W)} ext_down_warp,      // of a message: warp
    output wire ${r(L.REG_W)} ext_down_reg,       // of a message: register
    output wire ${r(L.LANE_W)} ext_down_id,        // of a transaction: id
    output wire ${r(L.AT_W)} ext_down_address,   // word at its core
    output wire ${r(L.WORDS)} ext_down_strobe,    // words that a transaction writes
    output wire ${r(L.DATA_W)} ext_down_data,      // their data
    output wire           ext_down_strided,   // a strided message
    output wire ${r(L.LANES)} ext_down_mask,      // ... its active lanes
    output wire ${r(L.STEP_W)} ext_down_step,      // ... words from a lane's to the next one's
    input  wire           ext_answer_valid,   // an answer
    output wire           ext_answer_ready,   // taken
    input  wire ${r(L.LANE_W)} ext_answer_id,      // id of the transaction
    input  wire           ext_answer_fault,   // there is no such sector
    input  wire ${r(L.DATA_W)} ext_answer_data,    // sector that was loaded
    input  wire           ext_done_valid,     // a message has been carried out
    output wire           ext_done_ready,     // taken
    input  wire ${r(L.WARP_W)} ext_done_warp,      // its warp
    input  wire ${r(L.REG_W)} ext_done_reg,       // its register
    input  wire           ext_done_store,     // 1 store, 0 load
    input  wire           ext_done_fault,     // one of its sectors had a fault

    // the extension: rows
    input  wire           ext_fetch_valid,    // it asks for one
    output wire           ext_fetch_ready,    // taken
    input  wire ${r(L.WARP_W)} ext_fetch_warp,     // warp
    input  wire ${r(L.REG_W)} ext_fetch_reg,      // register
    output wire           ext_fetched_valid,  // the row
    output wire ${r(L.ROW_W)} ext_fetched_data,   // ... itself
    input  wire           ext_load_valid,     // it has one to write
    output reg            ext_load_ready,     // it is written
    input  wire ${r(L.WARP_W)} ext_load_warp,      // warp
    input  wire ${r(L.REG_W)} ext_load_reg,       // register
    input  wire ${r(L.LANES)} ext_load_mask,      // lanes to write
    input  wire ${r(L.ROW_W)} ext_load_data,      // the row

    // near register files
    output reg            pipe_fetch_valid,   // a row is asked for
    input  wire           pipe_fetch_ready,   // taken
    output wire ${r(L.WARP_W)} pipe_fetch_warp,    // warp
    output wire ${r(L.REG_W)} pipe_fetch_reg,     // register
    input  wire           pipe_fetched_valid, // the row
    input  wire ${r(L.ROW_W)} pipe_fetched_data,  // ... itself
    output wire           pipe_load_valid,    // a row to write
    input  wire           pipe_load_ready,    // taken
    output wire ${r(L.WARP_W)} pipe_load_warp,     // warp
    output wire ${r(L.REG_W)} pipe_load_reg,      // register
    output wire ${r(L.LANES)} pipe_load_mask,     // lanes to write
    output wire ${r(L.ROW_W)} pipe_load_data      // the row
);
${localparams("LANES", "LANE_W", "WARP_W", "REG_W", "UNIT_W", "AT_W", "STEP_W", "WORDS", "DATA_W", "ROW_W", "TSV_W",
              "PLACES", "HEADER_W", "HEAD_BEATS", "ROW_BEATS")}

    localparam LEFT_W = ${clog2(L.BACK_BEATS + L.BODY_BEATS + 1)}; // bits of a number of beats
    localparam PUT_W  = ${math.max(1, clog2(L.BODY_BEATS))}; // ... of that of a beat of data

    // see kind; packets up have the lower two bits
    localparam [2:0] TRANSACTION = 3'd0;
    localparam [2:0] MESSAGE     = 3'd1;
    localparam [2:0] FETCH       = 3'd2;
    localparam [2:0] WRITE       = 3'd3;
    localparam [2:0] STRIDED     = 3'd4;

    // ------------------------------------------------------------------
    // What comes down: a sector goes on to a place, a row waits here

    wire              come;
    wire [${HEAD - 1}:0] header;
    wire              put;
    wire [PUT_W-1:0]  put_at;

    ${prefix}ndp_lsu_link_receive #(
        .TSV_W (TSV_W),
        .HEADS (HEAD_BEATS),
        .AT_W  (PUT_W)
    ) receiver (
        .clk    (clk),
        .rst    (rst),
        .beat   (lsu_near_valid),
        .last   (lsu_near_last),
        .data   (lsu_near_data),
        .header (header),
        .put    (put),
        .put_at (put_at),
        .come   (come)
    );

    reg [DATA_W-1:0] sector;
    reg [ROW_W-1:0]  row;

//% local function collect(name, w, beats, is)
        if (put && header[2:0] ${is} WRITE)
//%     if beats == 1 then
            ${name} <= lsu_near_data[${w}-1:0];
//%     elseif beats == L.BODY_BEATS then
            ${name}[put_at*TSV_W +: TSV_W] <= lsu_near_data;
//%     else
            ${name}[put_at[${clog2(beats) - 1}:0]*TSV_W +: TSV_W] <= lsu_near_data;
//%     end
//% end
    always @(posedge clk) begin
//% collect("sector", "DATA_W", L.SECTOR_BEATS, "!=")
//% collect("row", "ROW_W", L.ROW_BEATS, "==")
    end

//% if L.BODY_BEATS == 1 then
    wire unused_at = &{1'b0, put_at};

//% end
//% if HEAD > L.HEADER_W then
    wire unused_header = &{1'b0, header[${HEAD - 1}:HEADER_W]};

//% end
    // ------------------------------------------------------------------
    // Places: there is one for each packet under way

    wire                h_valid;
    wire [HEADER_W-1:0] h_header;
    wire [DATA_W-1:0]   h_sector;
    wire                places_room;
    wire                leaves; // the head

    ${prefix}ndp_queue #(
        .WIDTH (HEADER_W + DATA_W),
        .DEPTH (PLACES)
    ) places (
        .clk       (clk),
        .rst       (rst),
        .push      (come),
        .in_word   ({sector, header[HEADER_W-1:0]}),
        .can_push  (places_room),
        .pop       (leaves),
        .out_valid (h_valid),
        .out_word  ({h_sector, h_header})
    );

    wire unused_room = &{1'b0, places_room};

    wire [2:0]        h_kind;
    wire [WARP_W-1:0] h_warp;
    wire [REG_W-1:0]  h_reg;
    wire              h_store;
    wire [UNIT_W-1:0] h_unit;
    wire [LANE_W-1:0] h_id;
    wire [AT_W-1:0]   h_address;
    wire [WORDS-1:0]  h_strobe;

    assign {h_strobe, h_address, h_id, h_unit, h_store, h_reg, h_warp, h_kind} = h_header[${REQUEST - 1}:0];

    wire [LANES-1:0] h_mask = h_header[${WHERE} +: LANES];

    // ------------------------------------------------------------------
    // Messages and transactions

    wire h_far     = h_valid && h_kind == TRANSACTION;
    wire h_near    = h_valid && h_kind == MESSAGE;
    wire h_strided = h_valid && h_kind == STRIDED;
    wire h_plain   = h_far || h_near;

    wire [AT_W-1:0]   s_address;
    wire [STEP_W-1:0] s_step;

    assign {s_address, s_step} = h_header[${WHERE} +: AT_W + STEP_W];

    reg [LANES-1:0] stores; // by id: the transaction is a store

    assign ext_down_valid   = h_plain || h_strided;
    assign ext_down_near    = h_near || h_strided;
    assign ext_down_strided = h_strided;
    assign ext_down_mask    = h_strided ? h_sector[LANES-1:0] : {LANES{1'b0}};
    assign ext_down_step    = h_strided ? s_step : {STEP_W{1'b0}};
    assign ext_down_store   = h_plain && h_store;
    assign ext_down_unit    = h_plain ? h_unit : {UNIT_W{1'b0}};
    assign ext_down_warp    = ext_down_valid ? h_warp : {WARP_W{1'b0}};
    assign ext_down_reg     = ext_down_valid ? h_reg : {REG_W{1'b0}};
    assign ext_down_id      = h_plain ? h_id : {LANE_W{1'b0}};
    assign ext_down_address = h_plain ? h_address : h_strided ? s_address : {AT_W{1'b0}};
    assign ext_down_strobe  = h_plain ? h_strobe : {WORDS{1'b0}};
    assign ext_down_data    = h_far && h_store ? h_sector : {DATA_W{1'b0}};

    always @(posedge clk) begin
        if (h_far && ext_down_ready)
            stores[h_id] <= h_store;
    end

    // ------------------------------------------------------------------
    // Rows that are asked for, one at a time

    reg              e_valid; // the extension asks for one
    reg [WARP_W-1:0] e_warp;
    reg [REG_W-1:0]  e_reg;
    reg              f_waits; // one was asked for and has not come
    reg              f_own;   // it is the base die's, not the extension's
    reg [WARP_W-1:0] f_warp;
    reg [REG_W-1:0]  f_reg;
    reg [ROW_W-1:0]  kept;    // the row that came last
    reg              k_up;    // it has still to go up
    reg              k_ext;   // it is the extension's

    wire h_asks  = h_valid && h_kind == FETCH;
    wire f_free  = !pipe_fetch_valid && !f_waits && !k_up;
    wire asks_e  = f_free && e_valid && (f_own || !h_asks);
    wire asks_h  = f_free && h_asks && (!f_own || !e_valid);
    wire f_come  = f_waits && pipe_fetched_valid;
    wire k_beat;   // a beat of it is taken
    wire k_leaves; // the last one

    always @(posedge clk) begin
        if (rst)
            e_valid <= 1'b0;
        else if (ext_fetch_valid && ext_fetch_ready)
            e_valid <= 1'b1;
        else if (asks_e)
            e_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (ext_fetch_valid && ext_fetch_ready) begin
            e_warp <= ext_fetch_warp;
            e_reg  <= ext_fetch_reg;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            pipe_fetch_valid <= 1'b0;
            f_waits          <= 1'b0;
            f_own            <= 1'b1;
        end else begin
            if (asks_e || asks_h) begin
                pipe_fetch_valid <= 1'b1;
                f_own            <= asks_h;
            end else if (pipe_fetch_ready) begin
                pipe_fetch_valid <= 1'b0;
            end
            if (pipe_fetch_valid && pipe_fetch_ready)
                f_waits <= 1'b1;
            else if (pipe_fetched_valid)
                f_waits <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (asks_e || asks_h) begin
            f_warp <= asks_h ? h_warp : e_warp;
            f_reg  <= asks_h ? h_reg : e_reg;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            k_up  <= 1'b0;
            k_ext <= 1'b0;
        end else begin
            if (f_come && f_own)
                k_up <= 1'b1;
            else if (k_leaves)
                k_up <= 1'b0;
            k_ext <= f_come && !f_own;
        end
    end

    always @(posedge clk) begin
        if (f_come)
            kept <= pipe_fetched_data;
        else if (k_beat)
//% if L.ROW_BEATS > 1 then
            kept <= kept >> TSV_W;
//% else
            kept <= {ROW_W{1'b0}};
//% end
    end

    assign ext_fetch_ready   = !e_valid;
    assign ext_fetched_valid = k_ext;
    assign ext_fetched_data  = k_ext ? kept : {ROW_W{1'b0}};
    assign pipe_fetch_warp   = pipe_fetch_valid ? f_warp : {WARP_W{1'b0}};
    assign pipe_fetch_reg    = pipe_fetch_valid ? f_reg : {REG_W{1'b0}};

    // ------------------------------------------------------------------
    // Rows to write, one at a time

    reg              l_valid; // one is at pipe_load
    reg              l_own;   // it is the base die's, not the extension's
    reg [WARP_W-1:0] l_warp;
    reg [REG_W-1:0]  l_reg;
    reg [LANES-1:0]  l_mask;
    reg [ROW_W-1:0]  l_row;
    reg              written; // the base die's is, and it is still to be told

    wire h_writes = h_valid && h_kind == WRITE;
    wire e_writes = ext_load_valid && !ext_load_ready;
    wire loads_e  = !l_valid && e_writes && (l_own || !h_writes);
    wire loads_h  = !l_valid && h_writes && (!l_own || !e_writes);
    wire l_leaves = l_valid && pipe_load_ready;
    wire told;

    always @(posedge clk) begin
        if (rst) begin
            l_valid        <= 1'b0;
            l_own          <= 1'b1;
            written        <= 1'b0;
            ext_load_ready <= 1'b0;
        end else begin
            if (loads_e || loads_h) begin
                l_valid <= 1'b1;
                l_own   <= loads_h;
            end else if (pipe_load_ready) begin
                l_valid <= 1'b0;
            end
            if (l_leaves && l_own)
                written <= 1'b1;
            else if (told)
                written <= 1'b0;
            ext_load_ready <= l_leaves && !l_own;
        end
    end

    always @(posedge clk) begin
        if (loads_e || loads_h) begin
            l_warp <= loads_h ? h_warp : ext_load_warp;
            l_reg  <= loads_h ? h_reg : ext_load_reg;
            l_mask <= loads_h ? h_mask : ext_load_mask;
            l_row  <= loads_h ? row : ext_load_data;
        end
    end

    assign pipe_load_valid = l_valid;
    assign pipe_load_warp  = l_valid ? l_warp : {WARP_W{1'b0}};
    assign pipe_load_reg   = l_valid ? l_reg : {REG_W{1'b0}};
    assign pipe_load_mask  = l_valid ? l_mask : {LANES{1'b0}};
    assign pipe_load_data  = l_valid ? l_row : {ROW_W{1'b0}};

    assign leaves = (ext_down_valid && ext_down_ready) || asks_h || (l_leaves && l_own);

    // ------------------------------------------------------------------
    // Packets up

    reg k_goes; // the row is a packet that goes up

    wire              free;
    wire [LEFT_W-1:0] left;
    wire              row_goes; // the row's packet is the one that is sent
    wire [3:0]        offers = {written, k_up && !k_goes, ext_done_valid, ext_answer_valid};
    wire [3:0]        ready;
    wire [3:0]        taken;

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

    assign ext_answer_ready = ready[0];
    assign ext_done_ready   = ready[1];
    assign told             = taken[3];

    wire unused_ready = &{1'b0, ready[3:2]}; // those of the row and its writing

    wire answer_store = stores[ext_answer_id];
    wire answer_loads = taken[0] && !answer_store; // with a sector

    wire [${L.BACK_W - 1}:0] back =
        taken[0] ? {ext_answer_id, ${L.WARP_W + L.REG_W}'d0, ext_answer_fault, answer_store, TRANSACTION[1:0]} :
        taken[1] ? {${L.LANE_W}'d0, ext_done_reg, ext_done_warp, ext_done_fault, ext_done_store, MESSAGE[1:0]} :
                   {${L.BACK_W - 2}'d0, taken[2] ? FETCH[1:0] : WRITE[1:0]};
    wire [LEFT_W-1:0] beats = taken[2] ? ${L.BACK_BEATS + L.ROW_BEATS} :
                              answer_loads ? ${L.BACK_BEATS + L.SECTOR_BEATS} : ${L.BACK_BEATS};
    wire [${BODY - 1}:0] body =
        answer_loads ? ${wide("ext_answer_data", L.DATA_W, BODY)} : ${BODY}'d0;
    wire [TSV_W-1:0] beat;

    ${prefix}ndp_lsu_link_send #(
        .TSV_W  (TSV_W),
        .BEATS  (${BEATS}),
        .LEFT_W (LEFT_W)
    ) sender (
        .clk    (clk),
        .rst    (rst),
        .load   (taken != 4'd0),
        .mark   (taken[2]),
        .beats  (beats),
        .packet ({body, ${wide("back", L.BACK_W, BACK)}}),
        .free   (free),
        .left   (left),
        .marked (row_goes),
        .valid  (lsu_up_valid),
        .ready  (lsu_up_ready),
        .last   (lsu_up_last),
        .data   (beat)
    );

    always @(posedge clk) begin
        if (rst)
            k_goes <= 1'b0;
        else if (taken[2])
            k_goes <= 1'b1;
        else if (k_leaves)
            k_goes <= 1'b0;
    end

    // behind its header the row itself
    wire shows_row = row_goes && left <= ROW_BEATS[LEFT_W-1:0];

    assign k_beat      = shows_row && lsu_up_ready;
    assign k_leaves    = k_beat && lsu_up_last;
//% if L.ROW_BEATS > 1 then
    assign lsu_up_data = shows_row ? kept[TSV_W-1:0] : beat;
//% else
    assign lsu_up_data = shows_row ? ${wide("kept", L.ROW_W, L.TSV_W)} : beat;
//% end

`ifdef FORMAL
`include "${prefix}ndp_lsu_link_dram_formal.vh"
`endif
endmodule

`default_nettype wire
