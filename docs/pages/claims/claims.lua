-- claims.lua - claims.md: the papers' figures, ours, and a verdict by rule.
include "../page.lua"

-- The runs of another page under the names that they have there.
local every = data
local function as_page(name)
    local of = {}
    for key, value in pairs(every) do
        local rest = key:match("^" .. name .. "_(.*)")
        if rest then of[rest] = value end
    end
    data = readonly(of, "data")
end

-- --- verdicts -----------------------------------------------------------------

papers = {}
local claims -- of the paper at hand

local function begin(name, title)
    claims = {name = name, title = title}
    papers[#papers + 1] = claims
end

local function add(what, where, theirs, ours, verdict, command, size)
    claims[#claims + 1] = {what, where, theirs, ours, verdict, command,
                           verdict = verdict, size = size or false}
end

local function within_tenth(ours, theirs)
    return math.abs(ours - theirs) <= math.abs(theirs) / 10
end

local function shown(n, unit, digits)
    return fixed(n, digits) .. unit
end

-- How large something is. How: {unit, digits behind the point}.
local function level(what, where, theirs, ours, how, command)
    local times = ours / theirs
    local verdict = within_tenth(ours, theirs) and "reproduced" or
                    times >= 2 / 3 and times <= 3 / 2 and "in part" or "contradicted"
    add(what, where, theirs .. how[1], shown(ours, how[1], how[2]), verdict, command)
end

-- What something changes; neutral: nothing.
local function change(what, where, theirs, ours, neutral, how, command)
    local small = neutral == 0 and 5 or neutral / 20
    local want, got = theirs - neutral, ours - neutral
    local verdict = (within_tenth(got, want) or math.abs(want) < small and
                     math.abs(got) < small) and "reproduced" or
                    want * got > 0 and math.abs(got) >= math.min(small, math.abs(want) / 2) and
                    math.abs(got) <= 4 * math.max(small, math.abs(want)) and
                    "in part" or "contradicted"
    add(what, where, theirs .. how[1], shown(ours, how[1], how[2]), verdict, command)
end

-- A count of bits, entries, hops; a size: what we chose to build, not measured.
local function exact(what, where, theirs, ours, unit, command, size)
    local verdict = ours == theirs and "reproduced" or
                    within_tenth(ours, theirs) and "in part" or "contradicted"
    add(what, where, theirs .. unit, ours .. unit, verdict, command, size)
end

-- A bound, an order, a list; half: some of it.
local function holds(what, where, theirs, ours, whole, half, command, size)
    add(what, where, theirs, ours,
        whole and "reproduced" or half and "in part" or "contradicted", command, size)
end

-- Nearly all of what there is: a bound, which has to be reached.
local function reaches(what, where, theirs, ours, how, command)
    holds(what, where, theirs .. how[1], shown(ours, how[1], how[2]), ours >= theirs - 0.5,
          ours >= theirs * 2 / 3, command)
end

local function nothing(what, where, theirs)
    add(what, where, theirs, "–", "not modelled", "–")
end

-- The figures that a block declares.
local function declared(block, where)
    local made = every["block-" .. block]
    local command = "`" .. made.command:gsub("^ndpgen ", "ndpgen --json -o out ") .. "`"
    for _, f in ipairs(made.figures) do
        exact("`" .. block .. "`: " .. f.what, where, f.paper, f.ours, " " .. f.unit, command, true)
    end
end

local percents, times = {" %", 1}, {"×", 2}
local function made(page) return "`make figures PAGE=" .. page .. "`" end
local function count_if(list, f) return #filter(list, f) end

-- --- TOM ----------------------------------------------------------------------

begin("TOM", "TOM (Hsieh et al., ISCA 2016)")
as_page "candidates"
include "../tom/workloads.lua"

local function candidates(file)
    return sum(file.kernels, function(k) return #k.candidates end)
end
local function found(files) return count_if(files, function(f) return candidates(f) > 0 end) end
local most_candidates = math.max(table.unpack(map(data.words, candidates)))
local function kernel(files, name)
    for _, f in ipairs(files) do
        for _, k in ipairs(f.kernels) do
            if k.name == name then return k end
        end
    end
end

local by_page = made"candidates"
holds("workloads of Table 2 that have candidates (5.3), registers by names; by words", "5.3",
      "10 of 10", found(data.names) .. "; " .. found(data.words) .. " of " .. #data.words,
      found(data.words) == #data.words, found(data.names) == #data.names, by_page)
-- the loop of Figure 4 that a store follows each load of
local loop = filter(kernel(data.words, "libor_discount").candidates, function(c)
    return c.words_in == 5 and c.loads == c.stores
end)[1]
local once = filter(kernel(data.names, "libor_portfolio").refused, function(r)
    return r.bw_tx and r.bw_tx + r.bw_rx == 110.25
end)
change("Figure 4's loop, taken once: words that offloading costs", "3.1.5", 110.25,
       once[1] and once[1].bw_tx + once[1].bw_rx or 0, 0, {"", 2}, "`ndpcc kernels/libor/libor.ptx --count names`")
change("the same, four iterations", "3.1.5", -39, loop.bw_tx + loop.bw_rx, 0, {"", 2},
       "`ndpcc kernels/libor/libor.ptx`")
exact("iterations from which it pays", "3.1.5", 4, loop.trip.count, "", "`ndpcc kernels/libor/libor.ptx`")
holds("candidates of a workload, at most", "6.6", "20", most_candidates, most_candidates <= 20, false, by_page)

as_page "tom"
include "../tom/tom.lua"
local by_tom = made"tom"
local function of_kernel(config, k) return speedups(config, {k})[1] end

level("co-location under the baseline mapping: lines on the block's stack", "3.2.1", 38,
      located.lines[1], percents, by_tom)
level("the same, mapping chosen after 0.1 % of the instances", "3.2.2", 72,
      located.lines[2], percents, by_tom)
level("the same, best mapping of the run (the best by lines)", "3.2.2", 75,
      located.bound, percents, by_tom)
level("candidates with an access at a fixed offset", "3.2.1", 85,
      100 - percent(offsets(kernels)[6], sum(offsets(kernels))), percents, by_tom)
level("workloads with candidates all of whose accesses are at one", "3.2.1", 6,
      count_if(kernels, function(k) return offsets{k}[1] > 0 end), {"", 0}, by_tom)
local ten, by_rule = ", mean of the ten", ", of those that its rule (5.3) takes"
local function both_means(what, where, theirs, of, neutral, how)
    local judge = neutral and function(...) change(...) end or
                  function(w, at, t, o, _, h, c) level(w, at, t, o, h, c) end
    judge(what .. by_rule, where, theirs, of(chosen), neutral, how, by_tom)
    judge(what .. ten, where, theirs, of(kernels), neutral, how, by_tom)
end
local function speed_of(config) return function(list) return speedup(config, list) end end
local function traffic_of(config) return function(list) return mean(parts(config, list)) end end
both_means("speed, controlled and learned", "6.1", 1.30, speed_of"cl", 1, times)
level("the same, the best workload", "6.1", 1.76, math.max(table.unpack(speedups"cl")), times, by_tom)
local gain = count_if(speedups"cl", function(x) return x > 1.005 end)
holds("workloads that become faster with it", "6.1", "10 of 10", gain .. " of " .. #kernels,
      gain == #kernels, gain * 2 > #kernels, by_tom)
both_means("speed, learned over baseline mapping, both controlled", "6.1", 1.10,
           function(list) return speedup("cl", list) / speedup("cb", list) end, 1, times)
both_means("speed, uncontrolled and learned", "6.1", 0.97, speed_of"ul", 1, times)
both_means("speed, uncontrolled, baseline mapping", "6.1", 0.93, speed_of"ub", 1, times)
change("KM, controlled, baseline mapping", "6.1", 1.03, of_kernel("cb", "kmeans"), 1, times, by_tom)
change("KM, controlled and learned", "6.1", 1.39, of_kernel("cl", "kmeans"), 1, times, by_tom)
change("RD, controlled, baseline mapping", "6.1", 1.51, of_kernel("cb", "reduce"), 1, times, by_tom)
change("RD, controlled and learned", "6.1", 1.76, of_kernel("cl", "reduce"), 1, times, by_tom)
change("BFS, controlled, baseline mapping", "6.1", 1.29, of_kernel("cb", "bfs"), 1, times, by_tom)
change("BFS, controlled and learned", "6.1", 1.21, of_kernel("cl", "bfs"), 1, times, by_tom)
change("LIB, uncontrolled", "6.1", 0.36, of_kernel("ul", "libor"), 1, times, by_tom)
change("LIB, controlled and learned", "6.1", 1.52, of_kernel("cl", "libor"), 1, times, by_tom)
both_means("instructions on stacks, uncontrolled", "6.1", 46.4,
           function(list) return mean_on_stacks("ul", list) end, nil, percents)
both_means("the same, controlled", "6.1", 15.7,
           function(list) return mean_on_stacks("cl", list) end, nil, percents)
both_means("traffic, uncontrolled and learned", "6.2", 62, traffic_of"ul", 100, percents)
change("the same over the flits of the ten together", "6.2", 62, pooled"ul", 100, percents, by_tom)
change("the same, the workload that saves most", "6.2", 1, math.min(table.unpack(parts"ul")),
       100, percents, by_tom)
both_means("traffic, controlled and learned", "6.2", 87, traffic_of"cl", 100, percents)
change("the same over the flits of the ten together", "6.2", 87, pooled"cl", 100, percents, by_tom)
change("the same, the workload that saves most", "6.2", 63, math.min(table.unpack(parts"cl")),
       100, percents, by_tom)
level("between stacks, uncontrolled, baseline mapping, of all traffic without", "6.2", 55,
      pooled("ub", "flits_cross"), percents, by_tom)
level("the same, learned mapping", "6.2", 22, pooled("ul", "flits_cross"), percents, by_tom)
holds("what refuses most is the stacks' warps, not the links", "6.4", "yes",
      f1(refusals"stack_full") .. " % of the refusals for want of room",
      refusals"stack_full" > 50, false, by_tom)

-- TOM with other warps: controlled, learned, workloads by its rule
local function varied(name)
    local by = results(every["tom-" .. name], workload)
    return {
        speed = geomean(chosen, function(k)
            return system("off", k).cycles / by[k].system.cycles
        end),
        part = mean(chosen, function(k)
            return percent(by[k].system.flits, system("off", k).flits)
        end)}
end
local function with(option)
    return "`ndpsim ... --preset tom --map learned " .. option .. "`"
end
local more = varied"warps4"
change("stacks of four times the warps, speed" .. by_rule, "6.4", 1.29, more.speed, 1, times, with"--stack-warps 192")
change("the same, traffic", "6.4", 66, more.part, 100, percents, with"--stack-warps 192")
change("traffic with four times the warps, of that with 48", "6.4", tonumber(f1(100 * 66 / 87)),
       percent(more.part, mean(parts("cl", chosen))), 100, percents, with"--stack-warps 192")
-- energy, coherence and other machines, of the workloads that the page of costs runs
data = every
include "../costs/costs.lua"
local by_costs, some = made"costs", ", mean of " .. #costed .. " of the ten"
change("energy of links, controlled and learned, of that without offloading" .. some, "6.3, Figure 10",
       tonumber(f1(100 * 5 / 7)), mean_of(function(c, k) return of_off(links, c, k) end, "cl"),
       100, percents, by_costs)
level("links' part of the energy of links and memories, without offloading" .. some, "6.3, Figure 10",
      tonumber(f1(100 * 7 / 23)),
      mean_of(function(c, k) return percent(links(c, k), priced(c, k)) end, "off"), percents, by_costs)
change("all energy, the cores' share borrowed from the paper, controlled and learned" .. some,
       "6.3, Figure 10", 89, mean_of(everything, "cl"), 100, percents, by_costs)
change("time that coherence takes, of that with it for nothing" .. some, "4.4.2", 101.2,
       100 * coherence(), 100, percents, by_costs)
local those = ", mean of the " .. #moving .. " of these that offload"
change("speed, ideal: packets and coherence for nothing, all data at home" .. those, "2, Figure 2", 1.58,
       speedup("ideal", moving), 1, times, by_costs)
change("speed of the best mapping over the baseline mapping, both controlled" .. those, "2, Figure 3",
       1.13, faster("oracle", "base", moving), 1, times, by_costs)
change("speed, bandwidth inside the stacks as that of the links" .. those, "6.5, Figure 13", 1.28,
       speedup("inner", moving), 1, times, by_costs)
change("the same, of that with twice the bandwidth" .. those, "6.5, Figure 13", 0.98,
       faster("inner", "cl", moving), 1, times, by_costs)
declared("offload", "6.6")
declared("analyzer", "6.6")
nothing("energy of cores without offloading and with it, GPUWattch's", "6.3", "77 %, 68 %")
nothing("registers live in a block, in a thread, at most", "6.4", "26, 49")
nothing("area, at 40 nm", "6.6", "0.11 mm²")

-- the machine whose golden model is its RTL
as_page "stacks"
include "../stacks/stacks.lua"
local by_stacks = made"stacks"
change("speed, controlled, one mapping by bits, machine `stacks`, of those that its rule (5.3) takes", "6.1", 1.3,
       speed("controlled", chosen), 1, times, by_stacks)
change("the same, baseline mapping", "6.1", 1.2, speed("baseline", chosen), 1, times, by_stacks)
change("the same, uncontrolled, by bits", "6.1", 0.97, speed("uncontrolled", chosen), 1, times, by_stacks)
holds("workloads that become faster, controlled, by bits, the same machine", "6.1", "10 of 10",
      above("controlled", 1) .. " of 10", above("controlled", 1) == 10, above("controlled", 1) >= 6, by_stacks)
change("traffic, controlled, by bits, the same machine, of those that its rule takes", "6.2", 87,
       mean(chosen, function(w) return carried(w, "controlled") end), 100, percents, by_stacks)
change("the same, uncontrolled", "6.2", 62, mean(chosen, function(w) return carried(w, "uncontrolled") end), 100,
       percents, by_stacks)

-- --- MPU ----------------------------------------------------------------------

begin("MPU", "MPU (Xie et al.)")
as_page "nbu"
include "../nbu/nbu.lua"
local by_nbu = made"nbu"
level("registers on the near side alone, mean of the kernels", "VI-D, Figure 14", 32.5,
      located_registers().near, percents, by_nbu)
level("on the far side alone", "VI-D, Figure 14", 63.7, located_registers().far, percents, by_nbu)
level("on both", "VI-D, Figure 14", 3.8, located_registers().both, percents, by_nbu)
local plain = located_registers(true)
level("without predicates: near", "VI-D, Figure 14", 32.5, plain.near, percents, by_nbu)
level("far", "VI-D, Figure 14", 63.7, plain.far, percents, by_nbu)
level("both", "VI-D, Figure 14", 3.8, plain.both, percents, by_nbu)
holds("registers that have one side", "VI-D", "more than 95 %",
      f1(located_registers().near + located_registers().far) .. " %",
      located_registers().near + located_registers().far > 95, false, by_nbu)
local needed = (located_registers().near + located_registers().both) /
               (located_registers().far + located_registers().both)
holds("half as large a register file will do near the banks: registers there over far ones",
      "VI-B", "0.5", f2(needed), needed <= 0.5, needed <= 0.75, by_nbu)
local policies = words"default far near"
holds("order of the policies: annotated, default, all far, all near (cycles of the unit over annotated)",
      "VI-D, Figure 15", "yes", table.concat(map(policies, function(p) return f2(slower(p)) end), ", "),
      slower"default" > 1 and slower"far" > slower"default" and slower"near" > slower"far", false, by_nbu)
local across = map(policies, function(p) return slower_in("over", p) end)
local fast = map(policies, function(p) return slower_in("fast", p) end)
holds("the same order with two beats of the TSVs in a cycle of the core", "VI-D, Figure 15", "yes",
      table.concat(map(fast, f2), ", "), fast[1] > 1 and fast[2] > fast[1] and fast[3] > fast[2],
      false, by_nbu)
holds("the same order where the dies meet over the registered cut of 77 wires", "VI-D, Figure 15", "yes",
      table.concat(map(across, f2), ", "), across[1] > 1 and across[2] > across[1] and across[3] > across[2],
      false, by_nbu)
for i, p in ipairs(policies) do
    change("annotated over " .. words"default all:far all:near"[i]:gsub(":", " ") .. ", speed",
           "VI-D, Figure 15", tonumber(f2(3.45 / ({1.92, 1.78, 1.22})[i])), slower(p), 1, times, by_nbu)
end
holds("kernels for which annotated moves fewest beats on the TSV bus", "VI-D", "12 of 12",
      fewest_beats() .. " of " .. #kernels, fewest_beats() == #kernels, fewest_beats() * 2 > #kernels, by_nbu)
declared("nbu", "VI-A, Table II")
declared("dies", "VI-A, Table II")
declared("bank", "VI-A, Table II")
local bank = every["block-bank"]
local bank_times = map(words"rcd:14 ccds:2 ccdl:2 rtp:4 rp:14 ras:33 rfc:350 refi:3900", function(t)
    local name, cycles = t:match("(%w+):(%d+)")
    return bank.parameters["timing." .. name] == tonumber(cycles)
end)
local bank_equal = count_if(bank_times, function(t) return t end)
holds("times of a bank, tCCD as two", "VI-A, Table II", #bank_times, bank_equal .. " of them equal",
      bank_equal == #bank_times, bank_equal > 0,
      "`" .. bank.command:gsub("^ndpgen ", "ndpgen --json -o out ") .. "`", true)
nothing("speed over a V100", "VI-B", "3.45×")
as_page "mpu"
include "../mpu/mpu.lua"
for _, n in ipairs(open_rows) do
    level("misses of a row buffer, open rows: " .. n, "VI-C, Figure 12", published_misses[n], mean_misses(n),
          percents, made"mpu")
end
change("two open rows over one, a core with its memory: speed", "VI-C", 1.10, core_time("open-1", "open-2"), 1, times,
       made"mpu")
change("four open rows over one", "VI-C", 1.25, core_time("open-1", "annotated"), 1, times, made"mpu")
for i, p in ipairs(policies) do
    change("annotated over " .. words"default all:far all:near"[i]:gsub(":", " ") .. ", a core with its memory, speed",
           "VI-D, Figure 15", tonumber(f2(3.45 / ({1.92, 1.78, 1.22})[i])), core_time(p, "annotated"), 1, times,
           made"mpu")
end
for _, part in ipairs(figure10) do
    level("energy: " .. part.name .. ", of these three", "VI-B, Figure 10", tonumber(f1(percent(part.paper, paper10))),
          share10(part), percents, made"mpu")
end
-- the machine that is RTL, on the page's larger inputs
as_page "mpu_core"
include "../mpu_core/mpu_core.lua"
local by_core, as_rtl = made"mpu_core", ", the machine of RTL"
for _, wires in ipairs{{"core-", ""}, {"core-2ghz-", ", wires of 2 GHz"}} do
    local slowed = map(policies, function(p) return faster(wires[1] .. "annotated", wires[1] .. p) end)
    holds("order of the policies: annotated, default, all far, all near (cycles over annotated)" .. as_rtl .. wires[2],
          "VI-D, Figure 15", "yes", table.concat(map(slowed, f2), ", "),
          slowed[1] > 1 and slowed[2] > slowed[1] and slowed[3] > slowed[2],
          math.min(table.unpack(slowed)) > 1, by_core)
    for i, p in ipairs(policies) do
        change("annotated over " .. words"default all:far all:near"[i]:gsub(":", " ") .. as_rtl .. wires[2] .. ", speed",
               "VI-D, Figure 15", tonumber(f2(3.45 / ({1.92, 1.78, 1.22})[i])), slowed[i], 1, times, by_core)
    end
end
for _, n in ipairs(open_rows) do
    level("misses of a row buffer, open rows: " .. n .. as_rtl, "VI-C, Figure 12", published_misses[n],
          mean(kernels, function(k) return misses(k, n) end), percents, by_core)
end
for _, n in ipairs{2, 4} do
    change(({[2] = "two", [4] = "four"})[n] .. " open rows over one" .. as_rtl .. ": speed", "VI-C, Figure 12",
           published_speed[n], row_speed(n), 1, times, by_core)
end
for _, part in ipairs(figure10) do
    level("energy: " .. part.name .. ", of these three" .. as_rtl, "VI-B, Figure 10",
          tonumber(f1(percent(part.paper, paper10))), share10(part, "core-annotated"), percents, by_core)
end
local smem = ", shared memory on the base die over near the banks" .. as_rtl .. ", "
for _, how in ipairs{{"annotated", "marks as they are"}, {"best", "the best policy there"}} do
    change("cycles" .. smem .. how[2], "VI-C, Figure 11", 1.48, base_mean(cycles, how[1]), 1, times, by_core)
    change("TSV traffic" .. smem .. how[2], "VI-C, Figure 11", 1.89, base_mean(beats, how[1]), 1, times, by_core)
end
for _, how in ipairs{{"core-annotated", "core-ponb", ""}, {"core-2ghz-annotated", "core-2ghz-ponb", ", wires of 2 GHz"}} do
    change("speed over computing on the base die" .. as_rtl .. how[3], "VI-C", 1.46, faster(how[1], how[2]), 1, times, by_core)
end
-- the same machine on kernels in the form that the authors give them
as_page "persistent"
include "../persistent/persistent.lua"
local by_form, form = made"persistent", ", kernels in the authors' form"
for _, wires in ipairs{{"", ""}, {"-2ghz", ", wires of 2 GHz"}} do
    change("speed over computing on the base die" .. form .. wires[2], "VI-C", 1.46,
           geomean(kernels, over("annotated" .. wires[1], "base" .. wires[1])), 1, times, by_form)
end
for i, p in ipairs(words"default far near") do
    change("annotated over " .. words"default all:far all:near"[i]:gsub(":", " ") .. form .. ", speed",
           "VI-D, Figure 15", tonumber(f2(3.45 / ({1.92, 1.78, 1.22})[i])),
           geomean(kernels, over("annotated", p)), 1, times, by_form)
end
nothing("energy, of that of a V100", "VI-B", "2.57× less")
nothing("area on a DRAM die", "VI-B, Table III", "20.62 %")

-- --- IP-NDP -------------------------------------------------------------------

begin("IP-NDP", "IP-NDP (image processing on a stack's logic die)")
as_page "image"
include "../image/image.lua"
local by_image, by_eight = made"image", made"claims"

-- eight SMs: cycles, bytes and rates by kernel
local runs8 = {}
local function eight(name, k)
    if not runs8[name] then
        runs8[name] = results(every["image8-" .. name], function(r) return folder(r.file) end)
    end
    return runs8[name][k]
end
local function faster8(name, than, list)
    return geomean(list or kernels, function(k)
        return eight(than, k).system.cycles / eight(name, k).system.cycles
    end)
end
local function option8(more)
    return "`ndpsim ... --preset image --sms 8" .. (more and " " .. more or "") .. "`"
end
-- What 8 SMs ask what is behind them for, of what conventional ones ask their L2.
local function bytes_of(what, list)
    return 100 * mean(list or kernels, function(k)
        return what(k) / eight("conventional", k).system.l2.bytes
    end)
end
local function bytes_less(list)
    return 100 - bytes_of(function(k) return eight("both", k).system.memory.bytes end, list)
end
local function rate8(name, k) return 100 * eight(name, k).system.l1.miss_rate end
local function less8()
    return 100 * mean(kernels, function(k)
        return 1 - rate8("both", k) / rate8("conventional", k)
    end)
end
local function less8_waits()
    return 100 * mean(kernels, function(k)
        local function rate(name)
            local l1 = eight(name, k).system.l1
            return (l1.misses + l1.merged) / l1.loads
        end
        return 1 - rate"both" / rate"conventional"
    end)
end

level("L1 miss rate of conventional SMs, mean; 16 SMs here", "2, Figure 3", 69, average("base", "miss"),
      percents, by_image)
level("the same, 8 SMs", "2, Figure 3", 69, mean(kernels, function(k) return rate8("conventional", k) end),
      percents, option8"--warps 48 --l1 32768 --l2 real")
change("miss rate of the proposed system, less than conventional, 8 SMs", "5.3, Figure 13", 77.5, less8(), 0,
       percents, option8"--prefetch pattern")
change("the same, loads that meet a line on its way counted as misses", "5.3, Figure 13", 77.5, less8_waits(), 0,
       percents, option8"--prefetch pattern")
change("the same, with memory at 300 cycles", "5.3, Figure 13", 77.5,
       less("both-eight-300", "wait", kernels, "base-eight-300"), 0, percents, by_image)
change("the same, images 1920 wide", "5.3, Figure 13", 77.5, less("both-hd-300", "wait", kernels, "base-hd-300"), 0,
       percents, by_image)
level("accuracy of the prefetcher, mean, 16 SMs", "5.3", 98.4, average("sync-exact", "accuracy"), percents, by_image)
level("the same, 8 SMs", "5.3", 98.4, mean(kernels, function(k)
    return 100 * eight("both", k).system.prefetch.accuracy end), percents, option8"--prefetch pattern")
holds("L1 hits come near 100 %, mean, 16 SMs", "3.3", "\"almost 100 %\"",
      f1(100 - average("sync-exact", "miss")) .. " %", average("sync-exact", "miss") < 2.5,
      average("sync-exact", "miss") < 10, by_image)
change("prefetch alone, speed", "5.1, Figure 11", 1.01, faster8("pf", "base"), 1, times, option8"--prefetch pattern")
change("pattern-aware allocation alone (with its barrier), speed", "5.1, Figure 11", 1.13, faster8("paca", "base"), 1,
       times, option8())
change("both, speed", "5.1, Figure 11", 2.07, faster8("both", "base"), 1, times, option8"--prefetch pattern")
change("over strides by warp, both with allocation, speed", "5.1, Figure 11", 1.16, faster8("both", "pws"), 1,
       times, option8"--prefetch pws")
holds("kernels in which it is at least as fast as strides by warp", "5.1", "8 of 8",
      count_if(kernels, function(k) return faster8("both", "pws", {k}) >= 1 end) .. " of " .. #kernels,
      count_if(kernels, function(k) return faster8("both", "pws", {k}) >= 1 end) == #kernels,
      count_if(kernels, function(k) return faster8("both", "pws", {k}) >= 1 end) * 2 > #kernels,
      option8"--prefetch pws")
local large, few = "--warps 48 --l1 32768 --l2 real", "--l1 32768 --l2 real"
change("prefetch alone, conventional SMs with an L2, speed", "5.1, Figure 11", 1.02,
       faster8("conventional-pf", "conventional"), 1, times, option8(large .. " --prefetch pattern"))
change("allocation alone, these", "5.1, Figure 11", 0.55, faster8("conventional-paca", "conventional"), 1, times,
       option8(large))
change("both, these", "5.1, Figure 11", 1.00, faster8("conventional-both", "conventional"), 1, times,
       option8(large .. " --prefetch pattern"))
change("prefetch alone, conventional SMs of 256 threads, speed", "5.1, Figure 11", 1.12, faster8("few-pf", "few"), 1,
       times, option8(few .. " --prefetch pattern"))
change("allocation alone, these", "5.1, Figure 11", 1.05, faster8("few-paca", "few"), 1, times, option8(few))
change("both, these", "5.1, Figure 11", 1.91, faster8("few-both", "few"), 1, times,
       option8(few .. " --prefetch pattern"))
change("these over strides by warp, both with allocation", "5.1, Figure 11", 1.07, faster8("few-both", "few-pws"), 1,
       times, option8(few .. " --prefetch pws"))
local type1, type3 = words"conv2d jacobi2d", words"denoise matmul"
local type2 = words"convsep downsample concat dct8x8"
change("over conventional SMs, speed", "5.2, Figure 12", 1.17, faster8("both", "conventional"), 1, times,
       option8(large))
change("the same, type 1 (`conv2d`, `jacobi2d`)", "5.2, Figure 12", 1.21, faster8("both", "conventional", type1), 1,
       times, option8(large))
change("type 2 (`convsep`, `downsample`, `concat`, `dct8x8`)", "5.2, Figure 12", 1.29,
       faster8("both", "conventional", type2), 1, times, option8(large))
change("type 3 (`denoise`, `matmul`)", "5.2, Figure 12", 0.93, faster8("both", "conventional", type3), 1, times,
       option8(large))
change("over conventional SMs with a perfect L2, speed", "5.2, Figure 12", 1.02,
       faster8("both", "conventional-perfect"), 1, times, option8"--warps 48 --l1 32768 --l2 perfect")
change("over conventional SMs of 256 threads, speed", "5.2, Figure 12", 2.18, faster8("both", "few"), 1, times,
       option8(few))
change("over these with a perfect L2, speed", "5.2, Figure 12", 1.67, faster8("both", "few-perfect"), 1, times,
       option8"--l1 32768 --l2 perfect")
change("what a perfect L2 gives SMs of 256 threads, speed", "5.2, Figure 12", 1.30, faster8("few-perfect", "few"), 1,
       times, option8"--l1 32768 --l2 perfect")
local function sixteen(list, than)
    return geomean(list or kernels, function(k)
        return eight(than or "both", k).system.cycles / value("sync-exact", k, "cycles")
    end)
end
change("16 SMs over 8, speed", "5.2, Figure 12", 1.58, sixteen(), 1, times, by_eight)
change("the same, type 1", "5.2, Figure 12", 1.86, sixteen(type1), 1, times, by_eight)
change("type 2", "5.2, Figure 12", 1.36, sixteen(type2), 1, times, by_eight)
change("type 3", "5.2, Figure 12", 1.83, sixteen(type3), 1, times, by_eight)
change("16 SMs over 8 conventional ones, speed", "5.2, Figure 12", 1.85, sixteen(nil, "conventional"), 1, times,
       by_eight)
change("the same with a perfect L2", "5.2, Figure 12", 1.61, sixteen(nil, "conventional-perfect"), 1, times, by_eight)
change("of 256 threads, with a perfect L2", "5.2, Figure 12", 2.64, sixteen(nil, "few-perfect"), 1, times, by_eight)
change("bytes between SMs and what is behind, less than between conventional ones and their L2", "5.3, Figure 14", 32.4, bytes_less(), 0,
       percents, by_eight)
change("the same, type 1", "5.3, Figure 14", 61.4, bytes_less(type1), 0, percents, by_eight)
change("the same, type 2", "5.3, Figure 14", 4.3, bytes_less(type2), 0, percents, by_eight)
change("bytes from and to memory, more than conventional SMs with their L2, mean", "5.3, Figure 14", 18.0,
       100 * mean(kernels, function(k)
           return eight("both", k).system.memory.bytes / eight("conventional", k).system.memory.bytes
       end) - 100, 0, percents, option8(large))
change("the same, of the bytes between these and their L2", "5.3", 15.7, bytes_of(function(k)
    return eight("both", k).system.memory.bytes - eight("conventional", k).system.memory.bytes
end), 0, percents, option8(large))
level("`convsep`, plain, no prefetch, L1 miss rate", "5.1", 98.3, rate8("base", "convsep"), percents, option8())
level("the same, prefetch alone", "5.1", 39.4, rate8("pf", "convsep"), percents, option8"--prefetch pattern")
change("`convsep`, instructions fewer with the L1 in place of shared memory", "3.2, guideline 4", 28,
       100 - percent(eight("paca", "convsep").warp_instructions, eight("base", "convsep").warp_instructions),
       0, percents, option8())
declared("prefetch", "5.5")
nothing("cycles of the slowest SM over those of the fastest", "3.2", "1 % more")
nothing("warps beyond which nothing is won, with prefetch", "3.3, Figure 10", "8")
nothing("cost of the barrier with a perfect memory", "3.2, guideline 2", "5 to 10 %")
nothing("energy of 8 SMs", "5.4", "20.9 % less")
nothing("performance per area, 8 and 16 SMs", "5.5", "4.27×, 3.38×")

-- the machine whose golden model is its RTL
as_page "image_machine"
include "../image_machine/image_machine.lua"
local by_machine = made"image_machine"
local function faster_eight(run, base)
    return geomean(kernels, over("eight-" .. run, "eight-" .. base))
end
change("both, speed, eight SMs of `image_mesh`", "5.1, Figure 11", 2.07, faster_eight("sync-pattern", "plain-none"), 1,
       times, by_machine)
change("prefetcher alone, the same", "5.1, Figure 11", 1.01, faster_eight("plain-pattern", "plain-none"), 1, times,
       by_machine)
change("allocation alone, the same", "5.1, Figure 11", 1.13, faster_eight("sync-none", "plain-none"), 1, times, by_machine)
change("both over strides of warps with the same allocation, the same", "5.3, Figure 16", 1.16,
       faster_eight("sync-pattern", "sync-stride"), 1, times, by_machine)
local as_fast = count_if(kernels, function(k) return over("eight-sync-pattern", "eight-sync-stride")(k) >= 0.995 end)
holds("kernels in which it is as fast as strides, to half a percent, or faster, the same", "5.3", "8 of 8",
      as_fast .. " of 8", as_fast == 8, as_fast >= 4, by_machine)
change("L1 misses, both against plain SMs, the same", "5.3, Figure 13", 77.5,
       mean(kernels, fewer("eight-sync-pattern", "eight-plain-none")), 0, percents, by_machine)
level("accuracy of the prefetcher, the same", "5.3", 98.4, mean(kernels, accuracy("eight-sync-pattern")), percents, by_machine)

-- --- opportunistic computing ----------------------------------------------------

begin("Opportunistic", "Opportunistic computing (Pattnaik et al., ISCA 2019)")
as_page "chains"
include "../chains/chains.lua"
local by_chains = made"chains"
local kinds = results(data.all)
local function patterns(w)
    local found = filter(kinds[w[1]].chains.split.patterns, function(p) return p.chains > 0 end)
    return table.concat(map(found, function(p) return tostring(p.pattern) end), ",")
end
local function same_patterns(list)
    return count_if(list, function(w) return patterns(w) == w[3] end)
end
local function some_pattern(list)
    return count_if(list, function(w)
        for p in patterns(w):gmatch("%d") do
            if w[3]:find(p, 1, true) then return true end
        end
        return false
    end)
end
holds("micro-kernels with just the patterns of Table 3", "5, Table 3", "7 of 7",
      same_patterns(micro) .. " of " .. #micro, same_patterns(micro) == #micro, false, by_chains)
holds("workloads with just them; with one of them at least", "5, Table 3", "9 of 9",
      same_patterns(workloads) .. "; " .. some_pattern(workloads) .. " of " .. #workloads,
      same_patterns(workloads) == #workloads, some_pattern(workloads) * 2 > #workloads, by_chains)
level("dynamic instructions in chains, mean", "5", 17, mean(workloads, split.instructions), percents, by_chains)
level("memory requests of chains, mean", "5", 66, mean(workloads, split.requests), percents, by_chains)
for _, w in ipairs(workloads) do
    level(w[2] .. ": instructions", "5, Table 3", tonumber(w[4]), split.instructions(w), percents, by_chains)
    level(w[2] .. ": requests", "5, Table 3", tonumber(w[5]), split.requests(w), percents, by_chains)
end
local function hops(run, name, node, a)
    local h, command = every[run], "`ndpmesh --hops " .. node .. "`"
    exact(name .. ": hops without", "3.1", a[1], h.without.hops, "", command)
    exact("weighted", "3.1", a[2], h.without.weighted, "", command)
    exact("offloaded", "3.2", a[3], h.offloaded.hops, "", command)
    exact("weighted", "3.2", a[4], h.offloaded.weighted, "", command)
    exact("from the core to the meet node", "3.2", a[5], h.to_meet, "", command)
end
hops("hops-one", "one memory node", "17,46,46,46", {48, 144, 16, 16, 8})
hops("hops-three", "three memory nodes", "17,46,48,60", {42, 126, 30, 78, 3})
-- what went over the wires; the run over the RTL is equal to it on every cycle
local function carried(name, of, a)
    local counts = every["hops-carried"].report
    local command = "`make cosim TARGET=mesh PRESET=mesh SIM=icarus STIM=pairs`"
    local function row(words, where, theirs, key)
        exact(words, where, theirs, counts[of .. key], "", command)
    end
    row(name .. ", over the wires of the mesh's RTL: hops without", "3.1", a[1], "_hops")
    row("flit-hops", "3.1", a[2], "_flit_hops")
    row("offloaded", "3.2", a[3], "_offloaded_hops")
    row("flit-hops", "3.2", a[4], "_offloaded_flit_hops")
end
carried("one memory node", "one_memory", {48, 144, 16, 16})
carried("three memory nodes", "three_memories", {42, 126, 30, 78})
declared("emn", "5")
declared("router", "5, Table 2")
as_page "omni"
include "../omni/omni.lua"
local by_omni = made"omni"
for i, place in ipairs{{"the L1", 23}, {"the LLC", 30}, {"DRAM", 47}} do
    level("data from " .. place[1], "3, Figure 2", place[2],
          mean(workloads, function(w) return (select(i, source(w))) end), percents, by_omni)
end
for _, mode in ipairs{{"llc", "at memory nodes", 29, 1.19, 1.30}, {"omni", "in all nodes", 44, 1.31, 1.51}} do
    local function less(w) return saved(mode[1], w) end
    local function speed(w) return faster(mode[1], w) end
    level("weighted hops of workloads less, computing " .. mode[2], "6.1", mode[3], mean(workloads, less), percents, by_omni)
    if mode[1] == "omni" then
        level("the same, micro-kernels", "6.1", 61, mean(micro, less), percents, by_omni)
    end
    change("speed of workloads", "6.1", mode[4], geomean(workloads, speed), 1, {"×", 2}, by_omni)
    change("speed of micro-kernels", "6.1", mode[5], geomean(micro, speed), 1, {"×", 2}, by_omni)
end
as_page "chained"
include "../chained/chained.lua"
local by_chained = made"chained"
for _, mode in ipairs{{"llc", "at memory nodes", 1.30}, {"omni", "in all nodes", 1.51}} do
    change("speed of micro-kernels on a golden machine with an access in one packet, computing " .. mode[2], "6.1", mode[3],
           geomean(micro, function(k) return faster("line", k, mode[1]) end), 1, {"×", 2}, by_chained)
end
level("weighted hops of these less, computing in all nodes", "6.1", 61,
      mean(micro, function(k) return saved("line", k, "omni", "flit_hops") end), percents, by_chained)
nothing("performance per watt", "6.1", "1.11×, 1.16×")
nothing("latency of memory", "6.1", "16 %, 27 % less")

-- bytes of the memories with these names
local function stored(block, names)
    local bits = {}
    for _, m in ipairs(every["block-" .. block].storage.memories) do bits[m.name] = m.bits end
    return sum(names, function(n) return bits[n] end) / 8
end
local function queue(what, block, theirs, names)
    local ours = stored(block, names)
    holds(what, "5", theirs .. " bytes", shown(ours, " bytes", 0), within_tenth(ours, theirs),
          ours / theirs >= 2 / 3 and ours / theirs <= 3 / 2,
          "`ndpgen --json -o out --target " .. block .. " --preset mesh`", true)
end
queue("`oqueue`: status of 48 entries", "oqueue", 330, words"status marks")
queue("`oqueue`: generation of packets", "oqueue", 30, words"sending")
declared("packet", "4.2, 5")
queue("`squeue`: 96 entries and their operands", "squeue", 2400,
      words"source work marks ready operands results_g results truths given")

-- --- Chopim -------------------------------------------------------------------

begin("Chopim", "Chopim (Cho et al.)")
local channel = every["block-dram_channel"]
local by_channel = "`" .. channel.command:gsub("^ndpgen ", "ndpgen --json -o out ") .. "`"
local set = channel.parameters
local timing = map(words[[bl:4 ccds:4 ccdl:6 rtrs:2 cl:16 rcd:16 rp:16 cwl:12 ras:39 rc:55 rtp:9
    wtrs:3 wtrl:9 wr:18 rrds:4 rrdl:6 faw:26]], function(t)
    local name, cycles = t:match("(%w+):(%d+)")
    return set["timing." .. name] == tonumber(cycles)
end)
local equal = count_if(timing, function(t) return t end)
holds("timing parameters of the channel", "VI, Table II", #timing, equal .. " of them equal",
      equal == #timing, equal * 2 > #timing, by_channel, true)
exact("channels", "VI, Table II", 2, set["dram.channels"], "", by_channel, true)
exact("ranks of a channel", "VI, Table II", 2, set["dram.ranks"], "", by_channel, true)
exact("requests that wait: 32 reads and 32 writes; one queue here", "VI, Table II", 64,
      set["dram_channel.entries"], "", by_channel, true)
holds("chances of stochastic issue", "VII, Figure 12", "1/4 and 1/16",
      "a register in sixteenths, " .. set["dram_channel.chance"] .. " after reset",
      set["dram_channel.chance"] == 4, false, by_channel, true)

declared("nda_pe", "V, Table I")
declared("nda_control", "III-D")

as_page "concurrent"
include "../concurrent/concurrent.lua"
local by_runs = made"concurrent"
local gains = map(mixes, function(m) return near("dot_p" .. m) / near("dot_s" .. m) end)
local gained = geomean(gains)
local beside_dot = hosts("dot_p", "host_p")
reaches("bandwidth that the host leaves, used by accelerators, at best: DOT, at tCCD_L", "I", 97,
        most(function(m) return used("dot_p" .. m) end), percents, by_runs)
holds("what the partition of banks makes of accelerators' speed: DOT, mean of the mixes", "I",
      "1.5 to 2×", shown(gained, "×", 2), gained >= 1.5 and gained <= 2, gained > 1.1, by_runs)
holds("DOT does not slow the host significantly, nothing held back", "VII, Figure 11",
      "not significantly", shown(beside_dot, " % of its speed", 1), beside_dot >= 95,
      beside_dot >= 90, by_runs)
holds("COPY slows it, nothing held back", "VII, Figure 11", "degrades",
      shown(hosts("copy_p", "host_p"), " % of its speed", 1), hosts("copy_p", "host_p") < 95,
      false, by_runs)
holds("next-rank gives both sides more than chance 1/16: COPY", "VII, Figure 12", "yes",
      won() .. " of " .. #mixes .. " mixes", won() == #mixes, won() * 2 > #mixes, by_runs)
holds("larger instructions give both sides more: NRM2", "VII, Figure 10", "yes",
      shown(near"two_1024" / near"two_1", "× for accelerators", 1),
      near"two_1024" > near"two_1" and host("two_1024", "host_p1") > host("two_1", "host_p1"),
      near"two_1024" > near"two_1", by_runs)
holds("asynchronous launches help small operands: NRM2, 8 KB", "VII, Figure 13", "yes",
      shown(near"smalla_nrm2" / near"small_nrm2", "×", 2),
      near"smalla_nrm2" > near"small_nrm2", false, by_runs)
nothing("logistic regression, host and accelerators together", "VII", "1.5×")
nothing("delayed update against turns", "IV", "40 % less time")
nothing("power of memory and accelerators", "VII", "at most 7.3 W")

-- --- all of them ----------------------------------------------------------------

verdicts = {"reproduced", "in part", "contradicted", "not modelled"}

-- How many of a paper's claims, or of its sizes, have a verdict; any: nil.
function number(claims, size, verdict)
    return count_if(claims, function(c)
        return c.size == size and (not verdict or c.verdict == verdict)
    end)
end
