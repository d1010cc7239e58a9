-- What the templates of bank share: the rules as timers, of a row buffer and of
-- the whole bank.

-- {to = {from = edges}}: for each command that loads one, the edges it loads
timers = {buffer = {}, bank = {}}
window = nil -- the rule with a count

local scopes = {bank = "buffer", group = "bank", rank = "bank"}

for _, rule in ipairs(rules) do
    local scope = scopes[rule.scope]
    if rule.count > 1 then
        window = rule
    elseif scope then
        for _, to in ipairs(rule.to) do
            local of = timers[scope]
            of[to] = of[to] or {}
            for _, from in ipairs(rule.from) do
                of[to][from] = math.max(of[to][from] or 0, rule.cycles - 1)
            end
        end
    end
end

kinds = {"act", "pre", "prea", "rd", "wr", "ref"}

function timer_width(timer)
    local most = 0
    for _, edges in pairs(timer) do most = math.max(most, edges) end
    return math.max(2, clog2(most + 1))
end

-- What loads a timer, and what it loads, where `event(kind)` writes a command.
function load_of(timer, event)
    local terms = {}
    for _, k in ipairs(kinds) do
        if timer[k] then terms[#terms + 1] = event(k) end
    end
    return table.concat(terms, " || ")
end

function edges_of(timer, event)
    local terms, w = {}, timer_width(timer)
    for _, k in ipairs(kinds) do
        if timer[k] then
            terms[#terms + 1] = "({" .. w .. "{" .. event(k) .. "}} & " .. w .. "'d" .. timer[k] .. ")"
        end
    end
    return table.concat(terms, " |\n                 ")
end

-- Of the commands that only timers look at, those behind which none has to wait.
function unseen_commands(names)
    local seen, list = {}, {}
    for _, scope in pairs(timers) do
        for _, of in pairs(scope) do
            for from in pairs(of) do seen[from] = true end
        end
    end
    for _, k in ipairs(names) do
        if not seen[k] then list[#list + 1] = "do_" .. k end
    end
    return list
end
