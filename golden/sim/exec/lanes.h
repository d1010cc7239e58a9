/* lanes.h - 32 lanes of a register, and loops over them; private to the
 * executor.
 *
 * A register is an array of 32 values, one a lane: 32-bit slots for types of
 * up to 32 bits (narrower values zero-extended), 64-bit slots for 64-bit types,
 * two rows of them for 128 bits.  A predicate is one 32-bit word, a bit a lane.
 * The same slot is read as integer and as float, so the lane types may alias.
 *
 * With all lanes active a handler is a plain loop that the compiler turns into
 * vector code; otherwise it walks the set bits of the mask.
 */
#ifndef NDP_EXEC_LANES_H
#define NDP_EXEC_LANES_H

#include <stdint.h>
#include <string.h>

enum { LANES = 32 };
#define ALL_LANES 0xffffffffu

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef uint32_t __attribute__((may_alias)) lane_u32;
typedef uint64_t __attribute__((may_alias)) lane_u64;
typedef float __attribute__((may_alias)) lane_f32;
typedef double __attribute__((may_alias)) lane_f64;

/* Source and destination slots may be the same; element by element that is
 * no dependence. */
#if defined(__clang__)
/* Where it cannot use vectors it need not say so. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define VECTOR_LOOP _Pragma("GCC ivdep")
#else
#define VECTOR_LOOP
#endif

/* for (int i in set bits of mask), ascending */
#define EACH_LANE(i, mask)                                                     \
    for (uint32_t i##_left = (mask), i = 0;                                    \
         i##_left && (i = (uint32_t)__builtin_ctz(i##_left), 1);               \
         i##_left &= i##_left - 1)

/* Run statement for each active lane i. */
#define FOR_ACTIVE(w, statement)                                               \
    do {                                                                       \
        if ((w)->mask == ALL_LANES) {                                          \
            VECTOR_LOOP for (int i = 0; i < LANES; i++) {                      \
                statement;                                                     \
            }                                                                  \
        } else {                                                               \
            EACH_LANE(i, (w)->mask) {                                          \
                statement;                                                     \
            }                                                                  \
        }                                                                      \
    } while (0)

/* Variants of a hot handler for newer vector units, chosen when the program
 * is loaded; the results are the same bit by bit. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(NDP_NO_CLONES)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif

static inline u32 f32_bits(f32 x) {
    u32 b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline f32 f32_of(u32 b) {
    f32 x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static inline u64 f64_bits(f64 x) {
    u64 b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline f64 f64_of(u64 b) {
    f64 x;
    memcpy(&x, &b, sizeof x);
    return x;
}

#endif
