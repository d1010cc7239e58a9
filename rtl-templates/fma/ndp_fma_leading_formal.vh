//% output("formal/ndp_fma_leading_formal.vh")
