//% output("formal/ndp_simt_cross_formal.vh")
${header{title = "what is proved of ndp_simt_cross", text = [[
Soon.]]}}
