//% use "ndp_simt_decode_rules.v"
${header{title = "SIMT core: decoder", text = [[
Whether a word is an instruction of this machine, and what the pipe has to know of
it.  Made from the same declaration as the assembler (lib/isa/ops.def).

Latency: none, logic only.

See docs/isa.md for words and fields.]]}}
${fragment("ndp_simt_decode.inc", {module = "ndp_simt_decode"})}
