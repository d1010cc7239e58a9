//% output("formal/ndp_broker_regs_formal.vh")
${header{title = "what is proved of ndp_broker_regs", text = [[
To come.]]}}
