//% output("tb/ndp_" .. block .. "_probe.v")
//% local ports = { { name = "clk", dir = "in", width = 1 }, { name = "rst", dir = "in", width = 1 } }
//% for _, p in ipairs(iface.ports) do ports[#ports + 1] = p end
//% local NW, RW = 0, 0
//% for _, p in ipairs(ports) do NW = math.max(NW, #p.name) end
//% local function declare(list, last)
//%     for n, p in ipairs(list) do
    ${p.dir == "in" and "input " or "output"} wire ${pad(range(p.width), 8)} ${p.name}${n == #list and last or ","}
//%     end
//% end
${banner("the same with what is inside, for a bench to compare")}
`default_nettype none

module ${root}_probe (
//% declare(ports, ",")

    // inside
//% declare(iface.internals, "")
);
    ${root} dut (
//% for n, p in ipairs(ports) do
        .${pad(p.name, NW)} (${p.name})${n < #ports and "," or ""}
//% end
    );

//% for _, p in ipairs(iface.internals) do
    assign ${p.name} = dut.${p.name};
//% end
endmodule

`default_nettype wire
