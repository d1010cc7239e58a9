# chart.awk - recorded figures as columns for chart.gp.
#
#   awk -f chart.awk baseline.tsv
#
# One gnuplot data set for the papers' sizes and one for preset small: target, packed iCE40 cells (LUTs where nothing
# was packed), ECP5, Xilinx 7, Gowin, gate equivalents, memory bits.

BEGIN { FS = "\t" }

/^#/ || $1 == "tool" { next }

{
    $3 = $3 == "small" ? "small" : "paper"
    if (!($3 in presets)) {
        presets[$3]
        preset[++n_presets] = $3
    }
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
    return (t, p, flow) in logic ? logic[t, p, flow] : 0
}

END {
    for (i = 1; i <= n_presets; i++) {
        p = preset[i]
        printf "%s%s \"iCE40, packed\" ECP5 \"Xilinx 7\" Gowin " \
            "gates memory\n", (i > 1 ? "\n\n" : ""), p
        for (j = 1; j <= n_targets; j++) {
            t = target[j]
            print t, figure(t, p, "hx8k"), figure(t, p, "ecp5"), \
                figure(t, p, "xc7"), figure(t, p, "gowin"), \
                figure(t, p, "gates"), bits[t, p] + 0
        }
    }
}
