-- What the templates of this room share.

-- A head as a concatenation, of the fields that are given; the others are zero.
function head(given)
    local parts = {}
    for i = #record.head.list, 1, -1 do
        local f = record.head.list[i]
        parts[#parts + 1] = given[f.name] or f.width .. "'d0"
        given[f.name] = nil
    end
    for name in pairs(given) do error("a head has no '" .. name .. "'", 2) end
    return "{" .. joined(parts, ",", 30) .. "}"
end

-- A field of a head in the word of that name.
function field(word, name)
    local f = record.head[name]
    return word .. "[" .. (f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb) .. "]"
end

-- A number that may have fewer bits than a head has for it.
function number(signal, width)
    if width == L.NUMBER_W then return signal end
    return "{" .. L.NUMBER_W - width .. "'d0, " .. signal .. "}"
end

-- A text of so many bits as a word.
function word(text, width)
    if width == L.WORD_W then return text end
    return "{" .. L.WORD_W - width .. "'d0, " .. text .. "}"
end

-- Kinds of packets.
function kind(name)
    local at = { LOAD = 0, BRING = 1, STORE = 2, RESULT = 3, BITS = 4, BACK = 5 }
    return "3'd" .. at[name]
end
