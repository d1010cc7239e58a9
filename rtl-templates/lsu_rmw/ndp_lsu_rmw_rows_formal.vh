//% output("formal/ndp_lsu_rmw_rows_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_rows", text = [[
To come.]]}}
