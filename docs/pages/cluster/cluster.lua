-- cluster.lua - docs/figures-cluster.md: cycles by the number of cores, and with caches.
include "../page.lua"

kernels = words"axpy hist matmul reduce"
cached = words"axpy reduce hist matmul gemv mvt jacobi2d conv2d srad bfs kmeans nw"

-- A counter of a kernel on so many cores; or on the machine of one core, "plain", of
-- four, "cluster", or of four with caches, "cached_mesh".
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

-- How much sooner four cores with caches are done than without.
function cache_gain(kernel)
    return cycles(kernel, "cluster") / cycles(kernel, "cached_mesh")
end

-- Loads that found their line in the cache, of all, in percent.
function hit_rate(kernel)
    local c = data[kernel .. "-cached_mesh"].results[1].prefetch
    return 100 * c["cache.hits"] / c["cache.loads"]
end
