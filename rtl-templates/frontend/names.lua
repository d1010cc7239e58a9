-- What the templates of this room share.

EDGE_W = clog2(L.FILL)    -- bits of an edge of a warp's filling
ALU_W = clog2(L.ALUS)     -- bits of a bank of shared memory; may be 0
ROWS_W = L.BANK_W + 1     -- bits of a number of rows of all banks

-- A signal of `from` bits with zeros above, to be `to` bits wide.
function wide(name, from, to)
    return to > from and "{" .. to - from .. "'d0, " .. name .. "}" or name
end
