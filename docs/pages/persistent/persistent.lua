-- persistent.lua - docs/figures-persistent.md: cycles of MPU's core and of two without
-- a near side.
include "../page.lua"

kernels = words"axpy gemv knn kmeans ttrans maxp nw upsamp reduce blur conv hist"
policies = words"annotated default far near"

-- A counter of a kernel's run.
function count(kernel, how, name)
    local r = data[kernel .. "-" .. how].results[1]
    if r.verdict ~= "right" then error(kernel .. " " .. how .. ": " .. r.verdict) end
    return r.counters[name]
end

function cycles(kernel, how) return count(kernel, how, "cycles") end

-- The best policy of a kernel; how: "" or "-2ghz".
function best(kernel, how)
    local least = math.huge
    for _, p in ipairs(words"annotated default far") do
        least = math.min(least, cycles(kernel, p .. how))
    end
    return least
end

-- Speed of one over another.
function over(a, b)
    return function(kernel) return cycles(kernel, b) / cycles(kernel, a) end
end
function best_over(how)
    return function(kernel) return cycles(kernel, "base" .. how) / best(kernel, how) end
end
-- Cycles in which an instruction or a row waited for the wires between the dies, in percent.
function waits(kernel, how)
    local stalls = data[kernel .. "-annotated" .. how].results[1].unit.bus_stall
    return 100 * stalls / cycles(kernel, "annotated" .. how)
end
