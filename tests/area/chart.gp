# chart.gp - the size of each block as bars: logic cells of four FPGA families
# above, gate equivalents and memory bits below; the papers' sizes at the left,
# preset small at the right.  A logarithmic scale, since blocks differ much.
#
#   gnuplot -e "data='FILE'; picture='FILE.svg'" chart.gp
#
# FILE comes from chart.awk.
set terminal svg size 900,560 font "sans-serif,13" background "#ffffff"
set output picture
stats data using 2 nooutput
presets = STATS_blocks
stats data using 2 index 0 nooutput
targets = STATS_records

set style data histograms
set style histogram clustered gap 1.5
set style fill solid 1 noborder
set boxwidth 0.9
set border 3 lc "#808080"
set tics nomirror textcolor "#404040"
set grid ytics lt 1 lc "#e0e0e0" lw 1
set yrange [0:*]
# room for the key at the right
set xrange [-0.6:targets * 1.3 - 0.1]
set key top right reverse Left samplen 1 textcolor "#404040"
set format y "%.0f"
set linetype 1 lc "#33658a"
set linetype 2 lc "#86bbd8"
set linetype 3 lc "#758e4f"
set linetype 4 lc "#f6ae2d"
set linetype 5 lc "#55505c"
set linetype 6 lc "#b8b0c0"

preset(i) = system(sprintf("awk 'NF && !head { if (n++ == %d) print $1; head = 1 } !NF { head = 0 }' '%s'", i, data))

sizes(i) = preset(i) eq "paper" ? "the papers' sizes" : "preset small"

set multiplot layout 2, presets columnsfirst margins 0.08, 0.98, 0.06, 0.94 \
    spacing 0.1, 0.13
do for [i = 0:presets - 1] {
    set title "LUTs and logic cells at ".sizes(i) textcolor "#202020"
    plot for [c = 2:5] data index i using c:xtic(1) title columnheader lt c - 1
    set title "gate equivalents and memory bits at ".sizes(i)
    plot for [c = 6:7] data index i using c:xtic(1) title columnheader lt c - 1
}
unset multiplot
