//% include "nbu.lua"
//% local order = words"annotated default far near"
//% local published = {2.83, 1.57, 1.46, 1.00} -- its Figure 15, over all near
$beats << END
${lines(kernels, function(k)
    return k, map(order, function(p) return beats(replay(k, p)) end)
end)}
${line("mean", map(order, function(p)
    return mean(kernels, function(k) return beats(replay(k, p)) end)
end))}
END
$speedup << END
${line("here", map(order, function(p) return slower"near" / slower(p) end))}
${line("paper", published)}
END
//% histogram(860, 400, "TSV beats and speedup under four offload policies, beside the paper's speedup")
set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.13
# one key for both halves
set key at screen 0.5, 0.98 center top maxrows 1 width 2
set lmargin at screen 0.07
set rmargin at screen 0.66
set yrange [0:*]
set ylabel "TSV beats of 64 bits per warp instruction"
set xtics font ",10"
//% part_line(#kernels)
plot $beats using 2:xtic(1) title "annotated" lt 2, \
     "" using 3 title "hardware default" lt 5, \
     "" using 4 title "all far" lt 3, \
     "" using 5 title "all near" lt 1
unset key
unset arrow
unset ylabel
set yrange [0:4.5]
set lmargin at screen 0.72
set rmargin at screen 0.99
set title "speedup over all near" offset 0, -0.6
set xrange [-0.5:1.5]
set xtics ("here:\nunit and bus" 0, "paper:\nend to end" 1)
//% local function label(i, group, v)
//%     emit(string.format('set label "%.2f" at %g, %g center offset 0, 0.5 ' ..
//%                        'font ",9"', v, group + (i - 2.5) * 0.2, v))
//% end
//% for i, p in ipairs(order) do
//%     label(i, 0, slower"near" / slower(p))
//%     label(i, 1, published[i])
//% end
plot $speedup using 2 lt 2, "" using 3 lt 5, "" using 4 lt 3, "" using 5 lt 1
unset multiplot
