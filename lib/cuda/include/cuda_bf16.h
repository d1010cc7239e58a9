/* cuda_bf16.h - refused: neither the machines nor ndpcu have bfloat16. */
#error "ndpcu: bfloat16 (cuda_bf16.h) is not supported"
