-- tom.lua - what the page and the pictures of TOM share.
include "../tom/compare.lua"

-- Share of the instructions that the stacks execute, in percent.
function on_stacks(config, kernel)
    local s = system(config, kernel)
    return percent(s.stack_instructions, s.stack_instructions + s.main_instructions)
end

function mean_on_stacks(config, list)
    return mean(list or kernels, function(k) return on_stacks(config, k) end)
end

-- The mean over the kernels of which something is offloaded when nobody stops it.
function moved(config)
    local some = filter(kernels, function(k) return system("ul", k).decisions.offload > 0 end)
    return mean(some, function(k) return part(config, k) end)
end

-- Why instances are not offloaded, in percent of the refusals by state.
function refusals(why)
    local function total(reason)
        return sum(kernels, function(k) return system("cl", k).decisions[reason] end)
    end
    return percent(total(why), sum(map(words"tx_busy rx_busy stack_full", total)))
end

-- --- mapping ----------------------------------------------------------------

-- Kernels that have instances to place.
function is_placed(k) return system("ul", k).instances_paying > 0 end
placed = filter(kernels, is_placed)

-- Co-location in percent, as printed: instances that stay on one stack and lines
-- on the stack of the first, both under the baseline mapping, after 0.1, 0.5 and
-- 1 % of the instances, and after all; the lowest bits chosen; instances in force.
local function colocate(m)
    local function one(n) return round(percent(n, m.instances), 1) end
    local function all(n) return round(percent(n, m.lines), 1) end
    local c = {instances = {one(m.baseline)}, lines = {all(m.baseline_home)}, bits = {},
               force = one(m.single)}
    for i, choice in ipairs(m.choices) do
        local mapping = filter(m.mappings, function(b) return b.bit == choice.bit end)[1]
        c.instances[i + 1] = one(choice.single)
        c.lines[i + 1] = all(mapping.home)
        c.bits[i] = choice.bit
    end
    -- the best of the ten mappings by either count, whoever would choose it
    c.bound = {
        instances = one(math.max(table.unpack(map(m.mappings, function(b) return b.single end)))),
        lines = all(math.max(table.unpack(map(m.mappings, function(b) return b.home end))))}
    return readonly(c, "figure")
end

function colocation(kernel)
    return colocate(system("ul", kernel).colocation)
end

-- Means of the five figures of each kind, and of those in force.
local function means(what)
    return map({1, 2, 3, 4, 5}, function(i)
        return mean(placed, function(k) return colocation(k)[what][i] end)
    end)
end
located = readonly({
    instances = means"instances", lines = means"lines",
    bound = mean(placed, function(k) return colocation(k).bound.lines end),
    force = mean(placed, function(k) return colocation(k).force end)}, "figure")

-- --- fixed offsets ----------------------------------------------------------

local classes = {"all", "75-99 %", "50-75 %", "25-50 %", "0-25 %", "none"}

-- Candidates of these kernels by class.
function offsets(list)
    return map(classes, function(class)
        return sum(list, function(k)
            return #filter(system("ul", k).fixed_offset,
                           function(c) return c.class == class end)
        end)
    end)
end
