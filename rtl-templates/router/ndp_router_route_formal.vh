//% output("formal/ndp_router_route_formal.vh")
${header{title = "what is proved of ndp_router_route", text = [[
To come.]]}}
