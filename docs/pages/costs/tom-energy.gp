//% include "costs.lua"
//% local function bar(name, cores, l, m) return line('"' .. name .. '"', cores, l, m) end
$energy << END
//% for _, k in ipairs(costed) do
${bar(paper[k], parts_of_all("cl", k))}
//% end
//% local function mean_part(i)
//%     return mean_of(function(c, k) return (select(i, parts_of_all(c, k))) end, "cl")
//% end
${bar("mean", mean_part(1), mean_part(2), mean_part(3))}
${bar("paper", 68, 5, 16)}
END
//% histogram(860, 400, "Energy with offloading by source, in percent of that without; the cores' share is the paper's")
//% part_line(#costed)
set style histogram rowstacked
set boxwidth 0.7
set yrange [0:*]
set ylabel "energy, of that without offloading (%)"
set arrow from graph 0, first 100 to graph 1, first 100 nohead front lc rgb "#000000"
plot $energy using 2:xtic(1) title "cores (the paper's share)" lt 5, \
     "" using 3 title "links" lt 3, \
     "" using 4 title "memories" lt 2
