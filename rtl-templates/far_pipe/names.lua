-- What the templates of this room share; LAST, LANE_W and ALU_W are what those of
-- simt want of them, the rest what ndp_near_pipe_unit does.

-- With several subcores each is a module of its own, with ports of its own.
SPLIT = L.SUBCORES > 1

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

LANE_W = clog2(L.LANES) -- bits of a lane
ALU_W = clog2(L.ALUS)   -- bits of a lane within a pass; may be 0

HAS_SHARED = L.SHARED > 0      -- whether there is shared memory
BANK_WORDS = L.SHARED / L.ALUS -- words of a bank of it

-- The unit hands out what the lanes do not compute to the desk, not to shared memory alone.
DESK = true

-- The unit hands out what it does not compute itself: to shared memory there; here to
-- the desk, and to shared memory if there is one.
SHARED = true

-- A row's place in the file, of which there is one: all of the warp counts.
OF_UNITS = false

function place(warp, reg)
    return "{" .. warp .. ", " .. reg .. "}"
end

-- A register, and whether there is one, of an operand.
function register(operand)
    return operand .. "[REG_W-1:0]"
end

function is_there(operand)
    return operand .. "[OPERAND_W-1]"
end

-- A subcore looks at all ports of the block but these.
local function is_subcores(p)
    return p.group ~= "window" and p.group ~= "shared_fault" and p.name ~= "exec_op" and
        p.name ~= "write_pred" and p.name ~= "carried_ready"
end

-- The ports of a subcore, in their order: {name, doc, dir, group, width}, a warp as its
-- number there.
function of_subcore()
    local list = {}
    for _, p in ipairs(iface.ports) do
        if is_subcores(p) then
            list[#list + 1] = { name = p.name, doc = p.doc, dir = p.dir, group = p.group,
                width = p.name:find("_warp$") and L.WARP_W or p.width }
        end
    end
    return list
end

-- The port list of a subcore; those named in regs are registers.
function subcore_ports(regs)
    local is_reg, lines, group = {}, {}, ""
    for _, name in ipairs(regs) do is_reg[name] = true end
    local list = of_subcore()
    table.insert(list, 1, { name = "clk", doc = "clock", dir = "in", group = "", width = 1 })
    table.insert(list, 2, { name = "rst", doc = "synchronous reset, active high", dir = "in",
        group = "", width = 1 })
    for n, p in ipairs(list) do
        if p.group ~= group then
            group = p.group
            lines[#lines + 1] = "\n    // " .. group
        end
        local kind = p.dir == "in" and "input  wire" or is_reg[p.name] and "output reg " or "output wire"
        lines[#lines + 1] = "    " .. kind .. " " .. pad(range(p.width), 8) .. " " ..
            pad(p.name .. (n < #list and "," or ""), 15) .. " // " .. p.doc
    end
    return table.concat(lines, "\n")
end
