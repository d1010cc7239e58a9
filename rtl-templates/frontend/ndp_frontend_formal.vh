//% output("formal/ndp_frontend_formal.vh")
${header{title = "what is proved of ndp_frontend", text = [[
Nothing yet.]]}}
