/* cuda_fp16.h - refused: neither the machines nor ndpcu have half precision. */
#error "ndpcu: half precision (cuda_fp16.h) is not supported"
