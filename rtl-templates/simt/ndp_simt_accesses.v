//% use "ndp_simt_buffer.v"
//% use "ndp_simt_accesses_formal.vh"
//% use "ndp_ram_block.v"
//% local N, A, P = L.LANES, L.ALUS, L.PASSES
//% local TWO = L.BUFFERS == 2
//% local RAMS = RAM_BUFFERS
//% local INFO = { {"op", 8, "operation"}, {"warp", L.WARP_W, "warp"}, {"pc", L.PC_W, "instruction"}, {"base", clog2(BANK_WORDS), "where shared memory of its CTA begins in a bank"}, {"ticket", L.TICKET_W, "ticket"} }
//% local OFFERS = L.OFFERS == 1
//% if OFFERS then
//%     INFO[#INFO + 1] = {"offer", 1, "it is offered"}
//%     INFO[#INFO + 1] = {"rest", 56, "its word, above the operation"}
//% end
//% local function all(p) local l = {} for i, f in ipairs(INFO) do l[i] = p .. f[1] end return table.concat(l, ", ") end
//% local bits = 0
//% for _, f in ipairs(INFO) do bits = bits + f[2] end
//% local function code(set)
//%     local l = {}
//%     for _, n in ipairs(set) do l[#l + 1] = "x_op == " .. op(n) end
//%     return table.concat(l, " ||\n                    ")
//% end
${header{title = "SIMT core: accesses", text = (L.BUFFERS == 2 and [[
Two buffers, used in turn: one is filled by the pipe while the engine works on the
other.  The older one is what the engine sees.

    X1 -> address, checks -> buffer 0 or 1 -> older -> engine

]] or [[
One buffer, which the pipe fills and on which the engine works then.

    X1 -> address, checks -> buffer 0 -> engine

]]) .. (RAM_BUFFERS and [[
What is not an address stands in a memory, a word for each pass, as the engine has no
need of two passes of it at a time.

]] or "") .. [[
Latency: a pass that leaves X1 is in its buffer after that edge.]]}}
`default_nettype none

module ${prefix}ndp_simt_accesses (
    input  wire        clk,         // clock
    input  wire        rst,         // synchronous reset, active high

    // check
    input  wire        take,        // an access takes a buffer
    input  wire ${pad(range(L.WARP_W), 6)} take_warp,   // of this warp
    input  wire ${pad(range(L.CTA_W), 6)} take_slot,   // of this CTA slot
    output wire        free,        // one is free
    output ${TWO and "reg " or "wire"}        turn,        // the one whose turn it is
    output wire [1:0]  used,        // those in use
    output reg  ${pad(range(2 * L.WARP_W), 6)} warps,       // their warps
    output reg  ${pad(range(2 * L.CTA_W), 6)} slots,       // their CTA slots

    // stage X1
    input  wire        x_put,       // a pass of an access leaves it
    input  wire        x_buffer,    // for this buffer
    input  wire ${pad(range(L.PASS_W), 6)} x_pass,      // which pass
    input  wire        x_last,      // the last one
    input  wire        x_offset,    // address is a + b
//% for _, f in ipairs(INFO) do
    input  wire ${pad(range(f[2]), 6)} ${pad("x_" .. f[1] .. ",", 12)} // ${f[3]}
//% end
    input  wire ${range(32 * A)} x_a,         // operands, a lane in 32 bits
    input  wire ${range(32 * A)} x_b,         //
    input  wire ${range(32 * A)} x_c,         //
    input  wire ${pad(vec(A), 6)} x_p,         // predicate c
    input  wire ${pad(vec(A), 6)} x_active,    // active lanes
    input  wire [31:0] limit_neg,   // minus the first unmapped address
    input  wire ${pad(range(SHARED_W), 6)} shared_bytes, // shared memory of a CTA

    // the older one
    output wire        full,        // all of it is there
//% for _, f in ipairs(INFO) do
    output wire ${pad(range(f[2]), 6)} ${pad(f[1] .. ",", 12)} // ${f[3]}
//% end
    output wire ${pad(range(32 * N), 6)} a,           // addresses, a lane in 32 bits
//% if RAMS then
    input  wire ${pad(range(L.PASS_W), 6)} rd_pass,     // pass of b and c,
    output wire ${pad(range(32 * A), 6)} b,           // after the edge: second operands
    output wire ${pad(range(32 * A), 6)} c,           // and data
    output wire ${pad(range(N), 6)} holds,       // bit 0 of c, of all lanes
//% else
    output wire ${pad(range(32 * N), 6)} b,           // second operands
    output wire ${pad(range(32 * N), 6)} c,           // data
//% end
    output wire ${pad(range(N), 6)} active,      // active lanes
    output wire ${pad(range(N), 6)} odd,         // misaligned
    output wire ${pad(range(N), 6)} off,         // unmapped
    input  wire        end_now      // it is at its end
);
${TWO and localparams("ALUS", "WARP_W", "CTA_W") or localparams("ALUS")}

    localparam INFO_W = ${bits};

//% if TWO then
    reg older; // the one that the engine sees
//% end

    // ------------------------------------------------------------------
    // Whose turn it is

//% if TWO then
    assign free = used != 2'b11;

    always @(posedge clk) begin
        if (rst) begin
            turn  <= 1'b0;
            older <= 1'b0;
        end else begin
            turn  <= turn ^ take;
            older <= older ^ end_now;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            warps[turn*WARP_W +: WARP_W] <= take_warp;
            slots[turn*CTA_W +: CTA_W]   <= take_slot;
        end
    end
//% else
    assign free    = !used[0];
    assign used[1] = 1'b0;
    assign turn    = 1'b0;

    always @(posedge clk) begin
        if (take) begin
            warps <= {2{take_warp}};
            slots <= {2{take_slot}};
        end
    end
//% end

    // ------------------------------------------------------------------
    // Address and what is wrong with it, lane by lane

    wire word    = ${OFFERS and "x_offer || " or ""}${code{ "ldg_b32", "stg_b32", "lds_b32", "sts_b32" }};
    wire half    = ${code{ "ldg_u16", "ldg_s16", "stg_b16", "lds_u16", "lds_s16", "sts_b16" }};
    wire atomic  = ${code((function() local l = {} for _, o in ipairs(ops(function(o) return o.class == "atomic" end)) do l[#l + 1] = o.name end return l end)())};
    wire outer   = ${OFFERS and "x_offer || " or ""}x_op[7:4] == ${hex(4, isa.op.ldg_b32.code // 16)} || x_op[7:4] == ${hex(4, isa.op.atg_add.code // 16)};
//% local in_shared = "x_op[7:4] == " .. hex(4, isa.op.lds_b32.code // 16) .. " || x_op[7:4] == " .. hex(4, isa.op.ats_add.code // 16)
    wire shared  = ${OFFERS and "!x_offer && (" .. in_shared .. ")" or in_shared};
    wire vote    = x_op == ${op "vote"};

    wire [32*ALUS-1:0] in_a;
    wire [32*ALUS-1:0] in_c;
    wire [ALUS-1:0]    in_odd;
    wire [ALUS-1:0]    in_off;
${RAMS and "    wire [ALUS-1:0]    in_holds;" or ""}

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
            wire [31:0] at = x_a[i*32 +: 32] +
                             (x_offset ? x_b[i*32 +: 32] : 32'd0);
            // the carry: at the limit or beyond, which is 2^32 if it is zero
            wire        beyond;
            wire [31:0] unused;

            assign {beyond, unused} = {1'b0, at} + {1'b0, limit_neg};

            assign in_a[i*32 +: 32] = at;
${RAMS and "            assign in_holds[i] = in_c[i*32];" or ""}
            assign in_c[i*32 +: 32] = vote ? {31'd0, x_p[i]} : x_c[i*32 +: 32];

            assign in_odd[i] = ((word || atomic) && at[1:0] != 2'd0) ||
                               (half && at[0]);
            assign in_off[i] =
                (outer && (at[31:8] == 24'd0 || beyond)) ||
                (shared && (at[31:${SHARED_W}] != ${32 - SHARED_W}'d0 ||
                            at[${SHARED_W - 1}:0] >= shared_bytes));
        end
    endgenerate

    // ------------------------------------------------------------------
    // Buffers

    reg [INFO_W-1:0] info_0;
${TWO and "    reg [INFO_W-1:0] info_1;" or ""}

    always @(posedge clk) begin
        if (x_put && !x_buffer)
            info_0 <= {${all("x_")}};
//% if TWO then
        if (x_put && x_buffer)
            info_1 <= {${all("x_")}};
//% end
    end

    assign {${all("")}} = ${TWO and "older ? info_1 : info_0" or "info_0"};

//% local ports = { { "a", 32 * N } }
//% if RAMS then
//%     ports[#ports + 1] = { "holds", N }
//% else
//%     ports[#ports + 1] = { "b", 32 * N }
//%     ports[#ports + 1] = { "c", 32 * N }
//% end
//% for _, p in ipairs{ "active", "odd", "off" } do ports[#ports + 1] = { p, N } end
//% for n = 0, L.BUFFERS - 1 do
    wire full_${n};
//%     for _, p in ipairs(ports) do
    wire ${pad(range(p[2]), 8)} ${p[1]}_${n};
//%     end

    ${prefix}ndp_simt_buffer buffer_${n} (
        .clk       (clk),
        .rst       (rst),
        .take      (take && turn == 1'b${n}),
        .end_now   (end_now${TWO and " && older == 1'b" .. n or ""}),
        .used      (used[${n}]),
        .full      (full_${n}),
        .put       (x_put && x_buffer == 1'b${n}),
//%     if P > 1 then
        .in_pass   (x_pass),
//%     end
        .in_last   (x_last),
        .in_a      (in_a),
//%     if RAMS then
        .in_holds  (in_holds),
        .holds     (holds_${n}),
//%     else
        .in_b      (x_b),
        .in_c      (in_c),
        .b         (b_${n}),
        .c         (c_${n}),
//%     end
        .in_active (x_active),
        .in_odd    (in_odd),
        .in_off    (in_off),
        .a         (a_${n}),
        .active    (active_${n}),
        .odd       (odd_${n}),
        .off       (off_${n})
    );

//% end
    assign full = ${TWO and "older ? full_1 : full_0" or "full_0"};
//% for _, p in ipairs(ports) do
    assign ${pad(p[1], 6)} = ${TWO and "older ? " .. p[1] .. "_1 : " or ""}${p[1]}_0;
//% end

//% if RAMS then
//%     local WORDS, WORD_W = P * L.BUFFERS, clog2(P * L.BUFFERS)
    ${prefix}ndp_ram_block #(
        .WIDTH     (${64 * A}),
        .WORDS     (${WORDS}),
        .ADDRESS_W (${WORD_W})
    ) others (
        .clk     (clk),
        .wr_en   (x_put),
        .wr_addr (${TWO and "{x_buffer, x_pass}" or "x_pass"}),
        .wr_data ({x_b, in_c}),
        .rd_en   (1'b1),
        .rd_addr (${TWO and "{older, rd_pass}" or "rd_pass"}),
        .rd_data ({b, c})
    );

//% end

//% if P == 1 then
    wire unused = &{1'b0, x_pass};

//% end
`ifdef FORMAL
`include "${prefix}ndp_simt_accesses_formal.vh"
`endif
endmodule

`default_nettype wire
