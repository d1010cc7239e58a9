//% output("formal/ndp_lsu_rmw_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw", text = [[
To come.]]}}
