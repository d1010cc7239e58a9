# where.awk - a mutant in words, and the line of RTL that its cell comes from.
#
# awk -f where.awk MODULES.il BASE.il LIST
#
# MODULES.il is from before flattening: a cell has the places of the instances
# around it, too, and there one sees which these are.  Prints, apart by tabs:
# number, mutation, file, line.

# The place that spans the fewest lines.
function narrowest(list,    n, i, part, s, from, to, best, size) {
    n = split(list, part, "|")
    best = ""
    for (i = 1; i <= n; i++) {
        if (part[i] in instance)
            continue
        s = part[i]
        sub(/^[^:]*:/, "", s)
        from = s + 0
        sub(/^[^-]*-/, "", s)
        to = s + 0
        if (best == "" || to - from < size) {
            best = part[i]
            size = to - from
        }
    }
    return best == "" ? part[1] : best
}
FNR == 1 { file++ }
$1 == "attribute" && $2 == "\\src" {
    src = $3
    gsub(/"/, "", src)
    next
}
file == 1 && $1 == "cell" && $2 ~ /^\\/ {
    n = split(src, part, "|")
    for (i = 1; i <= n; i++)
        instance[part[i]] = 1
}
file == 2 && $1 == "cell" {
    type[$3] = $2
    place[$3] = src
}
file < 3 && $1 != "attribute" { src = "" }
file == 3 {
    mode = cell = port = bit = wire = wirebit = ctrl = ""
    for (i = 2; i < NF; i += 2) {
        if ($i == "-mode") mode = $(i + 1)
        else if ($i == "-cell") cell = $(i + 1)
        else if ($i == "-port") port = $(i + 1)
        else if ($i == "-portbit") bit = $(i + 1)
        else if ($i == "-ctrlbit") ctrl = $(i + 1)
        else if ($i == "-wire") wire = $(i + 1)
        else if ($i == "-wirebit") wirebit = $(i + 1)
    }
    if (!(cell in type))
        cell = "\\" cell # printed without
    s = narrowest(place[cell])
    at = s
    sub(/:.*/, "", at)
    sub(/^[^:]*:/, "", s)
    printf "%d\t%s%s %s.%s[%s]%s\t%s\t%d\n", FNR, mode, \
        ctrl == "" ? "" : " by [" ctrl "]", type[cell], port, bit, \
        wire == "" ? "" : " of " wire "[" wirebit "]", at, s + 0
}
