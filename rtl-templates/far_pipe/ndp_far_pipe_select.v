//% use "ndp_far_pipe_select_formal.vh"
${header{title = "pipeline of the base die: which lanes access shared memory", text = [[
In each bank the lowest lane of those that ask for it wins; lanes that ask for the same
word go with it.

    ask, places -> wins, goes

Latency: none.

See docs/blocks/near_pipe.md, Shared memory.]]}}
${fragment("ndp_near_pipe_select.inc", {module = "ndp_far_pipe_select"})}
