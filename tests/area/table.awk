# table.awk - a table of figures for the terminal.
#
#   awk -f table.awk FIGURES
#
# One paragraph a target and preset, one line a flow.

BEGIN {
    FS = "\t"
    unit["ice40"] = "LUT4"; ram["ice40"] = "RAM 4k"
    unit["hx8k"] = "packed cells"; ram["hx8k"] = "RAM 4k"
    unit["ecp5"] = "LUT4"; ram["ecp5"] = "RAM 18k"
    unit["xc7"] = "LUT6"; ram["xc7"] = "RAM 18k"
    unit["gowin"] = "LUT4"; ram["gowin"] = "RAM 18k"
    unit["gates"] = "gate equiv."; ram["gates"] = "memory bits"
}

/^#/ || $1 == "tool" { next }

$2 " " $3 != last {
    last = $2 " " $3
    printf "\n%s at %s\n", $2, $3
    printf "  %-6s %8s %-12s %7s %8s %-11s %7s %6s\n", "flow", "", "logic", \
        "FFs", "", "memory", "LUT RAM", "depth"
}

{
    printf "  %-6s %8s %-12s %7s %8s %-11s %7s %6s\n", $4, $5, unit[$4], $6, \
        $7, ram[$4], $8, $9
    tools[$1]
}

END {
    printf "\n"
    for (t in tools)
        printf "made with %s\n", t
}
