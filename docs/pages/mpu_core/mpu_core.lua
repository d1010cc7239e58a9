-- mpu_core.lua - what the page and the pictures of MPU's machine share.
include "../page.lua"

suite = words"axpy gemv knn kmeans ttrans maxp nw upsamp reduce blur conv hist"
policies = words"annotated default near far"
open_rows = {1, 2, 4}

-- Misses that the paper prints, in percent, by open rows; speed over one.
published_misses = readonly({[1] = 15.60, [2] = 9.20, [4] = 5.45}, "number of open rows")
published_speed = readonly({[1] = 1.00, [2] = 1.10, [4] = 1.25}, "number of open rows")

-- --- runs -----------------------------------------------------------------------

-- How a kernel runs: at size small as ndprun runs it, under a policy; "core-" and a
-- policy: on larger inputs; "core-2ghz-" and a policy: these, over wires of 2 GHz;
-- "core-open-1": with so many open rows; "core-subcores-1": with so many subcores.
local function opened(n) return n == 4 and "core-annotated" or "core-open-" .. n end
local ways = {}
for _, p in ipairs(policies) do
    ways[#ways + 1] = p
    ways[#ways + 1] = "core-" .. p
    ways[#ways + 1] = "core-2ghz-" .. p
end
for _, n in ipairs{1, 2} do ways[#ways + 1] = opened(n) end

-- All buffers of a result, by their checksums.
local function bytes(r)
    return table.concat(map(r.buffers, function(b) return b.name .. " " .. b.checksum end), ", ")
end

-- Whether a kernel runs on the machine: right in all ways, or stopped in all, and then why.
local function verdict(kernel)
    local first = data[kernel .. "-annotated"]
    for _, w in ipairs(ways) do
        local r = data[kernel .. "-" .. w]
        if r.verdict ~= first.verdict or r.verdict == "wrong" then
            error(kernel .. "-" .. w .. ": " .. r.verdict)
        end
    end
    return first.verdict == "right", first.why
end

kernels = filter(suite, function(k) return (verdict(k)) end)
stopped = filter(suite, function(k) return not verdict(k) end)
function why_stopped(kernel)
    local _, why = verdict(kernel)
    return why
end

-- What a kernel gave: the bytes are those of the plain machine; on larger inputs, which
-- that does not run here, the same under each policy and on the plain core before banks.
function result(kernel, way)
    local r = data[kernel .. "-" .. way]
    local other = way:match"^core%-" and data[kernel .. "-core-annotated"] or data[kernel .. "-plain"].results[1]
    if way == "plain" or way:match"^cores" or way:match"banked" or way:match"ponb" then
        r = r.results[1]
        if r.verdict ~= "right" or bytes(r) ~= bytes(other) then error(kernel .. "-" .. way .. ": " .. r.verdict) end
        return r
    end
    if bytes(r) ~= bytes(other) then error(kernel .. "-" .. way .. ": " .. bytes(r)) end
    if r.open_rows ~= (tonumber(way:match"open%-(%d)$") or 4) then error(kernel .. "-" .. way .. ": open rows") end
    local subcores = tonumber(way:match"subcores%-(%d)$") or 4
    if r.subcores ~= subcores then error(kernel .. "-" .. way .. ": subcores") end
    if r.tsv_width ~= (way:match"2ghz" and 128 or 64) then error(kernel .. "-" .. way .. ": wires") end
    return r
end

-- --- time, and what crosses -----------------------------------------------------

function cycles(kernel, way) return result(kernel, way).counters.cycles end
function event(kernel, way, name) return result(kernel, way).events[name] end

-- Instructions that ran near, in percent of all.
function near(kernel, way)
    local u = result(kernel, way).unit
    return percent(u.went_near, u.went_near + u.went_far)
end

-- Beats of 64 bits between the dies; those that are seen are those that the unit counts.
function beats(kernel, way)
    local r = result(kernel, way)
    local all = sum(words"instr down request up done lsu", function(k) return r.unit["beats_" .. k] end)
    if all ~= r.events.beats then error(kernel .. "-" .. way .. ": beats") end
    return all
end

-- Times as fast as another way; mean over the kernels.
function faster(way, than, list)
    return geomean(list or kernels, function(k) return cycles(k, than) / cycles(k, way) end)
end

function fewer_beats(way, than)
    return geomean(kernels, function(k) return beats(k, way) / beats(k, than) end)
end

-- Edges on which something holds, in percent of all: "far_held", "beats" ...
function of_edges(kernel, way, what)
    return percent(event(kernel, way, what), event(kernel, way, "edges"))
end

function subcored(n) return n == 4 and "core-annotated" or "core-subcores-" .. n end

-- Of a plain core before banks: cycles in which a beat of a request and four of its sector
-- take the wires, in percent.
function banked_wires(kernel)
    local c = result(kernel, "core-banked").counters
    return percent(5 * c.request, c.cycles)
end

-- --- accesses to global memory --------------------------------------------------

function accesses(kernel, way) return event(kernel, way, "loads") + event(kernel, way, "stores") + event(kernel, way, "parts") end

-- In percent of them; what: "messages", "lack_mask", ...
function of_accesses(kernel, way, what)
    local e = result(kernel, way).events
    local rest = e.loads + e.stores - e.lack_mask - e.lack_row - e.lack_unit
    if rest ~= e.messages then error(kernel .. "-" .. way .. ": messages") end
    return percent(e[what], e.loads + e.stores + e.parts)
end

-- --- banks ----------------------------------------------------------------------

function bursts(kernel, way) return event(kernel, way, "rd") + event(kernel, way, "wr") end

-- Rows opened over bursts, in percent; and rows closed for another one.
function misses(kernel, n) return percent(event(kernel, opened(n), "act"), bursts(kernel, opened(n))) end
function conflicts(kernel, n) return percent(event(kernel, opened(n), "pre"), bursts(kernel, opened(n))) end
function row_speed(n) return faster(opened(n), opened(1)) end
function row_cycles(kernel, n) return cycles(kernel, opened(n)) end

-- --- energy ---------------------------------------------------------------------

-- Table II, picojoules an access; of the wires between the dies a bit.
local prices = readonly({burst = 150, row = 270, refresh = 1130, registers = 40, collector = 41.49,
                         shared = 22.2, extension = 39.67, wire = 4.53}, "price")

priced = {
    {name = "registers, collectors", paper = 15.47, of = function(e)
        return prices.registers * (e.rows_read + e.rows_written) + prices.collector * e.collected
    end},
    {name = "DRAM", paper = 16.42, of = function(e)
        return prices.burst * (e.rd + e.wr) + prices.row * (e.act + e.pre + e.prea) + prices.refresh * e.ref
    end},
    {name = "wires between the dies", paper = 16.79, of = function(e, r)
        return prices.wire * r.tsv_width * e.beats
    end},
    {name = "shared memory, extension", of = function(e)
        return prices.shared * e.shared + prices.extension * e.extension
    end},
}
figure10 = {priced[1], priced[2], priced[3]}
paper10 = sum(figure10, function(p) return p.paper end)

function energy(kernel, way, part)
    local r = result(kernel, way)
    return sum(part and {part} or priced, function(p) return p.of(r.events, r) end)
end

-- Of refreshes alone, in percent of the DRAM's.
function of_refreshes(kernel, way)
    return percent(prices.refresh * event(kernel, way, "ref"), energy(kernel, way, priced[2]))
end

-- Energy of a part over that of the three, in percent, mean over the kernels.
function share10(part, way)
    return mean(kernels, function(k)
        return percent(energy(k, way, part), sum(figure10, function(p) return energy(k, way, p) end))
    end)
end

function less_energy(way, than)
    return geomean(kernels, function(k) return energy(k, way) / energy(k, than) end)
end

-- --- shared memory ---------------------------------------------------------------

-- Beats by the unit's rules alone, and those of loads and stores, which are as counted.
local function by_rules(kernel, policy, where)
    local r = result(kernel, "core-" .. policy)
    local m = result(kernel, "core-annotated")["shared_" .. where][policy]
    return r.unit.beats_lsu + sum(words"instr down request up done", function(k) return m["beats_" .. k] end)
end

-- Whether the rules come to the beats that were counted, under each policy.
function rules_hold(kernel)
    for _, p in ipairs(policies) do
        if by_rules(kernel, p, "near") ~= beats(kernel, "core-" .. p) then return false end
    end
    return true
end

ruled = filter(kernels, rules_hold)
share_memory = filter(kernels, function(k) return event(k, "core-annotated", "shared") > 0 end)

-- Whether they come to those of the machine with shared memory on the base die.
function rules_hold_base(kernel)
    for _, p in ipairs(policies) do
        local lsu = result(kernel, "core-base-" .. p).unit.beats_lsu - result(kernel, "core-" .. p).unit.beats_lsu
        if by_rules(kernel, p, "far") + lsu ~= beats(kernel, "core-base-" .. p) then return false end
    end
    return true
end

-- With it on the base die, over what was counted with it near the banks under annotated,
-- what: cycles or beats; "best": the policy that is best then.
function shared_base(kernel, what, policy)
    local least = math.huge
    for _, p in ipairs(policy == "best" and policies or {policy}) do
        local r = result(kernel, "core-base-" .. p)
        if r.events.shared ~= event(kernel, "core-annotated", "shared") then error(kernel .. ": accesses to shared memory") end
        least = math.min(least, what(kernel, "core-base-" .. p))
    end
    return least / what(kernel, "core-annotated")
end

-- Mean over the kernels that have shared memory.
function base_mean(what, policy)
    return geomean(share_memory, function(k) return shared_base(k, what, policy) end)
end
