//% include "mpu_core.lua"
$times << END
${lines(kernels, function(k)
    return k, map(policies, function(p) return 100 * cycles(k, p) / cycles(k, "far") end)
end)}
END
//% histogram(820, 360, "Cycles of MPU's kernels on a core of MPU under four policies, in percent of those with nothing near")
set xtics rotate by -50 font ",10"
set bmargin 6
set yrange [0:*]
set ylabel "cycles (% of far)"
set arrow 9 from -0.5, 100 to ${#kernels}-0.5, 100 nohead front lw 1 dt 2 lc rgb "#404040"
plot $times using 2:xtic(1) title "annotated" lt 2, \
     "" using 3 title "default" lt 3, \
     "" using 4 title "near" lt 4
