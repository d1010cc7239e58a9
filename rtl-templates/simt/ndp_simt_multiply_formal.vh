//% output("formal/ndp_simt_multiply_formal.vh")
${header{title = "what is proved of ndp_simt_multiply", text = [[
Soon.]]}}
