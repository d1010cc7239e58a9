//% use "ndp_memory_word.v"
//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_near_pipe_select.v"
//% use "ndp_near_pipe_banks.v"
//% use "ndp_near_pipe_shared_formal.vh"
${header{title = "near-bank pipelines: shared memory of a core", text = [[
Carries out the accesses of the units, one in turn, all lanes of it at once.  It is
taken as a whole from dispatch of its unit.

    wants -> checked -> a word of each bank, or a lane's atomic in two edges
                        -> file of the unit, ended

The next access is taken as the last lanes of one are done, so that one without
conflicts takes two edges.  It stands still where it would write a register file that
somebody else writes.

Latency: of an access that is taken on edge t the first lanes are done on t + 2, and
written on t + 3.

See docs/blocks/near_pipe.md, Shared memory.]]}}
${fragment("ndp_near_pipe_shared.inc", {module = "ndp_near_pipe_", warp = "WARP_W"})}
