//% output("formal/ndp_simt_formal.vh")
${header{title = "what is proved of ndp_simt", text = [[
Soon.]]}}
