//% output("tb/ndp_" .. block .. "_flat.v")
//% local ins, outs, NW = {}, {}, 4
//% local IN, OUT = 0, 0
//% for _, p in ipairs(iface.ports) do
//%     NW = math.max(NW, #p.name)
//%     if p.dir == "in" then
//%         ins[#ins + 1] = { port = p, lo = IN }
//%         IN = IN + p.width
//%     else
//%         outs[#outs + 1] = { port = p, lo = OUT }
//%         OUT = OUT + p.width
//%     end
//% end
//% local function place(of, width, lo, all)
//%     if all == 1 then return of end
//%     return of .. "[" .. (width > 1 and lo + width - 1 .. ":" or "") .. lo .. "]"
//% end
${banner("all inputs and all outputs as two ports, for what plays and records them")}
//
// In the order of the data sheet, the first in the lowest bits; clk and rst stay
// apart.  What plays them on a board: target bist of ndpgen, with
//
//     --set bist.in_bits=${IN} --set bist.out_bits=${OUT}
`default_nettype none

module ${root}_flat (
    input  wire ${pad("", 8)} clk,
    input  wire ${pad("", 8)} rst,
    input  wire ${pad(range(IN), 8)} stim, // all inputs
    output wire ${pad(range(OUT), 8)} resp  // all outputs
);
    ${root} dut (
        .${pad("clk", NW)} (clk),
        .${pad("rst", NW)} (rst),
//% for _, p in ipairs(ins) do
        .${pad(p.port.name, NW)} (${place("stim", p.port.width, p.lo, IN)}),
//% end
//% for i, p in ipairs(outs) do
        .${pad(p.port.name, NW)} (${place("resp", p.port.width, p.lo, OUT)})${i < #outs and "," or ""}
//% end
    );
endmodule

`default_nettype wire
