//% output("formal/ndp_far_pipe_shared_formal.vh")
${header{title = "what is proved of ndp_far_pipe_shared", text = [[
That which is proved of shared memory of the near-bank pipelines, with one collector
that asks: demands on it (q_*), asserted inside another module; any lane of any access
is done once if it is active and the access has no lane that is wrong, and else never.
Banks and windows are open: they give anything.]]}}
${fragment("ndp_far_pipe_shared_formal.inc", {macro = "NDP_FAR_PIPE"})}
