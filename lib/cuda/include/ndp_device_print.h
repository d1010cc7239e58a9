/* ndp_device_print.h - printf and assert in kernels.
 *
 * A thread puts a record into a buffer of its module: words in it, address of
 * the format (2 words), and for each argument its kind, low and high word.  The
 * library prints the records when the kernel has ended.  Without room for a
 * record it is lost, which the library reports.  No f64 is needed for a float.
 */
#ifndef NDP_DEVICE_PRINT_H
#define NDP_DEVICE_PRINT_H

#ifndef NDP_PRINTF_WORDS
#define NDP_PRINTF_WORDS 8192
#endif

struct ndp_print_buffer {
    unsigned used, failed; /* failed: an assertion */
    unsigned words[NDP_PRINTF_WORDS];
};

/* inline: of modules that print alone */
extern "C" {
inline __attribute__((device)) struct ndp_print_buffer __ndp_print_buffer = {
    0, 0, {}};
}

enum { NDP_PRINT_INT, NDP_PRINT_LONG, NDP_PRINT_FLOAT, NDP_PRINT_DOUBLE };

namespace ndp {
__device__ __forceinline__ void put(unsigned *to, unsigned kind,
                                    unsigned long long bits) {
    to[0] = kind;
    to[1] = (unsigned)bits;
    to[2] = (unsigned)(bits >> 32);
}
template <class T>
__device__ __forceinline__ void print_argument(unsigned *to, T v) {
    if constexpr (__is_floating_point(T) && sizeof(T) == 4)
        put(to, NDP_PRINT_FLOAT, __float_as_uint(v));
    else if constexpr (__is_floating_point(T))
        put(to, NDP_PRINT_DOUBLE, (unsigned long long)__double_as_longlong(v));
    else if constexpr (sizeof(T) == 8)
        put(to, NDP_PRINT_LONG, (unsigned long long)v);
    else
        put(to, NDP_PRINT_INT, (unsigned long long)(long long)(int)v);
}
__device__ __forceinline__ unsigned *print_record(const char *format,
                                                  unsigned words) {
    unsigned at = __uAtomicAdd(&__ndp_print_buffer.used, words);
    if (at + words > NDP_PRINTF_WORDS || at + words < at)
        return nullptr;
    unsigned *to = __ndp_print_buffer.words + at;
    put(to, words, (unsigned long long)format);
    return to + 3;
}
} // namespace ndp

template <class... T>
__device__ __forceinline__ int printf(const char *format, T... values) {
    unsigned *to = ndp::print_record(format, 3 + 3 * sizeof...(values));
    if (to) {
        unsigned n = 0;
        (void)n;
        ((void)(ndp::print_argument(to + 3 * n++, values)), ...);
    }
    return (int)sizeof...(values);
}

extern "C" {
__device__ static inline void __assert_fail(const char *what, const char *file,
                                            unsigned line,
                                            const char *function) {
    printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
           "failed.\n",
           file, line, function, blockIdx.x, blockIdx.y, blockIdx.z,
           threadIdx.x, threadIdx.y, threadIdx.z, what);
    __ndp_print_buffer.failed = 1;
    __trap();
}
}

#endif
