//% output("formal/ndp_lsu_rmw_gate_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_gate", text = [[
To come.]]}}
