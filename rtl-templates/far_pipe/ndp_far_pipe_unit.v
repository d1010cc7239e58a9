//% use "ndp_ram_parts.v"
//% use "ndp_far_pipe_lanes.v"
//% use "ndp_far_pipe_under.v"
//% use "ndp_far_pipe_unit_formal.vh"
${header{title = "pipeline of the base die: registers, collector, lanes", text = [[
Register file of all warps, operand collector and vector ALU, as in a near-bank unit,
but that the collector reads the next instruction's operands while the passes of one
leave, and that the lanes have several instructions under way, whose passes are written
as they come out.

    take -> collector -> dispatch -- a pass an edge --> X1 ... X]] .. LAST .. [[ -> file, ended
               ^ an operand an edge                               |
               +--------------------- file <----------------------+

What the lanes do not compute leaves by X1, too, when the desk asks for its passes.

Latency: of an instruction with n operands that is taken on edge t the first pass
leaves on t+2+n; a pass that leaves on edge t is written on t+]] .. LAST .. [[.  One instruction
in the collector, one in dispatch, up to ]] .. L.LANES_DEPTH .. [[ in the lanes.

See docs/blocks/far_pipe.md.]]}}
${fragment("ndp_near_pipe_unit.inc", {
    module = "ndp_far_pipe_unit", lanes = "ndp_far_pipe_lanes", other = "the desk", is_other = "it is the desk's",
    an_other = "its instruction", other_of = "An instruction of the desk"})}
