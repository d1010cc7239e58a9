//% output("formal/ndp_far_pipe_banks_formal.vh")
${header{title = "what is proved of ndp_far_pipe_banks", text = [[
Of any two lanes (f_a below f_b): who wins is the lowest of its bank, and who goes
without winning wants the very word of who wins there.  The memories are open.]]}}
${fragment("ndp_far_pipe_banks_formal.inc", {macro = "NDP_FAR_PIPE"})}
