//% output("formal/ndp_broker_formal.vh")
${header{title = "what is proved of ndp_broker", text = [[
To come.]]}}
