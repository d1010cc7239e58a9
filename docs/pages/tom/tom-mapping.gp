//% include "tom.lua"
$mapping << END
${lines(placed, function(k) return paper[k], colocation(k).instances, colocation(k).lines end)}
${line("mean", located.instances, located.lines)}
paper 38 72 - - 75 38 72 - - 75
END
//% local last = #placed + 1 -- the paper's group; the workloads end before the mean
//% histogram(860, 520)
set datafile missing "-" # what the paper does not print
set yrange [0:149]
set ytics 0, 20, 100
set format y "%g %%"
set xtics font ",10"
set multiplot layout 2,1
set arrow 1 from ${last}-1.5, graph 0 to ${last}-1.5, graph 1 nohead lc rgb "#888888"
set label 1 "38" at ${last}-0.34, 38 center offset 0, 0.6 font ",9"
set label 2 "72" at ${last}-0.17, 72 center offset 0, 0.6 font ",9"
set label 3 "75" at ${last}+0.34, 75 center offset 0, 0.6 font ",9"
set key inside top right horizontal
set ylabel "lines on the block's stack"
plot $mapping using 7:xtic(1) title "baseline" lc rgb "#7a7a7a", \
     "" using 8 title "after 0.1 %" lc rgb "#e0a43a", \
     "" using 9 title "after 0.5 %" lc rgb "#b5523b", \
     "" using 10 title "after 1 %" lc rgb "#9bbad6", \
     "" using 11 title "oracle" lc rgb "#3b6ea5"
set ylabel "instances on one stack"
plot $mapping using 2:xtic(1) notitle lc rgb "#7a7a7a", \
     "" using 3 notitle lc rgb "#e0a43a", \
     "" using 4 notitle lc rgb "#b5523b", \
     "" using 5 notitle lc rgb "#9bbad6", \
     "" using 6 notitle lc rgb "#3b6ea5"
