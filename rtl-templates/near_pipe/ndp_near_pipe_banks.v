//% use "ndp_ram_parts.v"
${header{title = "near-bank pipelines: banks of shared memory", text = [[
A bank for each lane of a warp.  The lanes that won a bank each are connected to it.

Latency: words stand after the edge that reads them, and are written on the edge that
stores them.]]}}
${fragment("ndp_near_pipe_banks.inc", {module = "ndp_near_pipe_banks"})}
