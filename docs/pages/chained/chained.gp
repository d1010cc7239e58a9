//% include "chained.lua"
$speed << END
${lines(kernels, function(k) return k[2], faster("bound", k, "omni"), faster("paper", k, "omni") end)}
END
//% histogram(820, 360, "Speed with chains computed where operands meet, of that with chains off, on 13 cores and on 55")
set xtics rotate by -50 font ",10"
set bmargin 8
set yrange [0:2.4]
set ylabel "speed (chains off = 1)"
set arrow 9 from -0.5, 1 to ${#kernels}-0.5, 1 nohead front lw 1 dt 2 lc rgb "#404040"
plot $speed using 2:xtic(1) title "chained_bound, 13 cores" lt 2, \
     "" using 3 title "chained_paper, 55 cores" lt 3
