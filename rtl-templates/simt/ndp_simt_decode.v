//% -- distinct masks of the bits that may be other than zero, and of each
//% -- operation its number
//% local masks, number = {}, {}
//% for _, o in ipairs(isa.ops) do
//%     local key, at = o.bits .. o.bits_imm, 0
//%     for i, m in ipairs(masks) do if m.key == key then at = i end end
//%     if at == 0 then
//%         masks[#masks + 1] = { key = key, bits = o.bits, imm = o.bits_imm }
//%         at = #masks
//%     end
//%     number[o.code] = at
//% end
//% local FORM_W = clog2(#masks + 1)
//% local facts = { "reads_a", "reads_b", "reads_c", "writes_reg", "writes_pred", "access", "control", "offset",
//%     "must_imm", "unguarded", "special", "param", "branch", "word", "imm_f32" }
//% local function bits(o)
//%     local access = o.class == "global" or o.class == "shared" or o.class == "atomic" or o.class == "cross"
//%     local s = ""
//%     for _, f in ipairs(facts) do
//%         local yes
//%         if f == "access" then yes = access
//%         elseif f == "control" then yes = o.class == "control"
//%         else yes = o[f] end
//%         s = s .. (yes and "1" or "0")
//%     end
//%     return #facts .. "'b" .. s
//% end
${header{title = "SIMT core: decoder", text = [[
Whether a word is an instruction of this machine, and what the pipe has to know of
it.  Made from the same declaration as the assembler (lib/isa/ops.def).

Latency: none, logic only.

See docs/isa.md for words and fields.]]}}
`default_nettype none

module ${prefix}ndp_simt_decode (
    input  wire [63:0] code,        // the word
    output wire        legal,       // it is an instruction
    output wire        uses_a,      // its sources are these registers
    output wire        uses_b,      //
    output wire        uses_c,      //
    output wire        writes_reg,  // its destination is a register
    output wire        writes_pred, // ... a predicate
    output wire        access,      // it goes to memory or to other lanes
    output wire        control,     // it has to do with the flow of the warp
    output wire        offset,      // its address is a and value
    output wire        fixed,       // b is value
    output wire        special,     // b is a special register
    output wire        param,       // b is a parameter
    output wire [31:0] value        // the number in the word
);
${localparams("PARAMS")}

    localparam SPECIALS = ${#isa.specials}; // special registers

    // ------------------------------------------------------------------
    // Facts of the operation

    reg [${FORM_W - 1}:0] form;  // which bits it may use, 0: there is no such operation
    reg [${#facts - 1}:0] facts; // ${table.concat(facts, ", ", 1, 7)},
                     // ${table.concat(facts, ", ", 8)}

    // not a case: this is logic, not a table in a memory
    always @* begin
        {form, facts} = ${FORM_W + #facts}'d0;
//% for _, o in ipairs(isa.ops) do
        if (code[7:0] == ${hex(8, o.code)}) // ${o.text}
            {form, facts} = {form, facts} | {${FORM_W}'d${number[o.code]}, ${bits(o)}};
//% end
    end

//% for i, f in ipairs(facts) do
    wire ${pad("is_" .. f, 14)} = facts[${#facts - i}];
//% end

    reg [63:0] allowed; // bits that may be other than zero

    always @* begin
        case (form)
//% for i, m in ipairs(masks) do
//%     if m.bits == m.imm then
        ${FORM_W}'d${i}: allowed = 64'h${m.bits};
//%     else
        ${FORM_W}'d${i}: allowed = code[24] ? 64'h${m.imm} : 64'h${m.bits};
//%     end
//% end
        default: allowed = 64'd0;
        endcase
    end

    // ------------------------------------------------------------------
    // Is it legal?

    wire imm = code[24];

    wire zero_ok  = (code & ~allowed) == 64'd0 && form != ${FORM_W}'d0;
    wire imm_ok   = imm || !is_must_imm;
    wire guard_ok = code[11:8] == 4'b0111 || !is_unguarded;

//% if L.REG_W < 6 then
    wire a_ok = code[23:${18 + L.REG_W}] == ${hex(6 - L.REG_W, 0)} || !uses_a;
    wire b_ok = code[45:${40 + L.REG_W}] == ${hex(6 - L.REG_W, 0)} || !uses_b;
    wire c_ok = code[37:${32 + L.REG_W}] == ${hex(6 - L.REG_W, 0)} || !uses_c;
    wire d_ok = code[17:${12 + L.REG_W}] == ${hex(6 - L.REG_W, 0)} || !writes_reg;

    wire regs_ok = a_ok && b_ok && c_ok && d_ok;
//% else
    wire regs_ok = 1'b1; // a word cannot name another
//% end

    wire special_ok = code[63:40] < SPECIALS[23:0] || !is_special;
    wire param_ok   = code[63:40] < PARAMS[23:0] || !is_param;

//% if L.PC_W < 16 then
    wire target_ok = code[47:${32 + L.PC_W}] == ${hex(16 - L.PC_W, 0)};
    wire join_ok   = code[63:${48 + L.PC_W}] == ${hex(16 - L.PC_W, 0)} || code[63:48] == 16'hffff;
    wire branch_ok = (target_ok && join_ok) || !is_branch;
//% else
    wire branch_ok = 1'b1; // every target is in the code

    wire unused = &{1'b0, is_branch};
//% end

    assign legal = zero_ok && imm_ok && guard_ok && regs_ok && special_ok &&
                   param_ok && branch_ok;

    // ------------------------------------------------------------------
    // Operands

    assign uses_a      = is_reads_a;
    assign uses_b      = is_reads_b && !imm;
    assign uses_c      = is_reads_c;
    assign writes_reg  = is_writes_reg;
    assign writes_pred = is_writes_pred;
    assign access      = is_access;
    assign control     = is_control;
    assign offset      = is_offset;
    assign fixed       = imm || is_word;
    assign special     = is_special;
    assign param       = is_param;

    assign value = is_word    ? code[63:32] :
                   is_imm_f32 ? {code[63:40], 8'd0}
                              : {{8{code[63]}}, code[63:40]};
endmodule

`default_nettype wire
