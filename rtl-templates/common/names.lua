-- What the templates of all rooms share.

-- Macros <prefix><FIELD>_LSB and _W of each field of a record, and
-- <prefix>WORDS: 32-bit words that hold it.
function layout(r, prefix)
    local lines = {}
    for _, f in ipairs(r.list) do
        local name = prefix .. f.name:upper()
        lines[#lines + 1] = "#define " .. name .. "_LSB " .. f.lsb .. " /* " .. f.doc .. " */"
        lines[#lines + 1] = "#define " .. name .. "_W " .. f.width
    end
    lines[#lines + 1] = "#define " .. prefix .. "WORDS " .. ceil_div(r.bits, 32)
    return table.concat(lines, "\n")
end

-- The fields of a record as a Markdown table.
function layout_table(r)
    local lines = { "| field | bits | position | what |", "| --- | ---: | --- | --- |" }
    for _, f in ipairs(r.list) do
        local at = f.width > 1 and f.msb .. ":" .. f.lsb or f.lsb
        lines[#lines + 1] = "| `" .. f.name .. "` | " .. f.width .. " | " .. at .. " | " .. f.doc .. " |"
    end
    return table.concat(lines, "\n")
end
