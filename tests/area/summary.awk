# summary.awk - the table of docs/cost.md out of the recorded figures: a row a block at
# preset small, or tiny where that is what fits a board, with the gates and memory of the paper's sizes beside it; above
# it what they were made with.
#
#   awk -f summary.awk baseline.tsv timing.tsv

BEGIN { FS = "\t" }

/^#/ || $1 == "tool" { next }

FILENAME == ARGV[1] {
    if (!($2 in known)) {
        known[$2]
        order[++n] = $2
    }
    size = board($2, $3) ? "small" : "paper"
    if ($3 == "tiny" && $2 in is_small)
        next
    note_tools($1)
    logic[$2, size, $4] = $5
    memory[$2, size, $4] = $7
    next
}

board($2, $3) {
    note_tools($1)
    mhz[$2, $4] = $8 == "-" ? "does not fit" : $8 " (" $9 ")"
}

# A preset for boards.
function board(t, preset) {
    if (preset == "small") {
        is_small[t]
        delete label[t]
    } else if (preset == "tiny" && !(t in is_small)) {
        label[t] = "`" t "`, `tiny`"
    }
    return preset == "small" || preset == "tiny"
}

# "yosys-0.23,nextpnr-0.4" as "Yosys 0.23" and "nextpnr-ice40 0.4", each once
function note_tools(list,    n, i, name, part) {
    n = split(list, part, ",")
    for (i = 1; i <= n; i++) {
        name = part[i]
        sub(/^yosys-/, "Yosys ", name)
        sub(/^nextpnr-/, "nextpnr-ice40 ", name)
        if (!(name in tool)) {
            tool[name]
            tools = tools (tools ? ", " : "") name
        }
    }
}

function shown(x) { return x == "" ? "-" : x }

END {
    print "RTL: `ndpgen --target BLOCK --preset small`, where no other is named. Figures: `make area`, " \
        "MHz `make timing`, with " tools "."
    print "Parameters by block: `make area REPORT=1`."
    print ""
    print "| block | HX8K cells | block RAMs | HX8K MHz | UP5K MHz | ECP5 | " \
        "Xilinx 7 | Gowin | gates | memory bits | gates, paper | memory, paper |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | " \
        "---: | ---: | ---: |"
    for (i = 1; i <= n; i++) {
        t = order[i]
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", \
            t in label ? label[t] : "`" t "`", \
            shown(logic[t, "small", "hx8k"]), \
            shown(memory[t, "small", "hx8k"]), shown(mhz[t, "hx8k"]), \
            shown(mhz[t, "up5k"]), shown(logic[t, "small", "ecp5"]), \
            shown(logic[t, "small", "xc7"]), \
            shown(logic[t, "small", "gowin"]), \
            shown(logic[t, "small", "gates"]), \
            shown(memory[t, "small", "gates"]), \
            shown(logic[t, "paper", "gates"]), shown(memory[t, "paper", "gates"])
    }
}
