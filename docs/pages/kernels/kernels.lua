-- kernels.lua - docs/kernels.md: what every kernel does on the plain machine.
include "../page.lua"

local lanes = {}
for _, r in ipairs(data.sim.results) do lanes[r.name] = r.mean_active_lanes end

-- In the order of the kernels' names; what a run lacks was refused.
kernels = map(data.golden.results, function(r)
    local c = r.counters
    return {
        name = r.name, verdict = r.verdict, launches = r.launches,
        issued = c.issued, cycles = c.cycles, ipc = f2(c.issued / c.cycles),
        lanes = f1(lanes[r.name]),
        diverged = f2(percent(c.diverged, c.issued)),
        requests = c.request, conflicts = c.conflict}
end)

-- Those that fetch from textures, each with the first opcode that is refused.
textured = data.textured.list

right = #filter(kernels, function(k) return k.verdict == "right" end)

-- The cycles on the RTL as a cell, where it did what the golden machine did.
function rtl(simulated, name)
    for key, cycles in pairs(simulated) do
        if key == name then return tostring(cycles) end
    end
    return "-"
end

columns = {"name", "launches", "issued", "cycles", "ipc", "lanes", "diverged",
           "requests", "conflicts", "verdict"}

-- Plain text in columns.
function text()
    local widths = {22, 9, 9, 9, 6, 6, 9, 9, 10, 8}
    local function cells(get)
        local out = {}
        for i, c in ipairs(columns) do
            local v = tostring(get(c))
            if i == 1 then v = string.format("%-" .. widths[i] .. "s", v)
            else v = string.format("%" .. widths[i] .. "s", v) end
            out[i] = v
        end
        return table.concat(out)
    end
    local lines = {cells(function(c) return c end)}
    for _, k in ipairs(kernels) do
        lines[#lines + 1] = cells(function(c) return k[c] end)
    end
    for _, t in ipairs(textured) do
        lines[#lines + 1] = string.format("%-" .. widths[1] .. "s", t.name) ..
            "refused: " .. t.opcode .. ", " .. t.reason
    end
    return table.concat(lines, "\n")
end
