# chart.awk - recorded figures as columns for chart.gp.
#
#   awk -f chart.awk baseline.tsv
#
# One gnuplot data set for the papers' sizes and one for those of boards, each with
# a line for every target: its name, packed iCE40 cells (LUTs where nothing was
# packed), ECP5, Xilinx 7, Gowin, the least and the most of the four, gate
# equivalents, memory bits, bits of storage that the paper counts; "-" is none.

BEGIN {
    FS = "\t"
    # TOM, section 6.6: 40 entries of 258 bits in the metadata table; 40 bits for
    # each of 48 warps and 97 for each of 100 entries of the allocation table
    storage["offload"] = 40 * 258
    storage["analyzer"] = 40 * 48 + 97 * 100
}

/^#/ || $1 == "tool" { next }

{
    # not a paper's size: said beside the name
    if ($3 != "tiny" || !($2 in label))
        label[$2] = $3 == "tiny" ? $2 " (tiny)" : $2
    $3 = $3 == "small" || $3 == "tiny" ? "small" : "paper"
    if (!($2 in targets)) {
        targets[$2]
        target[++n_targets] = $2
    }
    logic[$2, $3, $4] = $5
    if ($4 == "gates")
        bits[$2, $3] = $7
}

function figure(t, p, flow) {
    if (flow == "hx8k" && !((t, p, flow) in logic))
        flow = "ice40"
    return shown(logic[t, p, flow])
}

# nothing has no place on a logarithmic axis
function shown(n) { return n > 0 ? n : "-" }

function print_row(t, p,    flows, i, n, f, least, most, row) {
    n = split("hx8k ecp5 xc7 gowin", flows, " ")
    least = most = "-"
    for (i = 1; i <= n; i++) {
        f = figure(t, p, flows[i])
        row = row " " f
        if (f == "-")
            continue
        if (least == "-" || f < least)
            least = f
        if (most == "-" || f > most)
            most = f
    }
    printf "\"%s\"%s %s %s %s %s %s\n", label[t], row, least, most,
        figure(t, p, "gates"), shown(bits[t, p]),
        p == "paper" && t in storage ? storage[t] : "-"
}

END {
    n_presets = split("paper small", preset, " ")
    for (i = 1; i <= n_presets; i++) {
        printf "%s", (i > 1 ? "\n\n" : "")
        for (j = 1; j <= n_targets; j++)
            print_row(target[j], preset[i])
    }
}
