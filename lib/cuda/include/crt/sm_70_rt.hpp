/* sm_70_rt.hpp - what clang's __clang_cuda_intrinsics.h includes by this name:
 * matches among lanes, by width of the value. */
#ifndef NDP_CUDA_SM_70_RT_HPP
#define NDP_CUDA_SM_70_RT_HPP

#define NDP_MATCH(type, bits)                                                  \
    inline __device__ unsigned __match_any_sync(unsigned mask, type value) {   \
        return (unsigned)__match##bits##_any_sync(mask, value);                \
    }                                                                          \
    inline __device__ unsigned __match_all_sync(unsigned mask, type value,     \
                                                int *all) {                    \
        return (unsigned)__match##bits##_all_sync(mask, value, all);           \
    }
NDP_MATCH(unsigned, 32)
NDP_MATCH(int, 32)
NDP_MATCH(unsigned long, 64)
NDP_MATCH(long, 64)
NDP_MATCH(unsigned long long, 64)
NDP_MATCH(long long, 64)
#undef NDP_MATCH

#define NDP_MATCH(type, integer, bits, as_bits)                                \
    inline __device__ unsigned __match_any_sync(unsigned mask, type value) {   \
        return (unsigned)__match##bits##_any_sync(mask,                        \
                                                  (integer)as_bits(value));    \
    }                                                                          \
    inline __device__ unsigned __match_all_sync(unsigned mask, type value,     \
                                                int *all) {                    \
        return (unsigned)__match##bits##_all_sync(mask,                        \
                                                  (integer)as_bits(value),     \
                                                  all);                        \
    }
NDP_MATCH(float, unsigned, 32, __float_as_uint)
NDP_MATCH(double, unsigned long long, 64, __double_as_longlong)
#undef NDP_MATCH

#endif
