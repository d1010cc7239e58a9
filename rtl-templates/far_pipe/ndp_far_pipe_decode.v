//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                    ")
//% end
//% local CLASSES = { int = true, mul = true, f32 = true, compare = true, pred = true }
//% local function here(o) return CLASSES[o.class] end
${header{title = "pipeline of the base die: what a word says", text = [[
What the collector has to know of an instruction's word: whether the lanes compute
it, whether its result and its sources are predicates, the number in it; and whether
it accesses words of global memory.

    word -> to_reg, to_pred, of_preds, to_memory, fixed, value

Latency: none.

See docs/isa.md, Words.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_decode (
    input  wire [63:0] word,      // the word
    output wire        to_reg,    // the lanes compute it, its result is a register
    output wire        to_pred,   // ... a predicate
    output wire        of_preds,  // a and b are predicates
    output wire        to_memory, // it accesses global memory
    output wire        fixed,     // b is the number
    output wire [31:0] value      // the number
);
    wire [7:0] op = word[7:0];

    assign to_reg    = ${any(function(o) return here(o) and o.writes_reg end)};
    assign to_pred   = ${any(function(o) return here(o) and o.writes_pred end)};
    assign of_preds  = ${any(function(o) return here(o) and o.pred_a end)};
    assign to_memory = op == ${op "ldg_b32"} || op == ${op "stg_b32"};

    wire is_word = ${any(function(o) return here(o) and o.word end)};
    wire is_f32  = ${any(function(o) return here(o) and o.imm_f32 end)};

    assign fixed = word[24] || is_word;
    assign value = is_word ? word[63:32] :
                   is_f32  ? {word[63:40], 8'd0}
                           : {{8{word[63]}}, word[63:40]};

    wire unused = &{1'b0, word[31:25], word[23:8]};
endmodule

`default_nettype wire
