-- workloads.lua - the paper's abbreviations of the workloads in its Table 2.
paper = readonly({
    backprop = "BP", bfs = "BFS", kmeans = "KM", cfd = "CFD", heartwall = "HW",
    libor = "LIB", raytrace = "RAY", fwt = "FWT", scalarprod = "SP",
    reduce = "RD"}, "workload")
