//% include "tom.lua"
//% -- the name, and the classes in percent of the candidates of these kernels
//% local function shares(name, list)
//%     local n = offsets(list)
//%     return '"' .. name .. "\\n" .. sum(n) .. '"',
//%            map(n, function(v) return percent(v, sum(n)) end)
//% end
$offsets << END
${lines(kernels, function(k) return shares(paper[k], {k}) end)}
${line(shares("all", kernels))}
END
//% local last = #kernels -- the bar of all
//% histogram(860, 380, "Candidates by the share of their accesses at a fixed offset, beside the paper's share")
//% part_line(#kernels)
set style histogram rowstacked
set boxwidth 0.7
set yrange [0:100]
set ytics 0, 20, 100
set ylabel "candidates (%)"
set bmargin 4
set xlabel "workload, and its number of candidates" offset 0, -0.6
//% for i, k in ipairs(kernels) do
//%     if sum(offsets{k}) == 0 then
set label "none" at ${i - 1}, 0 center offset 0, 0.6 font ",10" textcolor "#606060"
//%     end
//% end
set xrange [-0.6:${last}+1.9]
# the paper's line says something of all candidates together
set arrow from ${last}-0.5, 85 to ${last}+0.55, 85 nohead front dashtype 2 lw 2.5 lc rgb "#000000"
set label "paper: 85 %" at ${last}+0.6, 85 left font ",10"
set label "have some" at ${last}+0.6, 85 left offset 0, -1 font ",10"
plot $offsets using 2:xtic(1) title "all at a fixed offset" lt 2, \
     "" using 3 title "75-99 %" lc rgb "#4a8cc4", \
     "" using 4 title "50-75 %" lt 4, \
     "" using 5 title "25-50 %" lt 5, \
     "" using 6 title "0-25 %" lt 3, \
     "" using 7 title "none" lc rgb "#ffffff"
