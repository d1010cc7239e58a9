//% output("formal/ndp_simt_accesses_formal.vh")
${header{title = "what is proved of ndp_simt_accesses", text = [[
Soon.]]}}
