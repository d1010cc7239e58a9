//% output("formal/ndp_simt_retire_formal.vh")
${header{title = "what is proved of ndp_simt_retire", text = [[
Soon.]]}}
