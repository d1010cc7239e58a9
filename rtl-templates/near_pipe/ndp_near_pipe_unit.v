//% use "ndp_ram_parts.v"
//% use "ndp_near_pipe_lanes.v"
//% use "ndp_near_pipe_unit_formal.vh"
${header{title = "near-bank pipelines: one unit", text = [[
Register file, operand collector and vector ALU of a near-bank unit.  The collector
reads an operand an edge, then the passes leave; the lanes have one instruction,
whose passes are written as they come out, until its end is told.

    take -> collector -- a pass an edge --> X1 ... X]] .. LAST .. [[ -> file, ended
               ^ an operand an edge                   |
               +------------- file <------------------+]] .. (SHARED and [[


An access to shared memory leaves by X1, too, when that asks for its passes.]] or "") .. [[


Latency: of an instruction with n operands that is taken on edge t the first pass
leaves on t+2+n, without any on t+1; a pass that leaves on edge t is written on t+]] .. LAST .. [[.
One instruction in the collector, one in the lanes.

See docs/blocks/near_pipe.md.]]}}
${fragment("ndp_near_pipe_unit.inc", {
    module = "ndp_near_pipe_unit", lanes = "ndp_near_pipe_lanes", other = "shared memory", is_other = "it accesses shared memory",
    an_other = "an access", other_of = "An access to shared memory"})}
