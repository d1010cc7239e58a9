-- What the templates of this room share; LAST, LANE_W and ALU_W are what those of
-- simt want of them, the rest what ndp_near_pipe_unit does.

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

LANE_W = clog2(L.LANES) -- bits of a lane
ALU_W = clog2(L.ALUS)   -- bits of a lane within a pass; may be 0

HAS_SHARED = L.SHARED > 0      -- whether there is shared memory
BANK_WORDS = L.SHARED / L.ALUS -- words of a bank of it

-- The collector has the next instruction while the passes of one leave.
DISPATCH = true

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
