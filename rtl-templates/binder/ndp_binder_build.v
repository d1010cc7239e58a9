//% use "ndp_binder_decode.v"
//% use "ndp_binder_build_formal.vh"
//% use "ndp_lowest.v"
//% local mems = clog2(L.MEMS)
//% local function r(w) return pad(range(w), 7) end
${header{title = "binder: the chain that is built", text = [[
Takes the words of a chain that the core offers, one by one, looks whether they fit
what an offload queue can be told, tells it, and says how the core goes on.

    offer -> word -> fits? -> op ... said -> next word, or go
                       | no, or a fault: the chain is given up

Of a chain that the core carries out by itself the rest is passed over, and go comes
behind its last word.

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; said cannot be
refused, and go must be taken on the edge on which go is high.  Fields of op are zero
while valid is low.

Latency: a word that is taken on edge t is at op after edge t+1; go is high on the edge
on which its answer comes.

See docs/blocks/binder.md.]]}}
`default_nettype none

module ${prefix}ndp_binder_build (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high
    input  wire         fault,        // the core is at fault

    // offer: words of chains
    input  wire         offer_valid,  // a word
    output wire         offer_ready,  // taken
    input  wire ${r(L.WAVE_W)} offer_warp,   // warp
    input  wire ${r(L.PC_W)} offer_pc,     // instruction
    input  wire [63:0]  offer_code,   // it
    input  wire ${r(L.MASK_W)} offer_mask,   // active lanes
    input  wire [31:0]  offer_a,      // first operand, or address
    input  wire [31:0]  offer_b,      // second operand
    input  wire         offer_in_row, // addresses one behind the other
    input  wire         offer_same_a, // the first operand is the same in all lanes
    input  wire         offer_same_b, // the second is

    // op: instructions for the offload queue
    output reg          op_valid,     // an instruction
    input  wire         op_ready,     // taken
    output reg  [1:0]   op_tag,       // 1 first, 2 inside, 3 last
    output reg  [1:0]   op_kind,      // load, operation, comparison, store
    output reg  ${r(L.WAVE_W)} op_wave,      // wavefront
    output reg  ${r(L.MASK_W)} op_mask,      // lanes that take part
    output reg          op_hit,       // the chain is given up
    output reg  ${r(L.ADDR_W)} op_address,   // of lane 0
    output reg  ${r(L.MEM_W)} op_mem,       // memory node
    output reg  [3:0]   op_code,      // operation, or comparison
    output reg  [2:0]   op_type,      // type of the data
    output reg          op_reversed,  // operands the other way round
    output reg          op_fused,     // a multiply-add
    output reg          op_has_imm,   // one operand is an immediate
    output reg  [31:0]  op_imm,       // immediate

    // said: one answer to each of them
    input  wire         said_valid,   // an answer
    input  wire [1:0]   said_what,    // what the core does

    // go: how the core goes on
    output wire         go,           // its chain is no longer built, on this edge
    output wire         go_alone,     // it carries its words out by itself,
    output wire ${r(L.PC_W)} go_pc,        // from here on

    // what waits, and whether anything is here
    output wire         waits,        // the chain waits from this edge on
    output reg  ${r(L.WAVE_W)} warp,         // its warp; that of go, too
    output wire ${r(L.CHAIN_W)} chain,        // what is kept of it
    output wire         busy          // a chain is built
);
${localparams("WAVE_W", "PC_W", "MASK_W", "ADDR_W", "MEM_W", "LANE_W", "LINE_W")}

    localparam [1:0] LOAD    = 2'd${code.kind.LOAD}; // kinds
    localparam [1:0] ALU     = 2'd${code.kind.ALU};
    localparam [1:0] COMPARE = 2'd${code.kind.COMPARE};
    localparam [1:0] STORE   = 2'd${code.kind.STORE};

    localparam [1:0] TAKEN = 2'd${code.said.TAKEN}; // what is said
    localparam [1:0] WAITS = 2'd${code.said.WAITS};

    localparam [3:0] FIRST  = 4'd1; // places in a chain
    localparam [3:0] INSIDE = 4'd2;
    localparam [3:0] LAST   = 4'd3;

    localparam [3:0] SUB = 4'd${code.op.SUB}; // operation
    localparam [2:0] U32 = 3'd${code.type.U32}; // type of loads and stores

    // ------------------------------------------------------------------
    // Phases

    localparam [2:0] IDLE = 3'd0;
    localparam [2:0] LOOK = 3'd1;
    localparam [2:0] GIVE = 3'd2;
    localparam [2:0] ASK  = 3'd3;
    localparam [2:0] DROP = 3'd4; // the rest of a chain is passed over

    reg [2:0] phase;
    reg       open;   // a word of this chain was taken by the queue
    reg       gives;  // the chain is given up,
    reg       silent; // which the core is not told

    wire       fits;
    wire [3:0] tag; // of the word that was offered

    wire dropping = phase == DROP;

    assign offer_ready = phase == IDLE || dropping;

    wire take   = offer_valid && phase == IDLE;
    wire pass   = offer_valid && dropping;
    wire failed = phase == IDLE && !offer_valid && open && fault;
    wire look   = phase == LOOK;
    wire tell   = look && fits;
    wire drop   = failed || (look && !fits && open);
    wire given  = phase == GIVE && op_ready;
    wire heard  = phase == ASK && said_valid;
    wire next   = heard && !gives && said_what == TAKEN;
    wire left   = heard && !gives && said_what == WAITS;
    wire refuse = (look && !fits && !open) || (heard && !next && !left && !(gives && silent));

    // the core carries the chain out by itself, when its last word has come
    wire more   = dropping ? offer_code[30:27] == FIRST || offer_code[30:27] == INSIDE
                           : tag == FIRST || tag == INSIDE;
    wire alone  = (refuse || pass) && !more;
    wire forget = dropping && !offer_valid && fault;

    always @(posedge clk) begin
        if (rst || alone || forget)
            phase <= IDLE;
        else if (refuse)
            phase <= DROP;
        else if (heard)
            phase <= IDLE;
        else if (take)
            phase <= LOOK;
        else if (tell || drop)
            phase <= GIVE;
        else if (given)
            phase <= ASK;
    end

    always @(posedge clk) begin
        if (rst)
            open <= 1'b0;
        else if (heard)
            open <= next;
        if (tell || drop) begin
            gives  <= drop;
            silent <= failed;
        end
    end

    assign busy = phase != IDLE || open;

    // ------------------------------------------------------------------
    // The word that was offered

    reg [63:0]       word;
    reg [MASK_W-1:0] lanes;
    reg [31:0]       value_a;
    reg [31:0]       value_b;
    reg              in_row;
    reg              same_a;
    reg              same_b;

    always @(posedge clk) begin
        if (take) begin
            word    <= offer_code;
            lanes   <= offer_mask;
            value_a <= offer_a;
            value_b <= offer_b;
            in_row  <= offer_in_row;
            same_a  <= offer_same_a;
            same_b  <= offer_same_b;
        end
    end

    wire [5:0] reg_d = word[17:12];
    wire [5:0] reg_a = word[23:18];
    wire [5:0] reg_b = word[45:40];
    wire [5:0] reg_c = word[37:32];
    wire       imm   = word[24];

    assign tag = word[30:27];

    wire       is_load;
    wire       is_store;
    wire       operates;
    wire       compares;
    wire       adds;
    wire       minus;
    wire       swapped;
    wire [3:0] far_code;
    wire [2:0] far_type;

    ${prefix}ndp_binder_decode decode (
        .code     (word),
        .load     (is_load),
        .store    (is_store),
        .operates (operates),
        .compares (compares),
        .adds     (adds),
        .minus    (minus),
        .swapped  (swapped),
        .far_code (far_code),
        .far_type (far_type)
    );

    // ------------------------------------------------------------------
    // The chain

    reg [PC_W-1:0]   first;   // of its first word
    reg [MASK_W-1:0] mask;
    reg [2:0]        words;
    reg              has_0;   // it has a first load,
    reg              has_1;   // a second one,
    reg              has_r;   // a result
    reg              ended;   // nothing can stand behind it
    reg              partial; // the one operation has an immediate
    reg [5:0]        reg_0;   // registers of the loads
    reg [5:0]        reg_1;
    reg [5:0]        reg_r;   // register or predicate of the result

    // where an operand comes from
//% for _, o in ipairs({ "a", "b", "c", "d" }) do
    wire ${o}_r = has_r && reg_${o} == reg_r;
    wire ${o}_1 = has_1 && reg_${o} == reg_1 && !${o}_r;
    wire ${o}_0 = has_0 && reg_${o} == reg_0 && !${o}_r && !${o}_1;
//% end
    wire a_out = !a_r && !a_1 && !a_0;
    wire d_out = !d_r && !d_1 && !d_0;

    wire from_r = b_r && !imm; // the second operand
    wire from_1 = b_1 && !imm;
    wire from_0 = b_0 && !imm;
    wire b_out  = !from_r && !from_1 && !from_0;

    // ------------------------------------------------------------------
    // Its lanes are in a line

    wire [MASK_W-1:0] lowest;
    wire [LANE_W-1:0] low;  // number of the lowest active lane
    reg  [LANE_W-1:0] high; // of the highest one

    ${prefix}ndp_lowest #(
        .N       (${L.MASK_W}),
        .INDEX_W (LANE_W)
    ) choice (
        .set   (lanes),
        .first (lowest),
        .index (low)
    );

    integer i;

    always @* begin
        high = {LANE_W{1'b0}};
        for (i = 0; i < ${L.MASK_W}; i = i + 1)
            if (lanes[i])
                high = i[LANE_W-1:0];
    end

    wire [31:0] base = value_a - {${30 - L.LANE_W}'d0, low, 2'd0};
    wire [31:0] top  = base + {${30 - L.LANE_W}'d0, high, 2'd0};

//% if L.ADDR_W < 32 then
    wire reaches = base[31:ADDR_W] == ${32 - L.ADDR_W}'d0;
//% else
    wire reaches = 1'b1; // every address has as many bits
//% end
    wire in_line = in_row && reaches && base[31:LINE_W] == value_a[31:LINE_W] &&
                   base[31:LINE_W] == top[31:LINE_W];

    // ------------------------------------------------------------------
    // Whether it fits

    wire load_fits  = !has_r && !has_1 && a_out && d_out && in_line;
    wire store_ok   = c_r || (c_0 && !has_r && !has_1);
    wire store_fits = a_out && store_ok && in_line;

    // a pair, in this order or the other
    wire both_f = !has_r && has_1 && a_0 && from_1;
    wire both_b = !has_r && has_1 && a_1 && from_0;
    wire imm_f  = !has_r && a_0 && b_out && !(has_1 && compares);
    wire imm_b  = !has_r && a_out && from_0 && !(has_1 && compares);
    wire last_f = has_r && partial && !compares && a_1 && from_r;
    wire last_b = has_r && partial && !compares && a_r && from_1;

    wire forth     = both_f || imm_f || last_f;
    wire back      = both_b || imm_b || last_b;
    wire immediate = imm_f || imm_b;

    // a multiply-add
    wire one_out  = a_out != b_out;
    wire factor_0 = a_out ? from_0 : a_0;
    wire factor_1 = a_out ? from_1 : a_1;
    wire may_add  = !has_r && has_1 && one_out;
    wire fused    = adds && may_add && factor_0 && c_1;
    wire less     = minus && may_add && factor_1 && c_0; // b - a is a + b * -1.0

    // the immediate, of a multiply-add or another operation
    wire has_imm = adds ? fused : immediate;
    wire same    = a_out ? same_a : imm || same_b;

    wire pair_fits = adds ? fused || less : forth || back;
    wire op_fits   = operates && pair_fits && (!has_imm || same);

    wire tag_fits = open ? tag == INSIDE || tag == LAST : tag == FIRST;
    wire any      = is_load ? load_fits : is_store ? store_fits : op_fits;

    assign fits = tag_fits && !ended && lanes == mask && lanes != {MASK_W{1'b0}} && any;

    // ------------------------------------------------------------------
    // What is recorded

    wire begins = take && !open;

    always @(posedge clk) begin
        if (begins) begin
            warp    <= offer_warp;
            first   <= offer_pc;
            mask    <= offer_mask;
            words   <= 3'd0;
            has_0   <= 1'b0;
            has_1   <= 1'b0;
            has_r   <= 1'b0;
            ended   <= 1'b0;
            partial <= 1'b0;
            reg_0   <= 6'd0;
            reg_1   <= 6'd0;
            reg_r   <= 6'd0;
        end else if (tell) begin
            words <= words + 3'd1;
            if (is_load) begin
                has_0 <= 1'b1;
                has_1 <= has_0;
                if (has_0)
                    reg_1 <= reg_d;
                else
                    reg_0 <= reg_d;
            end else if (is_store) begin
                ended <= 1'b1;
            end else begin
                has_r   <= 1'b1;
                ended   <= compares;
                partial <= immediate && !adds && !has_r;
                reg_r   <= reg_d;
            end
        end
    end

    assign chain = {mask, reg_r, reg_1, reg_0, has_1, words, first};

    // ------------------------------------------------------------------
    // The instruction

    wire [ADDR_W-1:0] address = ${L.ADDR_W > 32 and "{" .. L.ADDR_W - 32 .. "'d0, base}" or "base[ADDR_W-1:0]"};
    wire [MEM_W-1:0]  mem     = ${mems > 0 and "base[LINE_W+" .. mems - 1 .. ":LINE_W]" or "1'b0"};

    wire access = is_load || is_store;

    always @(posedge clk) begin
        if (rst || given) begin
            op_valid    <= 1'b0;
            op_tag      <= 2'd0;
            op_kind     <= LOAD;
            op_wave     <= {WAVE_W{1'b0}};
            op_mask     <= {MASK_W{1'b0}};
            op_hit      <= 1'b0;
            op_address  <= {ADDR_W{1'b0}};
            op_mem      <= {MEM_W{1'b0}};
            op_code     <= 4'd0;
            op_type     <= 3'd0;
            op_reversed <= 1'b0;
            op_fused    <= 1'b0;
            op_has_imm  <= 1'b0;
            op_imm      <= 32'd0;
        end else if (drop) begin
            op_valid <= 1'b1;
            op_tag   <= LAST[1:0];
            op_wave  <= warp;
            op_mask  <= mask;
            op_hit   <= 1'b1;
        end else if (tell) begin
            op_valid <= 1'b1;
            op_tag   <= tag[1:0];
            op_wave  <= warp;
            op_mask  <= mask;
            if (access) begin
                op_kind    <= is_load ? LOAD : STORE;
                op_address <= address;
                op_mem     <= mem;
                op_type    <= U32;
            end else begin
                op_kind     <= compares ? COMPARE : ALU;
                op_code     <= less ? SUB : far_code;
                op_type     <= far_type;
                op_reversed <= !adds && (back != swapped);
                op_fused    <= fused;
                op_has_imm  <= has_imm;
                op_imm      <= !has_imm ? 32'd0 : a_out ? value_a : value_b;
            end
        end
    end

    // ------------------------------------------------------------------
    // How the core goes on

    assign go       = alone || left;
    assign go_alone = alone;
    assign go_pc    = alone ? first : {PC_W{1'b0}};
    assign waits    = left;

    wire unused = &{1'b0, lowest, top[LINE_W-1:0]};

`ifdef FORMAL
`include "${prefix}ndp_binder_build_formal.vh"
`endif
endmodule

`default_nettype wire
