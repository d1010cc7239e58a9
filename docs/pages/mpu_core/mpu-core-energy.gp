//% include "mpu_core.lua"
$energy << END
${lines(kernels, function(k)
    return k, map(priced, function(p) return percent(energy(k, "core-annotated", p), energy(k, "core-annotated")) end)
end)}
END
//% histogram(820, 360, "Energy of a core of MPU by part, in percent, kernels on its machine")
set style histogram rowstacked
set boxwidth 0.7
set yrange [0:100]
set ylabel "percent of the energy that Table II prices"
set xtics font ",10"
plot $energy using 2:xtic(1) title "registers, collectors" lt 2, \
     "" using 3 title "DRAM" lt 4, \
     "" using 4 title "wires between the dies" lt 3, \
     "" using 5 title "shared memory, extension" lt 5
