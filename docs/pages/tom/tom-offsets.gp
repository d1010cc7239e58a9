//% include "tom.lua"
//% -- the name, and the classes in percent of the candidates of these kernels
//% local function shares(name, list)
//%     local n = offsets(list)
//%     return '"' .. name .. " (" .. sum(n) .. ')"',
//%            map(n, function(v) return percent(v, sum(n)) end)
//% end
$offsets << END
${lines(kernels, function(k) return shares(paper[k], {k}) end)}
${line(shares("all", kernels))}
END
//% histogram(860, 340)
set style histogram rowstacked
set boxwidth 0.7
set yrange [0:100]
set ytics 0, 20, 100
set format y "%g %%"
set xtics font ",10"
set key outside top center horizontal reverse Left
set ylabel "candidates"
set xlabel "workload (candidates)"
set arrow 1 from graph 0, first 85 to graph 1, first 85 nohead front dashtype 2 lw 1.5 lc rgb "#000000"
plot $offsets using 2:xtic(1) title "all at a fixed offset" lc rgb "#3b6ea5", \
     "" using 3 title "75-99 %" lc rgb "#6f97c0", \
     "" using 4 title "50-75 %" lc rgb "#9bbad6", \
     "" using 5 title "25-50 %" lc rgb "#e0a43a", \
     "" using 6 title "0-25 %" lc rgb "#b5523b", \
     "" using 7 title "none" lc rgb "#b9b9b9", \
     NaN with lines dashtype 2 lw 1.5 lc rgb "#000000" title "paper: some, of all"
