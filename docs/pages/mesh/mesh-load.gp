//% include "mesh.lua"
# title: Latency of packets by the load that nodes offer, for five patterns of traffic
set terminal svg noenhanced size 820,400 font "Helvetica,12" background "white"
set border 3 lc rgb "#707070"
set tics nomirror textcolor "#202020"
set grid lt 1 lc rgb "#e0e0e0" lw 1
set key outside right center Left reverse
set xlabel "flits that a node offers in a cycle"
set ylabel "cycles from made to taken"
set xrange [0:0.5]
set yrange [0:300]
set datafile missing "-"
$curves << END
${lines(loads, function(l) return l, map(patterns, function(p) return latency("line-" .. p, l) end) end)}
END
plot $curves using 1:2 with linespoints lw 2 pt 7 lc rgb "#303030" title "uniform", \
     "" using 1:3 with linespoints lw 2 pt 5 lc rgb "#0a5ea8" title "transpose", \
     "" using 1:4 with linespoints lw 2 pt 9 lc rgb "#d9741a" title "complement", \
     "" using 1:5 with linespoints lw 2 pt 11 lc rgb "#7fc4ea" title "neighbour", \
     "" using 1:6 with linespoints lw 2 pt 13 lc rgb "#a02060" title "memory, there and back"
