//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                    ")
//% end
//% local CLASSES = { int = true, mul = true, f32 = true, compare = true, pred = true }
//% local function here(o) return CLASSES[o.class] end
${header{title = "near-bank pipelines: what a word says", text = [[
What a collector has to know of an instruction's word: whether it is computed here,
whether its result and its sources are predicates, and the number in it]] .. (SHARED and [[; or
that it accesses shared memory]] or "") .. [[.

    word -> to_reg, to_pred, of_preds, ]] .. (SHARED and "to_shared, " or "") .. [[fixed, value

Latency: none.

See docs/isa.md, Words.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_decode (
    input  wire [63:0] word,     // the word
    output wire        to_reg,   // its result is a register
    output wire        to_pred,  // its result is a predicate
    output wire        of_preds, // a and b are predicates
//% if SHARED then
    output wire        to_shared, // it accesses shared memory
//% end
    output wire        fixed,    // b is the number
    output wire [31:0] value     // the number
);
    wire [7:0] op = word[7:0];

    assign to_reg   = ${any(function(o) return here(o) and o.writes_reg end)};
    assign to_pred  = ${any(function(o) return here(o) and o.writes_pred end)};
    assign of_preds = ${any(function(o) return here(o) and o.pred_a end)};
//% if SHARED then
    assign to_shared = ${any(function(o) return o.timing == "shared" end)};
//% end

    wire is_word = ${any(function(o) return here(o) and o.word end)};
    wire is_f32  = ${any(function(o) return here(o) and o.imm_f32 end)};

    assign fixed = word[24] || is_word;
    assign value = is_word ? word[63:32] :
                   is_f32  ? {word[63:40], 8'd0}
                           : {{8{word[63]}}, word[63:40]};

    wire unused = &{1'b0, word[31:25], word[23:8]};
endmodule

`default_nettype wire
