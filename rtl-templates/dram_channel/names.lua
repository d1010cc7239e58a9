-- What the templates of this room share: the rules as timers.

-- Timers by scope and by the command that they hold back: for each command that
-- loads one, the edges it loads. {scope = {to = {from = edges}}}
timers = {bank = {}, group = {}, rank = {}, ["other rank"] = {}}
window = nil -- the rule with a count

for _, rule in ipairs(rules) do
    if rule.count > 1 then
        window = rule
    else
        for _, to in ipairs(rule.to) do
            local of = timers[rule.scope]
            of[to] = of[to] or {}
            for _, from in ipairs(rule.from) do
                of[to][from] = math.max(of[to][from] or 0, rule.cycles - 1)
            end
        end
    end
end

kinds = {"act", "pre", "prea", "rd", "wr", "ref"}

-- Those of the rank that hold back the host: its own commands in other ranks, too.
timers.host = {}
for _, scope in ipairs{"rank", "other rank"} do
    for to, of in pairs(timers[scope]) do
        timers.host[to] = timers.host[to] or {}
        for from, edges in pairs(of) do
            timers.host[to][(scope == "rank" and "" or "other_") .. from] = edges
        end
    end
end

-- The longest load of a timer, and the bits it takes.
function longest(timer)
    local most = 0
    for _, edges in pairs(timer) do most = math.max(most, edges) end
    return most
end

function timer_width(timer) return math.max(2, clog2(longest(timer) + 1)) end

-- The commands that load a timer, that with the most edges first.
function loads_of(timer)
    local from = {}
    for k in pairs(timer) do from[#from + 1] = k end
    table.sort(from, function(a, b) return timer[a] > timer[b] or (timer[a] == timer[b] and a < b) end)
    return from
end

-- Of the commands that only timers look at, those behind which none has to wait.
function unseen_commands(names)
    local seen, list = {}, {}
    for _, scope in pairs(timers) do
        for _, of in pairs(scope) do
            for from in pairs(of) do seen[from:match("[^_]*$")] = true end
        end
    end
    for _, name in ipairs(names) do
        if not seen[name:match("[^_]*$")] then list[#list + 1] = name end
    end
    return list
end
