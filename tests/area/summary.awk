# summary.awk - the README's table out of the recorded figures: a row a block at
# preset small, with the gates and memory of the paper's sizes beside it.
#
#   awk -f summary.awk baseline.tsv timing.tsv

BEGIN { FS = "\t" }

/^#/ || $1 == "tool" { next }

FILENAME == ARGV[1] {
    if (!($2 in known)) {
        known[$2]
        order[++n] = $2
    }
    size = $3 == "small" ? "small" : "paper"
    logic[$2, size, $4] = $5
    memory[$2, size, $4] = $7
    next
}

$3 == "small" {
    mhz[$2, $4] = $8 == "-" ? "does not fit" : $8 " (" $9 ")"
}

function shown(x) { return x == "" ? "-" : x }

END {
    print "| block | HX8K cells | block RAMs | HX8K MHz | UP5K MHz | ECP5 | " \
        "Xilinx 7 | Gowin | gates | memory bits | gates, paper | memory, paper |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | " \
        "---: | ---: | ---: |"
    for (i = 1; i <= n; i++) {
        t = order[i]
        printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", \
            t, shown(logic[t, "small", "hx8k"]), \
            shown(memory[t, "small", "hx8k"]), shown(mhz[t, "hx8k"]), \
            shown(mhz[t, "up5k"]), shown(logic[t, "small", "ecp5"]), \
            shown(logic[t, "small", "xc7"]), \
            shown(logic[t, "small", "gowin"]), \
            shown(logic[t, "small", "gates"]), \
            shown(memory[t, "small", "gates"]), \
            shown(logic[t, "paper", "gates"]), shown(memory[t, "paper", "gates"])
    }
}
