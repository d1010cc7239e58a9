//% output("formal/ndp_simt_lsu_formal.vh")
${header{title = "what is proved of ndp_simt_lsu", text = [[
Soon.]]}}
