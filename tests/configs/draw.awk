# draw.awk - one random configuration out of a list of parameters.
#
# usage: ndpgen --json --list-params --target T --preset P |
#            awk -v seed=S -v number=I -f draw.awk
#
# Prints KEY=VALUE words on one line, and before them "within", or the key whose
# value was drawn from beyond its range.  The same seed and number give the same
# line in each awk: a generator of its own, in whole numbers below 2^53.
#
# How many parameters change is drawn, too: a few, half or nearly all of them.  A
# value is the least or the largest one (one in eight each), a neighbour of the
# one that stands there (one in four), else any, small ones as often as large
# ones.  What a system computes stays, and so do masks: drawn bits hardly ever make a
# map.

function below(n) { # 0 .. n - 1
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * n)
}

function draw_int(low, high, now,    how, span) {
    how = below(8)
    if (how == 0)
        return low
    if (how == 1)
        return high
    if (how < 4) {
        now += below(5) - 2
        return now < low ? low : now > high ? high : now
    }
    span = int(log(high - low + 1) / log(2) * 1024)
    return low + int(exp(below(span + 1) / 1024 * log(2))) - 1
}

function log2(n,    bits) {
    for (bits = 0; n > 1; bits++)
        n /= 2
    return bits
}

# Sets of one block share no word in three draws of four: most rules want that.
function draw_words(of,    n, word, text, i, apart, place) {
    n = split(words[of], word, " ")
    if (type[of] == "enum")
        return word[1 + below(n)]
    apart = below(4)
    for (i = 1; i <= n; i++) {
        place = of
        sub(/\..*/, " " word[i], place)
        if (below(2) && !(apart && place in taken)) {
            text = text (text == "" ? "" : ",") word[i]
            taken[place]
        }
    }
    return "[" text "]"
}

# Nodes of the mesh as it is drawn, some of them, in order.
function draw_nodes(    nodes, of, i, text) {
    nodes = value["mesh.width"] * value["mesh.height"]
    of = 2 + below(8)
    for (i = below(of); i < nodes; i += 1 + below(2 * of))
        text = text (text == "" ? "" : ",") i
    return "[" text "]"
}

function draw(of) {
    if (type[of] == "int")
        return draw_int(min[of], max[of], value[of])
    if (type[of] == "pow2")
        return 2 ^ draw_int(log2(min[of]), log2(max[of]), log2(value[of]))
    if (type[of] == "list")
        return draw_nodes()
    return draw_words(of)
}

function stays(of) {
    return type[of] == "masks" || type[of] == "fixed"
}

function text_of(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,$/, "", line)
    gsub(/"/, "", line)
    return line
}

/^      "key":/ {
    keys[++n] = key = text_of($0)
    list = ""
}
/^      "type":/ { type[key] = text_of($0) }
/^      "value":/ { value[key] = text_of($0) }
/^      "computed_from":/ { type[key] = "fixed" }
/^      "min":/ { min[key] = text_of($0) + 0 }
/^      "max":/ { max[key] = text_of($0) + 0 }
/^      "[a-z]*": \[$/ { list = $1 == "\"words\":" }
list && /^        "/ {
    word = $1
    gsub(/[",]/, "", word)
    words[key] = words[key] " " word
}

END {
    state = (seed + number * 104729) % 2147483646 + 1
    for (i = 0; i < 8; i++)
        below(2)
    part = 1 + 3 * below(3) # of 8
    one = 1 + below(n) # this one at least, or the next that may change
    while (stays(keys[one]))
        one = one % n + 1
    for (i = 1; i <= n; i++) {
        key = keys[i]
        if (stays(key) || (below(8) >= part && i != one))
            continue
        value[key] = draw(key)
        drawn[key]
    }
    # the list of nodes goes with the mesh
    if ("mesh.memory_nodes" in type && ("mesh.width" in drawn ||
        "mesh.height" in drawn) && below(8)) {
        value["mesh.memory_nodes"] = draw_nodes()
        drawn["mesh.memory_nodes"]
    }
    beyond = "within"
    if (!below(12)) {
        beyond = keys[1 + below(n)]
        if (type[beyond] == "int" || type[beyond] == "pow2") {
            value[beyond] = below(2) ? max[beyond] + 1 : min[beyond] - 1
            drawn[beyond]
        } else {
            beyond = "within"
        }
    }
    printf "%s", beyond
    for (i = 1; i <= n; i++)
        if (keys[i] in drawn)
            printf " %s=%s", keys[i], value[keys[i]]
    print ""
}
