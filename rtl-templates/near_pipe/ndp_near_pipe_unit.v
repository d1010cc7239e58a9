//% use "ndp_ram_parts.v"
//% use "ndp_near_pipe_lanes.v"
//% use "ndp_near_pipe_under.v"
//% use "ndp_near_pipe_unit_formal.vh"
${header{title = "near-bank pipelines: one unit", text = [[
Register file, operand collector and vector ALU of a near-bank unit.  The collector
reads the next instruction's operands while the passes of one leave, and the lanes have
several instructions under way, whose passes are written as they come out.

    take -> collector -> dispatch -- a pass an edge --> X1 ... X]] .. LAST .. [[ -> file, ended
               ^ an operand an edge                               |
               +--------------------- file <----------------------+]] .. (SHARED and [[


An access to shared memory leaves by X1, too, when that asks for its passes.]] or "") .. [[


Latency: of an instruction with n operands that is taken on edge t the first pass
leaves on t+2+n; a pass that leaves on edge t is written on t+]] .. LAST .. [[.  One instruction
in the collector, one in dispatch, up to ]] .. L.LANES_DEPTH .. [[ in the lanes.

See docs/blocks/near_pipe.md.]]}}
${fragment("ndp_near_pipe_unit.inc", {
    module = "ndp_near_pipe_unit", lanes = "ndp_near_pipe_lanes", other = "shared memory", is_other = "it accesses shared memory",
    an_other = "an access", other_of = "An access to shared memory"})}
