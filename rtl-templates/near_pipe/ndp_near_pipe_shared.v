//% use "ndp_memory_word.v"
//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_near_pipe_banks.v"
//% use "ndp_near_pipe_shared_formal.vh"
//% local P = L.PASSES
${header{title = "near-bank pipelines: shared memory of a core", text = [[
Carries out one access at a time, of that of the units whose turn it is: its passes
come from the collector by way of X1, are kept and checked, and then done, one after
the other.

    wants -> X1 -> kept -> checked -> a word of each bank each, or
                                      a lane's atomic in two edges
                                      -> file of the unit, ended

It stands still where it would write a register file that somebody else writes.

Latency: the first pass is begun ]] .. P + 2 .. [[ edges after the one on which it left its collector.

See docs/blocks/near_pipe.md, Shared memory.]]}}
${fragment("ndp_near_pipe_shared.inc", {module = "ndp_near_pipe_shared", banks = "ndp_near_pipe_banks"})}
