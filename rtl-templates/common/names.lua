-- What the templates of all rooms share.

-- Settings whose value after the edge a block needs before it: by name, true. A
-- block that has such says so in its own names.lua.
settings_ahead = {}

-- The row as a port shows it: what from says, in a port of width bits.
function fitted(from, bits, width)
    if width > bits then return "{" .. width - bits .. "'d0, " .. from .. "}" end
    return width < bits and from .. "[" .. width - 1 .. ":0]" or from
end

-- The items with what joins them behind each but the last, in lines of at most 80
-- characters; all lines but the first are indented.
function joined(items, joint, indent)
    local lines, line = {}, ""
    for i, item in ipairs(items) do
        local text = item .. (i < #items and joint or "")
        if line ~= "" and indent + #line + 1 + #text > 80 then
            lines[#lines + 1] = line
            line = ""
        end
        line = line .. (line == "" and "" or " ") .. text
    end
    lines[#lines + 1] = line
    return table.concat(lines, "\n" .. string.rep(" ", indent))
end

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
