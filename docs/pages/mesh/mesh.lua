-- mesh.lua - what the page and the picture of the mesh's curves share.
include "../page.lua"

patterns = words"uniform transpose complement neighbour memory"

-- Rows of a run by load, as printed.
function curve(run)
    local by = {}
    for _, r in ipairs(data[run].loads) do by[f2(r.load)] = r end
    return by
end

loads = map(data["line-uniform"].loads, function(r) return f2(r.load) end)

-- Mean latency in cycles; "-" past saturation, which is here also where it is
-- beyond ten times that of the lowest load.
function latency(run, load)
    local r = curve(run)[load]
    local least = curve(run)[loads[1]].latency
    if r.saturated or r.latency > 10 * least then return "-" end
    return f1(r.latency)
end

-- The most flits that a node took in a cycle, at whatever load.
function throughput(run)
    local most = 0
    for _, r in ipairs(data[run].loads) do most = math.max(most, r.accepted) end
    return most
end
