//% output("formal/ndp_vc_buffer_formal.vh")
${header{title = "what is proved of ndp_vc_buffer", text = [[
To come.]]}}
