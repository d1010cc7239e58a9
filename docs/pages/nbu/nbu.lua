-- nbu.lua - what the page and the picture of the near-bank unit share.
include "../page.lua"

kernels = map(data.registers, function(file) return folder(file.file) end)

-- What the replay of a kernel under a policy counted, whole unless full.
function replay(kernel, policy, full)
    local run = data[kernel .. "-" .. policy .. (full and "-full" or "")]
    if not full and run.report["end"] ~= "whole" then
        error("the replay of '" .. kernel .. "' is not whole", 2)
    end
    return run.report
end

-- Cycles of a kernel over the cut ("over"; "six": with six places on the DRAM die),
-- or with a bus at twice the core's clock ("fast"), over those without. Both must have
-- run whole, and done the same.
function over_plain(kernel, policy, form)
    local with, without = data[kernel .. "-" .. policy .. "-" .. form].report,
                          replay(kernel, policy)
    if with["end"] ~= "whole" or with.instructions ~= without.instructions or
       with.committed ~= without.committed then
        error("the replay of '" .. kernel .. "', " .. form .. ", is not that without", 2)
    end
    return with.cycles / without.cycles
end

-- Cycles in such a form under a policy over those under annotated, geometric mean.
function slower_in(form, policy, list)
    return geomean(list or kernels, function(k)
        return data[k .. "-" .. policy .. "-" .. form].report.cycles /
               data[k .. "-annotated-" .. form].report.cycles
    end)
end

-- TSV beats of an instruction. Load-store messages are not part of the replay;
-- the beats of an offloaded instruction and its completion, 2 + 1, stand for
-- that of a far ld/st.shared if shared is true.
function beats(report, shared)
    local n = shared and 3 * report.far_shared or 0
    for name, value in pairs(report) do
        if name:match("^beats_") then n = n + value end
    end
    return n / report.instructions
end

-- Cycles of the kernels under a policy over those under annotated, geometric mean.
function slower(policy, list)
    return geomean(list or kernels, function(k)
        return replay(k, policy).cycles / replay(k, "annotated").cycles
    end)
end

-- Shares of the registers by location in percent, of some files: near, far, both,
-- unknown; of all registers, or without predicates.
local letters = readonly({near = "N", far = "F", both = "B", unknown = "U"}, "location")

function register_count(file, what, no_predicates)
    local function one(f)
        if not no_predicates then return f.counts[what] end
        return #filter(f.registers, function(r)
            return r.type ~= "pred" and (what == "total" or r.location == letters[what])
        end)
    end
    return sum(file.kernels, one) + sum(file.functions, one)
end

-- Means over the kernels of shares as printed, so that they are those of the columns.
function register_share(files, what, no_predicates)
    return mean(files, function(file)
        return round(percent(register_count(file, what, no_predicates),
                             register_count(file, "total", no_predicates)), 1)
    end)
end

function located_registers(no_predicates)
    local out = {}
    for _, what in ipairs(words"near far both unknown") do
        out[what] = register_share(data.registers, what, no_predicates)
    end
    return readonly(out, "location")
end

-- Kernels whose instructions take no more beats under any other policy.
function fewest_beats()
    return #filter(kernels, function(k)
        local least = beats(replay(k, "annotated"))
        for _, p in ipairs(words"default far near") do
            if beats(replay(k, p)) < least then return false end
        end
        return true
    end)
end
