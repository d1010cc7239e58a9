//% output("formal/ndp_simt_decode_rules.v")
${fragment("ndp_simt_decode_rules.inc", {module = "ndp_simt_decode"})}
