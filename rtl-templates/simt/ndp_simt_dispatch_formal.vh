//% output("formal/ndp_simt_dispatch_formal.vh")
${header{title = "what is proved of ndp_simt_dispatch", text = [[
Soon.]]}}
