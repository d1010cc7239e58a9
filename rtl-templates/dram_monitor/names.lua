-- What the templates of this room share: which commands a rule names, and the ages
-- that rules look at: edges since the last command of a set at a place.

-- "(h_rd || h_rda)": a command of the set, by wires whose names begin so.
function any(from, list)
    if #list == #kinds then return from .. "_valid" end
    local terms = {}
    for i, k in ipairs(list) do terms[i] = from .. "_" .. k end
    return #terms == 1 and terms[1] or "(" .. table.concat(terms, " || ") .. ")"
end

-- An edge's number that counts to `most` and stays there.
function age_width(most) return math.max(1, clog2(most + 1)) end

-- The age that a rule looks at, by place and set; rules that look at the same
-- one share it, and it counts to the most that one of them asks for.
local function gather(scopes)
    local list, by_name = {}, {}
    for _, rule in ipairs(rules) do
        if scopes[rule.scope] and rule.count == 1 and rule.cycles > 1 then
            local name = scopes[rule.scope] .. "_" .. table.concat(rule.from, "_")
            if not by_name[name] then
                by_name[name] = {name = name, scope = rule.scope, from = rule.from, most = 0}
                list[#list + 1] = by_name[name]
            end
            rule.age = by_name[name]
            rule.age.most = math.max(rule.age.most, rule.cycles)
        end
    end
    return list
end

rank_ages = gather{bank = "bank", group = "group", rank = "rank"}
other_ages = gather{["other rank"] = "host"}

for _, age in ipairs(rank_ages) do age.width = age_width(age.most) end
for _, age in ipairs(other_ages) do age.width = age_width(age.most) end

-- Edges of a slice of a vector of n fields: the only one, or the one at `at`.
function field(vector, width, n, at)
    if n == 1 then return vector end
    return width == 1 and vector .. "[" .. at .. "]" or
        vector .. "[" .. at .. "*" .. width .. " +: " .. width .. "]"
end

-- "6'd55"
function number(width, value) return width .. "'d" .. value end
