//% output("formal/ndp_broker_share_formal.vh")
${header{title = "what is proved of ndp_broker_share", text = [[
To come.]]}}
