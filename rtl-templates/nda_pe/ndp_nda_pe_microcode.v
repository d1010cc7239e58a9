${header{title = "processing element: microcode", text = [[
The steps of each operation of Table I: what is loaded or stored, what becomes of a
word, and where the step stands in its batch and in its operation.  B is the buffer, S
the scratchpad, T the sums.

Parameters: all sizes are generated.

Latency: none; a constant table.]]}}
`default_nettype none

module ${prefix}ndp_nda_pe_microcode (
    input  wire [3:0]  op,    // operation
    output reg         known, // there is such an operation
    output reg  ${pad(range(L.PC_W), 6)} entry, // its first step
    input  wire ${pad(range(L.PC_W), 6)} pc,    // step
    output reg  ${pad(range(L.STEP_W), 6)} word   // what it does
);
    always @* begin
        known = 1'b1;
        case (op)
//% local at = 0
//% for i, o in ipairs(microcode) do
            4'd${pad(i - 1 .. ":", 3)} entry = ${L.PC_W}'d${pad(at .. ";", 3)} // ${o.name}
//%     at = at + #o
//% end
            default: begin
                known = 1'b0;
                entry = ${L.PC_W}'d0;
            end
        endcase
    end

    always @* begin
        case (pc)
//% at = 0
//% for _, o in ipairs(microcode) do
            // ${o.name}
//%     for _, s in ipairs(o) do
            ${L.PC_W}'d${pad(at .. ":", 4)}word = ${step_word(s)}; // ${s.text}
//%         at = at + 1
//%     end
//% end
            default: word = ${L.STEP_W}'d0;
        endcase
    end
endmodule

`default_nettype wire
