//% include "tom.lua"
$mapping << END
${lines(placed, function(k) return paper[k], colocation(k).instances, colocation(k).lines,
                                     colocation(k).bound.lines end)}
${line("mean", located.instances, located.lines, located.bound)}
paper 38 72 - - 75 38 72 - - - 75
END
//% local last = #placed + 1 -- the paper's group; the workloads end before the mean
//% histogram(860, 560, "Co-location under the baseline, the learned and the best mapping, beside the paper's means")
//% part_line(#placed)
set datafile missing "-" # what the paper does not print
set yrange [0:115]
set ytics 0, 20, 100
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.98
set linetype 6 lc rgb "#ffffff" lw 0.5
set label 1 "38" at ${last}-0.36, 38 center offset 0, 0.6 font ",10"
set label 2 "72" at ${last}-0.21, 72 center offset 0, 0.6 font ",10"
set label 3 "75" at ${last}+0.36, 75 center offset 0, 0.6 font ",10"
set tmargin at screen 0.91
set bmargin at screen 0.55
set key at screen 0.535, 0.985 center top maxrows 1
set ylabel "lines on the block's stack (%)"
plot $mapping using 7:xtic(1) title "baseline" lt 1, \
     "" using 8 title "after 0.1 %" lt 3, \
     "" using 9 title "after 0.5 %" lt 5, \
     "" using 10 title "after 1 %" lt 4, \
     "" using 11 title "after all" lt 2, \
     "" using 12 title "bound by lines" lt 6
unset key
set label 1 "38" at ${last}-0.34, 38 center offset 0, 0.6 font ",10"
set label 2 "72" at ${last}-0.17, 72 center offset 0, 0.6 font ",10"
set label 3 "75" at ${last}+0.34, 75 center offset 0, 0.6 font ",10"
set tmargin at screen 0.44
set bmargin at screen 0.08
set ylabel "instances on one stack (%)"
plot $mapping using 2:xtic(1) lt 1, "" using 3 lt 3, "" using 4 lt 5, \
     "" using 5 lt 4, "" using 6 lt 2
unset multiplot
