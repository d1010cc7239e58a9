//% output("formal/ndp_fma_iterative_formal.vh")
