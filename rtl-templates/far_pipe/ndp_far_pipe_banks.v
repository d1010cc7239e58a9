//% use "ndp_ram_parts.v"
//% use "ndp_far_pipe_banks_formal.vh"
${header{title = "pipeline of the base die: banks of shared memory", text = [[
A bank for each lane of a pass, as in the SIMT core.  In each bank the lowest lane of
those that ask for it wins; lanes that ask for the same word go with it.

Latency: who goes is logic only; words stand after the edge that reads them, and are
written on the edge that stores them.]]}}
${fragment("ndp_far_pipe_banks.inc", {module = "ndp_far_pipe_banks"})}
