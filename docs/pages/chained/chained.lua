-- chained.lua - what the page and the picture of chains on a machine share.
include "../page.lua"

-- kernel, name in the paper
kernels = map({"copy_aligned COPY-ALIGNED", "copy_strided COPY-STRIDED",
    "vecadd_aligned VECADD-ALIGNED", "vecadd_strided VECADD-STRIDED", "norm NORM",
    "triad TRIAD", "fdtd FDTD"}, words)
micro = {table.unpack(kernels, 1, 5)}
modes = words"off llc omni"
cores = {bound = 13, paper = 55}

-- All buffers of a result, by their checksums.
local function bytes(r)
    return table.concat(map(r.buffers, function(b) return b.name .. " " .. b.checksum end), ", ")
end

-- What a kernel gave in a mode on a machine: right, and the bytes that it leaves with chains
-- off.
function result(machine, kernel, mode)
    local name = machine .. "-" .. kernel[1] .. "-"
    local off = machine == "all" and data["bound-" .. kernel[1] .. "-off"] or data[name .. "off"]
    local r = data[name .. mode].results[1]
    off = off.results[1]
    if r.verdict ~= "right" or bytes(r) ~= bytes(off) then
        error(name .. mode .. ": " .. r.verdict .. ", " .. bytes(r))
    end
    return r
end

function cycles(machine, kernel, mode) return result(machine, kernel, mode).counters.cycles end

function chains(machine, kernel, mode, name) return result(machine, kernel, mode).chains[name] end

-- Of everything that crosses the mesh while launches run.
function traffic(machine, kernel, mode, name) return result(machine, kernel, mode).traffic[name] end

-- Edges on which a core issues an instruction, in percent of all cores' edges.
function issue_use(machine, kernel, mode)
    local r = result(machine, kernel, mode)
    return round(percent(r.counters.issued, cores[machine] * r.counters.cycles), 1)
end

-- Of each memory on the mean: edges on which its node sends a flit (memory_sends) or receives
-- one (memory_receives), or it answers a request (memory_answers), in percent.
function memory_use(machine, kernel, mode, name)
    local t = traffic(machine, kernel, mode, "edges")
    local memories = traffic(machine, kernel, mode, "memories")
    return round(percent(traffic(machine, kernel, mode, name), memories * t), 1)
end

-- Chains that left, of those that the cores met, in percent: with chains off none has begun.
function left(machine, kernel, mode)
    local begun = chains(machine, kernel, mode, "begun") + chains(machine, kernel, mode, "full")
    return begun == 0 and 0 or percent(chains(machine, kernel, mode, "packets"), begun)
end

-- Less than with chains off, in percent.
function saved(machine, kernel, mode, name)
    local now, off = traffic(machine, kernel, mode, name), traffic(machine, kernel, "off", name)
    return round(100 * (1 - now / off), 1)
end

-- Times as fast as with chains off.
function faster(machine, kernel, mode)
    return round(cycles(machine, kernel, "off") / cycles(machine, kernel, mode), 2)
end

-- The kernel of a name.
function of(name) return filter(kernels, function(k) return k[1] == name end)[1] end

-- --- an access in one packet, beside the composition ---------------------------

streams = filter(kernels, function(k) return k[1] ~= "fdtd" end)

-- What the composition with so many virtual channels gave.
function composed(channels, kernel, mode)
    local r = data["net" .. channels .. "-" .. kernel[1] .. "-" .. mode].results[1]
    if r.verdict ~= "right" then error(kernel[1] .. " on the composition: " .. r.verdict) end
    return r.system
end

-- Times as fast as with chains off there.
function composed_faster(channels, kernel, mode)
    return round(composed(channels, kernel, "off").cycles / composed(channels, kernel, mode).cycles, 2)
end

-- a beside b, in percent of b.
function apart(a, b) return string.format("%+.1f", round(100 * (a / b - 1), 1)) end
