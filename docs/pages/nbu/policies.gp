//% include "nbu.lua"
$beats << END
${lines(kernels, function(k)
    return k, map(words"annotated default near far", function(p) return beats(replay(k, p)) end)
end)}
END
//% histogram(820, 330)
set ylabel "TSV beats per warp instruction"
set key top right horizontal
plot $beats using 2:xtic(1) title "annotated" lc rgb "#3b6ea5", \
     "" using 3 title "hardware default" lc rgb "#e0a43a", \
     "" using 5 title "all far" lc rgb "#7a7a7a", \
     "" using 4 title "all near" lc rgb "#b5523b"
