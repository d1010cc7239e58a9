//% include "mpu.lua"
$energy << END
${lines(kernels, function(k)
    local c = core(k, "annotated")
    return k, map(figure10, function(p) return percent(core_energy(c, p), c.energy_pj) end),
           percent(core_energy(c, outside), c.energy_pj)
end)}
END
//% histogram(860, 360, "energy of a core by part, in percent, twelve kernels")
set style histogram rowstacked
set boxwidth 0.7
set yrange [0:100]
set ylabel "percent of the energy that Table II prices"
set xtics font ",10"
plot $energy using 2:xtic(1) title "registers, collectors" lt 2, \
     "" using 3 title "DRAM" lt 4, \
     "" using 4 title "TSVs" lt 3, \
     "" using 5 title "shared memory, extension" lt 5
