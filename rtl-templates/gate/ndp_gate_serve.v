//% use "ndp_queue.v"
//% use "ndp_gate_word.v"
//% local function r(w) return pad(range(w), 7) end
${header{title = "requests that come, and what the memory brings for them", text = [[
ComputePackets go to the service queue, loads and stores to the memory; what it
brings is offered as an answer.

    asked -> ndp_gate_word -> come
                     | head -> want
    due, bring -> queue -> offer

Handshake: a transfer is an edge with valid and ready both high; fields are zero
while valid is low.  A word that is offered is used on an edge with take.

Latency: see docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate_serve (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high

    // asked: requests from the network
    input  wire         asked_valid,  // a flit
    output wire         asked_ready,  // taken
    input  wire         asked_last,   // last of its packet
    input  wire ${r(L.FLIT_W)} asked_data,   // data

    // come: ComputePackets
    output wire         come_valid,   // a flit
    input  wire         come_ready,   // taken
    output wire         come_last,    // last of its packet
    output wire ${r(L.FLIT_W)} come_data,    // data

    // want: loads and stores
    output wire         want_valid,   // a load, or a beat of a store
    input  wire         want_ready,   // taken
    output wire         want_store,   // a beat of a store
    output wire         want_last,    // a load, or the last beat of a store
    output wire ${r(L.ADDR_W)} want_address, // of lane 0
    output wire [2:0]   want_type,    // type of the data
    output wire ${r(L.MASK_W)} want_mask,    // lanes that take part
    output wire ${r(L.DATA_W)} want_data,    // of a store: lanes

    // bring: what the memory brings
    input  wire         bring_valid,  // a beat, or a store is over
    output wire         bring_ready,  // taken
    input  wire         bring_last,   // last of its load
    input  wire ${r(L.DATA_W)} bring_data,   // lanes

    // words of its answers
    output wire         offer,        // a word
    input  wire         take,         // used
    output wire         offer_head,   // it is a head
    output wire         offer_last,   // it is the last of its packet
    output wire ${r(L.NODE_W)} offer_node,   // where the packet goes
    output wire ${r(L.WORD_W)} offer_word    // it
);
${localparams("ADDR_W", "MASK_W", "DATA_W", "DUE_W", "FLIT_W", "WORD_W", "HEAD_W")}

    localparam [2:0] STORE = ${kind"STORE"};

    wire              there;
    wire              midway;
    wire              compute;
    wire              last;
    wire [WORD_W-1:0] word;
    wire              uses;

    ${prefix}ndp_gate_word flits (
        .clk      (clk),
        .rst      (rst),
        .in_valid (asked_valid),
        .in_ready (asked_ready),
        .in_last  (asked_last),
        .in_data  (asked_data),
        .there    (there),
        .midway   (midway),
        .compute  (compute),
        .last     (last),
        .word     (word),
        .use_it   (uses)
    );

    assign come_valid = there && compute;
    assign come_last  = come_valid && last;
    assign come_data  = come_valid ? word[FLIT_W-1:0] : {FLIT_W{1'b0}};

    // ------------------------------------------------------------------
    // The head of a load or store

    reg              waits;
    reg [HEAD_W-1:0] head;

    wire is_head = there && !compute && !midway;
    wire is_beat = there && !compute && midway;
    wire stores  = ${field("head", "kind")} == STORE;
    wire room;

    assign want_valid   = waits && room && (!stores || is_beat);
    assign want_store   = want_valid && stores;
    assign want_last    = want_valid && (!stores || last);
    assign want_address = want_valid ? ${field("head", "address")} : {ADDR_W{1'b0}};
    assign want_type    = want_valid ? ${field("head", "type")} : 3'd0;
    assign want_mask    = want_valid ? ${field("head", "mask")} : {MASK_W{1'b0}};
    assign want_data    = want_store ? word[DATA_W-1:0] : {DATA_W{1'b0}};

    wire wanted = want_valid && want_ready;
    wire asks   = wanted && want_last;

    assign uses = (come_valid && come_ready) || (is_head && !waits) || (wanted && stores);

    wire unused = &{1'b0, word, head};

    always @(posedge clk) begin
        if (rst)
            waits <= 1'b0;
        else if (is_head && !waits)
            waits <= 1'b1;
        else if (asks)
            waits <= 1'b0;
    end

    always @(posedge clk) begin
        if (is_head && !waits)
            head <= word[HEAD_W-1:0];
    end

    // ------------------------------------------------------------------
    // What the memory has to bring, and what it brings

    wire             due_valid;
    wire [DUE_W-1:0] due;
    wire             due_pop;

    ${prefix}ndp_queue #(
        .WIDTH (DUE_W),
        .DEPTH (${L.WANTS})
    ) dues (
        .clk       (clk),
        .rst       (rst),
        .push      (asks),
        .in_word   ({${field("head", "back")}, ${field("head", "second")},
                     ${field("head", "number")}, head[${
                         record.head.kind.lsb + 1}:${record.head.kind.lsb}]}),
        .can_push  (room),
        .pop       (due_pop),
        .out_valid (due_valid),
        .out_word  (due)
    );

    wire              beat_valid;
    wire              beat_last;
    wire [DATA_W-1:0] beat;
    wire              beat_pop;

    ${prefix}ndp_queue #(
        .WIDTH (DATA_W + 1),
        .DEPTH (2)
    ) brought (
        .clk       (clk),
        .rst       (rst),
        .push      (bring_valid && bring_ready),
        .in_word   ({bring_data, bring_last}),
        .can_push  (bring_ready),
        .pop       (beat_pop),
        .out_valid (beat_valid),
        .out_word  ({beat, beat_last})
    );

    reg headed; // the head of the answer was used

    wire due_stores = due[1];

    assign offer      = due_valid && beat_valid;
    assign offer_head = !headed;
    assign offer_last = headed ? beat_last : due_stores;
    assign offer_node = due[DUE_W-1:DUE_W-${L.NODE_W}];
    assign offer_word = headed ? ${word("beat", L.DATA_W)} :
                                 ${word(head{
        kind = "{1'b0, due[1:0]}", number = "due[" .. L.NUMBER_W + 1 .. ":2]", second =
        "due[" .. L.NUMBER_W + 2 .. "]"}, L.HEAD_W)};
    assign due_pop    = take && offer_last;
    assign beat_pop   = take && (headed || due_stores);

    always @(posedge clk) begin
        if (rst)
            headed <= 1'b0;
        else if (take)
            headed <= !offer_last;
    end
endmodule

`default_nettype wire
