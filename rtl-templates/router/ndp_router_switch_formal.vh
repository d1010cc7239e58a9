//% output("formal/ndp_router_switch_formal.vh")
${header{title = "what is proved of ndp_router_switch", text = [[
To come.]]}}
