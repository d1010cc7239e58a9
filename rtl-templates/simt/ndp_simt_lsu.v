//% use "ndp_lowest.v"
//% use "ndp_memory_word.v"
//% use "ndp_simt_coalesce.v"
//% use "ndp_simt_shared.v"
//% use "ndp_simt_cross.v"
//% use "ndp_simt_lsu_formal.vh"
//% local OFFERS = L.OFFERS == 1
//% if OFFERS then use "ndp_simt_offer.v" end
//% local function not_offer(what) return OFFERS and "!offer && (" .. what .. ")" or what end
//% local N, A, P, S = L.LANES, L.ALUS, L.PASSES, L.SECTOR
//% local RAMS = RAM_BUFFERS
//% local BW = clog2(BANK_WORDS)
//% local BANK_BITS = math.max(ALU_W, 1)
//% local function high(name) return hex(4, isa.op[name].code // 16) end
${header{title = "SIMT core: load-store engine", text = [[
Works on the older access buffer: checks its addresses, then does one part of it
after the other, until no lane is left to do.

    check -> global: a request each
          -> shared: a word of each bank each, or a lane's atomic in two edges
          -> shfl, vote: a pass each]] .. (L.OFFERS == 1 and [[

          -> a chain's word: a pass each, then it is offered]] or "") .. [[


It stands still where it would write a row while a response does.

Latency: an access is checked on the edge after it is full, if the engine is idle.

See docs/blocks/simt.md, Load-store engine.]]}}
`default_nettype none

module ${prefix}ndp_simt_lsu (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high
    input  wire        faulted,       // the engine stops where it is

    // the older access
    input  wire        full,          // it is there
    input  wire [7:0]  op,            // operation
//% if OFFERS then
    input  wire        offer,         // a chain's word, which is offered
    input  wire ${pad(range(L.WARP_W), 6)} warp,          // its warp
    input  wire ${pad(range(L.PC_W), 6)} pc,            // and place
    input  wire [63:0] code,          // it
    input  wire        settled,       // it may be shown
//% end
    input  wire ${pad(range(BW), 6)} base,          // where its CTA's shared memory begins
    input  wire ${range(32 * N)} a,             // addresses, a lane in 32 bits
//% if RAMS then
    output wire ${pad(range(L.PASS_W), 6)} rd_pass,       // pass of b and c that is to come
    input  wire ${range(32 * A)} b,             // second operands
    input  wire ${range(32 * A)} c,             // data
    input  wire ${pad(range(N), 6)} holds,         // bit 0 of the data of all lanes
//% else
    input  wire ${range(32 * N)} b,             // second operands
    input  wire ${range(32 * N)} c,             // data
//% end
    input  wire ${pad(range(N), 6)} active,        // active lanes
    input  wire ${pad(range(N), 6)} odd,           // misaligned
    input  wire ${pad(range(N), 6)} off,           // unmapped
    output wire        end_now,       // it is at its end
    output wire        has_row,       // it has a ticket

    // rows
    input  wire        row_taken,     // a response writes one
    output wire        note,          // an access with a ticket begins
    output wire ${pad(range(N * L.SECTOR_W), 6)} note_places,   // its lanes' bytes within a sector
    output wire [2:0]  note_type,     // what it loads
    output wire        put,           // words of a pass
    output wire ${pad(range(N), 6)} put_lanes,     // for these lanes
    output wire ${pad(range(32 * A), 6)} put_words,     // a lane in 32 bits

    // requests
    input  wire        id_free,       // there is an id
    input  wire ${pad(range(L.ID_W), 6)} id,            // it
    output wire        request,       // one is made on this edge
    output wire ${pad(range(N), 6)} request_lanes, // for these lanes
    output wire ${pad(range(L.SADDR_W), 6)} request_sector, // of this sector
    output reg         mem_valid,     // a request
    input  wire        mem_ready,     // taken
    output reg  [3:0]  mem_op,        // 0 load, 1 store, 2 and on atomics
    output reg  ${pad(range(L.ID_W), 6)} mem_id,        // id
    output reg  ${pad(range(L.SADDR_W), 6)} mem_address,   // sector
    output reg  ${pad(range(S), 6)} mem_strobe,    // bytes with data
    output reg  ${pad(range(8 * S), 6)} mem_data,      // data
    output reg  [31:0] mem_compare,   // what cas compares with

//% if OFFERS then
    // offers
    output wire        offer_valid,   // a chain's word
    input  wire        offer_ready,   // taken
    output wire ${pad(range(L.WARP_W), 6)} offer_warp,    // warp
    output wire ${pad(range(L.PC_W), 6)} offer_pc,      // instruction
    output wire [63:0] offer_code,    // it
    output wire ${pad(range(N), 6)} offer_mask,    // active lanes
    output wire [31:0] offer_a,       // of the lowest: first operand
    output wire [31:0] offer_b,       // and second
    output wire        offer_in_row,  // addresses one behind the other
    output wire        offer_same_a,  // the first operand is the same in all
    output wire        offer_same_b,  // the second is

//% end
    // faults and events
    output wire        fault,         // an address is wrong
    output wire        fault_odd,     // misaligned, else unmapped
    output wire [31:0] fault_address, // it
    output reg         count_request, // a request was made
    output reg         count_conflict // lanes had to wait for a bank
);
${localparams("LANES", "ALUS", "SECTOR", "SECTOR_W", "SADDR_W", "ID_W")}
${P > 1 and localparams("PASS_W") or ""}

    localparam LANE_W = ${LANE_W};

    // ------------------------------------------------------------------
    // What it is

    wire is_atomic = op[7:4] == ${high "atg_add"} || op[7:4] == ${high "ats_add"};
    wire is_global = ${not_offer("op[7:4] == " .. high "ldg_b32" .. " || op[7:4] == " .. high "atg_add")};
    wire is_shared = ${not_offer("op[7:4] == " .. high "lds_b32" .. " || op[7:4] == " .. high "ats_add")};
    wire is_cross  = ${OFFERS and "!offer && " or ""}op[7:4] == ${high "vote"};
    wire is_store  = !is_atomic && !is_cross && op[3];
    wire is_vote   = op == ${op "vote"};
    wire is_byte   = !is_atomic && (op[2:0] == ${hex(3, isa.op.ldg_u8.code % 8)} ||
                                    (!is_store && op[2:0] == ${hex(3, isa.op.ldg_s8.code % 8)}));
    wire is_half   = !is_atomic && (op[2:0] == ${hex(3, isa.op.ldg_u16.code % 8)} ||
                                    (!is_store && op[2:0] == ${hex(3, isa.op.ldg_s16.code % 8)}));
    wire is_cas    = is_atomic && op[3:0] == ${hex(4, isa.op.atg_cas.code % 16)};

    assign has_row = !is_store${OFFERS and " && !offer" or ""};

    // ------------------------------------------------------------------
    // Check

    reg busy; // the engine has an access

    wire [LANES-1:0] wrong = active & (odd | off);
    wire [LANES-1:0] wrong_first;
    wire [LANE_W-1:0] wrong_index;

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest_wrong (
        .set   (wrong),
        .first (wrong_first),
        .index (wrong_index)
    );

    wire check  = full && !busy && !faulted;
    wire begins = check && ${OFFERS and "(offer || wrong_first == {LANES{1'b0}})" or "wrong_first == {LANES{1'b0}}"};
    wire none   = active == {LANES{1'b0}};
//% if OFFERS then
    wire look; // a pass of an offer is looked at
    wire ends; // it is shown

    wire begins_offer = begins && offer;
    wire empty        = none && !offer; // it ends where it begins
//% end

    assign fault         = check && !begins;
    assign fault_odd     = odd[wrong_index];
    assign fault_address = lead_a;

    assign note      = begins && has_row;
    assign note_type = is_atomic || is_cross ? 3'd0 : op[2:0];

    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : place
            assign note_places[i*SECTOR_W +: SECTOR_W] = a[i*32 +: SECTOR_W];
        end
    endgenerate

    // ------------------------------------------------------------------
    // Lanes to do, and the lowest of them

    reg  [LANES-1:0]  todo;
    reg  [LANES-1:0]  leader; // as a bit
    reg  [LANE_W-1:0] lead;   // as a number
    wire [LANES-1:0]  left;   // lanes to do after this edge
    wire [LANES-1:0]  next_leader;
    wire [LANE_W-1:0] next_lead;
    wire              last = left == {LANES{1'b0}};

    ${prefix}ndp_lowest #(
        .N       (LANES),
        .INDEX_W (LANE_W)
    ) lowest_left (
        .set   (begins ? active : left),
        .first (next_leader),
        .index (next_lead)
    );

    always @(posedge clk) begin
        todo   <= begins ? active : left;
        leader <= next_leader;
        lead   <= next_lead;
    end

//% if P > 1 then
    reg  [PASS_W-1:0] turn; // pass of shfl and vote${OFFERS and ", or of an offer" or ""}

//% end
    // that of the leader, or as long as there is none of the lowest wrong lane
//% if A == 1 then
    wire [LANE_W-1:0] source; // or of the lane that a shfl takes
    wire [LANE_W-1:0] address_of = !busy ? wrong_index : is_cross ? source : ${OFFERS and "offer ? turn : " or ""}lead;
//% else
    wire [LANE_W-1:0] address_of = busy ? lead : wrong_index;
//% end
    wire [31:0]       lead_a     = a[address_of*32 +: 32];
//% if RAMS and A == 1 then
    wire [31:0]       lead_b     = b;
    wire [31:0]       lead_c     = c;
//% else
//%     local at = RAMS and "lead[" .. ALU_W - 1 .. ":0]" or "lead"
    wire [31:0]       lead_b     = b[${at}*32 +: 32];
    wire [31:0]       lead_c     = c[${at}*32 +: 32];
//% end

    wire works = busy && !faulted;

    // ------------------------------------------------------------------
    // Lanes of a pass: that of the leader, or of shfl and vote one after the other

//% if P > 1 then
    wire [PASS_W-1:0]  pass   = is_cross${OFFERS and " || offer" or ""} ? turn : lead[LANE_W-1:${ALU_W}];
//%     if A == 1 then
    wire [32*ALUS-1:0] a_pass = lead_a; // of no use to shfl and vote
//%     else
    wire [32*ALUS-1:0] a_pass = a[pass*32*ALUS +: 32*ALUS];
//%     end
//%     if RAMS then
    wire [32*ALUS-1:0] b_pass = b;
    wire [32*ALUS-1:0] c_pass = c;
//%     else
    wire [32*ALUS-1:0] b_pass = b[pass*32*ALUS +: 32*ALUS];
    wire [32*ALUS-1:0] c_pass = c[pass*32*ALUS +: 32*ALUS];
//%     end
    wire [ALUS-1:0]    t_pass = todo[pass*ALUS +: ALUS];
    wire [ALUS-1:0]    l_pass = leader[pass*ALUS +: ALUS];
//% else
    wire [32*ALUS-1:0] a_pass = a;
    wire [32*ALUS-1:0] b_pass = b;
    wire [32*ALUS-1:0] c_pass = c;
    wire [ALUS-1:0]    t_pass = todo;
    wire [ALUS-1:0]    l_pass = leader;
//% end

    // ------------------------------------------------------------------
    // Global memory

    wire [LANES-1:0]    group;${L.MERGE == 0 and " // that the leader is alone" or ""}
    wire [SECTOR-1:0]   strobe;
    wire [8*SECTOR-1:0] data;

    assign request        = works && is_global && (!mem_valid || mem_ready) &&
                            id_free;
    assign request_lanes  = group;
    assign request_sector = lead_a[31:SECTOR_W];

//% if L.MERGE == 0 then
    assign group = leader;

    ${prefix}ndp_simt_coalesce coalesce (
        .stores  (is_store || is_atomic),
        .is_byte (is_byte),
        .is_half (is_half),
        .place   (lead_a[${L.SECTOR_W - 1}:0]),
        .c       (lead_c),
        .strobe  (strobe),
        .data    (data)
    );
//% else
    ${prefix}ndp_simt_coalesce coalesce (
        .todo    (todo),
        .leader  (leader),
        .sector  (request_sector),
        .alone   (is_atomic),
        .stores  (is_store || is_atomic),
        .is_byte (is_byte),
        .is_half (is_half),
        .a       (a),
        .c       (c),
        .group   (group),
        .strobe  (strobe),
        .data    (data)
    );
//% end

    always @(posedge clk) begin
        if (rst) begin
            mem_valid   <= 1'b0;
            mem_op      <= 4'd0;
            mem_id      <= {ID_W{1'b0}};
            mem_address <= {SADDR_W{1'b0}};
            mem_strobe  <= {SECTOR{1'b0}};
            mem_data    <= {SECTOR{8'd0}};
            mem_compare <= 32'd0;
        end else if (!mem_valid || mem_ready) begin
            mem_valid   <= request;
            mem_op      <= (is_atomic ? op[3:0] + 4'd2 : {3'd0, is_store}) &
                           {4{request}};
            mem_id      <= id & {ID_W{request}};
            mem_address <= request_sector & {SADDR_W{request}};
            mem_strobe  <= strobe & {SECTOR{request}};
            mem_data    <= data & {8*SECTOR{request}};
            mem_compare <= lead_b & {32{request && is_cas}};
        end
    end

    // ------------------------------------------------------------------
    // Shared memory

    reg                         second; // words have been read
    reg  [ALUS-1:0]             s_lanes; // for these lanes
    reg  [${A * BANK_BITS - 1}:0] s_banks; // from these banks
${P > 1 and "    reg  [PASS_W-1:0]            s_pass;  // of this pass" or ""}

    wire [ALUS-1:0]             wins;
    wire [ALUS-1:0]             goes;
    wire [${A * BANK_BITS - 1}:0] banks;
    wire [32*ALUS-1:0]          words;
    wire [31:0]                 atomic;
    wire                        keeps; // an atomic changes nothing

    wire still = second && row_taken; // a row is to be written, but cannot
    wire pick  = works && is_shared && !is_atomic && !still &&
                 todo != {LANES{1'b0}};
    wire fetch = works && is_shared && is_atomic && !second;
    wire store = works && is_shared && is_atomic && second && !row_taken;
    wire load  = works && is_shared && !is_atomic && second && !row_taken;

    ${prefix}ndp_simt_shared shared (
        .clk        (clk),
        .ask        (is_atomic ? l_pass : t_pass),
        .at         (a_pass),
        .data       (c_pass),
        .is_byte    (is_byte),
        .is_half    (is_half),
        .base       (base),
        .wins       (wins),
        .goes       (goes),
        .banks      (banks),
        .read       ((pick && !is_store) || fetch),
        .write      (pick && is_store),
        .write_word (store && !keeps),
        .new_word   (atomic),
        .words      (words)
    );

    wire [ALUS-1:0] picked = is_store || is_atomic ? wins : goes;

    always @(posedge clk) begin
        if (rst)
            second <= 1'b0;
        else if (works && is_shared && !still)
            second <= (pick && !is_store) || fetch;
    end

    always @(posedge clk) begin
        if (pick || fetch) begin
            s_lanes <= picked;
            s_banks <= banks;
${P > 1 and "            s_pass  <= pass;" or ""}
        end
    end

    // ------------------------------------------------------------------
    // Atomics of shared memory

//% if ALU_W > 0 then
    wire [31:0] old    = words[lead_a[2 +: ${ALU_W}]*32 +: 32];
//% else
    wire [31:0] old    = words;
//% end

    ${prefix}ndp_memory_word change (
        .op      (op[3:0] + 4'd2),
        .old     (old),
        .data    (lead_c),
        .compare (lead_b),
        .keeps   (keeps),
        .value   (atomic)
    );

    // ------------------------------------------------------------------
    // Between lanes

    wire swap = works && is_cross && !row_taken;

//% if P > 1 then
    wire [PASS_W-1:0] next_turn = begins ? {PASS_W{1'b0}} :
                                  swap${OFFERS and " || look" or ""}   ? turn + 1'b1 : turn;

    always @(posedge clk) turn <= next_turn;

//% end
//% if RAMS then
    assign rd_pass = is_cross${OFFERS and " || offer" or ""} ? next_turn : next_lead[LANE_W-1:${ALU_W}];

//% else
    wire [LANES-1:0]       holds;
//% end
    wire [ALUS*LANE_W-1:0] by;
    wire [ALUS*LANE_W-1:0] clamp;
    wire [ALUS*LANE_W-1:0] segment;

    generate
//% if not RAMS then
        for (i = 0; i < LANES; i = i + 1) begin : hold
            assign holds[i] = c[i*32];
        end
//% end
        for (i = 0; i < ALUS; i = i + 1) begin : from
            assign by[i*LANE_W +: LANE_W]      = b_pass[i*32 +: LANE_W];
            assign clamp[i*LANE_W +: LANE_W]   = c_pass[i*32 +: LANE_W];
            assign segment[i*LANE_W +: LANE_W] = c_pass[i*32+8 +: LANE_W];
        end
    endgenerate

    ${prefix}ndp_simt_cross crossbar (
        .from_lanes (is_cross),
        .vote       (is_vote),
        .how        (op[1:0]),
${P > 1 and "        .pass       (pass)," or ""}
        .banks      (s_banks),
        .words      (words),
        .active     (active),
        .holds      (holds),
//% if A == 1 then
        .source     (source),
        .a          (lead_a),
//% else
        .a          (a),
//% end
        .b          (by),
        .clamp      (clamp),
        .segment    (segment),
        .out        (put_words)
    );

//% if OFFERS then
    // ------------------------------------------------------------------
    // Words of chains

    ${prefix}ndp_simt_offer offers (
        .clk          (clk),
        .rst          (rst),
        .begins       (begins_offer),
        .works        (works && offer),
        .settled      (settled),
        .look         (look),
        .ends         (ends),
        .warp         (warp),
        .pc           (pc),
        .code         (code),
        .active       (active),
        .some         (!none),
        .wrong        (wrong_first != {LANES{1'b0}}),
        .lead         (lead),
        .pass         (${P > 1 and "pass" or "1'b0"}),
        .a            (a_pass),
        .b            (b_pass),
        .lanes        (t_pass),
        .offer_valid  (offer_valid),
        .offer_ready  (offer_ready),
        .offer_warp   (offer_warp),
        .offer_pc     (offer_pc),
        .offer_code   (offer_code),
        .offer_mask   (offer_mask),
        .offer_a      (offer_a),
        .offer_b      (offer_b),
        .offer_in_row (offer_in_row),
        .offer_same_a (offer_same_a),
        .offer_same_b (offer_same_b)
    );

//% end
    // ------------------------------------------------------------------
    // What has been done on this edge

    wire [ALUS-1:0]  done_pass = swap ? t_pass : picked;
//% if P > 1 then
    wire [LANES-1:0] done_all  = {${N - A}'d0, done_pass} << (pass * ALUS);
    wire [LANES-1:0] put_all   = {${N - A}'d0, s_lanes} << (s_pass * ALUS);
//% else
    wire [LANES-1:0] done_all  = done_pass;
    wire [LANES-1:0] put_all   = s_lanes;
//% end
    wire [LANES-1:0] done_now  = (group & {LANES{request}}) |
                                 (done_all & {LANES{pick || swap}}) |
                                 (leader & {LANES{store}});

    assign left      = todo & ~done_now;
    assign put       = load || store || swap;
    assign put_lanes = swap ? done_all : put_all;

    wire at_end = last && (request || (pick && is_store) || load || store ||
                           swap);

    // A load's last words are picked before they are put.
    wire more = load && pick;

//% if OFFERS then
    assign end_now = (begins && empty) || (at_end && !more) || ends;
//% else
    assign end_now = (begins && none) || (at_end && !more);
//% end

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else
            busy <= (begins && !${OFFERS and "empty" or "none"}) || (busy && !end_now);
    end

    wire waits = (t_pass & ~picked) != {ALUS{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            count_request  <= 1'b0;
            count_conflict <= 1'b0;
        end else begin
            count_request  <= request;
            count_conflict <= (pick || store) && waits;
        end
    end

    wire unused = &{1'b0, lead_a, b_pass, c_pass${OFFERS and P == 1 and ", look" or ""}};

`ifdef FORMAL
`include "${prefix}ndp_simt_lsu_formal.vh"
`endif
endmodule

`default_nettype wire
