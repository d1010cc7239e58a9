//% output("formal/ndp_near_pipe_under_formal.vh")
${header{title = "what is proved of ndp_near_pipe_under", text = [[
Demands on the unit (q_*), asserted inside another module: none begins without room, a
last pass comes only of one that is there, and an end is told when there is one.

Any one instruction is followed from its begin on, with how many are before it.]]}}
${fragment("ndp_near_pipe_under_formal.inc", {macro = "NDP_NEAR_PIPE"})}
