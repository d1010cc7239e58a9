//% use "ndp_queue.v"
//% use "ndp_ram.v"
//% use "ndp_gate_word.v"
//% use "ndp_gate_memory.v"
//% local function r(w) return pad(range(w), 7) end
//% local BEATS = L.BEATS > 1
${header{title = "answers that come", text = [[
Operands are kept until the service queue fetches them; data go to the core, the end
of a chain to the offload queue; loads that a service queue had no room for are asked
for again.

    replied -> ndp_gate_word -> head -> ans, result, mark
                                   operands -> data
                                   queue -> offer

Handshake: a transfer is an edge with valid and ready both high; mark and data cannot
be refused.  Fields are zero while valid is low.  A word that is offered is used on an
edge with take.

Latency: see docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate_hear (
    input  wire         clk,             // clock
    input  wire         rst,             // synchronous reset, active high
    input  wire ${r(L.NODE_W)} at_node,         // this node

    // replied: answers from the network
    input  wire         replied_valid,   // a flit
    output wire         replied_ready,   // taken
    input  wire         replied_last,    // last of its packet
    input  wire ${r(L.FLIT_W)} replied_data,    // data

    // ans: for the offload queue
    output wire         ans_valid,       // an answer
    input  wire         ans_ready,       // taken
    output wire ${r(L.ENTRY_W)} ans_entry,       // entry
    output wire [1:0]   ans_kind,        // what came
    output wire         ans_second,      // the chain's second load
    output wire ${r(L.MASK_W)} ans_bits,        // of a bitmap

    // result: data for the core
    output wire         result_valid,    // a beat
    input  wire         result_ready,    // taken
    output wire         result_last,     // last of its operand
    output wire ${r(L.ENTRY_W)} result_entry,    // entry
    output wire         result_loaded,   // a load that came back
    output wire         result_second,   // the chain's second load
    output wire ${r(L.DATA_W)} result_data,     // lanes

    // mark: operands that are there
    output reg          mark_valid,      // an operand
    output reg  ${r(L.PLACE_W)} mark_place,      // place
    output reg          mark_second,     // of the second load

    // fetch, data: operands that are wanted
    input  wire         fetch_valid,     // an operand
    output wire         fetch_ready,     // taken
    input  wire ${r(L.PLACE_W)} fetch_place,     // place
    input  wire         fetch_second,    // of the second load
    output reg          data_valid,      // a beat
    output wire ${r(L.DATA_W)} data_data,       // lanes

    // operands that this node's memory brings
    input  wire         own_valid,       // a beat
    output wire         own_take,        // used
    input  wire         own_ends,        // last of its operand
    input  wire ${r(L.PLACE_W)} own_place,       // place
    input  wire         own_second,      // of the second load
    input  wire ${r(L.DATA_W)} own_lanes,       // lanes

    // words of requests for loads that came back
    output wire         offer,           // a word
    input  wire         take,            // used
    output wire ${r(L.NODE_W)} offer_node,      // where the packet goes
    output wire ${r(L.WORD_W)} offer_word,      // it

    output wire         count_operands   // an operand has come
);
//% local sizes = {"ENTRY_W", "NUMBER_W", "PLACE_W", "ADDR_W", "MASK_W", "DATA_W", "AWAY_W",
//%     "HEAD_W", "WORD_W", "OPERAND_W"}
//% if BEATS then sizes[#sizes + 1] = "BEAT_W" end
${localparams(table.unpack(sizes))}

    localparam [2:0] LOAD   = ${kind"LOAD"};
    localparam [2:0] BRING  = ${kind"BRING"};
    localparam [2:0] STORE  = ${kind"STORE"};
    localparam [2:0] RESULT = ${kind"RESULT"};
    localparam [2:0] BITS   = ${kind"BITS"};
    localparam [2:0] BACK   = ${kind"BACK"};

    localparam [1:0] ACK    = 2'd0; // of ans_kind
    localparam [1:0] DATA   = 2'd1;
    localparam [1:0] BITMAP = 2'd2;
    localparam [1:0] LOADED = 2'd3;

    wire              there;
    wire              midway;
    wire              compute;
    wire              last;
    wire [WORD_W-1:0] word;
    wire              uses;

    ${prefix}ndp_gate_word flits (
        .clk      (clk),
        .rst      (rst),
        .in_valid (replied_valid),
        .in_ready (replied_ready),
        .in_last  (replied_last),
        .in_data  (replied_data),
        .there    (there),
        .midway   (midway),
        .compute  (compute),
        .last     (last),
        .word     (word),
        .use_it   (uses)
    );

    // ------------------------------------------------------------------
    // The head

    reg              waits;
    reg              whole; // all beats of it were used
    reg [HEAD_W-1:0] head;

    wire [2:0]          kind   = ${field("head", "kind")};
    wire [NUMBER_W-1:0] number = ${field("head", "number")};
    wire                second = ${field("head", "second")};

    wire begins = there && !midway && !waits;
    wire beat   = there && midway && waits && !whole;
    wire long   = kind == RESULT || kind == BRING;
    wire ends;  // on this edge it has been dealt with

    always @(posedge clk) begin
        if (rst) begin
            waits <= 1'b0;
            whole <= 1'b0;
        end else begin
            if (begins)
                waits <= 1'b1;
            else if (ends)
                waits <= 1'b0;
            if (ends)
                whole <= 1'b0;
            else if (result_valid && result_ready && last)
                whole <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (begins)
            head <= word[HEAD_W-1:0];
    end

    wire unused = &{1'b0, compute, head, number, word};

    // ------------------------------------------------------------------
    // For core and offload queue

    assign result_valid  = beat && long;
    assign result_last   = result_valid && last;
    assign result_entry  = result_valid ? number[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
    assign result_loaded = result_valid && kind == BRING;
    assign result_second = result_loaded && second;
    assign result_data   = result_valid ? word[DATA_W-1:0] : {DATA_W{1'b0}};

    assign ans_valid  = waits && (whole || kind == STORE || kind == BITS);
    assign ans_entry  = ans_valid ? number[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
    assign ans_kind   = !ans_valid || kind == STORE ? ACK :
                        kind == BITS ? BITMAP : kind == BRING ? LOADED : DATA;
    assign ans_second = ans_valid && kind == BRING && second;
    assign ans_bits   = ans_valid && kind == BITS ? ${field("head", "mask")} : {MASK_W{1'b0}};

    // ------------------------------------------------------------------
    // Loads that came back

    wire               room;
    wire               back = waits && kind == BACK && room;
    wire [ENTRY_W-1:0] back_entry;
    wire               back_second;
    wire [2:0]         back_type;
    wire [ADDR_W-1:0]  back_address;
    wire [MASK_W-1:0]  back_mask;

    ${prefix}ndp_queue #(
        .WIDTH (AWAY_W),
        .DEPTH (${2 * L.ENTRIES - 1})
    ) returned (
        .clk       (clk),
        .rst       (rst),
        .push      (back),
        .in_word   ({number[ENTRY_W-1:0], second, ${field("head", "type")},
                     ${field("head", "address")}, ${field("head", "mask")}}),
        .can_push  (room),
        .pop       (take),
        .out_valid (offer),
        .out_word  ({back_entry, back_second, back_type, back_address, back_mask})
    );

    ${prefix}ndp_gate_memory back_at (
        .address (back_address),
        .node    (offer_node)
    );

    assign offer_word = ${word(head{
        kind = kind"BRING", back = "at_node", number = number("back_entry", L.ENTRY_W),
        second = "back_second", type = "back_type", address = "back_address", mask =
        "back_mask"}, L.HEAD_W)};

    // ------------------------------------------------------------------
    // Operands

    wire keeps    = beat && kind == LOAD;
    wire operand  = keeps && last;

    // those of the own memory wait for those that come
    assign own_take = own_valid && !keeps;

    wire own_operand = own_take && own_ends;
    wire writes      = keeps || own_take;
    wire marks       = operand || own_operand;

    wire [PLACE_W-1:0] write_place  = keeps ? number[PLACE_W-1:0] : own_place;
    wire               write_second = keeps ? second : own_second;
    wire [DATA_W-1:0]  write_lanes  = keeps ? word[DATA_W-1:0] : own_lanes;

    assign ends = (ans_valid && ans_ready) || back || operand;
    assign uses = begins || keeps || (result_valid && result_ready);

    assign count_operands = marks;

    always @(posedge clk) begin
        if (rst) begin
            mark_valid  <= 1'b0;
            mark_place  <= {PLACE_W{1'b0}};
            mark_second <= 1'b0;
        end else begin
            mark_valid  <= marks;
            mark_place  <= marks ? write_place : {PLACE_W{1'b0}};
            mark_second <= marks && write_second;
        end
    end

    reg               reads;
    reg [PLACE_W-1:0] read_place;
    reg               read_second;

    wire fetched = fetch_valid && fetch_ready;

    assign fetch_ready = !reads;

    always @(posedge clk) begin
        if (fetched)
            {read_place, read_second} <= {fetch_place, fetch_second};
    end

//% if BEATS then
    reg [BEAT_W-1:0] come_beat;
    reg [BEAT_W-1:0] own_beat;

    wire [BEAT_W-1:0] write_beat = keeps ? come_beat : own_beat;

    always @(posedge clk) begin
        if (rst)
            own_beat <= {BEAT_W{1'b0}};
        else if (own_take)
            own_beat <= own_beat + 1'b1;
    end

    reg [BEAT_W-1:0] read_beat;

    wire read_ends = reads && read_beat == {BEAT_W{1'b1}};

    always @(posedge clk) begin
        if (rst)
            come_beat <= {BEAT_W{1'b0}};
        else if (keeps)
            come_beat <= come_beat + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            read_beat <= {BEAT_W{1'b0}};
        else if (reads)
            read_beat <= read_beat + 1'b1;
    end
//% else
    wire read_ends = reads;
//% end

    always @(posedge clk) begin
        if (rst) begin
            reads      <= 1'b0;
            data_valid <= 1'b0;
        end else begin
            reads      <= fetched || (reads && !read_ends);
            data_valid <= reads;
        end
    end

    wire [DATA_W-1:0] read;

    ${prefix}ndp_ram #(
        .WIDTH     (DATA_W),
        .WORDS     (${2 * L.PLACES * L.BEATS}),
        .ADDRESS_W (OPERAND_W)
    ) operands (
        .clk     (clk),
        .wr_en   (writes),
        .wr_addr ({write_place, write_second${BEATS and ", write_beat" or ""}}),
        .wr_data (write_lanes),
        .rd_en   (reads),
        .rd_addr ({read_place, read_second${BEATS and ", read_beat" or ""}}),
        .rd_data (read)
    );

    assign data_data = data_valid ? read : {DATA_W{1'b0}};
endmodule

`default_nettype wire
