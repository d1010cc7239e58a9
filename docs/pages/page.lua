-- page.lua - what the templates of the pages share: lists, means, figures with
-- so many digits, rows of tables, results of programs.

-- --- lists ------------------------------------------------------------------

-- What f gives for each element.
function map(list, f)
    local out = {}
    for i, v in ipairs(list) do out[i] = f(v) end
    return out
end

-- Those elements of which f holds.
function filter(list, f)
    local out = {}
    for _, v in ipairs(list) do
        if f(v) then out[#out + 1] = v end
    end
    return out
end

-- The sum of what f gives, or of the elements themselves.
function sum(list, f)
    local s = 0
    for _, v in ipairs(f and map(list, f) or list) do s = s + v end
    return s
end

function mean(list, f)
    return sum(list, f) / #list
end

function geomean(list, f)
    return math.exp(mean(map(list, f or function(v) return v end), math.log))
end

-- Words that blanks part, as an array.
function words(text)
    local out = {}
    for word in text:gmatch("%S+") do out[#out + 1] = word end
    return out
end

-- --- figures ----------------------------------------------------------------

-- x with n digits behind the point, rounded as printf rounds: to the nearest of
-- what the machine holds, which for 0.35 is a bit less and makes it 0.3; from
-- half way (0.25, 2.5) to the even digit.
function fixed(x, n)
    if type(x) ~= "number" or x - x ~= 0 then
        error("a figure is '" .. tostring(x) .. "', expected a finite number", 2)
    end
    return string.format("%." .. n .. "f", x)
end

function f0(x) return fixed(x, 0) end
function f1(x) return fixed(x, 1) end
function f2(x) return fixed(x, 2) end
function f3(x) return fixed(x, 3) end

-- x as the number that fixed shows.
function round(x, n)
    return tonumber(fixed(x, n))
end

-- None of nothing is 0 %.
function percent(part, whole)
    if part == 0 and whole == 0 then return 0.0 end
    return 100 * part / whole
end

-- --- rows -------------------------------------------------------------------

-- The n cells of a row as texts, those in arrays among them too; a number that
-- is not whole goes through show.
local function cells(list, n, show)
    local out = {}
    for i = 1, n do
        local v = list[i]
        if v == nil then
            error("cell " .. i .. " of a row is nil")
        elseif type(v) == "table" then
            for _, c in ipairs(cells(v, #v, show)) do out[#out + 1] = c end
        elseif math.type(v) == "float" and v % 1 ~= 0 then
            out[#out + 1] = show(v)
        elseif type(v) == "number" then
            out[#out + 1] = string.format("%d", v)
        else
            out[#out + 1] = tostring(v)
        end
    end
    return out
end

-- A row of a Markdown table: row("mean", "", {f1(2), f1(3)}).
function row(...)
    local out = "|"
    local function show(v) error("a cell is " .. v .. ", expected f1(...) or the like") end
    for _, c in ipairs(cells({...}, select("#", ...), show)) do
        out = out .. (c == "" and "" or " " .. c) .. " |"
    end
    return out
end

-- A row for each element, of the cells that f gives for it.
function rows(list, f)
    return table.concat(map(list, function(v) return row(f(v)) end), "\n")
end

-- Each cell in bold type; one, or an array of them.
function bold(v)
    if type(v) == "table" then return map(v, bold) end
    return "**" .. v .. "**"
end

-- A line of data for gnuplot, six significant digits; and one for each element.
function line(...)
    local function show(v) return string.format("%.6g", v) end
    return table.concat(cells({...}, select("#", ...), show), " ")
end

function lines(list, f)
    return table.concat(map(list, function(v) return line(f(v)) end), "\n")
end

-- The settings that the pictures have in common, in pixels; title is what a reader
-- hears who cannot see it (scripts/picture.awk puts it in). Line types 1 to 5 go
-- from dark to light, so that bars are told apart in grey and by the colour-blind
-- as well; keys stand above the bars, never on them.
function histogram(width, height, title)
    emit("# title: " .. title)
    emit("set terminal svg noenhanced size " .. width .. "," .. height .. [[
 font "Helvetica,12" background "white"
set style data histograms
set style histogram clustered gap 1
set style fill solid 1 border lc rgb "#404040"
set boxwidth 0.9
set border 3 lc rgb "#707070"
set tics nomirror textcolor "#202020"
set xtics scale 0
set grid ytics lt 1 lc rgb "#e0e0e0" lw 1
set linetype 1 lc rgb "#303030" lw 0.5
set linetype 2 lc rgb "#0a5ea8" lw 0.5
set linetype 3 lc rgb "#d9741a" lw 0.5
set linetype 4 lc rgb "#7fc4ea" lw 0.5
set linetype 5 lc rgb "#f7ecb5" lw 0.5
set key outside top center horizontal Left reverse samplen 1.5]])
end

-- A line between the bars that are measured on their own and those that sum up,
-- before the bar with this number; they count from 0.
function part_line(before)
    emit(string.format('set arrow from %g, graph 0 to %g, graph 1 nohead ' ..
                       'lc rgb "#909090" dashtype 3', before - 0.5, before - 0.5))
end

-- --- results ----------------------------------------------------------------

-- The results of a run of ndpsim by name, or by what key(result) gives. All must
-- be right.
function results(run, key)
    local out = {}
    for _, r in ipairs(run.results) do
        if r.verdict ~= "right" then
            error("'" .. r.file .. "' is " .. r.verdict .. ", expected 'right'", 2)
        end
        out[key and key(r) or r.name] = r
    end
    return readonly(out, "kernel")
end

-- "bfs" of "kernels/bfs/bfs.yml".
function folder(file)
    return file:match("([^/]*)/[^/]*$")
end
