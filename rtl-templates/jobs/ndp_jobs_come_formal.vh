//% output("formal/ndp_jobs_come_formal.vh")
${header{title = "what is proved of ndp_jobs_come", text = [[
To come.]]}}
