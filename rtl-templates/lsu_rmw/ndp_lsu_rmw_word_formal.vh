//% output("formal/ndp_lsu_rmw_word_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_word", text = [[
To come.]]}}
