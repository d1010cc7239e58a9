//% output("formal/ndp_nic_send_formal.vh")
${header{title = "what is proved of ndp_nic_send", text = [[
To come.]]}}
