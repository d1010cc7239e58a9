//% use "ndp_memory_word.v"
//% use "ndp_ram.v"
//% use "ndp_far_pipe_banks.v"
//% use "ndp_far_pipe_shared_formal.vh"
//% local A, N, P = L.ALUS, L.LANES, L.PASSES
//% local sizes = { "UNITS", "LANES", "ALUS", "WARP_W", "TAG_W", "ROW_W", "DATA_W", "PLACE_W", "BANK_W" }
//% local FIRST = 2 + ALU_W -- bit of an address with which its row begins
//% local function low(name) return hex(3, isa.op[name].code % 8) end
//% local function high(name) return hex(4, isa.op[name].code // 16) end
${header{title = "pipeline of the base die: shared memory of a core", text = [[
Carries out one access at a time, as shared memory of the near-bank pipelines does: its
passes come from dispatch by way of X1, are kept and checked, and then done, one
after the other.

    wants -> X1 -> kept -> checked -> a word of each bank each, or
                                      a lane's atomic in two edges
                                      -> register file, ended

It stands still where it would write the register file that somebody else writes.

Latency: the first pass is begun ]] .. P + 2 .. [[ edges after the one on which it left its collector.

See docs/blocks/far_pipe.md, and docs/blocks/near_pipe.md, Shared memory.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_shared (
    input  wire        clk,           // clock
    input  wire        rst,           // synchronous reset, active high

    // units, a bit or a field each
    input  wire ${pad(range(1), 6)} wants,         // an access has been collected,
    input  wire ${pad(range(L.WARP_W), 6)} want_warp,     // of this warp,
    input  wire ${pad(range(L.TAG_W), 6)} want_tag,      // tag,
    input  wire ${pad(range(L.TICKET_W), 6)} want_ticket,   // ticket,
    input  wire ${pad(range(8), 6)} want_op,       // operation,
    input  wire ${pad(range(1), 6)} want_dst,      // with a destination,
    input  wire ${pad(range(L.PLACE_W), 6)} want_at,       // in this row
    output wire ${pad(range(1), 6)} gives,         // a pass of it goes to X1
    input  wire ${pad(range(A), 6)} x_active,      // in X1: active lanes
    input  wire ${range(L.DATA_W)} x_a,           // operands
    input  wire ${range(L.DATA_W)} x_b,           //
    input  wire ${range(L.DATA_W)} x_c,           //

    // windows
    input  wire        window_valid,  // one is written
    input  wire ${pad(range(L.WARP_W), 6)} window_warp,   // of this warp
    input  wire ${pad(range(L.BANK_W), 6)} window_base,   // first row
    input  wire ${pad(range(L.BANK_W + 1), 6)} window_rows,   // rows

    // register files
    input  wire ${pad(range(1), 6)} taken,         // somebody writes the unit's
    output wire        waits,         // there are words to be put
    output wire ${pad(range(1), 6)} puts,          // words are written there
    output wire ${pad(range(L.PLACE_W), 6)} put_at,        // into this row,
    output wire ${pad(range(N), 6)} put_lanes,     // these lanes
    output wire ${pad(range(L.DATA_W), 6)} put_words,     // of a pass

    // faults
    output reg         fault_valid,   // an access has not been carried out
    output reg  ${pad(range(L.WARP_W), 6)} fault_warp,    // its warp
    output reg  ${pad(range(L.TAG_W), 6)} fault_tag,     // its tag
    output reg         fault_odd,     // misaligned, else beyond the window
    output reg  [31:0] fault_address, // of the lowest lane that is

    // completion
    output reg         ended,         // the access has ended
    input  wire        told,          // that is told on this edge
    output reg  ${pad(range(L.WARP_W), 6)} end_warp,      // its warp
    output reg  ${pad(range(L.TAG_W), 6)} end_tag,       // its tag
    output reg  ${pad(range(L.TICKET_W), 6)} end_ticket     // its ticket
);
${localparams(table.unpack(sizes))}
${P > 1 and localparams("PASS_W") or ""}

//% if P > 1 then
    localparam [PASS_W-1:0] LAST = ${P - 1}; // last pass

//% end
    // ------------------------------------------------------------------
    // The access, and whose it is

    reg              busy;     // there is one
    reg [UNITS-1:0]  of;       // its unit
    reg [7:0]        op;       // operation
    reg              to_file;  // it has a destination,
    reg [PLACE_W-1:0] dst;     // in this row

    wire [UNITS-1:0] chosen = wants; // there is one
    wire             starts = !busy && wants;

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else
            busy <= starts || (busy && !told);
    end

    always @(posedge clk) begin
        if (starts) begin
            of         <= chosen;
            op         <= want_op;
            to_file    <= want_dst;
            dst        <= want_at;
            end_warp   <= want_warp;
            end_tag    <= want_tag;
            end_ticket <= want_ticket;
        end
    end

    wire is_atomic = op[7:4] == ${high "ats_add"};
    wire is_store  = !is_atomic && op[3];
    wire is_byte   = !is_atomic && (op[2:0] == ${low "lds_u8"} || (!is_store && op[2:0] == ${low "lds_s8"}));
    wire is_half   = !is_atomic && (op[2:0] == ${low "lds_u16"} || (!is_store && op[2:0] == ${low "lds_s16"}));
    wire signs     = op[2:0] == ${low "lds_s8"} || op[2:0] == ${low "lds_s16"};

    // ------------------------------------------------------------------
    // Its passes: leave the collector, stand in X1, are kept, are checked

//% if P > 1 then
    reg              sends; // passes are left in the collector,
    reg [PASS_W-1:0] sent;  // from this one on

    wire last_sent = sends && sent == LAST;

    always @(posedge clk) begin
        if (rst)
            sends <= 1'b0;
        else
            sends <= starts || (sends && !last_sent);
        sent <= starts ? ${hex(L.PASS_W, 1)} : sent + 1'b1;
    end

    assign gives = (chosen & {UNITS{!busy}}) | (of & {UNITS{sends}});
//% else
    wire sends     = 1'b0;
    wire last_sent = starts;

    assign gives = chosen & {UNITS{!busy}};
//% end

    reg x_there; // a pass stands in X1
    reg x_last;  // the last one
    reg k_there; // one has been kept
    reg k_last;  // the last one
    reg ready;   // all have been checked

    always @(posedge clk) begin
        if (rst) begin
            x_there <= 1'b0;
            x_last  <= 1'b0;
            k_there <= 1'b0;
            k_last  <= 1'b0;
            ready   <= 1'b0;
        end else begin
            x_there <= starts || sends;
            x_last  <= last_sent;
            k_there <= x_there;
            k_last  <= x_last;
            ready   <= (k_there && k_last) || (ready && !told);
        end
    end

    // Addresses, data and what cas compares with; once all passes are there the
    // lowest one is that which is begun next
    reg [ROW_W-1:0] at;
    reg [ROW_W-1:0] data;
    reg [ROW_W-1:0] compare;
    reg [LANES-1:0] lanes; // to do

    wire              advances; // a pass is done
    wire [ALUS-1:0]   left;     // of it, after this edge
    wire [DATA_W-1:0] new_a = x_a;
    wire [DATA_W-1:0] new_b = x_b;
    wire [DATA_W-1:0] new_c = x_c;
    wire [ALUS-1:0]   new_on = x_active;
    reg  [DATA_W-1:0] new_at;

    integer i;

    always @* begin
        for (i = 0; i < ALUS; i = i + 1)
            new_at[i*32 +: 32] = new_a[i*32 +: 32] + (new_b[i*32 +: 32] & {32{!is_atomic}});
    end

//% if P > 1 then
    always @(posedge clk) begin
        if (x_there) begin
            at      <= {new_at, at[ROW_W-1:DATA_W]};
            data    <= {new_c, data[ROW_W-1:DATA_W]};
            compare <= {new_b, compare[ROW_W-1:DATA_W]};
            lanes   <= {new_on, lanes[LANES-1:ALUS]};
        end else if (advances) begin
            at      <= at >> DATA_W;
            data    <= data >> DATA_W;
            compare <= compare >> DATA_W;
            lanes   <= lanes >> ALUS;
        end else if (ready) begin
            lanes[ALUS-1:0] <= left;
        end
    end
//% else
    always @(posedge clk) begin
        if (x_there) begin
            at      <= new_at;
            data    <= new_c;
            compare <= new_b;
            lanes   <= new_on;
        end else if (ready) begin
            lanes <= left;
        end
    end
//% end

    // ------------------------------------------------------------------
    // What its warp sees, and lanes that go wrong

    wire [2*BANK_W:0] window;
    wire [BANK_W:0]   rows = window[2*BANK_W:BANK_W];
    wire [BANK_W-1:0] base = window[BANK_W-1:0];

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
        .rd_addr (want_warp),
        .rd_data (window)
    );

    wire [DATA_W-1:0] k_at = at[ROW_W-1 -: DATA_W]; // the pass that was kept last
    wire [ALUS-1:0]   k_on = lanes[LANES-1 -: ALUS];
    reg  [ALUS-1:0]   odd;
    reg  [ALUS-1:0]   off;

    always @* begin
        for (i = 0; i < ALUS; i = i + 1) begin
            odd[i] = (k_at[i*32] && !is_byte) || (k_at[i*32+1] && !is_byte && !is_half);
            off[i] = k_at[i*32+${FIRST} +: ${32 - FIRST}] >= {${32 - FIRST - L.BANK_W - 1}'d0, rows};
        end
    end

    wire [ALUS-1:0] wrong       = k_on & (odd | off);
    wire [ALUS-1:0] wrong_first = wrong & (~wrong + 1'b1);
    reg  [31:0]     wrong_at;

    always @* begin
        wrong_at = 32'd0;
        for (i = 0; i < ALUS; i = i + 1)
            wrong_at = wrong_at | (k_at[i*32 +: 32] & {32{wrong_first[i]}});
    end

    reg        bad;     // a lane of it is wrong,
    reg        bad_odd; // misaligned,
    reg [31:0] bad_at;  // at this address

    always @(posedge clk) begin
        if (starts) begin
            bad <= 1'b0;
        end else if (k_there && !bad) begin
            bad     <= wrong != {ALUS{1'b0}};
            bad_odd <= (wrong_first & odd) != {ALUS{1'b0}};
            bad_at  <= wrong_at;
        end
    end

    wire works = ready && !bad && !ended;
    wire fails = ready && bad && !ended;

    always @(posedge clk) begin
        if (rst) begin
            fault_valid   <= 1'b0;
            fault_warp    <= {WARP_W{1'b0}};
            fault_tag     <= {TAG_W{1'b0}};
            fault_odd     <= 1'b0;
            fault_address <= 32'd0;
        end else begin
            fault_valid   <= fails;
            fault_warp    <= end_warp & {WARP_W{fails}};
            fault_tag     <= end_tag & {TAG_W{fails}};
            fault_odd     <= bad_odd && fails;
            fault_address <= bad_at & {32{fails}};
        end
    end

    // ------------------------------------------------------------------
    // The lowest pass: what is done of it on this edge

    reg over;   // no pass is left
    reg second; // words have been read, and are to be put

    wire [ALUS-1:0] todo = lanes[ALUS-1:0];
    wire [ALUS-1:0] lead = todo & (~todo + 1'b1);
    wire [ALUS-1:0] wins;
    wire [ALUS-1:0] goes;
    wire            still  = second && (taken & of) != {UNITS{1'b0}};
    wire            does   = works && !over && !still;
    wire            pick   = does && !is_atomic;
    wire            fetch  = does && is_atomic && !second && todo != {ALUS{1'b0}};
    wire            change = does && is_atomic && second;
    wire            put    = works && second && !still;

    wire [ALUS-1:0] picked = is_store ? wins : goes;

    assign left     = todo & ~(picked & {ALUS{pick}}) & ~(lead & {ALUS{change}});
    assign advances = does && left == {ALUS{1'b0}};

//% if P > 1 then
    reg [PASS_W-1:0] pass; // the lowest

    wire over_next = over || (advances && pass == LAST);

    always @(posedge clk) begin
        if (starts)
            pass <= {PASS_W{1'b0}};
        else if (advances)
            pass <= pass + 1'b1;
    end
//% else
    wire over_next = over || advances;
//% end

    wire second_next = still || (pick && !is_store && todo != {ALUS{1'b0}}) || fetch;
    wire ends        = fails || (works && over_next && !second_next);

    always @(posedge clk) begin
        if (rst) begin
            second <= 1'b0;
            over   <= 1'b0;
            ended  <= 1'b0;
        end else begin
            if (works)
                second <= second_next;
            over  <= over_next && !starts;
            ended <= ends || (ended && !told);
        end
    end

    // ------------------------------------------------------------------
    // Banks

    wire [DATA_W-1:0] words;
    wire [31:0]       value; // of an atomic's word
    wire              keeps; // it stays as it is

    ${prefix}ndp_far_pipe_banks banks (
        .clk        (clk),
        .ask        (is_atomic ? lead : todo),
        .at         (at[DATA_W-1:0]),
        .data       (data[DATA_W-1:0]),
        .is_byte    (is_byte),
        .is_half    (is_half),
        .base       (base),
        .wins       (wins),
        .goes       (goes),
        .read       ((pick && !is_store) || fetch),
        .write      (pick && is_store && !rst),
        .change     (change && !keeps && !rst),
        .new_word   (value),
        .words      (words)
    );

    // ------------------------------------------------------------------
    // Words that have been read: of these lanes, with their places: bank, byte

    reg ${pad("[ALUS-1:0]", 16)} p_lanes;
    reg [ALUS*${FIRST}-1:0] ${FIRST < 10 and "    " or ""}p_places;
${P > 1 and "    reg [PASS_W-1:0]     p_pass;" or ""}

    always @(posedge clk) begin
        if (pick || fetch) begin
            p_lanes <= goes;
            for (i = 0; i < ALUS; i = i + 1)
                p_places[i*${FIRST} +: ${FIRST}] <= at[i*32 +: ${FIRST}];
${P > 1 and "            p_pass <= pass;" or ""}
        end
    end

    genvar l;

    generate
        for (l = 0; l < ALUS; l = l + 1) begin : lane
//% if ALU_W > 0 then
            wire [31:0] word = words[p_places[l*${FIRST}+2 +: ${ALU_W}]*32 +: 32];
//% else
            wire [31:0] word = words;
//% end
            wire [1:0]  place = p_places[l*${FIRST} +: 2];
            wire [15:0] half  = place[1] ? word[31:16] : word[15:0];
            wire [7:0]  part  = place[0] ? half[15:8] : half[7:0];

            assign put_words[l*32 +: 32] =
                is_byte ? {{24{signs && part[7]}}, part} :
                is_half ? {{16{signs && half[15]}}, half} : word;
        end
    endgenerate

    assign waits  = works && second;
    assign puts   = of & {UNITS{put && to_file}};
    assign put_at = dst;
//% if P > 1 then
    assign put_lanes = {${N - A}'d0, p_lanes} << (p_pass * ALUS);
//% else
    assign put_lanes = p_lanes;
//% end

    // ------------------------------------------------------------------
    // Atomics

    reg [31:0] old;
    reg [31:0] lead_data;
    reg [31:0] lead_compare;

    always @* begin
        old          = 32'd0;
        lead_data    = 32'd0;
        lead_compare = 32'd0;
        for (i = 0; i < ALUS; i = i + 1) begin
            old          = old | (put_words[i*32 +: 32] & {32{lead[i]}});
            lead_data    = lead_data | (data[i*32 +: 32] & {32{lead[i]}});
            lead_compare = lead_compare | (compare[i*32 +: 32] & {32{lead[i]}});
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
`include "${prefix}ndp_far_pipe_shared_formal.vh"
`endif
endmodule

`default_nettype wire
