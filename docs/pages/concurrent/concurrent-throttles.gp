//% include "concurrent.lua"
//% local order = words"copy_p four_ sixteen_ next_"
$host << END
${lines(mixes, function(m) return "mix" .. m, map(order, function(k) return host(k .. m, "host_p" .. m) end) end)}
END
$near << END
${lines(mixes, function(m) return "mix" .. m, map(order, function(k) return near(k .. m) end) end)}
END
//% histogram(860, 560, "Host and accelerators that copy, under four throttles of the accelerators' writes")
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.98
set tmargin at screen 0.91
set bmargin at screen 0.53
set key at screen 0.535, 0.985 center top maxrows 1
set yrange [0:105]
set ytics 0, 20, 100
set ylabel "host, of its speed alone (%)"
plot $host using 2:xtic(1) title "none" lt 1, "" using 3 title "1/4" lt 3, \
     "" using 4 title "1/16" lt 5, "" using 5 title "next-rank" lt 2
unset key
set tmargin at screen 0.46
set bmargin at screen 0.07
set yrange [0:*]
set ytics autofreq
set ylabel "accelerators (GB/s)"
plot $near using 2:xtic(1) lt 1, "" using 3 lt 3, "" using 4 lt 5, "" using 5 lt 2
unset multiplot
