//% output("formal/ndp_simt_control_formal.vh")
${header{title = "what is proved of ndp_simt_control", text = [[
Soon.]]}}
