//% include "image.lua"
//% local configs = words"base sync-none sync-pws sync-exact"
$missrate << END
${lines(kernels, function(k) return k, of("miss", k, configs) end)}
${line("mean", map(configs, function(c) return average(c, "miss") end))}
paper 69 - - -
END
//% histogram(860, 380, "L1 loads that miss, by kernel and prefetcher, beside the paper's mean")
//% part_line(#kernels)
set datafile missing "-" # what the paper does not print
set logscale y
set xtics font ",11"
set yrange [0.01:200]
set ytics (0.01, 0.1, 1, 10, 100)
set ylabel "L1 loads that miss (%), log scale"
//% local last = #kernels + 1
//% -- its reduction: to this much of its baseline
//% local rest = 69 * (1 - 0.775)
set label 1 "69" at ${last}-0.3, 69 center offset 0, 0.6 font ",10"
set arrow 2 from ${last}-0.1, ${f2(rest)} to ${last}+0.5, ${f2(rest)} nohead front lw 2.5 lc rgb "#0a5ea8"
set arrow 3 from ${last}+0.2, 69 to ${last}+0.2, ${f2(rest)} front lc rgb "#404040"
set label 3 "77.5 %" at ${last}+0.2, ${f2(rest)} center offset 0, -0.8 font ",10"
set label 4 "fewer" at ${last}+0.2, ${f2(rest)} center offset 0, -1.7 font ",10"
plot $missrate using 2:xtic(1) title "baseline, 32 KB" lt 1, \
     "" using 3 title "pattern-aware" lt 3, \
     "" using 4 title "with PWS" lt 5, \
     "" using 5 title "with the prefetcher" lt 2
