//% output("formal/ndp_row_put_formal.vh")
${header{title = "what is proved of ndp_row_put", text = [[
To come.]]}}
