//% use "ndp_lsu_link_base.v"
//% use "ndp_lsu_link_dram.v"
${header{title = "load-store traffic between the dies", text = [[
What a core's load-store unit on the base die, its extension and the near register files
on the DRAM die have to say to each other, as packets of beats.  A module on each side,
which share clock and reset and nothing else; who builds two chips takes ndp_lsu_link_base
and ndp_lsu_link_dram.

Latency: see the two modules; between them the beats take what their bus takes.

See docs/blocks/lsu_link.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_link (
${ports()}
);
//% local dies = {{"base", "base logic die"}, {"dram", "DRAM die"}}
//% local of = {}
//% local die = "base"
//% for _, p in ipairs(iface.ports) do
//%     if p.name == "lsu_near_valid" then die = "dram" end
//%     of[#of + 1] = {name = p.name, die = die}
//% end
//% for n, d in ipairs(dies) do
    // ${d[2]}
    ${prefix}ndp_lsu_link_${d[1]} ${d[1]} (
//%     local pins = {"clk", "rst"}
//%     for _, p in ipairs(of) do
//%         if p.die == d[1] and p.name ~= "clk" and p.name ~= "rst" then pins[#pins + 1] = p.name end
//%     end
//%     for i, name in ipairs(pins) do
        .${pad(name, 18)} (${name})${i < #pins and "," or ""}
//%     end
    );

//% end
${checks()}
endmodule

`default_nettype wire
