-- What the templates of this room share.

-- Whose a port is: near pipeline, near register file and load-store extension are on
-- the DRAM die; what monitors see of the wires is on neither.
function of_dram(name)
    return name:match("^near_") or name:match("^lsu_near_") or name:match("^lsu_up_")
end

function of_base(name)
    return not of_dram(name) and not name:match("^tsv_")
end

local function lines(ports, line)
    local out = {}
    for i, p in ipairs(ports) do out[i] = line(p) end
    return table.concat(out, "\n")
end

local function those(mine)
    local out = {}
    for _, p in ipairs(iface.ports) do
        if mine(p.name) then out[#out + 1] = p end
    end
    return out
end

-- The ports of a die as ports() has them, a comma after each.
function die_ports(mine)
    local longest, widest, group = 3, 0, false
    local mines = those(mine)
    for _, p in ipairs(mines) do
        longest = math.max(longest, #p.name)
        widest = math.max(widest, #range(p.width))
    end
    local function port(dir, width, name, doc)
        return "    " .. (dir == "in" and "input " or "output") .. " wire " ..
               pad(range(width), widest) .. " " .. pad(name .. ",", longest + 1) .. " // " .. doc
    end
    return port("in", 1, "clk", "clock") .. "\n" ..
           port("in", 1, "rst", "synchronous reset, active high") .. "\n" ..
           lines(mines, function(p)
               local own = p.name:match("^(.-)_[a-z0-9]+$")
               local head = own ~= group and "\n" or ""
               group = own
               return head .. port(p.dir, p.width, p.name, p.doc)
           end)
end

-- Connections of these ports to the top's of the same names, a comma after each.
function die_pins(mine)
    return lines(those(mine), function(p)
        return "        ." .. pad(p.name, 15) .. " (" .. p.name .. "),"
    end)
end
