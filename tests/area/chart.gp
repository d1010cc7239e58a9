# chart.gp - the size of each block: logic cells of four FPGA families above, gate
# equivalents and memory bits below; the papers' sizes at the left, presets for boards
# at the right.  A row a block and a logarithmic axis, since blocks differ much;
# points and no bars, since a bar's length says nothing on such an axis.
#
#   gnuplot -e "data='FILE'; picture='FILE.svg'" chart.gp
#
# FILE comes from chart.awk.  The next line names the picture, scripts/picture.awk
# puts it in.
# title: Size of each block: logic cells, gate equivalents and memory bits
set datafile missing "-"
stats data using 0 index 0 nooutput
rows = int(STATS_records)
# a row has the height of its name, whatever their number: pixels from above of
# the two plots' edges, and where that is of the screen
plot = 14.0 * rows
tall = 260 + 2 * plot
upper = 84
lower = upper + plot + 126
at(y) = 1 - y / tall
set terminal svg size 900,tall font "Helvetica,12" noenhanced background "#ffffff"
set output picture

set logscale x
set yrange [rows - 0.4:-0.6] # the first block above
set border 3 lc rgb "#707070"
set tics nomirror textcolor "#202020"
set ytics scale 0
set xtics ("10" 10, "100" 100, "1000" 1000, "10 000" 1e4, "100 000" 1e5, \
    "1 million" 1e6)
set grid xtics ytics lt 1 lc rgb "#e4e4e4" lw 1
# dark to light, so that they are told apart in grey; and each its own shape
set linetype 1 lc rgb "#0a3d73" pt 7 ps 0.75
set linetype 2 lc rgb "#d55e00" pt 5 ps 0.7
set linetype 3 lc rgb "#2b8cbe" pt 9 ps 0.8
set linetype 4 lc rgb "#202020" pt 12 ps 0.9
set linetype 5 lc rgb "#0a3d73" pt 7 ps 0.8
set linetype 6 lc rgb "#d55e00" pt 4 ps 0.9
set linetype 7 lc rgb "#202020" pt 2 ps 0.8
bar = "with vectors nohead lt 1 lc rgb '#b0b0b0' lw 2"

# the keys, above what they explain: gnuplot's own are no wider than one plot
unset key
set label 1 "iCE40, packed cells" at screen 0.15, at(30) point lt 1 offset 1, -0.2
set label 2 "ECP5, LUT4" at screen 0.38, at(30) point lt 2 offset 1, -0.2
set label 3 "Xilinx 7, LUT6" at screen 0.55, at(30) point lt 3 offset 1, -0.2
set label 4 "Gowin, LUT4" at screen 0.74, at(30) point lt 4 offset 1, -0.2
set label 5 "gate equivalents" at screen 0.15, at(lower - 50) point lt 5 offset 1, -0.2
set label 6 "bits of memory" at screen 0.38, at(lower - 50) point lt 6 offset 1, -0.2
set label 7 "bits of tables, of the paper (TOM, 6.6)" \
    at screen 0.55, at(lower - 50) point lt 7 offset 1, -0.2

sizes = "'the sizes of the papers' 'presets for boards'"
name(s) = i == 0 ? s : ""
left(i) = i == 0 ? 0.14 : 0.58
set multiplot
do for [i = 0:1] {
    set lmargin at screen left(i)
    set rmargin at screen left(i) + 0.39
    set tmargin at screen at(upper)
    set bmargin at screen at(upper + plot)
    set xrange [8:30000]
    set title "LUTs and logic cells, ".word(sizes, i + 1) offset 0, -0.5
    set xlabel "cells, log scale" offset 0, 0.4
    plot data index i using 6:0:($7 - $6):(0) @bar, \
         "" index i using 2:0:ytic(name(strcol(1))) lt 1 with points, \
         "" index i using 3:0 lt 2 with points, \
         "" index i using 4:0 lt 3 with points, \
         "" index i using 5:0 lt 4 with points
    unset label # the keys are drawn

    set tmargin at screen at(lower)
    set bmargin at screen at(lower + plot)
    set xrange [30:5e6]
    set title "gate equivalents and memory, ".word(sizes, i + 1) offset 0, -0.5
    set xlabel "gate equivalents; bits of memory; log scale" offset 0, 0.4
    # the papers count nothing at presets for boards: there the bits stand twice
    plot data index i using 8:0:ytic(name(strcol(1))) lt 5 with points, \
         "" index i using 9:0 lt 6 with points, \
         "" index i using 10 - i:0 lt 7 - i with points
}
unset multiplot
