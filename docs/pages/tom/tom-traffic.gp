//% include "tom.lua"
//% local configs = words"ub ul cb cl"
$traffic << END
${lines(kernels, function(k) return paper[k], 100, map(configs, function(c) return part(c, k) end) end)}
${line("mean", 100, map(configs, function(c) return mean(parts(c)) end))}
${line('"all flits"', 100, map(configs, pooled))}
paper 100 - 62 - 87
END
//% local last = #kernels + 2 -- the paper's group; the workloads end before the mean
//% histogram(860, 340)
set datafile missing "-" # what the paper does not print
set logscale y
set yrange [10:2000]
set ytics (10, 20, 50, 100, 200, 500, 1000)
set format y "%g %%"
set xtics font ",10"
set arrow 1 from ${last}-2.5, graph 0 to ${last}-2.5, graph 1 nohead lc rgb "#888888"
set label 1 "62" at ${last}, 62 center offset 0, 0.6 font ",9"
set label 2 "87" at ${last}+0.36, 87 center offset 0, 0.6 font ",9"
set ylabel "flits, without offloading = 100 %"
set key outside top center horizontal
plot $traffic using 2:xtic(1) title "off" lc rgb "#7a7a7a", \
     "" using 3 title "uncontrolled, baseline map" lc rgb "#e0a43a", \
     "" using 4 title "uncontrolled, learned" lc rgb "#b5523b", \
     "" using 5 title "controlled, baseline map" lc rgb "#9bbad6", \
     "" using 6 title "controlled, learned" lc rgb "#3b6ea5"
