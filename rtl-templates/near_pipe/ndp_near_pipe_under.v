//% use "ndp_near_pipe_under_formal.vh"
${header{title = "near-bank pipelines: instructions that the lanes have", text = [[
Up to ]] .. L.LANES_DEPTH .. [[ of them, each from its first pass until its end is told: the passes come out, and
the ends are told, in the order in which they began.

    begins -> kept -- oldest with passes to come --> out_at
                   -- oldest ---------------------> ended ... told

Latency: an instruction is shown from the edge after the one on which it began; it has
ended after the edge on which its last pass came.

See docs/blocks/near_pipe.md.]]}}
${fragment("ndp_near_pipe_under.inc", {module = "ndp_near_pipe_under"})}
