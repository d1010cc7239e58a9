//% output("formal/ndp_nic_take_formal.vh")
${header{title = "what is proved of ndp_nic_take", text = [[
To come.]]}}
