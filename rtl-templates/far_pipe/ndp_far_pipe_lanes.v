//% use "ndp_simt_alu.v"
//% local Q = LAST
${header{title = "pipeline of the base die: vector ALU", text = [[
The SIMT core's arithmetic for each lane of a pass, and what its stages have to know
of the operation, which is the same for all.

    X1: word, a, b, c, p -> X2 ... X]] .. Q .. [[: value

Latency: ]] .. L.FMA_L .. [[ edges, from X1 to X]] .. Q .. [[.  A pass each edge.]]}}
${fragment("ndp_near_pipe_lanes.inc", {module = "ndp_far_pipe_lanes"})}
