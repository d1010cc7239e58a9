//% output("formal/ndp_jobs_done_formal.vh")
${header{title = "what is proved of ndp_jobs_done", text = [[
To come.]]}}
