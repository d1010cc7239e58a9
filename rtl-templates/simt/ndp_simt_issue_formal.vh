//% output("formal/ndp_simt_issue_formal.vh")
${header{title = "what is proved of ndp_simt_issue", text = [[
Soon.]]}}
