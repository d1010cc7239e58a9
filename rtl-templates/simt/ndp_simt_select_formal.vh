//% output("formal/ndp_simt_select_formal.vh")
${header{title = "what is proved of ndp_simt_select", text = [[
Soon.]]}}
