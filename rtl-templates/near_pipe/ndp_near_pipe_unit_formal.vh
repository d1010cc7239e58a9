//% output("formal/ndp_near_pipe_unit_formal.vh")
${header{title = "what is proved of ndp_near_pipe_unit", text = [[
Demands on the user (q_*), asserted of each unit inside another module: an
instruction comes when the collector is empty and has one result or none, an end is
told when there is one, and a row is written for another when the lanes do not write
and it is not left to read.

The instructions in the unit are noted apart, the older one and the younger; each is
in one place, its passes are written once each, and what it reads, writes and tells
is its own.  Arithmetic and file are open: they give anything.]] .. (SHARED and [[


An access to shared memory is given when it is wanted, all its passes one after the
other; it is in the collector, and nowhere else, until the last one.]] or "") .. [[
]]}}
${fragment("ndp_near_pipe_unit_formal.inc", {macro = "NDP_NEAR_PIPE"})}
