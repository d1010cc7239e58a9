//% output("formal/ndp_frontend_dispatch_formal.vh")
${header{title = "what is proved of ndp_frontend_dispatch", text = [[
Nothing yet.]]}}
