//% output("formal/ndp_far_pipe_unit_formal.vh")
${header{title = "what is proved of ndp_far_pipe_unit", text = [[
That which is proved of a near-bank unit: demands on the user (q_*), asserted inside
another module; each instruction in the unit is in one place, its passes are written
once each, and what it reads, writes and tells is its own; one of the desk is in the
collector, and nowhere else, until its last pass has left.  Arithmetic and file are
open: they give anything.]]}}
${fragment("ndp_near_pipe_unit_formal.inc", {macro = "NDP_FAR_PIPE"})}
