//% output("formal/ndp_simt_faults_formal.vh")
${header{title = "what is proved of ndp_simt_faults", text = [[
Soon.]]}}
