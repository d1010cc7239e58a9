//% use "ndp_queue.v"
//% use "ndp_gate_memory.v"
//% local function r(w) return pad(range(w), 7) end
${header{title = "what a service queue makes of its chains", text = [[
Loads of its places are offered as requests, those that there is no room for as
answers to their cores; stores as requests, once it is known whose they are, which
the acknowledgement of the service queue says; its other answers as answers.

    load -> queue -> kept; queue -> away
    store -> queue -> stored
    give -> queue -> given; acknowledgements -> stored

Handshake: a transfer is an edge with valid and ready both high.  A word that is
offered is used on an edge with take.

Latency: see docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate_chains (
    input  wire         clk,           // clock
    input  wire         rst,           // synchronous reset, active high
    input  wire ${r(L.NODE_W)} at_node,       // this node

    // load, store, give: of the service queue
//% for _, p in ipairs(iface.ports) do
//%     if p.name:find("^load_") or p.name:find("^store_") or p.name:find("^give_") then
    ${pad(p.dir .. "put", 6)} wire ${r(p.width)} ${pad(p.name .. ",", 14)} // ${p.doc}
//%     end
//% end

    // those for the memory of this node: a load; a store, head first, then beats
    output wire         own_load,      // a load
    output wire         own_store,     // the head of a store
    output wire ${r(L.HEAD_W)} load_head,     // of these
    output wire ${r(L.HEAD_W)} store_head,    //
    input  wire         take_load,     // used
    input  wire         take_store,    //
    output wire         own_beat,      // a beat of the store
    output wire         own_last,      // its last one
    output wire ${r(L.DATA_W)} own_data,      // its lanes
    input  wire         take_beat,     // used
//% for _, s in ipairs{{"kept", "loads of its places"}, {"stored", "stores"},
//%                    {"given", "its answers"}, {"away", "loads for which there was no room"}} do

    // words of ${s[2]}
    output wire         ${pad(s[1] .. "_offer,", 14)} // a word
    input  wire         ${pad(s[1] .. "_take,", 14)} // used
    output wire         ${pad(s[1] .. "_head,", 14)} // it is a head
    output wire         ${pad(s[1] .. "_last,", 14)} // it is the last of its packet
    output wire ${r(L.NODE_W)} ${pad(s[1] .. "_node,", 14)} // where the packet goes
    output wire ${r(L.WORD_W)} ${pad(s[1] .. "_word" .. (s[1] == "away" and "" or ","), 14)} // it
//% end
);
${localparams("NODE_W", "ADDR_W", "MASK_W", "ENTRY_W", "PLACE_W", "DATA_W", "KEPT_W",
              "AWAY_W", "GIVEN_W", "HEAD_W")}

    // ------------------------------------------------------------------
    // Loads of the places

    wire keeps;
    wire sends;
    wire load_taken = load_valid && load_ready;

    assign load_ready = keeps && sends;

    wire               kept_second;
    wire [2:0]         kept_type;
    wire [ADDR_W-1:0]  kept_address;
    wire [MASK_W-1:0]  kept_mask;
    wire [PLACE_W-1:0] kept_place;
    wire               kept_valid;

    ${prefix}ndp_queue #(
        .WIDTH (KEPT_W),
        .DEPTH (${2 * L.PLACES - 1})
    ) kept (
        .clk       (clk),
        .rst       (rst),
        .push      (load_taken && !load_away),
        .in_word   ({load_place, load_second, load_type, load_address, load_mask}),
        .can_push  (keeps),
        .pop       (kept_take || take_load),
        .out_valid (kept_valid),
        .out_word  ({kept_place, kept_second, kept_type, kept_address, kept_mask})
    );

    ${prefix}ndp_gate_memory kept_at (
        .address (kept_address),
        .node    (kept_node)
    );

    wire kept_here = kept_node == at_node;

    assign kept_offer = kept_valid && !kept_here;
    assign own_load   = kept_valid && kept_here;
    assign load_head  = kept_word[HEAD_W-1:0];
    assign kept_head = 1'b1;
    assign kept_last = 1'b1;
    assign kept_word = ${word(head{
        kind = kind"LOAD", back = "at_node", number = number("kept_place", L.PLACE_W),
        second = "kept_second", type = "kept_type", address = "kept_address", mask =
        "kept_mask"}, L.HEAD_W)};

    // ------------------------------------------------------------------
    // Loads that go back

    wire               away_second;
    wire [2:0]         away_type;
    wire [ADDR_W-1:0]  away_address;
    wire [MASK_W-1:0]  away_mask;
    wire [ENTRY_W-1:0] away_entry;

    ${prefix}ndp_queue #(
        .WIDTH (NODE_W + AWAY_W),
        .DEPTH (2)
    ) away (
        .clk       (clk),
        .rst       (rst),
        .push      (load_taken && load_away),
        .in_word   ({load_core, load_entry, load_second, load_type, load_address, load_mask}),
        .can_push  (sends),
        .pop       (away_take),
        .out_valid (away_offer),
        .out_word  ({away_node, away_entry, away_second, away_type, away_address, away_mask})
    );

    assign away_head = 1'b1;
    assign away_last = 1'b1;
    assign away_word = ${word(head{
        kind = kind"BACK", number = number("away_entry", L.ENTRY_W), second =
        "away_second", type = "away_type", address = "away_address",
        mask = "away_mask"}, L.HEAD_W)};

    // ------------------------------------------------------------------
    // Its answers

    wire               given_valid;
    wire               given_ends;
    wire [NODE_W-1:0]  given_core;
    wire [ENTRY_W-1:0] given_entry;
    wire [1:0]         given_kind;
    wire [MASK_W-1:0]  given_bits;
    wire [DATA_W-1:0]  given_data;
    wire               given_pop;

    ${prefix}ndp_queue #(
        .WIDTH (GIVEN_W),
        .DEPTH (2)
    ) given (
        .clk       (clk),
        .rst       (rst),
        .push      (give_valid && give_ready),
        .in_word   ({give_last, give_core, give_entry, give_kind, give_bits, give_data}),
        .can_push  (give_ready),
        .pop       (given_pop),
        .out_valid (given_valid),
        .out_word  ({given_ends, given_core, given_entry, given_kind, given_bits, given_data})
    );

    localparam [1:0] ACK  = 2'd0;
    localparam [1:0] DATA = 2'd1;

    reg  given_headed; // the head of the answer was used
    wire given_acks = given_kind == ACK;
    wire given_long = given_kind == DATA;
    wire names;        // an acknowledgement says whose the store is

    assign given_offer = given_valid && !given_acks;
    assign given_head  = !given_headed;
    assign given_last  = given_headed ? given_ends : !given_long;
    assign given_node  = given_core;
    assign given_word  = given_headed ? ${word("given_data", L.DATA_W)} :
        given_long ? ${word(head{
        kind = kind"RESULT", number = number("given_entry", L.ENTRY_W)}, L.HEAD_W)} :
                     ${word(head{
        kind = kind"BITS", number = number("given_entry", L.ENTRY_W), mask =
        "given_bits"}, L.HEAD_W)};
    assign given_pop   = names || (given_take && (given_headed || !given_long));

    always @(posedge clk) begin
        if (rst)
            given_headed <= 1'b0;
        else if (given_take)
            given_headed <= !given_last;
    end

    // ------------------------------------------------------------------
    // Stores

    reg               whole;  // its last beat has come
    reg               named;  // it is known whose it is,
    reg [NODE_W-1:0]  core;   // this core's
    reg [ENTRY_W-1:0] entry;  // and this entry's
    reg               headed; // its head was used
    reg               begun;  // a beat of it has come
    reg [ADDR_W-1:0]  address;
    reg [2:0]         of_type; // its type
    reg [MASK_W-1:0]  mask;

    wire              store_taken = store_valid && store_ready;
    wire              beat_valid;
    wire              beat_last;
    wire [DATA_W-1:0] beat;
    wire              unused; // there is room for all of them

    assign store_ready = !whole;
    assign names       = given_valid && given_acks && whole && !named;

    ${prefix}ndp_queue #(
        .WIDTH (DATA_W + 1),
        .DEPTH (${L.BEATS})
    ) beats (
        .clk       (clk),
        .rst       (rst),
        .push      (store_taken),
        .in_word   ({store_data, store_last}),
        .can_push  (unused),
        .pop       ((stored_take && headed) || take_beat),
        .out_valid (beat_valid),
        .out_word  ({beat, beat_last})
    );

    ${prefix}ndp_gate_memory stored_at (
        .address (address),
        .node    (stored_node)
    );

//% local function store() return head{
//%     kind = kind"STORE", back = "core", number = number("entry", L.ENTRY_W), type =
//%     "of_type", address = "address", mask = "mask"} end
    wire stored_here = stored_node == at_node;
    wire ends_here   = take_beat && beat_last;

    reg owned; // its head was used for the memory of this node

    assign own_store    = named && stored_here && !headed;
    assign store_head   = ${store()};
    assign own_beat     = beat_valid;
    assign own_last     = beat_last;
    assign own_data     = beat;
    assign stored_offer = named && (headed ? !owned && beat_valid : !stored_here);
    assign stored_head  = !headed;
    assign stored_last  = headed && beat_last;
    assign stored_word  = headed ? ${word("beat", L.DATA_W)} :
                                   ${word(store(), L.HEAD_W)};

    always @(posedge clk) begin
        if (rst) begin
            whole  <= 1'b0;
            named  <= 1'b0;
            headed <= 1'b0;
            begun  <= 1'b0;
            owned  <= 1'b0;
        end else begin
            if (store_taken) begin
                begun <= !store_last;
                whole <= store_last;
            end
            if (names)
                named <= 1'b1;
            if (stored_take) begin
                headed <= !stored_last;
                if (stored_last) begin
                    whole <= 1'b0;
                    named <= 1'b0;
                end
            end
            if (take_store)
                {headed, owned} <= 2'b11;
            if (ends_here) begin
                headed <= 1'b0;
                owned  <= 1'b0;
                whole  <= 1'b0;
                named  <= 1'b0;
            end
        end
    end

    always @(posedge clk) begin
        if (names)
            {core, entry} <= {given_core, given_entry};
        if (store_taken && !begun)
            {address, of_type} <= {store_address, store_type};
        if (store_taken) // the first beat moves down to the lowest lanes
            mask <= ${L.BEATS == 1 and "store_mask" or
                      "{store_mask, mask[MASK_W-1:" .. L.ALUS .. "]}"};
    end
endmodule

`default_nettype wire
