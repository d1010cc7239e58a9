//% output("formal/ndp_simt_host_formal.vh")
${header{title = "what is proved of ndp_simt_host", text = [[
Soon.]]}}
