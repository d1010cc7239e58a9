//% output("formal/ndp_near_pipe_unit_formal.vh")
${header{title = "what is proved of ndp_near_pipe_unit", text = [[
Demands on the user (q_*), asserted of each unit inside another module.  The passes of
the lanes come out in the order in which they left, all of an instruction and its last one
as such; what the lanes have is what began and is not told (in which order:
ndp_near_pipe_under); what an instruction reads, takes along and writes is its own.
Arithmetic and file are open: they give anything.]] .. (SHARED and [[


An access to shared memory is in the collector and in dispatch, and nowhere else, until
its last pass was given.]] or "") .. [[
]]}}
${fragment("ndp_near_pipe_unit_formal.inc", {macro = "NDP_NEAR_PIPE"})}
