/* vector_functions.h - make_float4 and its relatives. */
#ifndef NDP_CUDA_VECTOR_FUNCTIONS_H
#define NDP_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define NDP_MAKE(name, element)                                                \
    static __inline__ __host__ __device__ name##1 make_##name##1(element x) {  \
        name##1 v = {x};                                                       \
        return v;                                                              \
    }                                                                          \
    static __inline__ __host__ __device__ name##2 make_##name##2(element x,    \
                                                                 element y) {  \
        name##2 v = {x, y};                                                    \
        return v;                                                              \
    }                                                                          \
    static __inline__ __host__ __device__ name##3 make_##name##3(              \
        element x, element y, element z) {                                     \
        name##3 v = {x, y, z};                                                 \
        return v;                                                              \
    }                                                                          \
    static __inline__ __host__ __device__ name##4 make_##name##4(              \
        element x, element y, element z, element w) {                          \
        name##4 v = {x, y, z, w};                                              \
        return v;                                                              \
    }

NDP_MAKE(char, signed char)
NDP_MAKE(uchar, unsigned char)
NDP_MAKE(short, short)
NDP_MAKE(ushort, unsigned short)
NDP_MAKE(int, int)
NDP_MAKE(uint, unsigned int)
NDP_MAKE(long, long)
NDP_MAKE(ulong, unsigned long)
NDP_MAKE(longlong, long long)
NDP_MAKE(ulonglong, unsigned long long)
NDP_MAKE(float, float)
NDP_MAKE(double, double)
#undef NDP_MAKE

#endif
