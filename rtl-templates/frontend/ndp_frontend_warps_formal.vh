//% output("formal/ndp_frontend_warps_formal.vh")
${header{title = "what is proved of ndp_frontend_warps", text = [[
Nothing yet.]]}}
