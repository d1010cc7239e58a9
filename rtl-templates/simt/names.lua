-- What the templates of this room share.

-- Stages behind X1: X2 to X(FMA_L + 1).
LAST = L.FMA_L + 1

LANE_W = clog2(L.LANES)      -- bits of a lane
ALU_W = clog2(L.ALUS)        -- bits of a lane within a pass; may be 0
WORD_W = L.SECTOR_W - 2      -- bits of a word within a sector; may be 0
BANK_WORDS = L.SHARED / L.ALUS -- words of a bank of shared memory

-- A signal of `from` bits with zeros above, to be `to` bits wide.
function wide(name, from, to)
    return to > from and "{" .. to - from .. "'d0, " .. name .. "}" or name
end

-- Access buffers keep what is not an address in a memory, a pass a word.
RAM_BUFFERS = L.MERGE == 0 and L.PASSES > 1

SHARED_W = clog2(4 * L.SHARED + 1) -- bits of a number of bytes of shared memory
