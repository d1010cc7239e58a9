//% output("tb/ndp_" .. block .. "_tb.v")
//% local is_system = #system.instances > 0
//% local dut = root .. (is_system and "_probe" or "")
//% local pins = { { name = "clk" }, { name = "rst" } }
//% for _, p in ipairs(iface.ports) do pins[#pins + 1] = p end
//% for _, p in ipairs(iface.internals) do
//%     if p.dir == "out" then pins[#pins + 1] = p end
//% end
//% local columns = 4
//% for _, p in ipairs(pins) do columns = math.max(columns, #p.name + 1) end
//% local function variable(kind, width, name)
    ${kind} ${pad(range(width), 8)} ${name};
//% end
${banner("a variable at each port, for a bench to drive")}
`default_nettype none

module ${root}_tb;
//% variable("reg ", 1, "clk")
//% variable("reg ", 1, "rst")
//% for _, c in ipairs(iface.channels) do
//%     if #c > 0 then

    // ${c.name}
//%     end
//%     for _, p in ipairs(c) do
//%         variable(p.dir == "in" and "reg " or "wire", p.width, p.name)
//%     end
//% end
//% if is_system then

    // inside
//%     for _, p in ipairs(iface.internals) do
//%         if p.dir == "out" then variable("wire", p.width, p.name) end
//%     end
//% end

    ${dut} dut (
//% for i, p in ipairs(pins) do
        .${pad(p.name, columns)}(${p.name})${i < #pins and "," or ""}
//% end
    );
endmodule

`default_nettype wire
