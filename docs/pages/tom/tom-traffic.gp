//% include "tom.lua"
//% local configs = words"ub ul cb cl"
//% -- on a logarithmic axis whose bars begin at 100 %: up is more flits, down fewer
//% local function log(v) return math.log(v / 100, 10) end
$traffic << END
${lines(kernels, function(k) return paper[k], map(configs, function(c) return log(part(c, k)) end) end)}
${line("mean", map(configs, function(c) return log(mean(parts(c))) end))}
${line('"all flits"', map(configs, function(c) return log(pooled(c)) end))}
${line("paper", "-", log(62), "-", log(87))}
END
//% local last = #kernels + 2 -- the paper's group; the workloads end before the mean
//% histogram(860, 400, "Flits on all links with offloading, by workload, beside the paper's means")
//% part_line(#kernels)
set datafile missing "-" # what the paper does not print
set yrange [${f3(log(15))}:${f3(log(1200))}]
set ytics ( \
//% for i, v in ipairs{20, 50, 100, 200, 500, 1000} do
    "${v}" ${f3(log(v))}${v == 1000 and ")" or ", \\"}
//% end
set ylabel "flits, of those without offloading (%), log scale"
set arrow from graph 0, first 0 to graph 1, first 0 nohead front lc rgb "#000000"
set label 1 "62" at ${last}-0.1, ${f3(log(62))} center offset 0, -0.7 font ",10"
set label 2 "87" at ${last}+0.3, ${f3(log(87))} center offset 0, -0.7 font ",10"
//% for i, k in ipairs(kernels) do
//%     if part("ub", k) == 100 and part("cl", k) == 100 then
set label "100" at ${i - 1}, 0 center offset 0, 0.6 font ",10" textcolor "#606060"
//%     end
//% end
plot $traffic using 2:xtic(1) title "uncontrolled, baseline map" lt 5, \
     "" using 3 title "uncontrolled, learned" lt 3, \
     "" using 4 title "controlled, baseline map" lt 4, \
     "" using 5 title "controlled, learned" lt 2
