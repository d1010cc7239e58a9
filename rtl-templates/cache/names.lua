-- names.lua - what the templates of cache share.

-- The set of a line, given the name of its address.
function set_of(line)
    local parts, at = {line .. "[SET_W-1:0]"}, L.SET_W
    while L.HASHED == 1 and at < L.SADDR_W do
        local top = math.min(at + L.SET_W, L.SADDR_W)
        local fill = at + L.SET_W - top
        local part = line .. "[" .. (top - at > 1 and top - 1 .. ":" or "") .. at .. "]"
        parts[#parts + 1] = fill > 0 and "{" .. fill .. "'d0, " .. part .. "}" or part
        at = at + L.SET_W
    end
    return table.concat(parts, " ^ ")
end
