//% output("formal/ndp_far_pipe_shared_formal.vh")
${header{title = "what is proved of ndp_far_pipe_shared", text = [[
Demands on the units (q_*), asserted inside another module: a unit that wants goes on
wanting until its access was taken, and an end is told when there is one.

Any lane (f_l) of any access is done once if it is active and the access has no lane
that is wrong, and else never; its word is put once, into the file of its unit.  Which
lanes are wrong is noted apart.  Choice, banks and windows are open: they give anything.]]}}
${fragment("ndp_near_pipe_shared_formal.inc", {macro = "NDP_FAR_PIPE_SHARED"})}
