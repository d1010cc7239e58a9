-- stacks.lua - docs/figures-stacks.md: blocks that run in memory stacks.
include "../page.lua"

workloads = words"bp bfs km cfd hw lib ray fwt sp rd"
paced = words"fwt sp rd"

local function result(name)
    local r = data[name].results[1]
    if r.verdict ~= "right" then error(name .. ": " .. r.verdict) end
    return r
end

function cycles(w, how)
    return result(w .. "-" .. how).counters.cycles
end

-- How much sooner it is done than when nothing leaves.
function gain(w, how)
    return cycles(w, "off") / cycles(w, how)
end

-- Blocks that leave, of those that could, in percent.
function leave(w, how)
    local o = result(w .. "-" .. how).offload
    return o.asked > 0 and 100 * o.offloaded / o.asked or 0
end

function speed(how, list)
    return geomean(list or workloads, function(w) return gain(w, how) end)
end

-- Those that gain at least so much.
function above(how, least)
    local n = 0
    for _, w in ipairs(workloads) do
        if gain(w, how) >= least then n = n + 1 end
    end
    return n
end

-- Workloads without one that loses.
function gainers(how)
    local list = {}
    for _, w in ipairs(workloads) do
        if gain(w, how) > 1 then list[#list + 1] = w end
    end
    return list
end
