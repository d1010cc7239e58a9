-- candidates.lua - candidates.md: what ndpcc says of one, in the words of a table.
include "../page.lua"
include "../tom/workloads.lua"

function workload(file) return paper[folder(file.file)] end

kernels = {}
for _, file in ipairs(data.words) do
    for _, k in ipairs(file.kernels) do
        kernels[#kernels + 1] = {paper = workload(file), name = "`" .. k.name .. "`",
                                 candidates = k.candidates, refused = k.refused}
    end
end

function count(file)
    return sum(file.kernels, function(k) return #k.candidates end)
end

function saves(c)
    if c.saves_tx then return c.saves_rx and "TX RX" or "TX" end
    return c.saves_rx and "RX" or "none"
end

function iterations(c)
    if not c.trip then return "no loop" end
    return c.trip.count .. " (" .. c.trip.kind .. ")"
end

function condition(c)
    local k = c.condition
    if not k then return "none" end
    return "`" .. k.register .. "` " .. k.compare .. " " .. k.threshold .. " (" ..
           (k.signed and "signed" or "unsigned") .. ")"
end

-- Candidates that there are once conditions are placed, and not before: those on
-- a value that was.
placed = {}
for i, file in ipairs(data.placed) do
    for _, k in ipairs(file.kernels) do
        for _, c in ipairs(k.candidates) do
            if c.condition and c.condition.register:find("^%%ndp_trip") then
                placed[#placed + 1] = {paper = workload(data.words[i]),
                                       name = "`" .. k.name .. "`", candidate = c}
            end
        end
    end
end

-- What comes nearest in a kernel without a candidate.
function nearest_miss(kernel)
    local m = kernel.refused[1]
    if not m then return "no global access outside of what is excluded" end
    local costs = m.bw_tx and string.format("%+.14g  ", m.bw_tx + m.bw_rx) or ""
    return "pc " .. m.begin_pc .. " to " .. m.end_pc .. "  " .. costs .. m.reason ..
           (m.pc and " at pc " .. m.pc or "")
end

-- Blocks of machine words, in the order of the workloads.
blocks = {}
for _, file in ipairs(data.words) do
    for _, k in ipairs(data["blocks_" .. folder(file.file)].kernels) do
        for _, b in ipairs(k.blocks) do
            blocks[#blocks + 1] = {paper = workload(file), name = "`" .. k.name .. "`",
                                   entry = k.entry, block = b}
        end
    end
end
