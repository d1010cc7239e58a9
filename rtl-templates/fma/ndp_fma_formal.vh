//% output("formal/ndp_fma_formal.vh")
