-- What the templates of all rooms share.

-- Settings whose value after the edge a block needs before it: by name, true. A
-- block that has such says so in its own names.lua.
settings_ahead = {}

-- The range of a vector, also of one bit, of which single bits are taken.
function vec(w)
    return "[" .. w - 1 .. ":0]"
end

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

-- The row as a port shows it: what from says, in a port of width bits.
function fitted(from, bits, width)
    if width > bits then return "{" .. width - bits .. "'d0, " .. from .. "}" end
    return width < bits and from .. "[" .. width - 1 .. ":0]" or from
end

-- A register or predicate as a core counts them, of the number that its offload
-- controller has for it.
function core_number(from)
    local bits = L.REG_W - 1
    local reg = from .. "[" .. math.min(bits, 6) - 1 .. ":0]"
    return from .. "[REG_W-1] ? {3'd0, " .. from .. "[2:0]} : " ..
        (bits < 6 and "{" .. 6 - bits .. "'d0, " .. reg .. "}" or reg)
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

-- A doc as it stands behind "// " in that column; where the line would have more
-- than 110 characters it goes on below itself.
function remark(doc, column)
    local lines, line = {}, ""
    for word in doc:gmatch("%S+") do
        if line ~= "" and column + 3 + #line + 1 + #word > 110 then
            lines[#lines + 1] = line
            line = ""
        end
        line = line .. (line == "" and "" or " ") .. word
    end
    lines[#lines + 1] = line
    return table.concat(lines, "\n" .. string.rep(" ", column) .. "// ")
end

-- The ports of a channel; sorted once, as a mesh has thousands of them.
local sorted, by_channel

local function channel_ports(c)
    if sorted ~= iface.ports then
        sorted, by_channel = iface.ports, {}
        for _, p in ipairs(iface.ports) do
            local group = p.group or ""
            by_channel[group] = by_channel[group] or {}
            table.insert(by_channel[group], p)
        end
    end
    return by_channel[c.name] or {}
end

-- Valid, ready, fields and their width, of a channel with a handshake.
function channel_parts(c)
    local r = { fields = {}, width = 0 }
    for _, p in ipairs(channel_ports(c)) do
        if p.name:sub(1, #c.name + 1) == c.name .. "_" then
            local rest = p.name:sub(#c.name + 2)
            if rest == "valid" or rest == "ready" then
                r[rest] = p
            elseif p.dir == (c.gives and "out" or "in") then
                r.fields[#r.fields + 1] = p.name
                r.width = r.width + p.width
            end
        end
    end
    return r
end

-- Signals as one, lines after the first indented.
function concatenated(names, indent)
    if #names == 1 then return names[1] end
    return "{" .. joined(names, ",", indent) .. "}"
end

-- What a block's surroundings promise, held in simulation when NDP_CHECKS is
-- defined: known handshakes, valid and fields that stand until they are taken,
-- known accesses, nothing before the first reset.  Of the block, in more:
-- still = inputs that stay from the first transfer on; must = pairs of a condition that holds on each
-- edge without reset, and what is wrong if it does not.
function checks(more)
    more = more or {}
    local begins, kept, held = {}, {}, {}
    local function line(t, text) t[#t + 1] = text end
    local function stop(indent, condition, wrong)
        line(held, indent .. "if (" .. condition .. ") begin")
        line(held, indent .. '    $display("%m: ' .. wrong .. ', at %0t", $time);')
        line(held, indent .. "    $stop;")
        line(held, indent .. "end")
    end
    local function must(condition, wrong) stop("            ", condition, wrong) end
    local function keep(name, width, value)
        kept[#kept + 1] = { name, width, value }
        return "check_knows && " .. name
    end

    for _, c in ipairs(iface.handshakes) do
        local r = channel_parts(c)
        if c.gives and r.ready then
            must("(^" .. r.ready.name .. ") === 1'bx", r.ready.name .. " is unknown")
        elseif not c.gives and r.valid then
            begins[#begins + 1] = r.valid.name
            must(r.valid.name .. " === 1'bx", r.valid.name .. " is unknown")
        end
        if not c.gives and r.valid and r.ready then
            local ready = r.ready.name .. (c.each and "[" .. r.fields[1] .. "]" or "")
            local waits = keep("check_" .. c.name .. "_waits", 1, r.valid.name .. " && !" .. ready)
            must(waits .. " && !" .. r.valid.name, r.valid.name .. " falls before it is taken")
            if #r.fields > 0 then
                local was = "check_" .. c.name .. "_was"
                keep(was, r.width, concatenated(r.fields, 13))
                must(waits .. " && " .. was .. " !==\n                " .. concatenated(r.fields, 17),
                    "what " .. c.name .. " says changes before it is taken")
            end
        end
    end
    if more.still then
        local one = joined(begins, " ||", 21)
        kept[#kept + 1] = { "check_begun", 1, "!rst && (check_begun ||\n            " .. one .. ")" }
    end
    for _, name in ipairs(more.still or {}) do
        for _, p in ipairs(iface.ports) do
            if p.name == name then
                local was = keep("check_" .. name .. "_was", p.width, name)
                must("check_begun && " .. was .. " !== " .. name, name .. " changes")
            end
        end
    end
    if iface.has_registers then
        begins[#begins + 1] = "(wb_cyc && wb_stb)"
        must("(wb_cyc && wb_stb) === 1'bx", "wb_cyc and wb_stb are unknown")
        must("wb_cyc && wb_stb && (^{wb_we, wb_adr, wb_sel}) === 1'bx", "an access is unknown")
    end
    for _, m in ipairs(more.must or {}) do
        must("(" .. m[1] .. ") !== 1'b1", m[2])
    end
    if #held == 0 then return "" end

    local all = held
    held = {}
    local name_w, range_w = 0, 0
    for _, k in ipairs(kept) do
        name_w = math.max(name_w, #k[1])
        range_w = math.max(range_w, #range(k[2]))
    end
    line(held, "\n`ifdef NDP_CHECKS")
    line(held, "    // ------------------------------------------------------------------")
    line(held, "    // What the surroundings promise, in simulation: who breaks it stops it")
    line(held, "    reg check_runs = 1'b0; // there was an edge with reset")
    if #kept > 0 then
        line(held, "    reg check_knows = 1'b0; // and the last one was without")
        line(held, "")
    end
    for _, k in ipairs(kept) do
        line(held, "    reg " .. pad(range(k[2]), range_w) .. (range_w > 0 and " " or "") .. k[1] .. ";")
    end
    line(held, "\n    always @(posedge clk) begin")
    line(held, "        if (rst === 1'b1)")
    line(held, "            check_runs <= 1'b1;")
    if #kept > 0 then line(held, "        check_knows <= check_runs && !rst;") end
    for _, k in ipairs(kept) do
        local joint = k[3]:find("\n") and " <=\n            " or " <= "
        line(held, "        " .. pad(k[1], name_w) .. joint .. k[3] .. ";")
    end
    line(held, "")
    if #begins > 0 then
        stop("        ", "!check_runs && rst !== 1'b1 &&\n            (" ..
            joined(begins, " ||", 13) .. ") === 1'b1", "it begins without a reset")
    end
    line(held, "        if (check_runs && !rst) begin")
    for _, text in ipairs(all) do line(held, text) end
    line(held, "        end")
    line(held, "    end")
    line(held, "`endif\n")
    return table.concat(held, "\n")
end
