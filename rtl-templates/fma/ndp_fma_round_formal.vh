//% output("formal/ndp_fma_round_formal.vh")
