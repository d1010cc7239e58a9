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
