//% output("formal/ndp_fma_operands_formal.vh")
