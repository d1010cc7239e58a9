-- mpu_core.lua - what the page and the picture of MPU's machine share.
include "../page.lua"

kernels = words"axpy gemv knn kmeans ttrans maxp nw upsamp reduce blur conv"
policies = words"annotated default near far"

-- All buffers of a result, by their checksums.
local function bytes(r)
    return table.concat(map(r.buffers, function(b) return b.name .. " " .. b.checksum end), ", ")
end

-- What a kernel gave under a policy, or on the plain machine: right, and the bytes that
-- it leaves there.
function result(kernel, way)
    local name = kernel .. "-" .. way
    local r, plain = data[name].results[1], data[kernel .. "-plain"].results[1]
    if r.verdict ~= "right" or bytes(r) ~= bytes(plain) then
        error(name .. ": " .. r.verdict .. ", " .. bytes(r))
    end
    return r
end

function cycles(kernel, way) return result(kernel, way).counters.cycles end

function unit(kernel, way, name) return result(kernel, way).unit[name] end

-- Instructions that ran near, in percent of all.
function near(kernel, way)
    return percent(unit(kernel, way, "went_near"),
        unit(kernel, way, "went_near") + unit(kernel, way, "went_far"))
end

-- Beats of 64 bits that crossed between the dies.
function beats(kernel, way)
    return sum(words"instr down request up done lsu",
        function(k) return unit(kernel, way, "beats_" .. k) end)
end

-- Times as fast as another way.
function faster(kernel, way, than) return cycles(kernel, than) / cycles(kernel, way) end
