//% include "image.lua"
$missrate << END
${lines(kernels, function(k) return k, of("miss", k, words"base sync-none sync-pws sync-exact") end)}
END
//% histogram(940, 360)
set logscale y
set yrange [0.01:100]
set format y "%g %%"
set ylabel "L1 loads that miss"
set key above horizontal
set xtics scale 0
plot $missrate using 2:xtic(1) title "baseline, 32 KB" lc rgb "#7a7a7a", \
     "" using 3 title "pattern-aware" lc rgb "#b5523b", \
     "" using 4 title "with PWS" lc rgb "#e0a43a", \
     "" using 5 title "with the prefetcher" lc rgb "#3b6ea5"
