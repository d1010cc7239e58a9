//% include "chained.lua"
$hops << END
${lines(kernels, function(k) return k[2], 100 - saved(k, "llc", "flit_hops"), 100 - saved(k, "omni", "flit_hops") end)}
END
//% histogram(820, 360, "Flits times links on a machine of six cores with chains computed at memories and at any node, in percent of those without")
set xtics rotate by -50 font ",10"
set bmargin 8
set yrange [0:140]
set ylabel "flits times links (% of chains off)"
set arrow 9 from -0.5, 100 to ${#kernels}-0.5, 100 nohead front lw 1 dt 2 lc rgb "#404040"
plot $hops using 2:xtic(1) title "at memory nodes (LLC-Compute)" lt 2, \
     "" using 3 title "at every node (Omni-Compute)" lt 3
