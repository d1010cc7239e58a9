//% -- what a far ALU can do of the instruction set: its code and type there
//% local far = {
//%     { "add", "ADD", "U32" }, { "sub", "SUB", "U32" }, { "rsub", "SUB", "U32" }, { "mul", "MUL", "U32" },
//%     { "mad", "ADD", "U32" }, { "and", "AND", "U32" }, { "or", "OR", "U32" }, { "xor", "XOR", "U32" },
//%     { "shl", "SHL", "U32" }, { "shr", "SHR", "U32" }, { "sar", "SHR", "S32" }, { "mins", "MIN", "S32" },
//%     { "maxs", "MAX", "S32" }, { "minu", "MIN", "U32" }, { "maxu", "MAX", "U32" }, { "fadd", "ADD", "F32" },
//%     { "fmul", "MUL", "F32" }, { "ffma", "ADD", "F32" }, { "fmin", "MIN", "F32" }, { "fmax", "MAX", "F32" },
//% }
//% local types = { ["lts"] = "S32", ["les"] = "S32", ["gts"] = "S32", ["ges"] = "S32" }
//% -- of a comparison the name says all: f, set, code, and of integers s or u
//% local function comparison(o)
//%     local f, rest = o.name:match("^(f?)set(%a+)$")
//%     if not f then return nil end
//%     if f == "f" then return rest:upper(), "F32" end
//%     local how = rest:match("^([lg][te])[su]$") or rest
//%     return how:upper(), types[rest] or "U32"
//% end
${header{title = "binder: decoder", text = [[
What a word can become in an offload chain: a load, a store, an operation or a
comparison of a far ALU, with the code and the type that it has there.

Latency: none, logic only.

See docs/blocks/binder.md, and docs/isa.md for words and fields.]]}}
`default_nettype none

module ${prefix}ndp_binder_decode (
    input  wire [63:0] code,     // the word, which is legal
    output wire        load,     // it loads a word
    output wire        store,    // it stores a word
    output wire        operates, // it is an operation or comparison
    output wire        compares, // the latter
    output wire        adds,     // a multiply-add
    output wire        minus,    // of f32, by the number -1.0
    output wire        swapped,  // its operands are the other way round there
    output wire [3:0]  far_code, // operation, or comparison
    output wire [2:0]  far_type  // type of the data
);
    wire [7:0] op  = code[7:0];
    wire       imm = code[24];

    // ------------------------------------------------------------------
    // Operations and comparisons

    reg [8:0] facts; // known, compares, type, code

    always @* begin
        facts = 9'd0;
//% for _, f in ipairs(far) do
        if (op == ${hex(8, isa.op[f[1]].code)}) // ${f[1]}
            facts = {2'b10, 3'd${code.type[f[3]]}, 4'd${code.op[f[2]]}};
//% end
//% for _, o in ipairs(isa.ops) do
//%     local how, type = comparison(o)
//%     if how then
        if (op == ${hex(8, o.code)}) // ${o.text}
            facts = {2'b11, 3'd${code.type[type]}, 4'd${code.compare[how]}};
//%     end
//% end
    end

    // rounding to nearest alone, neither .ftz nor .sat, which a number excludes
    wire plain = code[39:38] == 2'd0 && (imm || code[47:46] == 2'd0);

    assign operates = facts[8] && plain;
    assign compares = facts[7];
    assign far_type = facts[6:4];
    assign far_code = facts[3:0];
    assign swapped  = op == ${hex(8, isa.op.rsub.code)};
    assign adds     = op == ${hex(8, isa.op.mad.code)} || op == ${hex(8, isa.op.ffma.code)};
    assign minus    = op == ${hex(8, isa.op.ffma.code)} && imm && code[63:40] == 24'hbf8000;

    // ------------------------------------------------------------------
    // Memory

    assign load  = op == ${hex(8, isa.op.ldg_b32.code)};
    assign store = op == ${hex(8, isa.op.stg_b32.code)};

    wire unused = &{1'b0, code[45:40], code[37:25], code[23:8]};
endmodule

`default_nettype wire
