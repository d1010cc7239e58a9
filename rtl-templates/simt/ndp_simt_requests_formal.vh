//% output("formal/ndp_simt_requests_formal.vh")
${header{title = "what is proved of ndp_simt_requests", text = [[
Soon.]]}}
