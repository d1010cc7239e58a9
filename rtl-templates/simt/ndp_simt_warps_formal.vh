//% output("formal/ndp_simt_warps_formal.vh")
${header{title = "what is proved of ndp_simt_warps", text = [[
Soon.]]}}
