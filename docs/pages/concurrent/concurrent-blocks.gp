//% include "concurrent.lua"
$blocks << END
${lines(blocks, function(n)
    return n, host("two_" .. n, "host_p1"), host("more_" .. n, "more_host"),
           percent(near("two_" .. n), near("two_1024")), percent(near("more_" .. n), near("more_1024"))
end)}
END
//% histogram(860, 340, "Host and accelerators by the bursts that an instruction covers, with two and four ranks a channel")
set yrange [0:110]
set ytics 0, 20, 100
set ylabel "of alone, of large ones (%)"
set xlabel "bursts of an instruction"
set bmargin 4
plot $blocks using 2:xtic(1) title "host, two ranks" lt 2, \
     "" using 3 title "host, four ranks" lt 4, \
     "" using 4 title "accelerators, two ranks" lt 3, \
     "" using 5 title "accelerators, four ranks" lt 5
