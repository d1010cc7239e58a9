//% use "ndp_frontend_word_rules.v"
${header{title = "front end: decoder", text = [[
Whether a word is an instruction of this machine, as in the SIMT core, and what its
operands are.

Latency: none, logic only.

See docs/isa.md for words and fields.]]}}
${fragment("ndp_simt_decode.inc", {module = "ndp_frontend_word"})}
