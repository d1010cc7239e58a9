-- omni.lua - what the page and the picture of opportunistic computing share.
include "../page.lua"

-- kernel, name in the paper
micro = map({"compare COMPARE", "copy_aligned COPY-ALIGNED", "copy_strided COPY-STRIDED",
    "density DENSITY", "vecadd_aligned VECADD-ALIGNED", "vecadd_strided VECADD-STRIDED",
    "norm NORM"}, words)
workloads = map({"bfs BFS", "fdtd FDTD", "kmeans KMN", "mvt MVT", "reduce_global RED",
    "scalarprod SCP", "srad SRAD", "triad TRIAD"}, words)
swept = map({"bfs BFS", "reduce_global RED", "scalarprod SCP", "srad SRAD", "triad TRIAD"}, words)

local known = {}

-- What a run (off, llc, omni, queues48, ...) found of a workload.
function found(run, workload)
    if not known[run] then
        local by = {}
        for name, r in pairs(results(data[run])) do by[name] = r.system end
        known[run] = readonly(by, "kernel")
    end
    return known[run][workload[1]]
end

function weighted(run, w) return found(run, w).mesh.weighted end

-- Weighted hops less than without, in percent, as printed.
function saved(run, w)
    return round(100 * (1 - weighted(run, w) / weighted("off", w)), 1)
end

-- Times as fast as without.
function faster(run, w)
    return round(found("off", w).cycles / found(run, w).cycles, 2)
end

-- Chains that left their core, and those that did not for a reason, of all.
function went(run, w, what)
    local c = found(run, w).chains
    return round(percent(c[what or "went"], c.executed), 1)
end

-- Packets whose loads a full service queue sent back.
function returned(run, w)
    local c = found(run, w).chains
    return round(percent(c.returned, c.packets), 1)
end

-- Where the lines that loads want come from without offloading, in percent:
-- the L1, the L2 of a memory node, DRAM.
function source(w)
    local l1, l2 = found("off", w).l1, found("off", w).l2
    local far = percent(l1.misses, l1.loads)
    local dram = far * percent(l2.misses, l2.loads) / 100
    return round(100 - far, 1), round(far - dram, 1), round(dram, 1)
end

function average(list, f)
    return mean(list, f)
end
