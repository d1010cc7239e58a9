//% use "ndp_memory_word.v"
//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_near_pipe_select.v"
//% use "ndp_near_pipe_banks.v"
//% use "ndp_near_pipe_shared_formal.vh"
//% local N, U = L.LANES, L.UNITS
//% local FIRST = 2 + ALU_W -- bit of an address with which its row begins
//% local function low(name) return hex(3, isa.op[name].code % 8) end
//% local function high(name) return hex(4, isa.op[name].code // 16) end
${header{title = "near-bank pipelines: shared memory of a core", text = [[
Carries out the accesses of the units, one in turn, all lanes of it at once.  It is
taken as a whole from dispatch of its unit.

    wants -> checked -> a word of each bank, or a lane's atomic in two edges
                        -> file of the unit, ended

The next access is taken as the last lanes of one are done, so that one without
conflicts takes two edges.  It stands still where it would write a register file that
somebody else writes.

Latency: of an access that is taken on edge t the first lanes are done on t + 2, and
written on t + 3.

See docs/blocks/near_pipe.md, Shared memory.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_shared (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high

    // units, a bit or a field each
    input  wire ${pad(range(U), 6)} wants,         // an access has been collected,
    input  wire ${pad(range(U * L.WARP_W), 6)} want_warp,     // of this warp,
    input  wire ${pad(range(U * L.TAG_W), 6)} want_tag,      // tag,
    input  wire ${pad(range(U * L.TICKET_W), 6)} want_ticket,   // ticket,
    input  wire ${pad(range(U * 8), 6)} want_op,       // operation,
    input  wire ${pad(range(U), 6)} want_dst,      // with a destination,
    input  wire ${pad(range(U * L.PLACE_W), 6)} want_at,       // in this row,
    input  wire ${pad(range(U * N), 6)} want_active,   // of these lanes
    input  wire ${range(U * L.ROW_W)} want_a,        // operands
    input  wire ${range(U * L.ROW_W)} want_b,        //
    input  wire ${range(U * L.ROW_W)} want_c,        //
    output wire ${pad(range(U), 6)} gives,         // it is taken

    // windows
    input  wire        window_valid,  // one is written
    input  wire ${pad(range(L.WARP_W), 6)} window_warp,   // of this warp
    input  wire ${pad(range(L.BANK_W), 6)} window_base,   // first row
    input  wire ${pad(range(L.BANK_W + 1), 6)} window_rows,   // rows

    // register files
    input  wire ${pad(range(U), 6)} taken,         // somebody writes the unit's
    output reg         waits,         // there are words to be put
    output reg  ${pad(range(U), 6)} serves,        // into the file of this unit
    output wire ${pad(range(U), 6)} puts,          // words are written there
    output reg  ${pad(range(L.PLACE_W), 6)} put_at,        // into this row,
    output reg  ${pad(range(N), 6)} put_lanes,     // these lanes
    output wire ${range(L.ROW_W)} put_words,     //

    // faults
    output reg         fault_valid,   // an access has not been carried out
    output reg  ${pad(range(L.WARP_W), 6)} fault_warp,    // its warp
    output reg  ${pad(range(L.TAG_W), 6)} fault_tag,     // its tag
    output reg         fault_odd,     // misaligned, else beyond the window
    output reg  [31:0] fault_address, // of the lowest lane that is

    // completion
    output reg         ended,         // an access has ended
    input  wire        told,          // that is told on this edge
    output reg  ${pad(range(L.WARP_W), 6)} end_warp,      // its warp
    output reg  ${pad(range(L.TAG_W), 6)} end_tag,       // its tag
    output reg  ${pad(range(L.TICKET_W), 6)} end_ticket     // its ticket
);
${localparams("UNITS", "LANES", "WARP_W", "TAG_W", "UNIT_W", "TICKET_W", "ROW_W", "PLACE_W", "BANK_W")}

    localparam WORD_W = ${WORD_W}; // bits of a word's place in the banks
    localparam LANE_W = ${LANE_W}; // of them, the bank

    // ------------------------------------------------------------------
    // The access at the banks, and whose it is

    reg               busy;   // there is one
    reg               fresh;  // it came on the last edge, and is checked on this one
    reg [UNITS-1:0]   of;     // its unit,
    reg [WARP_W-1:0]  warp;
    reg [TAG_W-1:0]   tag;
    reg [TICKET_W-1:0] ticket;
    reg [7:0]         op;
    reg               to_file; // it has a destination,
    reg [PLACE_W-1:0] dst;    // in this row
    reg [ROW_W-1:0]   at;     // addresses; the row within its window, once it has been
    reg [ROW_W-1:0]   data;   // checked among all
    reg [ROW_W-1:0]   compare;
    reg [LANES-1:0]   todo;   // lanes

    wire              finishes; // none is left after this edge
    wire              starts = (!busy || finishes) && wants != {UNITS{1'b0}};
    wire [UNITS-1:0]  chosen;
    wire [UNIT_W-1:0] who;

    assign gives = chosen & {UNITS{starts}};

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (wants),
        .take    (starts),
        .chosen  (chosen),
        .index   (who)
    );

    always @(posedge clk) begin
        if (rst) begin
            busy  <= 1'b0;
            fresh <= 1'b0;
        end else begin
            busy  <= starts || (busy && !finishes);
            fresh <= starts;
        end
    end

    wire [7:0] new_op     = want_op[who*8 +: 8];
    wire       new_atomic = new_op[7:4] == ${high "ats_add"};
    wire       is_atomic  = op[7:4] == ${high "ats_add"};
    wire       is_store   = !is_atomic && op[3];
    wire       is_byte    = !is_atomic && (op[2:0] == ${low "lds_u8"} || (!is_store && op[2:0] == ${low "lds_s8"}));
    wire       is_half    = !is_atomic && (op[2:0] == ${low "lds_u16"} || (!is_store && op[2:0] == ${low "lds_s16"}));
    wire       signs      = op[2:0] == ${low "lds_s8"} || op[2:0] == ${low "lds_s16"};

    wire [ROW_W-1:0] new_a = want_a[who*ROW_W +: ROW_W];
    wire [ROW_W-1:0] new_b = want_b[who*ROW_W +: ROW_W];
    reg  [ROW_W-1:0] new_at;

    integer i;

    always @* begin
        for (i = 0; i < LANES; i = i + 1)
            new_at[i*32 +: 32] = new_a[i*32 +: 32] + (new_b[i*32 +: 32] & {32{!new_atomic}});
    end

    wire [LANES-1:0]        left;   // lanes, after this edge
    wire [LANES*BANK_W-1:0] rows;   // of each lane, among all
    wire [LANES*WORD_W-1:0] places; // ... word
    wire [2*LANES-1:0]      bytes;  // ... byte in it

    always @(posedge clk) begin
        if (starts) begin
            of      <= chosen;
            warp    <= want_warp[who*WARP_W +: WARP_W];
            tag     <= want_tag[who*TAG_W +: TAG_W];
            ticket  <= want_ticket[who*TICKET_W +: TICKET_W];
            op      <= new_op;
            to_file <= want_dst[who];
            dst     <= want_at[who*PLACE_W +: PLACE_W];
            at      <= new_at;
            data    <= want_c[who*ROW_W +: ROW_W];
            compare <= new_b;
            todo    <= want_active[who*LANES +: LANES];
        end else begin
            todo <= left;
            for (i = 0; i < LANES; i = i + 1)
                at[i*32+${FIRST} +: ${L.BANK_W}] <= rows[i*BANK_W +: BANK_W];
        end
    end

    // ------------------------------------------------------------------
    // What its warp sees, and lanes that go wrong

    wire [2*BANK_W:0] window;
    wire [BANK_W:0]   many = window[2*BANK_W:BANK_W];
    wire [BANK_W-1:0] base = window[BANK_W-1:0] & {BANK_W{fresh}};

    ${prefix}ndp_ram #(
        .WIDTH     (2 * BANK_W + 1),
        .WORDS     (${L.WARPS}),
        .ADDRESS_W (WARP_W)
    ) windows (
        .clk     (clk),
        .wr_en   (window_valid && !rst),
        .wr_addr (window_warp),
        .wr_data ({window_rows, window_base}),
        .rd_en   (starts),
        .rd_addr (want_warp[who*WARP_W +: WARP_W]),
        .rd_data (window)
    );

    genvar l;

    generate
        for (l = 0; l < LANES; l = l + 1) begin : lane
            assign rows[l*BANK_W +: BANK_W] = at[l*32+${FIRST} +: ${L.BANK_W}] + base;
            assign places[l*WORD_W +: WORD_W] =
                ${ALU_W > 0 and "{rows[l*BANK_W +: BANK_W], at[l*32+2 +: " .. ALU_W .. "]}" or "rows[l*BANK_W +: BANK_W]"};
            assign bytes[l*2 +: 2] = at[l*32 +: 2];
        end
    endgenerate

    reg [LANES-1:0] odd;
    reg [LANES-1:0] off;

    always @* begin
        for (i = 0; i < LANES; i = i + 1) begin
            odd[i] = (at[i*32] && !is_byte) || (at[i*32+1] && !is_byte && !is_half);
            off[i] = at[i*32+${FIRST} +: ${32 - FIRST}] >= {${32 - FIRST - L.BANK_W - 1}'d0, many};
        end
    end

    wire [LANES-1:0] wrong       = todo & (odd | off);
    wire [LANES-1:0] wrong_first = wrong & (~wrong + 1'b1);
    reg  [31:0]      wrong_at;

    always @* begin
        wrong_at = 32'd0;
        for (i = 0; i < LANES; i = i + 1)
            wrong_at = wrong_at | (at[i*32 +: 32] & {32{wrong_first[i]}});
    end

    reg        bad;     // a lane of it is wrong,
    reg        bad_odd; // misaligned,
    reg [31:0] bad_at;  // at this address

    always @(posedge clk) begin
        if (fresh) begin
            bad     <= wrong != {LANES{1'b0}};
            bad_odd <= (wrong_first & odd) != {LANES{1'b0}};
            bad_at  <= wrong_at;
        end
    end

    // ------------------------------------------------------------------
    // What is done on this edge: of lanes that were chosen on the one before

    reg  last;   // the words to be put are the last of their access

    wire still  = waits && (taken & serves) != {UNITS{1'b0}};
    wire room   = !still && !last && (!ended || told); // behind the banks
    wire acts   = busy && !fresh && room;
    wire fails  = acts && bad;
    wire does   = acts && !bad;
    wire some   = todo != {LANES{1'b0}};
    wire pick   = does && !is_atomic;
    wire fetch  = does && is_atomic && !waits && some;
    wire change = does && is_atomic && waits;

    reg  [LANES-1:0] wins; // of those to do: they win a bank each
    reg  [LANES-1:0] goes; // they want a word that is won

    wire [LANES-1:0] done = ((is_store ? wins : goes) & {LANES{pick}}) | (wins & {LANES{change}});

    assign left     = todo & ~done;
    assign finishes = fails || (does && left == {LANES{1'b0}});

    wire [LANES-1:0] ask = is_atomic ? left & (~left + 1'b1) : left;
    wire [LANES-1:0] next_wins;
    wire [LANES-1:0] next_goes;

    ${prefix}ndp_near_pipe_select select (
        .ask    (ask),
        .places (places),
        .wins   (next_wins),
        .goes   (next_goes)
    );

    always @(posedge clk) begin
        wins <= next_wins;
        goes <= next_goes;
    end

    always @(posedge clk) begin
        if (rst) begin
            fault_valid   <= 1'b0;
            fault_warp    <= {WARP_W{1'b0}};
            fault_tag     <= {TAG_W{1'b0}};
            fault_odd     <= 1'b0;
            fault_address <= 32'd0;
        end else begin
            fault_valid   <= fails;
            fault_warp    <= warp & {WARP_W{fails}};
            fault_tag     <= tag & {TAG_W{fails}};
            fault_odd     <= bad_odd && fails;
            fault_address <= bad_at & {32{fails}};
        end
    end

    // ------------------------------------------------------------------
    // Banks

    wire [ROW_W-1:0] words;
    wire [31:0]      value; // of an atomic's word
    wire             keeps; // it stays as it is

    ${prefix}ndp_near_pipe_banks banks (
        .clk      (clk),
        .wins     (wins),
        .places   (places),
        .bytes    (bytes),
        .data     (data),
        .is_byte  (is_byte),
        .is_half  (is_half),
        .read     ((pick && !is_store) || fetch),
        .write    (pick && is_store && !rst),
        .change   (change && !keeps && !rst),
        .new_word (value),
        .words    (words)
    );

    // ------------------------------------------------------------------
    // Behind the banks: words that have been read, and an access that has ended

    wire reads = (pick && !is_store && some) || fetch;

    always @(posedge clk) begin
        if (rst) begin
            waits <= 1'b0;
            last  <= 1'b0;
            ended <= 1'b0;
        end else begin
            waits <= still || reads;
            last  <= (still && last) || (finishes && reads);
            ended <= (waits && last && !still) || (finishes && !reads) || (ended && !told);
        end
    end

    reg         put_file; // they have a destination
    reg [1:0]   put_size; // a byte, a half word
    reg         put_sign; // it is extended with its sign
    reg [LANES*(LANE_W+2)-1:0] put_places; // of each lane: bank, byte

    always @(posedge clk) begin
        if (acts) begin
            serves     <= of;
            put_at     <= dst;
            put_file   <= to_file;
            put_size   <= {is_half, is_byte};
            put_sign   <= signs;
            end_warp   <= warp;
            end_tag    <= tag;
            end_ticket <= ticket;
        end
        if (reads) begin
            put_lanes <= goes;
            for (i = 0; i < LANES; i = i + 1)
                put_places[i*(LANE_W+2) +: LANE_W+2] <= {places[i*WORD_W +: LANE_W], bytes[i*2 +: 2]};
        end
    end

    generate
        for (l = 0; l < LANES; l = l + 1) begin : put
            wire [LANE_W-1:0] bank  = put_places[l*(LANE_W+2)+2 +: LANE_W];
            wire [1:0]        place = put_places[l*(LANE_W+2) +: 2];
            wire [31:0]       word  = words[bank*32 +: 32];
            wire [15:0]       half  = place[1] ? word[31:16] : word[15:0];
            wire [7:0]        part  = place[0] ? half[15:8] : half[7:0];

            assign put_words[l*32 +: 32] =
                put_size[0] ? {{24{put_sign && part[7]}}, part} :
                put_size[1] ? {{16{put_sign && half[15]}}, half} : word;
        end
    endgenerate

    assign puts = serves & {UNITS{waits && !still && put_file}};

    // ------------------------------------------------------------------
    // Atomics

    reg [31:0] old;
    reg [31:0] lead_data;
    reg [31:0] lead_compare;

    always @* begin
        old          = 32'd0;
        lead_data    = 32'd0;
        lead_compare = 32'd0;
        for (i = 0; i < LANES; i = i + 1) begin
            old          = old | (put_words[i*32 +: 32] & {32{wins[i]}});
            lead_data    = lead_data | (data[i*32 +: 32] & {32{wins[i]}});
            lead_compare = lead_compare | (compare[i*32 +: 32] & {32{wins[i]}});
        end
    end

    ${prefix}ndp_memory_word changed (
        .op      (op[3:0] + 4'd2),
        .old     (old),
        .data    (lead_data),
        .compare (lead_compare),
        .keeps   (keeps),
        .value   (value)
    );

`ifdef FORMAL
`include "${prefix}ndp_near_pipe_shared_formal.vh"
`endif
endmodule

`default_nettype wire
