//% include "omni.lua"
//% local all = {table.unpack(workloads)}
//% for _, w in ipairs(micro) do all[#all + 1] = w end
$hops << END
${lines(all, function(w) return w[2], 100 - saved("llc", w), 100 - saved("omni", w) end)}
END
//% histogram(1020, 400, "Weighted hops with chains computed at memory nodes and at every node, in percent of those without")
set xtics rotate by -50 font ",10"
set bmargin 8
set yrange [0:140]
set ylabel "weighted hops (% of no offloading)"
//% part_line(#workloads)
set arrow 9 from -0.5, 100 to ${#all}-0.5, 100 nohead front lw 1 dt 2 lc rgb "#404040"
plot $hops using 2:xtic(1) title "at memory nodes (LLC-Compute)" lt 2, \
     "" using 3 title "at every node (Omni-Compute)" lt 3
