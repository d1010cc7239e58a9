-- chains.lua - figures-chains.md: the paper's Table 3, and our shares beside it.
include "../page.lua"

-- kernel, name in the paper, its patterns, instructions %, requests %
micro = map({
    "compare COMPARE 5 - -", "copy_aligned COPY-ALIGNED 3 - -",
    "copy_strided COPY-STRIDED 3 - -", "density DENSITY 6 - -",
    "vecadd_aligned VECADD-ALIGNED 1 - -",
    "vecadd_strided VECADD-STRIDED 1 - -", "norm NORM 7 - -"}, words)
workloads = map({
    "bfs BFS 2,6,7 18 47", "fdtd FDTD 1,2 7 67", "kmeans KMN 2,4 23 67",
    "mvt MVT 1,2 25 69", "reduce_global RED 1,2 16 75",
    "scalarprod SCP 2 12 67", "srad SRAD 1,2,3,7 3 75",
    "stream STREAM 2,8 33 67", "triad TRIAD 9 18 60"}, words)

local kernels = results(data.all)

-- Shares of a workload under a mode of the count, as printed: so the means are
-- those of the columns.
local function share(mode, what)
    return function(workload)
        local m = kernels[workload[1]].chains[mode]
        return round(percent(m.in_chains[what], m.all[what]), 1)
    end
end

local function shares(mode)
    return {instructions = share(mode, "instructions"),
            requests = share(mode, "requests"),
            any = share(mode, "all_accesses")}
end
split, exact = shares("split"), shares("exact")

local function patterns(workload)
    local found = {}
    for _, p in ipairs(kernels[workload[1]].chains.split.patterns) do
        if p.chains > 0 then found[#found + 1] = p.pattern end
    end
    return found[1] and table.concat(found, ",") or "none"
end

-- The rows of a table and their mean, with the paper's means beside it.
function shares_of(list, instructions, requests)
    emit(rows(list, function(w)
        return w[2], "`" .. w[1] .. "`", w[3], patterns(w),
               w[4], f1(split.instructions(w)), f1(exact.instructions(w)),
               w[5], f1(split.requests(w)), f1(exact.requests(w)), f1(split.any(w))
    end))
    local function m(f) return f1(mean(list, f)) end
    emit(row(bold"mean", "", "", "",
             instructions, bold(m(split.instructions)), m(exact.instructions),
             requests, bold(m(split.requests)), m(exact.requests), m(split.any)))
end
