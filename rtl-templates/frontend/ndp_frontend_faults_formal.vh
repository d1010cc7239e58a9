//% output("formal/ndp_frontend_faults_formal.vh")
${header{title = "what is proved of ndp_frontend_faults", text = [[
Nothing yet.]]}}
