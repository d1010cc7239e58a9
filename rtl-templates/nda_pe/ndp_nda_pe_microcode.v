//% use "ndp_nda_pe_microcode_formal.vh"
${header{title = "processing element: microcode", text = [[
The steps of each operation of Table I: what is loaded or stored, what becomes of a
word, and where the step stands in its batch and in its operation.  B is the buffer, S
the scratchpad, T the sums.

Parameters: all sizes are generated.

Latency: none; a constant table.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe_microcode (
    input  wire [3:0]  op,    // operation
    output wire        known, // there is such an operation
    output wire ${pad(range(L.PC_W), 6)} entry, // its first step
    input  wire ${pad(range(L.PC_W), 6)} pc,    // step
    output wire ${pad(range(L.STEP_W), 6)} word   // what it does
);
    assign known = op < 4'd${#microcode};

    // no case here and below: Yosys would make a memory without a clock of it
//% local at = 0
    assign entry =
//% for i, o in ipairs(microcode) do
        op == 4'd${i - 1} ? ${L.PC_W}'d${pad(at, 2)} : // ${o.name}
//%     at = at + #o
//% end
        ${L.PC_W}'d0;

    assign word =
//% at = 0
//% for _, o in ipairs(microcode) do
        // ${o.name}
//%     for _, s in ipairs(o) do
        pc == ${L.PC_W}'d${pad(at, 2)} ? ${step_word(s)} : // ${s.text}
//%         at = at + 1
//%     end
//% end
        ${L.STEP_W}'d0;

`ifdef FORMAL
`include "${prefix}ndp_nda_pe_microcode_formal.vh"
`endif
endmodule

`default_nettype wire
