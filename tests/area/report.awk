# report.awk - every recorded figure with what it was made from, as Markdown.
#
#   awk -f report.awk parameters.tsv baseline.tsv timing.tsv
#
# parameters.tsv: target, preset, parameter, value (cost.sh makes it).

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
    print "Printed by `make area REPORT=1` from `tests/area/baseline.tsv` and"
    print "`tests/area/timing.tsv`; `make area` fails when a figure moves without " \
        "being"
    print "recorded there."
    print ""
    print "- The block alone is synthesised (out of context), hierarchy " \
        "flattened, no pads,"
    print "  with the scripts `tests/area/*.ys`. `mpu`, `tom`, `mesh` and " \
        "`image` have the sizes of"
    print "  the block\047s paper, `small` those of `lib/config/presets/small.yml`. " \
        "Each section names the"
    print "  parameters that the block depends on, the commands and the " \
        "tools."
    print "- Figures of two versions of a tool cannot be compared. With " \
        "another Yosys or nextpnr"
    print "  than those named, `make area` and `make timing` check nothing " \
        "of a row and say"
    print "  `NOT CHECKED`, with exit status 0."
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

FILENAME == ARGV[1] {
    block = $1 " " $2
    parameters[block] = parameters[block] "; " $3 " " $4
    next
}

{
    block = $2 " " $3
    if (!(block in known)) {
        known[block]
        order[++blocks] = block
    }
}

FILENAME == ARGV[2] {
    note_tools(made, block, $1)
    for (i = 5; i <= 9; i++)
        figure[block, $4, i] = $i
    next
}

{
    note_tools(placed, block, $1)
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

# "yosys-0.23,nextpnr-0.4" as "Yosys 0.23, nextpnr-ice40 0.4", each once
function note_tools(list, block, tools,    n, i, part) {
    n = split(tools, part, ",")
    for (i = 1; i <= n; i++) {
        sub(/^yosys-/, "Yosys ", part[i])
        sub(/^nextpnr-/, "nextpnr-ice40 ", part[i])
        if (index(list[block] ",", " " part[i] ",") == 0)
            list[block] = list[block] (list[block] ? "," : "") " " part[i]
    }
}

# Words in lines of at most 80 characters.
function wrapped(text,    n, i, word, line) {
    n = split(text, word, " ")
    line = word[1]
    for (i = 2; i <= n; i++)
        if (length(line) + 1 + length(word[i]) > 80) {
            print line
            line = word[i]
        } else
            line = line " " word[i]
    print line
}

# What the figures of a block were made of and with.
function facts(block, part) {
    if (block in parameters)
        wrapped("Parameters: " substr(parameters[block], 3) ".")
    print ""
    printf "    %-50s RTL\n", "ndpgen --target " part[1] " --preset " part[2]
    printf "    %-50s%s\n", "make area TARGET=" part[1] " PRESET=" part[2], \
        made[block]
    if (block in placed)
        printf "    %-50s%s\n", "make timing TARGET=" part[1] \
            (part[2] == "small" ? "" : " PRESET=" part[2]), placed[block]
    print ""
}

END {
    for (b = 1; b <= blocks; b++) {
        split(order[b], part, " ")
        printf "\n## `%s` at `%s`\n\n", part[1], part[2]
        facts(order[b], part)
        area_table(order[b])
        if (order[b] in timing) {
            printf "\nPlaced and routed between registers, harness included (a seed without a legal placement, or never routed, is left out):\n\n"
            print "| part | logic cells | memory | seeds | median MHz | worst MHz |"
            print "| --- | ---: | ---: | ---: | ---: | ---: |"
            printf "%s", timing[order[b]]
        }
    }
}
