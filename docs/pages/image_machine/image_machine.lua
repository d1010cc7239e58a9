-- image_machine.lua - docs/figures-image-machine.md: SMs with the prefetcher, cycle by cycle.
include "../page.lua"

kernels = words"conv2d convsep denoise jacobi2d downsample concat dct8x8 matmul"
all = words"plain-stride plain-pattern aware-none aware-stride aware-pattern sync-none sync-stride sync-pattern"
number = {}
for i, k in ipairs(kernels) do number[k] = i end

function result(kernel, run)
    local r = data[run].results[number[kernel]]
    if r.verdict ~= "right" then error(kernel .. " " .. run .. ": " .. r.verdict) end
    return r
end
function cycles(kernel, run) return result(kernel, run).counters.cycles end
function count(kernel, run, name) return result(kernel, run).prefetch[name] end

-- Speed of a run over another, by kernel.
function over(run, base)
    return function(kernel) return cycles(kernel, base) / cycles(kernel, run) end
end
-- Misses of a run less than those of another, in percent.
function fewer(run, base)
    return function(kernel)
        return 100 * (1 - count(kernel, run, "cache.misses") / count(kernel, base, "cache.misses"))
    end
end
-- The same, loads that meet a line on its way counted too.
function fewer_both(run, base)
    local function both(kernel, r) return count(kernel, r, "cache.misses") + count(kernel, r, "cache.merged") end
    return function(kernel) return 100 * (1 - both(kernel, run) / both(kernel, base)) end
end
-- Prefetched lines that a load found, or met on their way, in percent.
function accuracy(run)
    return function(kernel)
        local used = count(kernel, run, "cache.used") + count(kernel, run, "cache.late")
        return 100 * used / count(kernel, run, "cache.issued")
    end
end
function late(run)
    return function(kernel) return 100 * count(kernel, run, "cache.late") / count(kernel, run, "cache.issued") end
end
-- Lines of 32 bytes to and from memory, in percent of those of another run.
function lines(run, base)
    local function all(kernel, r)
        return count(kernel, r, "cache.misses") + count(kernel, r, "cache.issued") + count(kernel, r, "cache.stores")
    end
    return function(kernel) return 100 * all(kernel, run) / all(kernel, base) end
end

-- Rows of a machine whose runs begin with at: "eight-", or "" of one SM.
function speeds(at)
    return function(k)
        local base = at .. "plain-none"
        return k, cycles(k, base), map(all, function(run) return f2(over(at .. run, base)(k)) end)
    end
end
function means(at)
    return table.concat(map(all, function(run) return "**" .. f2(geomean(kernels, over(at .. run, at .. "plain-none"))) .. "**" end), " | ")
end
function misses(at)
    return function(k)
        local both, none = at .. "sync-pattern", at .. "sync-none"
        local runs = {none, at .. "sync-stride", both, at .. "sync-printed"}
        local shares = {fewer(both, none), accuracy(both), accuracy(runs[2]), accuracy(runs[4]), late(both)}
        return k, map(runs, function(run) return count(k, run, "cache.misses") end),
               map(shares, function(share) return f1(share(k)) .. " %" end), f0(lines(both, at .. "plain-none")(k)) .. " %"
    end
end

-- Eight SMs whose CTAs are allocated by hardware, in bands of rows.
hardware_runs = words"eight-row-none eight-row-stride eight-row-pattern eight-sync-pattern"
function hardware(k)
    local speed = map(hardware_runs, function(run) return f2(over(run, "eight-plain-none")(k)) end)
    return k, speed, count(k, "eight-row-none", "cache.misses"), count(k, "eight-row-pattern", "cache.misses"),
           f1(fewer("eight-row-pattern", "eight-row-none")(k)) .. " %", f1(accuracy("eight-row-pattern")(k)) .. " %"
end
function hardware_mean()
    local speed = map(hardware_runs, function(run) return f2(geomean(kernels, over(run, "eight-plain-none"))) end)
    return row(bold("mean"), bold(speed), "", "",
               bold(f1(mean(kernels, fewer("eight-row-pattern", "eight-row-none"))) .. " %"),
               bold(f1(mean(kernels, accuracy("eight-row-pattern"))) .. " %"))
end
