-- image.lua - what the page and the picture of the prefetchers share.
include "../page.lua"

kernels = map(data.base.results, function(r) return r.name end)

-- Figures of a kernel in a configuration. Shares are in percent and as printed:
-- so the means are those of the columns.
local function figures(s)
    local l1, prefetch = s.l1, s.prefetch
    return readonly({
        cycles = s.cycles, bytes = s.memory.bytes, loads = l1.loads,
        misses = l1.misses, issued = prefetch.issued, used = prefetch.used,
        miss = round(100 * l1.miss_rate, 2),
        waits = l1.misses + l1.merged,
        wait = 100 * (l1.misses + l1.merged) / l1.loads,
        accuracy = round(100 * prefetch.accuracy, 1),
        coverage = round(100 * prefetch.coverage, 1),
        timely = round(100 * prefetch.timeliness, 1)}, "figure")
end

local known = {}

-- One figure of a kernel (by its folder) in a configuration, the name of a run.
function value(config, kernel, what)
    if not known[config] then
        local by = {}
        for k, r in pairs(results(data[config], function(r) return folder(r.file) end)) do
            by[k] = figures(r.system)
        end
        known[config] = readonly(by, "kernel")
    end
    return known[config][kernel][what]
end

-- The same in several configurations.
function of(what, kernel, configs)
    return map(configs, function(c) return value(c, kernel, what) end)
end

-- Means over some kernels, all of them without a list.
function average(config, what, list)
    return mean(list or kernels, function(k) return value(config, k, what) end)
end

-- How much less that is in one configuration than in another, the baseline
-- unless named, in percent.
function less(config, what, list, other)
    return 100 * mean(list or kernels, function(k)
        return 1 - value(config, k, what) / value(other or "base", k, what)
    end)
end

-- How many times as much in one configuration as in another, geometric mean.
function times(what, config, other, list)
    return geomean(list or kernels, function(k)
        return value(config, k, what) / value(other, k, what)
    end)
end

-- Used of all the prefetches issued, in percent.
function pooled(config)
    local function total(what)
        return sum(kernels, function(k) return value(config, k, what) end)
    end
    return percent(total("used"), total("issued"))
end
