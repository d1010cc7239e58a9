//% output("formal/ndp_fma_align_formal.vh")
