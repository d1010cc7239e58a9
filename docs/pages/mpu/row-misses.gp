//% include "mpu.lua"
$misses << END
${lines(kernels, function(k)
    return k, map(open_rows, function(n) return misses(k, n) end)
end)}
${line("mean", map(open_rows, function(n) return mean_misses(n) end))}
${line("paper", map(open_rows, function(n) return published_misses[n] end))}
END
//% histogram(860, 360, "row-buffer misses with one, two and four open rows, beside the paper's")
set yrange [0:*]
set ylabel "misses, percent of bursts"
set xtics font ",10"
//% part_line(#kernels)
plot $misses using 2:xtic(1) title "one row" lt 3, \
     "" using 3 title "two rows" lt 5, \
     "" using 4 title "four rows" lt 2
