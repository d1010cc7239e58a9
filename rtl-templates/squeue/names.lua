-- What the templates of this room share; op, ops and LAST are what ndp_simt_alu
-- wants of them.

-- An operation's code as a constant of eight bits.
function op(name)
    return hex(8, isa.op[name].code)
end

-- The operations for which `is` holds, in order of codes.
function ops(is)
    local list = {}
    for _, o in ipairs(isa.ops) do
        if is(o) then list[#list + 1] = o end
    end
    return list
end

-- Last stage of the arithmetic, whose operands are in X1.
LAST = L.FMA_L + 1

-- A field of a record in the word of that name.
function field(of, word, name)
    local f = record[of][name]
    return word .. "[" .. (f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb) .. "]"
end
