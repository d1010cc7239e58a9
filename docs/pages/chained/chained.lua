-- chained.lua - what the page and the picture of chains on a machine share.
include "../page.lua"

-- kernel, name in the paper
kernels = map({"copy_aligned COPY-ALIGNED", "copy_strided COPY-STRIDED",
    "vecadd_aligned VECADD-ALIGNED", "vecadd_strided VECADD-STRIDED", "norm NORM",
    "triad TRIAD", "fdtd FDTD"}, words)
modes = words"off llc omni"

-- All buffers of a result, by their checksums.
local function bytes(r)
    return table.concat(map(r.buffers, function(b) return b.name .. " " .. b.checksum end), ", ")
end

-- What a kernel gave in a mode: right, and the bytes that it leaves with chains off.
-- On the machine with the paper's widths, unless another is named.
function result(kernel, mode, machine)
    local name = (machine or "wide") .. "-" .. kernel[1] .. "-"
    local r, off = data[name .. mode].results[1], data[name .. "off"].results[1]
    if r.verdict ~= "right" or bytes(r) ~= bytes(off) then
        error(name .. mode .. ": " .. r.verdict .. ", " .. bytes(r))
    end
    return r
end

function cycles(kernel, mode) return result(kernel, mode).counters.cycles end

function chains(kernel, mode, name) return result(kernel, mode).chains[name] end

function issued(kernel, mode) return result(kernel, mode).counters.issued end

-- Edges on which a core issues an instruction, in percent of all cores' edges.
function issue_use(kernel, mode)
    return round(percent(issued(kernel, mode), 6 * cycles(kernel, mode)), 1)
end

-- Of everything that crosses the mesh while launches run.
function traffic(kernel, mode, name, machine) return result(kernel, mode, machine).traffic[name] end

-- Chains that left, of those that began, in percent.
function left(kernel, mode)
    return percent(chains(kernel, mode, "packets"), chains(kernel, mode, "begun"))
end

-- Less than with chains off, in percent.
function saved(kernel, mode, name, machine)
    local now, off = traffic(kernel, mode, name, machine), traffic(kernel, "off", name, machine)
    return round(100 * (1 - now / off), 1)
end

-- Times as fast as with chains off.
function faster(kernel, mode)
    return round(cycles(kernel, "off") / cycles(kernel, mode), 2)
end

-- Those of which some chain leaves.
function leaving(mode)
    return filter(kernels, function(k) return chains(k, mode, "packets") > 0 end)
end
