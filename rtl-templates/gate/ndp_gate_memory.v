//% local MEMS = L.MEMS
${header{title = "memory node of an address", text = [[
Consecutive lines of ]] .. L.LINE .. [[ bytes lie at consecutive memory nodes.

Handshake: none.

Latency: none; no registers.]]}}
`default_nettype none

module ${prefix}ndp_gate_memory (
    input  wire ${pad(range(L.ADDR_W), 7)} address, // of a byte
    output ${MEMS == 1 and "wire" or "reg "} ${pad(range(L.NODE_W), 7)} node     // where it lies
);
//% local low, bits = L.LINE_W, clog2(MEMS)
//% if MEMS == 1 then
    wire unused = &{1'b0, address};

    assign node = ${L.NODE_W}'d${P["mesh.memory_nodes"][1]};
//% else
//%     local rest = "address[" .. low - 1 .. ":0]"
//%     if low + bits < L.ADDR_W then
//%         rest = "address[" .. L.ADDR_W - 1 .. ":" .. low + bits .. "], " .. rest
//%     end
    wire unused = &{1'b0, ${rest}};

    always @*
        case (address[${bits > 1 and low + bits - 1 .. ":" .. low or low}])
//%     for i = 1, MEMS - 1 do
            ${bits}'d${i - 1}: node = ${L.NODE_W}'d${P["mesh.memory_nodes"][i]};
//%     end
            default: node = ${L.NODE_W}'d${P["mesh.memory_nodes"][MEMS]};
        endcase
//% end
endmodule

`default_nettype wire
