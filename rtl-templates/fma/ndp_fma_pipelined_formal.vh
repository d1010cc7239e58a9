//% output("formal/ndp_fma_pipelined_formal.vh")
