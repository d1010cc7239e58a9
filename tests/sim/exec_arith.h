/* exec_arith.h - instructions of the executor against functions in C, for
 * tests.
 *
 * An instruction is run over triples of corner values and of seeded random ones
 * (bits, and values near the corners), with all lanes active and with some;
 * what it leaves is compared bit by bit.
 */
#ifndef NDP_TESTS_EXEC_ARITH_H
#define NDP_TESTS_EXEC_ARITH_H

#include "exec_kit.h"

#include "base/bits.h"

#include <stdlib.h>

enum { N = 4096 };

typedef uint64_t reference(uint64_t a, uint64_t b, uint64_t c);

struct operation {
    const char *text;  /* "add.s32", operands follow */
    const char *types; /* destination and sources: b16 is h, b32 r, b64 d */
    reference *expected;
    bool any_nan; /* floats: bits of a NaN do not matter */
};

/* ------------------------------------------------------------------ values */

static uint64_t state_of_random;

static inline uint64_t next_random(void) { /* splitmix64 */
    uint64_t z = state_of_random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Integers near their corners, floats of every kind: zeros, subnormals, the
 * largest, infinities, NaNs, ones, powers of two and their neighbours. */
static inline uint64_t corner(int bits) {
    static const uint64_t c32[] = {
        0,          1,          2,          31,         32,         33,
        0x7f,       0x80,       0xff,       0x7fff,     0x8000,     0xffff,
        0x10000,    0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000,
        0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x807fffff,
        0x7f7fffff, 0x4f000000, 0xcf000000, 0x5f000000, 0x3f000000, 0x4b000000,
        0x3effffff, 0x3f7fffff, 0x4b800001, 0x34000000, 0x33800000};
    static const uint64_t c64[] = {0,
                                   1,
                                   63,
                                   64,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x0010000000000000,
                                   0x000fffffffffffff,
                                   0x7fefffffffffffff,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x47efffffffffffff,
                                   0x3690000000000000,
                                   0x3fe0000000000000,
                                   0x41dfffffffc00000,
                                   0x40f0000000000000};
    uint64_t r = next_random();
    uint64_t v = bits == 64 ? c64[r % (sizeof c64 / sizeof *c64)]
                            : c32[r % (sizeof c32 / sizeof *c32)];
    if (bits == 16) {
        static const uint16_t c16[] = {0,      1,      15,     16,     0x7fff,
                                       0x8000, 0xffff, 0x3c00, 0xbc00, 0x7c00,
                                       0xfc00, 0x7e00, 0x0400, 0x03ff, 0x7bff};
        v = c16[r % (sizeof c16 / sizeof *c16)];
    }
    return r >> 60 == 0 ? v + 1 : r >> 60 == 1 ? v - 1 : v;
}

static inline uint64_t value(int bits) {
    uint64_t r = next_random(), v;
    if (r % 4 < 2)
        v = corner(bits);
    else if (r % 4 == 2)
        v = next_random();
    else /* small */
        v = next_random() % 64;
    return v & ones(bits);
}

static inline int bits_of(char c) {
    return c == 'h' ? 16 : c == 'd' ? 64 : 32;
}

/* ------------------------------------------------------------------ running */

static inline const char *register_of(char c) {
    return c == 'h' ? "%h" : c == 'd' ? "%d" : "%r";
}

/* A kernel that applies op to element after element. */
static inline void write_kernel(const struct operation *op, char *text,
                                size_t size) {
    size_t n = 0;
    int sources = (int)strlen(op->types) - 1;
    n += (size_t)snprintf(
        text + n, size - n,
        "%s.visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, "
        ".param .u64 pc) {\n"
        ".reg .b16 %%h<8>; .reg .b32 %%r<8>; .reg .b64 %%d<8>;\n"
        ".reg .b32 %%i, %%n; .reg .b64 %%a, %%o, %%w; .reg .pred %%p<4>;\n"
        "mov.u32 %%i, %%ctaid.x; mov.u32 %%n, %%ntid.x;\n"
        "mul.lo.u32 %%i, %%i, %%n; mov.u32 %%n, %%tid.x;\n"
        "add.u32 %%i, %%i, %%n; mul.wide.u32 %%o, %%i, 8;\n",
        KIT_HEAD);
    for (int s = 1; s <= sources; s++)
        n += (size_t)snprintf(text + n, size - n,
                              "ld.param.u64 %%a, [p%c]; add.u64 %%a, %%a, "
                              "%%o; ld.global.b%d %s%d, [%%a];\n",
                              'a' + s - 1, bits_of(op->types[s]),
                              register_of(op->types[s]), s);
    /* every ninth thread stays out */
    n += (size_t)snprintf(text + n, size - n,
                          "rem.u32 %%n, %%i, 9; setp.lt.u32 %%p1, %%n, 8;\n"
                          "setp.lt.u32 %%p2, %%i, %d; or.pred %%p1, %%p1, "
                          "%%p2;\nmov.b%d %s0, 0;\n@%%p1 %s %s0",
                          N / 2, bits_of(op->types[0]),
                          register_of(op->types[0]), op->text,
                          register_of(op->types[0]));
    for (int s = 1; s <= sources; s++)
        n += (size_t)snprintf(text + n, size - n, ", %s%d",
                              register_of(op->types[s]), s);
    snprintf(text + n, size - n,
             ";\nld.param.u64 %%a, [pd]; add.u64 %%a, %%a, %%o;\n"
             "st.global.b%d [%%a], %s0; ret; }\n",
             bits_of(op->types[0]), register_of(op->types[0]));
}

static inline bool is_nan(uint64_t v, int bits) {
    return bits == 64   ? (v & 0x7fffffffffffffff) > 0x7ff0000000000000
           : bits == 32 ? (v & 0x7fffffff) > 0x7f800000
                        : (v & 0x7fff) > 0x7c00;
}

static inline void check(const struct operation *op) {
    static char text[4096];
    struct kit k;
    uint64_t *buffer[4];
    static const char *const names[] = {"d", "a", "b", "c"};
    write_kernel(op, text, sizeof text);
    kit_open(&k, text, NULL);
    state_of_random = 12345;
    for (int s = 0; s < 4; s++) {
        buffer[s] = kit_buffer(&k, names[s], 8 * N);
        for (int i = 0; s > 0 && s < (int)strlen(op->types) && i < N; i++)
            buffer[s][i] = value(bits_of(op->types[s]));
    }
    kit_finish(&k, N / 64, 64);
    int bits = bits_of(op->types[0]);
    uint64_t mask = ones(bits);
    for (int i = 0; i < N; i++) {
        bool runs = i < N / 2 || i % 9 < 8;
        uint64_t a = buffer[1][i], b = buffer[2][i], c = buffer[3][i];
        uint64_t want = runs ? op->expected(a, b, c) & mask : 0;
        uint64_t got = buffer[0][i] & mask;
        if (got == want ||
            (op->any_nan && is_nan(got, bits) && is_nan(want, bits)))
            continue;
        fail_msg("%s of 0x%llx 0x%llx 0x%llx is 0x%llx, expected 0x%llx",
                 op->text, (unsigned long long)a, (unsigned long long)b,
                 (unsigned long long)c, (unsigned long long)got,
                 (unsigned long long)want);
    }
    kit_close(&k);
}

static inline void check_all(const struct operation *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        check(&list[i]);
}

#define CHECK_ALL(list) check_all(list, sizeof list / sizeof *list)

/* Reference functions: REF(name, expression in a, b, c) */
#define REF(name, expr)                                                        \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                 \
        (void)a;                                                               \
        (void)b;                                                               \
        (void)c;                                                               \
        return (uint64_t)(expr);                                               \
    }

#define S32(x) ((int32_t)(uint32_t)(x))
#define S64(x) ((int64_t)(x))
#define S16(x) ((int16_t)(uint16_t)(x))
#define U32(x) ((uint32_t)(x))

#endif
