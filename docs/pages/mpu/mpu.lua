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
