${header{title = "pipeline of the base die: words for the lanes of a pass", text = [[
Other lanes' values, as in the SIMT core: a shuffle's lane is found as PTX says, with
as many bits as a warp's lanes need; a lane that is not active gives 0.  Its words of
banks are not used here.

Latency: none, logic only.]]}}
${fragment("ndp_simt_cross.inc", {module = "ndp_far_pipe_cross"})}
