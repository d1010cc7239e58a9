//% use "ndp_frontend_word.v"
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                        ")
//% end
//% local NEAR = L.NEAR_SHARED == 1 -- shared memory is on the DRAM die
//% local function shared(o) return o.timing == "shared" end
//% local function store(o) return o.name == "stg_b32" end -- its data are near
//% local function all_of(c) return function(o) return o.class == c end end
//% local AO = pad(range(L.OPERAND_W), 6)
${header{title = "front end: what a word is to the near-bank unit", text = [[
Translates a word: its class, where it should run, its operands, of which predicates
are the upper registers; and says whether it is legal, with the registers that are
left.

    word -> legal, op, hint, operands; control, to_mem, store, never

Latency: none, logic only.

See docs/blocks/frontend.md, What an instruction says.]]}}
`default_nettype none

module ${prefix}ndp_frontend_decode (
    input  wire [63:0] word,    // the word
    output wire        legal,   // it may be issued
    output wire        control, // it is of class control
    output wire        to_mem,  // it accesses global memory
    output wire        store,   // it stores words there
    output wire        never,   // its guard never holds
    output reg  ${pad(range(L.OP_W), 6)} kind,    // instruction class
    output wire [1:0]  hint,    // compiler's location
    output wire ${AO} dst,     // destination
    output wire ${AO} src0,    // source a
    output wire ${AO} src1,    // source b, or the words that are stored in global memory
    output wire ${AO} src2,    // source c
    output wire ${AO} guard    // guard
);
${localparams("REGS", "REG_W", "OPERAND_W")}

    wire        known;
    wire        uses_a;
    wire        uses_b;
    wire        uses_c;
    wire        writes_reg;
    wire        writes_pred;
    wire        access;
    wire        offset;
    wire        fixed;
    wire        special;
    wire        param;
    wire [31:0] value;

    ${prefix}ndp_frontend_word fields (
        .code        (word),
        .legal       (known),
        .uses_a      (uses_a),
        .uses_b      (uses_b),
        .uses_c      (uses_c),
        .writes_reg  (writes_reg),
        .writes_pred (writes_pred),
        .access      (access),
        .control     (control),
        .offset      (offset),
        .fixed       (fixed),
        .special     (special),
        .param       (param),
        .value       (value)
    );

    // ------------------------------------------------------------------
    // Registers that are a predicate's are none

    localparam [8:0] LEFT = 9'd${L.REGS - 8}; // registers that are left

    wire a_ok = {3'd0, word[23:18]} < LEFT || !uses_a;
    wire b_ok = {3'd0, word[45:40]} < LEFT || !uses_b;
    wire c_ok = {3'd0, word[37:32]} < LEFT || !uses_c;
    wire d_ok = {3'd0, word[17:12]} < LEFT || !writes_reg;

    assign legal = known && a_ok && b_ok && c_ok && d_ok;

    // ------------------------------------------------------------------
    // Operation

    wire [7:0] op = word[7:0];

    wire of_preds  = ${any(function(o) return o.pred_a end)};
    wire by_pred   = ${any(function(o) return o.pred_c end)};
    wire of_shared = ${any(shared)};

    assign to_mem = ${any(function(o) return o.timing == "global" end)};
    assign store  = ${any(store)};
    assign never  = word[11:8] == 4'b1111;

    // not a case: this is logic, not a table in a memory
//% local classes = {
//%     { "int", function(o) return (o.class == "int" or o.class == "mul") and o.name ~= "mov" and o.name ~= "movi" end },
//%     { "mov", function(o) return o.name == "mov" or o.name == "movi" end },
//%     { "setp", function(o) return o.class == "pred" or o.class == "compare" end },
//%     { "cvt", function(o) return o.class == "f32" and o.timing == "convert" end },
//%     { "fp", function(o) return o.class == "f32" and o.timing ~= "convert" end },
//%     { "ld_global", function(o) return o.name == "ldg_b32" end },
//%     { "st_global", store },
//%     { "ld_shared", function(o) return NEAR and shared(o) and o.writes_reg end },
//%     { "st_shared", function(o) return NEAR and shared(o) and not o.writes_reg end },
//%     { "atomic", function(o) return o.timing == "global" and o.name ~= "ldg_b32" and not store(o) or not NEAR and shared(o) end },
//%     { "ld_const", all_of("special") },
//%     { "vote", function(o) return o.name == "vote" end },
//%     { "shfl", function(o) return o.class == "cross" and o.name ~= "vote" end },
//%     { "barrier", function(o) return o.name == "bar" end },
//%     { "fence", function(o) return o.name == "membar" end },
//%     { "branch", function(o) return o.class == "control" and o.name ~= "bar" and o.name ~= "membar" end },
//% }
    always @* begin
        kind = ${L.OP_W}'d0;
//% for _, c in ipairs(classes) do
//%     if #ops(c[2]) > 0 and class[c[1]] ~= 0 then
        if (${any(c[2]):gsub("\n +", "\n            ")})
            kind = ${hex(L.OP_W, class[c[1]])}; // ${c[1]}
//%     end
//% end
    end

    assign hint = ${NEAR and "of_shared ? 2'd2 : word[26:25]" or "word[26:25]"};

    // ------------------------------------------------------------------
    // Operands

    // register r
//% for _, r in ipairs{ { "a", 18 }, { "b", 40 }, { "c", 32 }, { "d", 12 } } do
    wire [OPERAND_W-1:0] reg_${r[1]}  = {3'b100, ${L.REG_W > 6 and (L.REG_W - 6) .. "'d0, word[" .. r[2] + 5 .. ":" .. r[2] .. "]" or "word[" .. r[2] + L.REG_W - 1 .. ":" .. r[2] .. "]"}};
//% end

    // predicate p, none of p7
//% for _, r in ipairs{ { "a", 18 }, { "b", 40 }, { "c", 32 }, { "d", 12 }, { "g", 8 } } do
    wire [OPERAND_W-1:0] pred_${r[1]} = {3'b110, {REG_W-3{1'b1}}, word[${r[2] + 2}:${r[2]}]} &
                                  {OPERAND_W{word[${r[2] + 2}:${r[2]}] != 3'd7}};
//% end

    assign dst   = ({OPERAND_W{writes_reg}} & reg_d) | ({OPERAND_W{writes_pred}} & pred_d);
    assign src0  = ({OPERAND_W{uses_a}} & reg_a) | ({OPERAND_W{of_preds}} & pred_a);
    assign src1  = ({OPERAND_W{uses_b}} & reg_b) | ({OPERAND_W{of_preds}} & pred_b) |
                   ({OPERAND_W{store}} & reg_c);
    assign src2  = ({OPERAND_W{uses_c && !store}} & reg_c) | ({OPERAND_W{by_pred}} & pred_c);
    assign guard = pred_g;

    wire unused = &{1'b0, REGS[0], access, offset, fixed, special, param, value${NEAR and "" or ", of_shared"}};
endmodule

`default_nettype wire
