//% output("formal/ndp_frontend_control_formal.vh")
${header{title = "what is proved of ndp_frontend_control", text = [[
Nothing yet.]]}}
