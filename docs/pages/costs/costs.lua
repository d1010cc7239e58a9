-- costs.lua - what figures-costs.md and its picture share.
include "../page.lua"

-- The runs of single workloads together, as the page of TOM has them; on the page of
-- claims, too, in place of TOM's.
local configs = {}
for _, c in ipairs(words"off cl free four twice inner ideal base oracle") do configs[c] = true end
local own = {}
for key, value in pairs(data) do
    local config = (key:match("^costs_(.*)") or key):match("^(%a+)-%a+$")
    if configs[config] then
        own[config] = own[config] or {results = {}}
        table.insert(own[config].results, value.results[1])
    end
end
-- in the order of the paper's Table 2
local order = {}
for i, k in ipairs(words"backprop bfs kmeans cfd heartwall libor raytrace fwt scalarprod reduce") do
    order[k] = i
end
for _, runs in pairs(own) do
    table.sort(runs.results, function(a, b)
        return order[folder(a.file)] < order[folder(b.file)]
    end)
end
data = readonly(own, "data")
include "../tom/compare.lua"

-- The workloads of this page.
costed = map(data.off.results, workload)
-- Those of them that offload something; only these run with other settings.
moving = map(data.ideal.results, workload)

-- --- energy -------------------------------------------------------------------

-- Links and memory, in pJ, at the prices of section 5.1.
function links(config, k)
    local e = system(config, k).energy_pj
    return e.links_moved + e.links_idle
end
function memory(config, k)
    local e = system(config, k).energy_pj
    return e.rows + e.buffers
end
function priced(config, k) return links(config, k) + memory(config, k) end

-- Of what, in percent of the same without offloading.
function of_off(what, config, k) return percent(what(config, k), what("off", k)) end

-- Cores have no price. The paper's take 77 % of the energy without offloading, and
-- 68 points of it when all is 1.30 times as fast (6.3): as the instructions are the
-- same, this is a part that goes with time, and one that does not.
cores_share = 77
timed = (1 - 68 / cores_share) / (1 - 1 / 1.30)

-- All together, in percent of that without offloading, with the cores' share and
-- its part in time as the paper's.
function parts_of_all(config, k)
    local rest = (100 - cores_share) / priced("off", k)
    local time = system(config, k).cycles / system("off", k).cycles
    return cores_share * (1 - timed + timed * time), rest * links(config, k),
           rest * memory(config, k)
end
function everything(config, k)
    local cores, l, m = parts_of_all(config, k)
    return cores + l + m
end

-- Rows in the order of the accesses, over those that FR-FCFS could come to.
function unsorted(config, k)
    local e = system(config, k).energy_pj
    return e.rows_in_order / e.rows
end

-- The mean of f(config, kernel) over a list, or all of the page.
function mean_of(f, config, list)
    return mean(list or costed, function(k) return f(config, k) end)
end

-- --- time ---------------------------------------------------------------------

-- Times as fast in one run as in another; the geometric mean.
function faster(config, than, list)
    return geomean(list or costed, function(k)
        return system(than, k).cycles / system(config, k).cycles
    end)
end

-- Time with coherence over that with coherence for nothing.
function coherence(list) return faster("free", "cl", list) end
