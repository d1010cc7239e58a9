//% output("ndp_" .. block .. ".h")
//% local function upper(s) return (s:upper():gsub("[^A-Z0-9]", "_")) end
//% local macro = upper(root)
//% local function define(what, name, value, doc)
#define ${macro}_${what}${upper(name)} ${value}${doc and " /* " .. doc .. " */" or ""}
//% end
/*
${words(root .. ".h - " .. iface.title .. ": sizes, registers and codes.", 2)}
 *
 * ${made_by}
${words(command, 4)}
 * SPDX-License-Identifier: MIT
 */
#ifndef ${macro}_H
#define ${macro}_H

#include <stdint.h>

/* Parameters. */
//% for _, p in ipairs(params) do
//%     if p.type == "list" then
//%         define("CFG_", p.name .. "_n", #p.value)
//%         for i, v in ipairs(p.value) do define("CFG_", p.name .. "_" .. i - 1, v) end
//%     elseif p.type == "masks" then
//%         define("CFG_", p.name .. "_n", #p.value)
//%         for i, v in ipairs(p.value) do
//%             define("CFG_", p.name .. "_" .. i - 1, string.format("UINT64_C(0x%x)", v))
//%         end
//%     else
//%         define("CFG_", p.name, p.value, p.type == "set" and "one bit for each element")
//%         for i, c in ipairs(p.choices) do define("CFG_", p.name .. "_" .. c, i - 1) end
//%     end
//% end

/* Derived sizes. */
//% for _, l in ipairs(iface.locals) do define("", l.name, l.value, l.doc) end
//% if iface.has_registers then

/* Registers, as 32-bit word addresses. */
//%     define("ADR_", "id", regs.at_id, "reads ID")
//%     define("ADR_", "hash_lo", regs.at_hash_lo, "configuration hash")
//%     define("ADR_", "hash_hi", regs.at_hash_hi)
//%     define("ADR_", "control", regs.at_control, "write bit 0: clear the counters")
//%     for _, s in ipairs(iface.settings) do define("ADR_", s.name, s.address, s.doc) end
//%     for _, c in ipairs(iface.counters) do define("ADR_", c.name, c.address, c.doc) end
//%     for _, s in ipairs(iface.statuses) do define("ADR_", s.name, s.address, s.doc) end
//%     for _, c in ipairs(iface.commands) do define("ADR_", c.name, c.address, c.doc) end

#define ${macro}_ID UINT32_C(0x${string.format("%08x", regs.id)})
#define ${macro}_HASH UINT64_C(0x${hash})
//%     define("", "n_registers", regs.n)
//%     define("", "n_counters", #iface.counters)
//%     for _, s in ipairs(iface.settings) do define("", s.name .. "_reset", s.reset) end
//% end
//% if #system.instances > 0 then

/* Address map: where the registers of each part begin. */
//%     for _, i in ipairs(system.instances) do
//%         if i.region > 0 then
//%             define("BASE_", i.name, i.region << system.offset_bits, i.title)
//%         end
//%     end
//% end
//% local own = part("header.h")
//% if own ~= "" then

${own}
//% end

#endif
