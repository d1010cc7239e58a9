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

-- Flits on links to stacks, from them, and between them.
local function traffic(w, how)
    return result(w .. "-" .. how).traffic
end
local function flits(w, how)
    local t = traffic(w, how)
    return t.to_stacks + t.from_stacks + t.between_stacks
end
-- Of the flits when nothing leaves, in percent.
function carried(w, how) return 100 * flits(w, how) / flits(w, "off") end
function between(w, how) return 100 * traffic(w, how).between_stacks / flits(w, "off") end
-- Of the flits, those of blocks.
function of_blocks(w, how)
    local t = traffic(w, how)
    return 100 * (t.to_stacks_blocks + t.from_stacks_blocks) / flits(w, how)
end

-- Share of the time, in percent, for which the links of the busier direction move
-- flits when nothing leaves; each can move one every second cycle.
function link_use(w)
    local t = traffic(w, "off")
    return 100 * math.max(t.to_stacks, t.from_stacks) / (t.edges * t.memories / 2)
end
-- Those that the paper would have taken (5.3): more than half of the bandwidth.
chosen = filter(workloads, function(w) return link_use(w) > 50 end)

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

