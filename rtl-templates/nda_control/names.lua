-- What the templates of nda_control share: its timers, from the rules.

-- For each of the machine's commands, what it waits for: event, edges.
-- Events: <command>_<bank, group or rank>, of host and accelerator.
timers = {act = {}, pre = {}, rd = {}, wr = {}}
window = 0
do
    local near = {bank = true, group = true, rank = true}
    for _, rule in ipairs(rules) do
        if rule.count > 1 then
            window = rule.cycles
        elseif near[rule.scope] then
            for _, to in ipairs(rule.to) do
                for _, from in ipairs(rule.from) do
                    if timers[to] and from ~= "rda" and from ~= "wra" and rule.cycles > 1 then
                        local event = from .. "_" .. rule.scope
                        timers[to][event] = math.max(timers[to][event] or 0, rule.cycles - 1)
                    end
                end
            end
        end
    end
end

function timer_width(of)
    local most = 1
    for _, edges in pairs(of) do most = math.max(most, edges) end
    return clog2(most + 1)
end

WINDOW_W = math.max(1, clog2(window))

-- Edges since the last read that make a difference.
SINCE = math.max(L.PACE, L.RESULT)
SINCE_W = clog2(SINCE + 1)

STATE_W = 7 * L.SPOT_W + 8 + L.INDEX_W + L.HELD_W + 4 * WINDOW_W + SINCE_W + L.OWN_BANKS * (L.ROW_W + 1)
for _, of in pairs(timers) do STATE_W = STATE_W + L.OWN_BANKS * timer_width(of) end
