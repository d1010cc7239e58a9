//% include "concurrent.lua"
$used << END
${lines(mixes, function(m) return "mix" .. m, map(words"dot_p dot_s copy_p copy_s", function(k) return used(k .. m) end) end)}
END
//% histogram(860, 360, "Share of the idle rank bandwidth that accelerators use, with and without the partition of banks")
set yrange [0:105]
set ytics 0, 20, 100
set ylabel "used of the idle time, at tCCD_L (%)"
set bmargin 3
set arrow from graph 0, first 97 to graph 1, first 97 nohead front dashtype 2 lw 1.5 lc rgb "#000000"
set label "paper: up to 97 %" at graph 0.01, first 97 left offset 0, 0.6 font ",10"
plot $used using 2:xtic(1) title "DOT, partition" lt 2, \
     "" using 3 title "DOT, shared banks" lt 4, \
     "" using 4 title "COPY, partition" lt 3, \
     "" using 5 title "COPY, shared banks" lt 5
