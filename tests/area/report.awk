# report.awk - docs/area.md out of the recorded figures.
#
#   awk -f report.awk baseline.tsv timing.tsv

BEGIN {
    FS = "\t"
    split("ice40 hx8k ecp5 xc7 gowin gates", flows, " ")
    title["ice40"] = "iCE40, LUT4"
    title["hx8k"] = "iCE40, packed logic cells"
    title["ecp5"] = "ECP5, LUT4"
    title["xc7"] = "Xilinx 7, LUT6"
    title["gowin"] = "Gowin, LUT4"
    title["gates"] = "gate equivalents"
    ram["ice40"] = "of 4 kbit"
    ram["hx8k"] = "of 4 kbit"
    ram["ecp5"] = ram["xc7"] = ram["gowin"] = "of 18 kbit"
    ram["gates"] = "bits"
    print "# What each block costs"
    print ""
    print "Made by `make area UPDATE=1` and `make timing UPDATE=1` from"
    print "`tests/area/baseline.tsv` and `tests/area/timing.tsv`; `make area` " \
        "fails when a"
    print "figure moves without being recorded there."
    print ""
    print "![size of each block](img/area.svg)"
    print ""
    print "- The block alone is synthesised (out of context), hierarchy " \
        "flattened, no pads,"
    print "  with the scripts `tests/area/*.ys`. Its RTL is that of"
    print "  `ndpgen --target BLOCK --preset PRESET`: `mpu`, `tom`, `mesh` and " \
        "`image` have the"
    print "  sizes of the block's paper, `small` those of " \
        "`lib/presets/small.yml`; `ndpgen` writes"
    print "  them all to `config.yml`."
    print "- *Packed logic cells*: nextpnr puts a LUT, its carry and its " \
        "flip-flop into one"
    print "  cell, so this is what fills the chip. Xilinx LUTs have six " \
        "inputs, the others four;"
    print "  two LUT4 stand for each ECP5 carry cell."
    print "- *Gate equivalents*: transistors of the netlist in NAND, NOR, " \
        "inverters and plain"
    print "  flip-flops over four. A relative figure. Memories are not in " \
        "it; they are the bits"
    print "  beside it, as the RTL declares them."
    print "- *Depth*: cells on the longest path between registers (gates: " \
        "gates), every carry"
    print "  cell counted."
}

/^#/ || $1 == "tool" { next }

{
    block = $2 " " $3
    if (!(block in known)) {
        known[block]
        order[++blocks] = block
    }
    tools[$1]
}

FILENAME == ARGV[1] {
    for (i = 5; i <= 9; i++)
        figure[block, $4, i] = $i
    next
}

{
    timing[block] = timing[block] sprintf("| %s | %s | %s | %s | %s | %s |\n", \
        toupper($4), $5, $6, $7, $8, $9)
}

function area_table(block,    i, f, m) {
    print "| | logic | flip-flops | memory | LUTs as RAM | depth |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= 6; i++) {
        f = flows[i]
        if (!((block, f, 5) in figure))
            continue
        m = figure[block, f, 7]
        if (m + 0 || f == "gates")
            m = m " " ram[f]
        printf "| %s | %s | %s | %s | %s | %s |\n", title[f], \
            figure[block, f, 5], figure[block, f, 6], m, \
            figure[block, f, 8], figure[block, f, 9]
    }
}

function list_tools(    n, t, all, i, j) {
    n = 0
    for (t in tools)
        all[++n] = t
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (all[j] < all[i]) {
                t = all[i]
                all[i] = all[j]
                all[j] = t
            }
    for (i = 1; i <= n; i++) {
        sub(/,/, " with ", all[i])
        printf "%s`%s`", (i > 1 ? ", " : ""), all[i]
    }
}

END {
    for (b = 1; b <= blocks; b++) {
        split(order[b], part, " ")
        printf "\n## `%s` at `%s`\n\n", part[1], part[2]
        area_table(order[b])
        if (order[b] in timing) {
            printf "\nPlaced and routed between registers (`make timing`), " \
                "harness included:\n\n"
            print "| part | logic cells | memory | seeds | median MHz | worst MHz |"
            print "| --- | ---: | ---: | ---: | ---: | ---: |"
            printf "%s", timing[order[b]]
        }
    }
    printf "\nTools: "
    list_tools()
    print "."
}
