//% use "ndp_regs.v"
//% for _, i in ipairs(system.instances) do use("ndp_" .. i.block .. ".v") end
//% local parts, wide = {}, 0
//% for _, i in ipairs(system.instances) do
//%     parts[#parts + 1] = "    " .. pad(i.name, 14) .. "  " .. i.doc
//%     if i.region > 0 then wide = math.max(wide, #i.name) end
//% end
//% local links = {}
//% for _, l in ipairs(system.links) do
//%     links[#links + 1] = "    " .. l.from .. " -- " .. l.channel .. " -> " .. l.to
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

Registers: the upper bits of wb_adr name the region, 0 the system's own id, hash
and control, then each instance with registers, in the order above.

See docs/blocks/]] .. block .. [[.md.]]}}
`default_nettype none

module ${root} (
${ports()}
);
//% local function net(width, name)
    wire ${pad(range(width), 8)} ${name};
//% end
    // ------------------------------------------------------------------
    // What is joined, and the answers of the register ports

//% for _, i in ipairs(system.instances) do
//%     for _, p in ipairs(i.pins) do
//%         if p.dir == "out" and not p.is_port then net(p.width, p.net) end
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
    wire own_region = !(${table.concat(regions, " || ")});

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
    assign ${pad(what, 8)} = ${table.concat(all, " | ")};
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
endmodule

`default_nettype wire
