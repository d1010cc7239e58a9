/* ndp_device_atomics.h - atomic functions by type, over clang's builtins, with
 * their _block and _system forms; and what has an instruction but no builtin.
 */
#ifndef NDP_DEVICE_ATOMICS_H
#define NDP_DEVICE_ATOMICS_H

#define NDP_ATOMIC(name, type, with)                                           \
    inline __device__ type atomic##name(type *p, type v) {                     \
        return (type)__##with##Atomic##name((ndp_##with *)p, (ndp_##with)v);   \
    }                                                                          \
    inline __device__ type atomic##name##_block(type *p, type v) {             \
        return (type)__##with##Atomic##name##_block((ndp_##with *)p,           \
                                                    (ndp_##with)v);            \
    }                                                                          \
    inline __device__ type atomic##name##_system(type *p, type v) {            \
        return (type)__##with##Atomic##name##_system((ndp_##with *)p,          \
                                                     (ndp_##with)v);           \
    }
typedef int ndp_i;
typedef unsigned ndp_u;
typedef unsigned long long ndp_ull;
typedef long long ndp_ll;
typedef long long ndp_ill;
typedef float ndp_f;
typedef double ndp_d;

#define NDP_ATOMIC_ALL(name)                                                   \
    NDP_ATOMIC(name, int, i)                                                   \
    NDP_ATOMIC(name, unsigned, u)                                              \
    NDP_ATOMIC(name, unsigned long long, ull)
NDP_ATOMIC_ALL(Add)
NDP_ATOMIC_ALL(And)
NDP_ATOMIC_ALL(Exch)
NDP_ATOMIC_ALL(Max)
NDP_ATOMIC_ALL(Min)
NDP_ATOMIC_ALL(Or)
NDP_ATOMIC_ALL(Xor)
NDP_ATOMIC(Add, float, f)
NDP_ATOMIC(Add, double, d)
NDP_ATOMIC(Exch, float, f)
NDP_ATOMIC(Inc, unsigned, u)
NDP_ATOMIC(Dec, unsigned, u)
NDP_ATOMIC(And, long long, ll)
NDP_ATOMIC(Or, long long, ll)
NDP_ATOMIC(Xor, long long, ll)
NDP_ATOMIC(Max, long long, ill)
NDP_ATOMIC(Min, long long, ill)
#undef NDP_ATOMIC_ALL
#undef NDP_ATOMIC

#define NDP_CAS(type, with)                                                    \
    inline __device__ type atomicCAS(type *p, type old, type v) {              \
        return __##with##AtomicCAS(p, old, v);                                 \
    }                                                                          \
    inline __device__ type atomicCAS_block(type *p, type old, type v) {        \
        return __##with##AtomicCAS_block(p, old, v);                           \
    }                                                                          \
    inline __device__ type atomicCAS_system(type *p, type old, type v) {       \
        return __##with##AtomicCAS_system(p, old, v);                          \
    }
NDP_CAS(int, i)
NDP_CAS(unsigned, u)
NDP_CAS(unsigned long long, ull)
#undef NDP_CAS

inline __device__ int atomicSub(int *p, int v) {
    return atomicAdd(p, -v);
}
inline __device__ unsigned atomicSub(unsigned *p, unsigned v) {
    return atomicAdd(p, 0u - v);
}

/* Sums of products of bytes. */
#define NDP_DP(name, type, a_type, b_type, text)                               \
    inline __device__ type name(a_type a, b_type b, type c) {                  \
        type d;                                                                \
        asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));       \
        return d;                                                              \
    }
NDP_DP(__dp4a, int, int, int, "dp4a.s32.s32")
NDP_DP(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
NDP_DP(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
NDP_DP(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
NDP_DP(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
NDP_DP(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
#undef NDP_DP

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define NDP_REDUX(name, type, text)                                            \
    inline __device__ type __reduce_##name##_sync(unsigned mask, type v) {     \
        type d;                                                                \
        asm volatile("redux.sync." text " %0, %1, %2;"                         \
                     : "=r"(d)                                                 \
                     : "r"(v), "r"(mask));                                     \
        return d;                                                              \
    }
NDP_REDUX(add, unsigned, "add.u32")
NDP_REDUX(min, unsigned, "min.u32")
NDP_REDUX(max, unsigned, "max.u32")
NDP_REDUX(add, int, "add.s32")
NDP_REDUX(min, int, "min.s32")
NDP_REDUX(max, int, "max.s32")
NDP_REDUX(and, unsigned, "and.b32")
NDP_REDUX(or, unsigned, "or.b32")
NDP_REDUX(xor, unsigned, "xor.b32")
#undef NDP_REDUX
#endif

inline __device__ void __nanosleep(unsigned) {}

#endif
