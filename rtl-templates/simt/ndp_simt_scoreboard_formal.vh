//% output("formal/ndp_simt_scoreboard_formal.vh")
${header{title = "what is proved of ndp_simt_scoreboard", text = [[
Soon.]]}}
