//% use "ndp_ram_parts.v"
//% use "ndp_far_pipe_lanes.v"
//% use "ndp_far_pipe_unit_formal.vh"
${header{title = "pipeline of the base die: registers, collector, lanes", text = [[
Register file of all warps, operand collector and vector ALU, as in a near-bank unit.
The collector reads an operand an edge, then the passes leave; the lanes have one
instruction, whose passes are written as they come out, until its end is told.

    take -> collector -- a pass an edge --> X1 ... X]] .. LAST .. [[ -> file, ended
               ^ an operand an edge                   |
               +------------- file <------------------+

What the lanes do not compute leaves by X1, too, when the desk asks for its passes.

Latency: of an instruction with n operands that is taken on edge t the first pass
leaves on t+2+n, without any on t+1; a pass that leaves on edge t is written on t+]] .. LAST .. [[.
One instruction in the collector, one in the lanes.

See docs/blocks/far_pipe.md.]]}}
${fragment("ndp_near_pipe_unit.inc", {
    module = "ndp_far_pipe_unit", lanes = "ndp_far_pipe_lanes", other = "the desk", is_other = "it is the desk's",
    an_other = "its instruction", other_of = "An instruction of the desk"})}
