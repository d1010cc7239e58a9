//% use "ndp_queue.v"
//% use "ndp_gate_word.v"
//% use "ndp_gate_serve_formal.vh"
//% local function r(w) return pad(range(w), 7) end
${header{title = "requests that come, and what the memory brings for them", text = [[
ComputePackets go to the service queue, loads and stores to the memory; what it
brings is offered as an answer.

    asked -> ndp_gate_word -> come
             own | head -> want
    due, bring -> queue -> offer, own operands

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

    // loads and stores of this node's service queue
    input  wire         own_load,     // a load
    input  wire         own_store,    // the head of a store
    input  wire ${r(L.HEAD_W)} load_head,    // of these
    input  wire ${r(L.HEAD_W)} store_head,   //
    output wire         take_load,    // used
    output wire         take_store,   //
    input  wire         own_beat,     // a beat of the store
    input  wire         own_last,     // its last one
    input  wire ${r(L.DATA_W)} own_data,     // its lanes
    output wire         take_beat,    // used

    // what the memory brings for these loads
    output wire         own_valid,    // a beat
    input  wire         own_take,     // used
    output wire         own_ends,     // last of its operand
    output wire ${r(L.PLACE_W)} own_place,    // place
    output wire         own_second,   // of the second load
    output wire ${r(L.DATA_W)} own_lanes,    // lanes

    // words of its answers
    output wire         offer,        // a word
    input  wire         take,         // used
    output wire         offer_head,   // it is a head
    output wire         offer_last,   // it is the last of its packet
    output wire ${r(L.NODE_W)} offer_node,   // where the packet goes
    output wire ${r(L.WORD_W)} offer_word    // it
);
${localparams("ADDR_W", "MASK_W", "DATA_W", "DUE_W", "FLIT_W", "WORD_W", "HEAD_W", "PLACE_W")}

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

    reg  of_store; // the head is that of a store of this node
    reg  of_load;  // of a load of this node

    wire             beat_there = of_store ? own_beat : is_beat;
    wire             beat_ends  = of_store ? own_last : last;
    wire [DATA_W-1:0] beat_lanes = of_store ? own_data : word[DATA_W-1:0];

    assign want_valid   = waits && room && (!stores || beat_there);
    assign want_store   = want_valid && stores;
    assign want_last    = want_valid && (!stores || beat_ends);
    assign want_address = want_valid ? ${field("head", "address")} : {ADDR_W{1'b0}};
    assign want_type    = want_valid ? ${field("head", "type")} : 3'd0;
    assign want_mask    = want_valid ? ${field("head", "mask")} : {MASK_W{1'b0}};
    assign want_data    = want_store ? beat_lanes : {DATA_W{1'b0}};

    wire wanted = want_valid && want_ready;
    wire asks   = wanted && want_last;

    // Whose head is next: who comes behind the one before, of those that have one
    reg [1:0] turn; // 0 of a packet, 1 a store, 2 a load of this node

    wire open      = !waits || asks;
    wire can_far   = is_head && open;
    wire can_store = own_store && open;
    wire can_load  = own_load && open;
    wire takes_far = can_far && (turn == 2'd0 ? !can_store && !can_load :
                                 turn == 2'd1 ? !can_load : 1'b1);

    assign take_store = can_store && (turn == 2'd0 ? 1'b1 :
                                      turn == 2'd1 ? !can_load && !can_far : !can_far);
    assign take_load  = can_load && (turn == 2'd0 ? !can_store :
                                     turn == 2'd1 ? 1'b1 : !can_far && !can_store);
    assign take_beat  = wanted && stores && of_store;
    assign uses = (come_valid && come_ready) || takes_far || (wanted && stores && !of_store);

    wire takes = takes_far || take_store || take_load;

    always @(posedge clk) begin
        if (rst) begin
            of_store <= 1'b0;
            of_load  <= 1'b0;
            turn     <= 2'd0;
        end else if (takes) begin
            of_store <= take_store;
            of_load  <= take_load;
            turn     <= take_store ? 2'd1 : take_load ? 2'd2 : 2'd0;
        end
    end

    wire unused = &{1'b0, word, head};

    always @(posedge clk) begin
        if (rst)
            waits <= 1'b0;
        else if (takes)
            waits <= 1'b1;
        else if (asks)
            waits <= 1'b0;
    end

    always @(posedge clk) begin
        if (takes)
            head <= take_store ? store_head : take_load ? load_head : word[HEAD_W-1:0];
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
        .in_word   ({of_load, ${field("head", "back")}, ${field("head", "second")},
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

    wire due_own = due[DUE_W-1];
    wire answers = due_valid && beat_valid;

    assign own_valid  = answers && due_own;
    assign own_ends   = beat_last;
    assign own_place  = due[PLACE_W+1:2];
    assign own_second = due[${L.NUMBER_W + 2}];
    assign own_lanes  = beat;
    assign offer      = answers && !due_own;
    assign offer_head = !headed;
    assign offer_last = headed ? beat_last : due_stores;
    assign offer_node = due[${L.NUMBER_W + 2 + L.NODE_W}:${L.NUMBER_W + 3}];
    assign offer_word = headed ? ${word("beat", L.DATA_W)} :
                                 ${word(head{
        kind = "{1'b0, due[1:0]}", number = "due[" .. L.NUMBER_W + 1 .. ":2]", second =
        "due[" .. L.NUMBER_W + 2 .. "]"}, L.HEAD_W)};
    assign due_pop    = (take && offer_last) || (own_take && beat_last);
    assign beat_pop   = (take && (headed || due_stores)) || own_take;

    always @(posedge clk) begin
        if (rst)
            headed <= 1'b0;
        else if (take)
            headed <= !offer_last;
    end

`ifdef FORMAL
`include "${prefix}ndp_gate_serve_formal.vh"
`endif
endmodule

`default_nettype wire
