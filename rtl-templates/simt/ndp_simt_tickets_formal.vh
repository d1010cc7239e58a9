//% output("formal/ndp_simt_tickets_formal.vh")
${header{title = "what is proved of ndp_simt_tickets", text = [[
Soon.]]}}
