-- What the templates of this room share; LAST is what ndp_simt_alu wants of them.

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

ALU_W = clog2(L.ALUS)          -- bits of a lane within a pass; may be 0
WORD_W = L.SHARED > 0 and clog2(L.SHARED) or 0 -- bits of a word of shared memory
LANE_W = clog2(L.LANES) -- of them, its bank

-- Whether there is shared memory.
SHARED = L.SHARED > 0

-- Warps that have a window of it.
SHARED_WARPS = L.WARPS

-- Whether a unit hands out what the lanes do not compute to more than shared memory: that
-- of far_pipe does.
DESK = false

-- Whether an instruction that the lanes do not compute leaves dispatch as a whole.
WHOLE = SHARED

-- Whether it hands out whole rows: to shared memory.
ROWS = SHARED

-- Whether a place needs the part of a warp's number that is not its unit; else each unit
-- has one warp.
OF_UNITS = L.WARP_W > L.UNIT_W

-- A row's place in the file of its warp's unit.
function place(warp, reg)
    if not OF_UNITS then return reg end
    return "{" .. warp .. "[WARP_W-1:UNIT_W], " .. reg .. "}"
end

-- A register, and whether there is one, of an operand.
function register(operand)
    return operand .. "[REG_W-1:0]"
end

function is_there(operand)
    return operand .. "[OPERAND_W-1]"
end

-- The unit of a warp, which is a port.
function unit(warp)
    return L.WARP_W == 1 and warp or warp .. "[UNIT_W-1:0]"
end
