-- compare.lua - runs of TOM's workloads beside those without offloading.
include "../page.lua"
include "../tom/workloads.lua"

-- Workloads go by the folder of their kernel, whatever the input is called.
function workload(result) return folder(result.file) end
kernels = map(data.off.results, workload)

local known = {}

-- What the composition counted in a kernel; config is the name of a run.
function system(config, kernel)
    known[config] = known[config] or results(data[config], workload)
    return known[config][kernel].system
end

-- --- traffic ----------------------------------------------------------------

-- Flits over those without offloading, in percent.
function part(config, kernel, off)
    return percent(system(config, kernel).flits, system(off or "off", kernel).flits)
end

function parts(config, list)
    return map(list or kernels, function(k) return part(config, k) end)
end

-- The same, or another count, of all flits together.
function pooled(config, what)
    local function total(c, key)
        return sum(kernels, function(k) return system(c, k)[key] end)
    end
    return percent(total(config, what or "flits"), total("off", "flits"))
end

-- How much of the time the links of the busier direction move flits without
-- offloading, in percent.
function link_use(kernel, config)
    local s = system(config or "off", kernel)
    local function moves(way)
        return percent(mean(s.stacks, function(stack) return stack[way].moves end), s.cycles)
    end
    return math.max(moves"tx", moves"rx")
end

-- Those that the paper would have taken (5.3): more than half of the bandwidth.
chosen = filter(kernels, function(k) return link_use(k) > 50 end)
but_ray = filter(chosen, function(k) return k ~= "raytrace" end)

-- Times as fast as without offloading; the geometric mean.
function speedups(config, list)
    return map(list or kernels, function(k)
        return system("off", k).cycles / system(config, k).cycles
    end)
end

function speedup(config, list) return geomean(speedups(config, list)) end
