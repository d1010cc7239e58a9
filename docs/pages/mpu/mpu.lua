-- mpu.lua - what page and picture of MPU's banks share.
include "../page.lua"

kernels = words"blur conv gemv hist kmeans knn ttrans maxp nw upsamp axpy reduce"
open_rows = {1, 2, 4}

-- Misses that the paper prints, in percent, by open rows.
published_misses = readonly({[1] = 15.60, [2] = 9.20, [4] = 5.45}, "number of open rows")

-- What the replay of a kernel counted: bank 3; "whole": the same with whole rows in
-- one bank; "core": with a grid that the core holds at once.
local form = readonly({bank = "3", whole = "19", core = "core"}, "form")

function bank_run(kernel, open, how)
    local run = data[kernel .. "-" .. open .. "-" .. form[how or "bank"]]
    if run.report["end"] ~= "whole" or run.report.open_rows ~= open then
        error("the replay of '" .. kernel .. "' is not what it should be", 2)
    end
    return run.report
end

-- Rows opened over bursts, in percent, and their mean over the kernels.
function misses(kernel, open, how)
    local r = bank_run(kernel, open, how)
    return percent(r.rows_opened, r.bursts)
end

function mean_misses(open, how)
    return mean(kernels, function(k) return misses(k, open, how) end)
end

-- --- a core -------------------------------------------------------------------

large = words"knn ttrans axpy reduce"

-- What a kernel came to on the core: run is a policy, "near-128" and so on.
function core(kernel, run)
    return results(data[run])[kernel].system
end

-- Cycles of a run over those of another, geometric mean over the kernels.
function core_time(run, other)
    return geomean(kernels, function(k) return core(k, run).cycles / core(k, other).cycles end)
end

function core_beats(c)
    local b = c.beats
    return b.instr + b.down + b.request + b.up + b.done + b.lsu_down + b.lsu_up
end

-- Of these beats, those of loads and stores.
function lsu_beats(c)
    return c.beats.lsu_down + c.beats.lsu_up
end

-- Percent of a core's accesses that go near, or stay far for want of something.
function of_accesses(c, what)
    return percent(c[what], c.accesses)
end

-- What Figure 10 puts together, as parts of ours.
figure10 = {
    { name = "register files and operand collectors", paper = 15.47, of = words"registers collector" },
    { name = "DRAM", paper = 16.42, of = words"dram_burst dram_row dram_refresh" },
    { name = "TSVs", paper = 16.79, of = words"tsv" },
}
outside = { name = "shared memory, load-store extension", of = words"shared extension" }

function core_energy(c, part)
    return sum(part.of, function(p) return c.energy[p].energy_pj end)
end

-- Energy of a part over that of the three, in percent, mean over the kernels.
function share10(part, run)
    return mean(kernels, function(k)
        local c = core(k, run or "annotated")
        return percent(core_energy(c, part), sum(figure10, function(p) return core_energy(c, p) end))
    end)
end

paper10 = sum(figure10, function(p) return p.paper end)
