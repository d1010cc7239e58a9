//% use "ndp_memory_word.v"
//% use "ndp_ram.v"
//% use "ndp_far_pipe_banks.v"
//% use "ndp_far_pipe_shared_formal.vh"
//% local P = L.PASSES
${header{title = "pipeline of the base die: shared memory of a core", text = [[
Carries out one access at a time, as shared memory of the near-bank pipelines does: its
passes come from dispatch by way of X1, are kept and checked, and then done, one
after the other.

    wants -> X1 -> kept -> checked -> a word of each bank each, or
                                      a lane's atomic in two edges
                                      -> register file, ended

It stands still where it would write the register file that somebody else writes.

Latency: the first pass is begun ]] .. P + 2 .. [[ edges after the one on which it left its collector.

See docs/blocks/far_pipe.md, and docs/blocks/near_pipe.md, Shared memory.]]}}
${fragment("ndp_far_pipe_shared.inc", {module = "ndp_far_pipe_shared", banks = "ndp_far_pipe_banks"})}
