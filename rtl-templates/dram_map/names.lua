-- What the templates of this room share.

-- The numbers of the bits that are set in a mask, highest first.
function bits_of(mask)
    local out = {}
    for n = 63, 0, -1 do
        if mask >> n & 1 == 1 then out[#out + 1] = n end
    end
    return out
end

-- "a[14] ^ a[7]": the parity of a mask's bits of a signal.
function parity(signal, mask)
    local terms = {}
    for _, n in ipairs(bits_of(mask)) do terms[#terms + 1] = signal .. "[" .. n .. "]" end
    return terms
end

-- Terms of a parity, some to a line, as an expression that goes on at a column.
function wrapped(terms, column)
    local lines = {}
    for i = 1, #terms, 6 do
        lines[#lines + 1] = table.concat(terms, " ^ ", i, math.min(i + 5, #terms))
    end
    return table.concat(lines, " ^\n" .. string.rep(" ", column))
end
