//% output("include/ndp_" .. block .. ".vh")
//% local function upper(s) return (s:upper():gsub("[^A-Z0-9]", "_")) end
//% local macro = upper(root)
//% local W = 0
//% local lines = {}
//% local function title(s) lines[#lines + 1] = s end
//% local function define(what, name, value, doc)
//%     local full = macro .. "_" .. what .. upper(name)
//%     W = math.max(W, #full)
//%     lines[#lines + 1] = { full, value, doc }
//% end
//% title("Parameters.")
//% for _, p in ipairs(params) do
//%     if p.type == "list" then
//%         define("CFG_", p.name .. "_n", #p.value)
//%         for i, v in ipairs(p.value) do define("CFG_", p.name .. "_" .. i - 1, v) end
//%     elseif p.type == "masks" then
//%         define("CFG_", p.name .. "_n", #p.value)
//%         for i, v in ipairs(p.value) do
//%             define("CFG_", p.name .. "_" .. i - 1, string.format("64'h%x", v))
//%         end
//%     else
//%         define("CFG_", p.name, p.value)
//%     end
//% end
//% title("Derived sizes.")
//% for _, l in ipairs(iface.locals) do define("", l.name, l.value, l.doc) end
//% if iface.has_registers then
//%     local function at(name, address, doc)
//%         define("ADR_", name, regs.address_bits .. "'d" .. address, doc)
//%     end
//%     title("Registers, as word addresses.")
//%     define("", "address_bits", regs.address_bits, "bits of wb_adr")
//%     at("id", regs.at_id, "reads ID")
//%     at("hash_lo", regs.at_hash_lo, "configuration hash")
//%     at("hash_hi", regs.at_hash_hi)
//%     at("control", regs.at_control, "write bit 0: clear the counters")
//%     for _, s in ipairs(iface.settings) do at(s.name, s.address, s.doc) end
//%     for _, c in ipairs(iface.counters) do at(c.name, c.address, c.doc) end
//%     for _, s in ipairs(iface.statuses) do at(s.name, s.address, s.doc) end
//%     for _, c in ipairs(iface.commands) do at(c.name, c.address, c.doc) end
//%     title("What they read after reset.")
//%     define("", "id", string.format("32'h%08x", regs.id))
//%     define("", "hash", "64'h" .. hash)
//%     for _, s in ipairs(iface.settings) do define("", s.name .. "_reset", s.width .. "'d" .. s.reset) end
//% end
//% if #system.instances > 0 then
//%     title("Address map: where the registers of each part begin.")
//%     for _, i in ipairs(system.instances) do
//%         if i.region > 0 then
//%             define("BASE_", i.name, regs.address_bits .. "'d" .. (i.region << system.offset_bits), i.title)
//%         end
//%     end
//% end
//% local names = {}
//% for name in pairs(record) do names[#names + 1] = name end
//% table.sort(names)
//% for _, name in ipairs(names) do
//%     local r = record[name]
//%     title("Fields of '" .. name .. "': lowest bit and bits.")
//%     for _, f in ipairs(r.list) do
//%         define(upper(name) .. "_", f.name .. "_lsb", f.lsb, f.doc)
//%         define(upper(name) .. "_", f.name .. "_w", f.width)
//%     end
//%     define(upper(name) .. "_", "bits", r.bits)
//% end
${banner("sizes, registers and fields, for RTL around it")}
`ifndef ${macro}_VH
`define ${macro}_VH
//% for _, l in ipairs(lines) do
//%     if type(l) == "string" then

// ${l}
//%     else
`define ${pad(l[1], W)} ${l[2]}${l[3] and " // " .. l[3] or ""}
//%     end
//% end

`endif
