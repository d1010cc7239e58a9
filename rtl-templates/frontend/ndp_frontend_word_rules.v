//% output("formal/ndp_frontend_word_rules.v")
${fragment("ndp_simt_decode_rules.inc", {module = "ndp_frontend_word"})}
