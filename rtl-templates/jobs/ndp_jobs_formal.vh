//% output("formal/ndp_jobs_formal.vh")
${header{title = "what is proved of ndp_jobs", text = [[
To come.]]}}
