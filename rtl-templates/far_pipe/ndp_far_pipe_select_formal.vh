//% output("formal/ndp_far_pipe_select_formal.vh")
${header{title = "what is proved of ndp_far_pipe_select", text = [[
Of any two lanes (f_a below f_b): who wins is the lowest of its bank, and who goes
without winning wants the very word of who wins there.]]}}
${fragment("ndp_near_pipe_select_formal.inc", {macro = "NDP_FAR_PIPE_SELECT"})}
