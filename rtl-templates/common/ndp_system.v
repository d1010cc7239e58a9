//% use "ndp_regs.v"
//% for _, i in ipairs(system.instances) do use("ndp_" .. i.block .. ".v") end
//% local parts, map, links, by_name = {}, {}, {}, {}
//% local group, last, seen = {}, {}, {}
//% local name_w, block_w, wide = 0, 0, 0
//% for _, i in ipairs(system.instances) do
//%     name_w, block_w = math.max(name_w, #i.name), math.max(block_w, #i.block)
//%     group[i.name], last[i.group] = i.group, i.name
//%     if i.region > 0 then wide = math.max(wide, #i.name) end
//% end
//% for _, i in ipairs(system.instances) do
//%     by_name[i.name] = i
//%     local many = i.name ~= i.group and "to " .. last[i.group] .. ": " or ""
//%     if i.name == i.group or i.name == i.group .. "_0" then
//%         parts[#parts + 1] = "    " .. pad(i.name, name_w) .. "  " .. pad(i.block, block_w) .. "  " .. many .. i.doc
//%     end
//%     if i.region > 0 then
//%         map[#map + 1] = "    " .. pad(tostring(i.region << system.offset_bits), 5) .. " " .. i.name
//%     end
//% end
//% local function arrow(l) return group[l.from] .. "." .. l.given .. " -> " .. group[l.to] .. "." .. l.taken end
//% for _, l in ipairs(system.links) do
//%     if not seen[arrow(l)] then links[#links + 1] = "    " .. arrow(l) end
//%     seen[arrow(l)] = true
//% end
//% local AW, OW = regs.address_bits, system.offset_bits
//% local function region(i)
//%     local at = "wb_adr[" .. AW - 1 .. ":" .. OW .. "] == " .. AW - OW .. "'d" .. i.region
//%     local above = OW - i.address_bits
//%     if above == 0 then return at end
//%     return at .. " && wb_adr[" .. (above > 1 and OW - 1 .. ":" or "") .. i.address_bits .. "] == " .. above .. "'d0"
//% end
${header{title = iface.title, text = [[
It is made of

]] .. table.concat(parts, "\n") .. [[


joined by

]] .. table.concat(links, "\n") .. [[


Whatever is not joined is a port, called after its instance.

Registers begin at the word addresses

    0     its own: id, hash, control
]] .. table.concat(map, "\n") .. [[


See docs/blocks/]] .. block .. [[.md.]]}}
`default_nettype none

module ${root} (
${ports()}
);
//% local seen = {}
//% local function net(p)
//%     if p.dir ~= "out" or p.is_port or seen[p.net] then return end
//%     seen[p.net] = true
    wire ${pad(range(p.width), 8)} ${p.net};
//% end
    // ------------------------------------------------------------------
    // What is joined
//% for _, l in ipairs(system.links) do

    // ${l.from}.${l.given} -> ${l.to}.${l.taken}
//%     for _, p in ipairs(by_name[l.from].pins) do
//%         if p.name == l.given or p.name:sub(1, #l.given + 1) == l.given .. "_" then net(p) end
//%     end
//%     for _, p in ipairs(by_name[l.to].pins) do
//%         if p.name == l.taken .. "_ready" then net(p) end
//%     end
//% end

//% for _, i in ipairs(system.instances) do
//%     local closed = {}
//%     for _, p in ipairs(i.pins) do
//%         if p.is_closed then closed[#closed + 1] = p.net end
//%     end
//%     if #closed > 0 then

    // where nobody is beside ${i.name}
//%         for _, p in ipairs(i.pins) do
//%             if p.is_closed then net(p) end
//%         end
    wire unused_${i.name} = &{1'b0,
        ${table.concat(closed, ",\n")}};
//%     end
//% end

//% if #map > 0 then
    // answers of the register ports
//%     for _, i in ipairs(system.instances) do
//%         for _, p in ipairs(i.pins) do net(p) end
//%     end

//% end
    // ------------------------------------------------------------------
    // Address map

//% for _, i in ipairs(system.instances) do
//%     if i.region > 0 then
    wire ${pad(i.name .. "_region", wide + 7)} = ${region(i)};
//%     end
//% end

//% local regions = {}
//% for _, i in ipairs(system.instances) do
//%     if i.region > 0 then regions[#regions + 1] = i.name .. "_region" end
//% end
//% if #regions > 0 then
    wire own_region = !(${joined(regions, " ||", 24)});
//% else
    wire own_region = 1'b1; // nothing else has registers
//% end

    wire takes = wb_cyc && !wb_ack; // one access at a time

    wire        own_wb_ack;
    wire [31:0] own_wb_dat_r;

    ${prefix}ndp_${block}_regs own (
        .clk      (clk),
        .rst      (rst),
        .wb_cyc   (takes && own_region),
        .wb_stb   (wb_stb),
        .wb_we    (wb_we),
        .wb_adr   (wb_adr),
        .wb_dat_w (wb_dat_w),
        .wb_sel   (wb_sel),
        .wb_dat_r (own_wb_dat_r),
        .wb_ack   (own_wb_ack)
    );

    // Who was not asked shows zeros.
//% local function any(what)
//%     local all = { "own_" .. what }
//%     for _, i in ipairs(system.instances) do
//%         if i.region > 0 then all[#all + 1] = i.name .. "_" .. what end
//%     end
    assign ${pad(what, 8)} = ${joined(all, " |", 22)};
//% end
//% any("wb_ack")
//% any("wb_dat_r")

//% local function bus_net(i, name)
//%     if name == "wb_cyc" then return "takes && " .. i.name .. "_region" end
//%     if name == "wb_adr" and i.address_bits < AW then return "wb_adr[" .. i.address_bits - 1 .. ":0]" end
//%     return name
//% end
    // ------------------------------------------------------------------
    // The parts
//% for _, i in ipairs(system.instances) do
//%     local W = 3
//%     for _, p in ipairs(i.pins) do W = math.max(W, #p.name) end

    ${prefix}ndp_${i.block} ${i.name} (
        .${pad("clk", W)} (clk),
        .${pad("rst", W)} (rst),
//%     for k, p in ipairs(i.pins) do
//%         local net = p.is_bus and p.dir == "in" and bus_net(i, p.name) or p.net
        .${pad(p.name, W)} (${net})${k < #i.pins and "," or ""}
//%     end
    );
//% end
${checks()}
endmodule

`default_nettype wire
