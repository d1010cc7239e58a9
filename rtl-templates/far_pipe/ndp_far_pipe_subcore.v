${header{title = "pipeline of the base die: subcore", text = [[
Executes what a near-bank unit keeps on the base die: a collector and lanes as those of
the near-bank pipelines, with the registers of its warps, and a desk for what never
goes near.

    exec, code -> entry -> unit, desk -> ended -> done, in turn
    read -> held -> file -> data
    write, init -> file, when nobody else has it
    desk -> access, ask ... ended, carried -> opens -> done

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; code, param, value,
ended, resolve, fault and data cannot be refused; write and init are taken no sooner
than an edge after they came.  Fields are zero while valid is low.

Latency: an instruction with n operands has its end at done after ]] .. L.PASSES + L.FMA_L + 4 .. [[ + n edges and more.

Ports are those of the block, and warps have their numbers in the subcore.

See docs/blocks/far_pipe.md.]]}}
${fragment("ndp_far_pipe_subcore.inc", {module = "ndp_far_pipe_subcore", ports = subcore_ports{
    "done_valid", "done_warp", "done_tag", "done_ticket", "data_valid", "write_ready", "init_ready"}})}
