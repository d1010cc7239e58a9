-- What the templates of this room share; LAST, LANE_W and ALU_W are what those of
-- simt want of them, the rest what ndp_near_pipe_unit does.

-- With several subcores each is a module of its own, with ports of its own.
SPLIT = L.SUBCORES > 1

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

LANE_W = clog2(L.LANES) -- bits of a lane
ALU_W = clog2(L.ALUS)   -- bits of a lane within a pass; may be 0

HAS_SHARED = L.SHARED > 0      -- whether there is shared memory
WORD_W = L.SHARED > 0 and clog2(L.SHARED) or 0 -- bits of a word of it
SHARED_WARPS = L.CORE_WARPS    -- warps that have a window of it

-- The unit hands out what the lanes do not compute to the desk, not to shared memory alone.
DESK = true

-- It leaves dispatch pass by pass, ...
WHOLE = false

-- ... but for an access to shared memory, which leaves as a whole.
ROWS = HAS_SHARED

-- The unit hands out what it does not compute itself: to shared memory there; here to
-- the desk, and to shared memory if there is one, which all subcores share.
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

-- What it has at shared memory, as there are fields of all of them at ndp_far_pipe_shared.
function at_shared()
    if not HAS_SHARED then return {} end
    local list = {}
    local function port(dir, name, width, doc)
        list[#list + 1] = { name = name, doc = doc, dir = dir, group = "shared memory", width = width }
    end
    port("out", "wants", 1, "an access has been collected,")
    port("out", "want_warp", L.WARP_W, "of this warp,")
    port("out", "want_tag", L.TAG_W, "tag,")
    port("out", "want_ticket", L.TICKET_W, "ticket,")
    port("out", "want_op", 8, "operation,")
    port("out", "want_dst", 1, "with a destination,")
    port("out", "want_at", L.PLACE_W, "in this row,")
    port("out", "want_active", L.LANES, "of these lanes")
    port("out", "want_a", L.ROW_W, "operands")
    port("out", "want_b", L.ROW_W, "")
    port("out", "want_c", L.ROW_W, "")
    port("in", "m_takes", 1, "it is taken")
    port("out", "busy", 1, "somebody else writes the register file")
    port("in", "m_waits", 1, "there are words for it")
    port("in", "m_puts", 1, "they are written,")
    port("in", "m_at", L.PLACE_W, "into this row,")
    port("in", "m_lanes", L.LANES, "these lanes")
    port("in", "m_words", L.ROW_W, "")
    return list
end

-- The port list of a subcore; those named in regs are registers.
function subcore_ports(regs)
    local is_reg, lines, group = {}, {}, ""
    for _, name in ipairs(regs) do is_reg[name] = true end
    local list = of_subcore()
    for _, p in ipairs(at_shared()) do list[#list + 1] = p end
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
