${header{title = "SIMT core: words for the lanes of a pass", text = [[
One crossbar: for loads of shared memory from banks, for shuffles from other lanes.
A shuffle's lane is found as PTX says, with as many bits as a warp's lanes need; a
lane that is not active gives 0.

Latency: none, logic only.]]}}
${fragment("ndp_simt_cross.inc", {module = "ndp_simt_cross"})}
