-- What the templates of this room share; LAST is what ndp_simt_alu wants of them.

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

-- A field of a record in the word of that name.
function field(of, word, name)
    local f = record[of][name]
    return word .. "[" .. (f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb) .. "]"
end
