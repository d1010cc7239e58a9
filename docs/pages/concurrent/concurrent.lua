-- concurrent.lua - what the page and the pictures of host and accelerators share.
include "../page.lua"

mixes = words"0 1 2 3 4 5 6 7 8"
ops = words"nrm2 dot gemv xmy axpby axpbypcz axpy scal copy"
blocks = words"1 2 4 8 16 64 256 1024"

-- Speed of the host beside accelerators, in percent of what it has alone.
function host(name, alone)
    return percent(data[name].host.ipc, data[alone].host.ipc)
end

function near(name) return data[name].near.gb_per_s end
function used(name) return data[name].near.idle_used_percent end
function rested(name) return data[name].near.rest_used_percent end
function on_path(name) return data[name].near.idle_used_of_data_path_percent end

-- Of all mixes.
function hosts(prefix, alone)
    return mean(mixes, function(m) return host(prefix .. m, alone .. m) end)
end
function nears(prefix) return mean(mixes, function(m) return near(prefix .. m) end) end
function useds(prefix) return mean(mixes, function(m) return used(prefix .. m) end) end
function resteds(prefix) return mean(mixes, function(m) return rested(prefix .. m) end) end

-- Least and most of what f gives for the mixes.
function least(f) return math.min(table.unpack(map(mixes, f))) end
function most(f) return math.max(table.unpack(map(mixes, f))) end

-- Mixes in which next-rank is better than chance 1/16 for both.
function won()
    return #filter(mixes, function(m)
        return near("next_" .. m) > near("sixteen_" .. m) and
               data["next_" .. m].host.ipc > data["sixteen_" .. m].host.ipc
    end)
end

-- Commands of all runs, and those that broke a rule.
function checked(what)
    local n = 0
    for _, run in pairs(data) do n = n + run[what] end
    return n
end
