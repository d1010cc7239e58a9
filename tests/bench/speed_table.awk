# speed_table.awk - counts for a person: millions of instructions, those of a
# lock-step by cycle and beside those of its RTL.

BEGIN {
    FS = "\t"
    printf "%-24s %12s %12s %8s  %s\n", "item", "10^6 instr.", "a cycle", \
        "by RTL", "work"
}

{
    by_cycle = by_rtl = ""
    name = substr($2, index($2, " ") + 1)
    if ($2 ~ /^rtl /)
        rtl[name] = $4
    if (match($3, /CYCLES=[0-9]+/))
        by_cycle = sprintf("%.0f", $4 / substr($3, RSTART + 7, RLENGTH - 7))
    else if ($2 ~ /^model / && match($3, / [0-9]+$/))
        by_cycle = sprintf("%.0f", $4 / substr($3, RSTART + 1))
    if ($2 ~ /^lock-step / && rtl[name])
        by_rtl = sprintf("%.2f", $4 / rtl[name])
    printf "%-24s %12.2f %12s %8s  %s\n", $2, $4 / 1e6, by_cycle, by_rtl, $3
}
