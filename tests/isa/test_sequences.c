/* test_sequences.c - what ndpcc makes of PTX instructions that the machines do
 * not have, against the host.
 *
 * Division and square root must be correctly rounded: random bits, the edges,
 * and the quotients and roots that lie nearest to the middle between two
 * numbers.  The approximate functions print their largest error and must keep
 * PTX's bounds.
 */
#include "ptx_machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { BATCH = 1 << 16 };

static uint32_t a[BATCH], b[BATCH], c[BATCH], d[BATCH];
static uint64_t seed = 7;

static uint32_t any(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z >> 32);
}

static float f32_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7fffffff : bits;
}

/* A number that is interesting about one time in four. */
static uint32_t some(void) {
    static const uint32_t edges[] = {
        0,          1,          2,          0x007fffff, 0x00800000, 0x00800001,
        0x3f7fffff, 0x3f800000, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x7f800001,
        0x7fffffff, 0x4f800000, 0x4effffff, 0x5f7fffff, 0x20000000, 0x21800000};
    uint32_t r = any();
    if (r % 8 == 0)
        return edges[any() % (sizeof edges / sizeof *edges)] ^ (any() << 31);
    if (r % 8 == 1) /* few ones at one end */
        return (any() << any() % 32) | any() >> 31;
    return any();
}

static void run(struct ptx_machine *m) {
    assert_true(ptx_machine_run(m, BATCH, a, b, c, d));
}

static void open(struct ptx_machine *m, const char *line) {
    ptx_machine_open(m, line, 64);
    if (!m->code) {
        diag_flush(&m->diag, stdout);
        fail_msg("%s", line);
    }
}

/* Batches through the machine; every result must be want(a, b). */
static void all_equal(const char *line, uint32_t (*want)(uint32_t, uint32_t),
                      void (*fill)(int i), int batches) {
    struct ptx_machine m;
    open(&m, line);
    for (int k = 0; k < batches; k++) {
        for (int i = 0; i < BATCH; i++)
            fill(i);
        run(&m);
        for (int i = 0; i < BATCH; i++)
            if (d[i] != want(a[i], b[i]))
                fail_msg("%s of 0x%08x, 0x%08x: 0x%08x, expected 0x%08x", line,
                         a[i], b[i], d[i], want(a[i], b[i]));
    }
    print_message("%-40s %4d words, %d results\n", line, m.code->n_words,
                  batches * BATCH);
    ptx_machine_close(&m);
}

static void random_pair(int i) {
    a[i] = some();
    b[i] = some();
}

/* --- f32 division --------------------------------------------------------- */

static uint32_t quotient(uint32_t x, uint32_t y) {
    return bits_of(f32_of(x) / f32_of(y));
}

static uint32_t reciprocal(uint32_t x, uint32_t y) {
    (void)y;
    return bits_of(1 / f32_of(x));
}

static uint32_t quotient_ftz(uint32_t x, uint32_t y) {
    x = (x & 0x7f800000) ? x : x & 0x80000000;
    y = (y & 0x7f800000) ? y : y & 0x80000000;
    uint32_t q = quotient(x, y);
    return (q & 0x7f800000) ? q : q & 0x80000000;
}

/* The inverse of an odd number modulo 2^32. */
static uint32_t inverse(uint32_t x) {
    uint32_t y = x;
    for (int i = 0; i < 5; i++)
        y *= 2 - x * y;
    return y;
}

/* a / b that lies just beside the middle of two numbers: with significands M of
 * 25 bits (odd: a middle), B and A of 24, M B = A 2^k + small. */
static void hard_pair(int i) {
    for (;;) {
        uint32_t y = any() >> 8 | 0x800001, e = any() % 15;
        int k = 24 + (int)(any() & 1);
        uint32_t mod = ((uint32_t)1 << k) - 1;
        uint32_t r = any() & 1 ? e + 1 : (uint32_t)-1 - e;
        uint32_t middle = (inverse(y) * r) & mod;
        uint64_t product = (uint64_t)middle * y;
        if (!(middle & 1) || middle < 1u << (k - 1))
            continue;
        uint64_t x = (product + mod / 2) >> k;
        if (x < 0x800000 || x >= 0x1000000)
            continue;
        int shift = (int)(any() % 60) - 30;
        a[i] = bits_of(ldexpf((float)x, shift - 23)) ^ (any() << 31);
        b[i] = bits_of(ldexpf((float)y, (int)(any() % 60) - 53));
        return;
    }
}

/* Quotients about the end of the normal numbers and below. */
static void small_quotient(int i) {
    int e = (int)(any() % 200) - 100;
    a[i] = bits_of(
        ldexpf(f32_of(0x3f800000 | any() >> 9), e - 126 - (int)(any() % 26)));
    b[i] = bits_of(ldexpf(f32_of(0x3f800000 | any() >> 9), e)) ^ (any() << 31);
}

static void divides_f32(void **state) {
    (void)state;
    all_equal("div.rn.f32 %fd, %fa, %fb;", quotient, random_pair, 8);
    all_equal("div.rn.f32 %fd, %fa, %fb;", quotient, hard_pair, 12);
    all_equal("div.rn.f32 %fd, %fa, %fb;", quotient, small_quotient, 6);
    all_equal("div.rn.ftz.f32 %fd, %fa, %fb;", quotient_ftz, random_pair, 4);
    all_equal("div.full.f32 %fd, %fa, %fb;", quotient, random_pair, 2);
}

/* Every sixteenth significand; every one with an argument. */
static uint32_t walk, walk_top, stride = 16;

static void next_word(int i) {
    a[i] = walk_top | (walk & 0x007fffff);
    walk += stride;
}

static int all_words(void) {
    return (int)(0x00800000 / stride / BATCH);
}

static void inverts_f32(void **state) {
    (void)state;
    static const uint32_t tops[] = {0x3f800000, 0x7e800000, 0x80000000};
    all_equal("rcp.rn.f32 %fd, %fa;", reciprocal, random_pair, 8);
    for (size_t t = 0; t < sizeof tops / sizeof *tops; t++) {
        walk_top = tops[t];
        walk = any() % stride;
        all_equal("rcp.rn.f32 %fd, %fa;", reciprocal, next_word,
                  t == 0 ? all_words() : 8);
    }
}

/* --- roots ---------------------------------------------------------------- */

static uint32_t root(uint32_t x, uint32_t y) {
    (void)y;
    return bits_of(sqrtf(f32_of(x)));
}

static void takes_roots(void **state) {
    (void)state;
    all_equal("sqrt.rn.f32 %fd, %fa;", root, random_pair, 8);
    for (uint32_t top = 0x3f800000; top <= 0x40000000; top += 0x00800000) {
        walk_top = top;
        walk = any() % stride;
        all_equal("sqrt.rn.f32 %fd, %fa;", root, next_word, all_words());
    }
}

/* --- integers ------------------------------------------------------------- */

static void divisor(int i) {
    a[i] = some() >> any() % 32;
    do
        b[i] = some() >> any() % 32;
    while (b[i] == 0);
}

static uint32_t udiv(uint32_t x, uint32_t y) {
    return x / y;
}

static uint32_t urem(uint32_t x, uint32_t y) {
    return x % y;
}

static uint32_t sdiv(uint32_t x, uint32_t y) {
    int32_t n = (int32_t)x, m = (int32_t)y;
    return m == -1 ? 0 - x : (uint32_t)(n / m);
}

static uint32_t srem(uint32_t x, uint32_t y) {
    int32_t n = (int32_t)x, m = (int32_t)y;
    return m == -1 ? 0 : (uint32_t)(n % m);
}

/* n at a multiple of d or just below: where a quotient too small shows. */
static void edge_divisor(int i) {
    b[i] = any() >> any() % 31;
    b[i] += b[i] == 0;
    uint32_t q = any() % (UINT32_MAX / b[i]) + 1;
    a[i] = q * b[i] - (any() & 1);
}

static void divides_integers(void **state) {
    (void)state;
    all_equal("div.u32 %rd, %ra, %rb;", udiv, divisor, 4);
    all_equal("div.u32 %rd, %ra, %rb;", udiv, edge_divisor, 8);
    all_equal("rem.u32 %rd, %ra, %rb;", urem, edge_divisor, 8);
    all_equal("div.s32 %rd, %ra, %rb;", sdiv, divisor, 8);
    all_equal("rem.s32 %rd, %ra, %rb;", srem, divisor, 8);
}

static uint32_t wide_high(uint32_t x, uint32_t y) {
    uint64_t v = (uint64_t)((int64_t)(int32_t)x * (int32_t)y) + x;
    return (uint32_t)(v >> (y & 63));
}

static uint32_t wide_less(uint32_t x, uint32_t y) {
    int64_t v = (int64_t)(((uint64_t)x << 32) - y), w = (int32_t)y;
    return v < w ? 1 : v == w ? 2 : 3;
}

static uint32_t insert(uint32_t x, uint32_t y) {
    uint32_t pos = x & 31, len = y & 15;
    uint32_t mask = ((1u << len) - 1) << pos;
    return (y & ~mask) | (x << pos & mask);
}

static uint32_t extract(uint32_t x, uint32_t y) {
    uint32_t pos = y & 31, len = y >> 8 & 31;
    if (len == 0)
        return 0;
    uint32_t last = pos + len - 1 > 31 ? 31 : pos + len - 1;
    int64_t top = (int32_t)(x << (31 - last));
    return (uint32_t)(top >> (31 - last + pos));
}

static uint32_t funnel(uint32_t x, uint32_t y) {
    uint64_t v = (uint64_t)y << 32 | x;
    return (uint32_t)(v >> (y & 31));
}

static uint32_t table(uint32_t x, uint32_t y) {
    return (x & y) | (~x & ~y);
}

static uint32_t bytes(uint32_t x, uint32_t y) {
    /* selector 0xb702 */
    return (x >> 16 & 255) | (x & 255) << 8 | (y >> 24) << 16 |
           ((uint32_t)((int32_t)x >> 31) << 24);
}

static uint32_t from_wide(uint32_t x, uint32_t y) {
    return bits_of((float)(int64_t)((uint64_t)x << 32 | y));
}

static uint32_t small_types(uint32_t x, uint32_t y) {
    int16_t s = (int16_t)(x + y);
    uint16_t u = (uint16_t)(x >> 3);
    return (uint32_t)((int32_t)s >> 2) + u + (s > (int16_t)y ? 7u : 0u);
}

static void does_the_rest(void **state) {
    (void)state;
    all_equal("mul.wide.s32 %l5, %ra, %rb; cvt.u64.u32 %l6, %ra;\n"
              "add.s64 %l5, %l5, %l6; and.b32 %r4, %rb, 63;\n"
              "shr.u64 %l5, %l5, %r4; cvt.u32.u64 %rd, %l5;",
              wide_high, random_pair, 4);
    all_equal("mov.b64 %l5, {%rc, %ra}; mov.u32 %r4, 0; mov.b64 %l5, {%r4, "
              "%ra};\ncvt.u64.u32 %l6, %rb; sub.s64 %l5, %l5, %l6;\n"
              "cvt.s64.s32 %l6, %rb; setp.lt.s64 %p0, %l5, %l6;\n"
              "setp.eq.s64 %p1, %l5, %l6; selp.u32 %rd, 2, 3, %p1;\n"
              "selp.u32 %rd, 1, %rd, %p0;",
              wide_less, random_pair, 4);
    all_equal("and.b32 %r4, %ra, 31; and.b32 %r5, %rb, 15;\n"
              "bfi.b32 %rd, %ra, %rb, %r4, %r5;",
              insert, random_pair, 2);
    all_equal("and.b32 %r4, %rb, 31; shr.u32 %r5, %rb, 8;\n"
              "and.b32 %r5, %r5, 31; bfe.s32 %rd, %ra, %r4, %r5;",
              extract, random_pair, 2);
    all_equal("shf.r.wrap.b32 %rd, %ra, %rb, %rb;", funnel, random_pair, 2);
    all_equal("lop3.b32 %rd, %ra, %rb, 0, 0xc3;", table, random_pair, 2);
    all_equal("prmt.b32 %rd, %ra, %rb, 0xb702;", bytes, random_pair, 2);
    all_equal("mov.b64 %l5, {%rb, %ra}; cvt.rn.f32.s64 %fd, %l5;", from_wide,
              random_pair, 4);
    all_equal("cvt.u16.u32 %rs0, %ra; cvt.u16.u32 %rs1, %rb;\n"
              "add.s16 %rs2, %rs0, %rs1; shr.u32 %r4, %ra, 3;\n"
              "cvt.u16.u32 %rs3, %r4; shr.s16 %rs4, %rs2, 2;\n"
              "cvt.s32.s16 %rd, %rs4; cvt.u32.u16 %r5, %rs3;\n"
              "add.s32 %rd, %rd, %r5; setp.gt.s16 %p0, %rs2, %rs1;\n"
              "@%p0 add.s32 %rd, %rd, 7;",
              small_types, random_pair, 2);
}

/* Ten predicates at once, of which a thread has seven. */
static uint32_t many_predicates(uint32_t x, uint32_t y) {
    uint32_t v = 0;
    for (int i = 0; i < 10; i++)
        v += (x >> i & 1) ? (uint32_t)1 << i : y & 1;
    return v;
}

/* local[i] = a + i for four words; then the one that b names, and bytes. */
static uint32_t local_words(uint32_t x, uint32_t y) {
    return x + (y & 3) + ((x + 2) >> 8 & 255) +
           (uint32_t)(int8_t)((x + 3) & 255);
}

static uint32_t without_subnormal(uint32_t x) {
    return x & 0x7f800000 ? x : x & 0x80000000;
}

/* What an addition to shared memory leaves. */
static uint32_t sum(uint32_t x, uint32_t y) {
    float v = f32_of(x) + f32_of(y);
    return v != v ? 0x7fffffff : bits_of(v);
}

/* ... to global memory: subnormals are zeros. */
static uint32_t sum_ftz(uint32_t x, uint32_t y) {
    return without_subnormal(sum(without_subnormal(x), without_subnormal(y)));
}

/* testp.normal, of which zero is one, and testp.subnormal. */
static uint32_t class_of(uint32_t x, uint32_t y) {
    int class = fpclassify(f32_of(x));
    (void)y;
    return (class == FP_NORMAL || class == FP_ZERO) +
           2u * (class == FP_SUBNORMAL);
}

/* neg.ftz, of which a NaN becomes the one of PTX. */
static uint32_t negated_ftz(uint32_t x, uint32_t y) {
    (void)y;
    x = without_subnormal(x);
    return isnan(f32_of(x)) ? 0x7fffffff : x ^ 0x80000000;
}

/* Zeros, subnormals, the least normal numbers; some of any size. */
static void tiny_pair(int i) {
    static const uint32_t masks[] = {0,        7,         0x7fffff,
                                     0xffffff, 0x1ffffff, 0x7fffffff};
    a[i] = (any() & masks[any() % 6]) | any() << 31;
    b[i] = (any() & masks[any() % 6]) | any() << 31;
}

static uint32_t atomics(uint32_t x, uint32_t y) {
    uint32_t v = sum_ftz(x, y);      /* add.f32 */
    v = v >= y ? 0 : v + 1;          /* inc */
    v = v == 0 || v > x ? x : v - 1; /* dec */
    return v;
}

/* What a register held a round before, not what it was copied from since. */
static uint32_t round_before(uint32_t x, uint32_t y) {
    (void)y;
    return 3 * x + 3;
}

/* Of lanes in fours: the sum over them, by exchange. */
static uint32_t sums[BATCH];

static uint32_t in_groups(uint32_t x, uint32_t y) {
    (void)y;
    return sums[x & (BATCH - 1)];
}

static void fill_groups(int i) {
    a[i] = (any() & ~(uint32_t)(BATCH - 1)) | (uint32_t)i;
    b[i] = any();
    if (i % 4 == 3)
        for (int k = i - 3; k <= i; k++)
            sums[k] = b[i] + b[i - 1] + b[i - 2] + b[i - 3];
}

static void all_equal_with(int registers, const char *line,
                           uint32_t (*want)(uint32_t, uint32_t)) {
    static const char *const what = "with few registers";
    struct ptx_machine m;
    ptx_machine_open(&m, line, registers);
    if (!m.code) {
        diag_flush(&m.diag, stdout);
        fail_msg("%s", line);
    }
    for (int i = 0; i < BATCH; i++)
        random_pair(i);
    run(&m);
    for (int i = 0; i < BATCH; i++)
        if (d[i] != want(a[i], b[i]))
            fail_msg("%s, %s: of 0x%08x, 0x%08x: 0x%08x, expected 0x%08x", line,
                     what, a[i], b[i], d[i], want(a[i], b[i]));
    ptx_machine_close(&m);
}

static void remembers(void **state) {
    (void)state;
    static const char predicates[] =
        ".reg .pred %q<10>; .reg .b32 %t<10>;\n"
        "and.b32 %t0, %ra, 1; setp.ne.u32 %q0, %t0, 0;\n"
        "and.b32 %t1, %ra, 2; setp.ne.u32 %q1, %t1, 0;\n"
        "and.b32 %t2, %ra, 4; setp.ne.u32 %q2, %t2, 0;\n"
        "and.b32 %t3, %ra, 8; setp.ne.u32 %q3, %t3, 0;\n"
        "and.b32 %t4, %ra, 16; setp.ne.u32 %q4, %t4, 0;\n"
        "and.b32 %t5, %ra, 32; setp.ne.u32 %q5, %t5, 0;\n"
        "and.b32 %t6, %ra, 64; setp.ne.u32 %q6, %t6, 0;\n"
        "and.b32 %t7, %ra, 128; setp.ne.u32 %q7, %t7, 0;\n"
        "and.b32 %t8, %ra, 256; setp.ne.u32 %q8, %t8, 0;\n"
        "and.b32 %t9, %ra, 512; setp.ne.u32 %q9, %t9, 0;\n"
        "and.b32 %r5, %rb, 1; mov.u32 %rd, 0;\n"
        "@%q0 add.u32 %rd, %rd, 1; @!%q0 add.u32 %rd, %rd, %r5;\n"
        "@%q1 add.u32 %rd, %rd, 2; @!%q1 add.u32 %rd, %rd, %r5;\n"
        "@%q2 add.u32 %rd, %rd, 4; @!%q2 add.u32 %rd, %rd, %r5;\n"
        "@%q3 add.u32 %rd, %rd, 8; @!%q3 add.u32 %rd, %rd, %r5;\n"
        "@%q4 add.u32 %rd, %rd, 16; @!%q4 add.u32 %rd, %rd, %r5;\n"
        "@%q5 add.u32 %rd, %rd, 32; @!%q5 add.u32 %rd, %rd, %r5;\n"
        "@%q6 add.u32 %rd, %rd, 64; @!%q6 add.u32 %rd, %rd, %r5;\n"
        "@%q7 add.u32 %rd, %rd, 128; @!%q7 add.u32 %rd, %rd, %r5;\n"
        "@%q8 add.u32 %rd, %rd, 256; @!%q8 add.u32 %rd, %rd, %r5;\n"
        "@%q9 add.u32 %rd, %rd, 512; @!%q9 add.u32 %rd, %rd, %r5;";
    static const char local[] =
        ".local .align 4 .b8 room[16]; .reg .b16 %h<2>;\n"
        "mov.u64 %l5, room; cvta.local.u64 %l6, %l5;\n"
        "st.local.u32 [%l5], %ra; add.u32 %r4, %ra, 1;\n"
        "st.u32 [%l6+4], %r4; add.u32 %r4, %ra, 2;\n"
        "st.local.u32 [room+8], %r4; add.u32 %r4, %ra, 3;\n"
        "st.local.u32 [%l5+12], %r4; and.b32 %r5, %rb, 3;\n"
        "mul.wide.u32 %l7, %r5, 4; add.s64 %l7, %l5, %l7;\n"
        "ld.local.u32 %rd, [%l7]; ld.local.u8 %h0, [%l5+9];\n"
        "cvt.u32.u16 %r6, %h0; add.u32 %rd, %rd, %r6;\n"
        "ld.local.s8 %h1, [room+12]; cvt.s32.s16 %r6, %h1;\n"
        "add.u32 %rd, %rd, %r6;";
    static const char loops[] =
        "st.global.u32 [%l3], %ra; atom.global.add.f32 %f0, [%l3], %fb;\n"
        "add.s64 %l5, %l3, -8; atom.global.inc.u32 %r4, [%l5+8], %rb;\n"
        "atom.global.dec.u32 %r4, [%l3], %ra; ld.global.u32 %rd, [%l3];";
    static const char exchange[] =
        "shfl.sync.bfly.b32 %r4|%p0, %rb, 1, 0x1f, -1;\n"
        "add.u32 %r4, %r4, %rb;\n"
        "shfl.sync.down.b32 %r5|%p0, %r4, 2, 0x1c1f, -1;\n"
        "shfl.sync.up.b32 %r6|%p1, %r4, 2, 0x1c00, -1;\n"
        "selp.u32 %r7, %r5, %r6, %p0; @!%p0 mov.u32 %r7, %r6;\n"
        "add.u32 %rd, %r4, %r7; @%p0 bra SKIP; @%p1 bra SKIP;\n"
        "mov.u32 %rd, 0; SKIP:";
    for (int registers = 16; registers <= 64; registers *= 2) {
        all_equal_with(registers, predicates, many_predicates);
        all_equal_with(registers, local, local_words);
        all_equal_with(registers, "div.rn.f32 %fd, %fa, %fb;", quotient);
    }
    all_equal(loops, atomics, random_pair, 2);
    all_equal("st.global.u32 [%l3], %ra; atom.global.add.f32 %f0, [%l3], %fb;\n"
              "ld.global.u32 %rd, [%l3];",
              sum_ftz, tiny_pair, 4);
    all_equal("st.global.u32 [%l3], %ra; red.add.f32 [%l3], %fb;\n"
              "ld.global.u32 %rd, [%l3];",
              sum_ftz, tiny_pair, 4);
    all_equal(".shared .align 4 .b8 room[1024]; mov.u32 %r4, %tid.x;\n"
              "shl.b32 %r4, %r4, 2; mov.u32 %r5, room; add.u32 %r4, %r4, %r5;\n"
              "st.shared.u32 [%r4], %ra; atom.shared.add.f32 %f0, [%r4], %fb;\n"
              "ld.shared.u32 %rd, [%r4];",
              sum, tiny_pair, 4);
    all_equal("testp.normal.f32 %p0, %fa; testp.subnormal.f32 %p1, %fa;\n"
              "selp.u32 %rd, 1, 0, %p0; @%p1 add.u32 %rd, %rd, 2;",
              class_of, tiny_pair, 4);
    all_equal("neg.ftz.f32 %fd, %fa;", negated_ftz, tiny_pair, 4);
    all_equal("mov.u32 %r4, 0; LOOP: add.u32 %r5, %ra, %r4;\n"
              "setp.eq.u32 %p0, %r4, 0; @%p0 bra FIRST;\n"
              "add.u32 %rd, %rd, %r6; FIRST: mov.u32 %r6, %r5;\n"
              "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 4;\n"
              "@%p1 bra LOOP;",
              round_before, random_pair, 1);
    all_equal(exchange, in_groups, fill_groups, 2);
}

/* --- approximate functions ------------------------------------------------ */

/* The largest error over a range, in units of the last place of the result, and
 * as a relative and an absolute error. */
struct worst {
    double ulp, relative, absolute;
};

static struct worst errors(const char *line, double (*exact)(double),
                           double low, double high, int batches) {
    struct ptx_machine m;
    struct worst w = {0, 0, 0};
    open(&m, line);
    for (int k = 0; k < batches; k++) {
        for (int i = 0; i < BATCH; i++) {
            double t = ((double)k * BATCH + i) / ((double)batches * BATCH);
            a[i] = bits_of((float)(low + (high - low) * t));
        }
        run(&m);
        for (int i = 0; i < BATCH; i++) {
            double y = exact((double)f32_of(a[i]));
            double e = fabs((double)f32_of(d[i]) - y);
            int exponent;
            frexp(y, &exponent);
            w.absolute = fmax(w.absolute, e);
            if (y != 0 && fabs(y) >= 0x1p-126) {
                w.relative = fmax(w.relative, e / fabs(y));
                w.ulp = fmax(w.ulp, e / ldexp(1, exponent - 24));
            }
        }
    }
    print_message("%-32s %3d words, %g to %g: %.2f ulp, relative 2^%.1f, "
                  "absolute 2^%.1f\n",
                  line, m.code->n_words, low, high, w.ulp, log2(w.relative),
                  log2(w.absolute));
    ptx_machine_close(&m);
    return w;
}

static double inverse_root(double x) {
    return 1 / sqrt(x);
}

static void keeps_bounds(void **state) {
    (void)state;
    struct worst w = errors("ex2.approx.f32 %fd, %fa;", exp2, -126, 127, 4);
    assert_true(w.ulp <= 2);
    w = errors("ex2.approx.f32 %fd, %fa;", exp2, -2, 2, 4);
    assert_true(w.ulp <= 2);
    w = errors("rsqrt.approx.f32 %fd, %fa;", inverse_root, 1, 4, 4);
    assert_true(w.relative <= exp2(-22.9));
    w = errors("rsqrt.approx.f32 %fd, %fa;", inverse_root, 1e-3, 1e30, 4);
    assert_true(w.relative <= exp2(-22.9));
    w = errors("lg2.approx.f32 %fd, %fa;", log2, 0.5, 2, 4);
    assert_true(w.absolute <= exp2(-22));
    w = errors("lg2.approx.f32 %fd, %fa;", log2, 2, 1e38, 4);
    assert_true(w.relative <= exp2(-22));
    w = errors("sin.approx.f32 %fd, %fa;", sin, -3.1415926, 3.1415926, 4);
    assert_true(w.absolute <= exp2(-20.5));
    w = errors("cos.approx.f32 %fd, %fa;", cos, -3.1415926, 3.1415926, 4);
    assert_true(w.absolute <= exp2(-20.5));
}

/* Zeros, infinities, NaNs, negative and subnormal arguments. */
static void edges_of_functions(void **state) {
    (void)state;
    static const struct {
        const char *line;
        uint32_t in, out;
    } cases[] = {
        {"ex2.approx.f32 %fd, %fa;", 0x7f800000, 0x7f800000},
        {"ex2.approx.f32 %fd, %fa;", 0xff800000, 0},
        {"ex2.approx.f32 %fd, %fa;", 0x7fc00000, 0x7fffffff},
        {"ex2.approx.f32 %fd, %fa;", 0x43000000, 0x7f800000}, /* 128 */
        {"ex2.approx.f32 %fd, %fa;", 0xc3150000, 0x00000001}, /* -149 */
        {"ex2.approx.ftz.f32 %fd, %fa;", 0xc3150000, 0},
        {"ex2.approx.f32 %fd, %fa;", 0, 0x3f800000},
        {"rsqrt.approx.f32 %fd, %fa;", 0, 0x7f800000},
        {"rsqrt.approx.f32 %fd, %fa;", 0x80000000, 0xff800000},
        {"rsqrt.approx.f32 %fd, %fa;", 0x7f800000, 0},
        {"rsqrt.approx.f32 %fd, %fa;", 0xbf800000, 0x7fffffff},
        {"rsqrt.approx.f32 %fd, %fa;", 0x00000080, 0x63000000}, /* 2^-142 */
        {"rsqrt.approx.f32 %fd, %fa;", 0x7fc00000, 0x7fffffff},
        {"lg2.approx.f32 %fd, %fa;", 0, 0xff800000},
        {"lg2.approx.f32 %fd, %fa;", 0x80000000, 0xff800000},
        {"lg2.approx.f32 %fd, %fa;", 0xbf800000, 0x7fffffff},
        {"lg2.approx.f32 %fd, %fa;", 0x7f800000, 0x7f800000},
        {"lg2.approx.f32 %fd, %fa;", 0x00000001, 0xc3150000},
        {"lg2.approx.f32 %fd, %fa;", 0x3f800000, 0},
        {"sin.approx.f32 %fd, %fa;", 0, 0},
        {"cos.approx.f32 %fd, %fa;", 0, 0x3f800000},
        {"sin.approx.f32 %fd, %fa;", 0x7f800000, 0x7fffffff},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_machine m;
        open(&m, cases[i].line);
        a[0] = cases[i].in;
        run(&m);
        if (d[0] != cases[i].out)
            fail_msg("%s of 0x%08x: 0x%08x, expected 0x%08x", cases[i].line,
                     cases[i].in, d[0], cases[i].out);
        ptx_machine_close(&m);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    stride = argc > 1 ? 1 : 16;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_f32),   cmocka_unit_test(inverts_f32),
        cmocka_unit_test(takes_roots),   cmocka_unit_test(divides_integers),
        cmocka_unit_test(does_the_rest), cmocka_unit_test(remembers),
        cmocka_unit_test(keeps_bounds),  cmocka_unit_test(edges_of_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
