-- cluster.lua - docs/figures-cluster.md: cycles by the number of cores.
include "../page.lua"

kernels = words"axpy hist matmul reduce"

-- A counter of a kernel on so many cores, "plain": on the machine of one core.
function count(kernel, cores, name)
    local r = data[kernel .. "-" .. cores].results[1]
    if r.verdict ~= "right" then error(kernel .. " on " .. cores .. ": " .. r.verdict) end
    return r.counters[name]
end

function cycles(kernel, cores)
    return count(kernel, cores, "cycles")
end

-- How much sooner four cores are done than one.
function gain(kernel)
    return cycles(kernel, 1) / cycles(kernel, 4)
end
