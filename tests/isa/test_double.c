/* test_double.c - f64 on the untimed machine, whose lanes have none: the host's
 * results, bit by bit.
 *
 * usage: test_double [all]: 16 times as many
 */
#include "ptx_machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { BATCH = 1 << 14 };

static uint32_t a[BATCH], b[BATCH], c[BATCH], d[BATCH];
static uint64_t seed = 7;
static int batches = 1;

static uint32_t any(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z >> 32);
}

/* A word that is interesting about one time in four. */
static uint32_t some(void) {
    static const uint32_t edges[] = {
        0,          1,          2,          0x000fffff, 0x00100000, 0x3fe00000,
        0x3ff00000, 0x3ff00001, 0x7fefffff, 0x7ff00000, 0x7ff00001, 0x7fffffff,
        0x7ff80000, 0x43e00000, 0x41dfffff, 0x80000000, 0xffffffff, 0x36a00000};
    uint32_t r = any();
    if (r % 8 == 0)
        return edges[any() % (sizeof edges / sizeof *edges)] ^ (any() << 31);
    if (r % 8 == 1) /* few ones at one end */
        return (any() << any() % 32) | any() >> 31;
    return any();
}

/* x is the words a, b; y those of c and b, its exponent moved by some of a; z is
 * near -x y or what comes of the words of c and a.  d is the result's words,
 * folded. */
static double f64_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t folded(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        bits = 0x7ff8000000000000;
    return (uint32_t)bits ^ 3 * (uint32_t)(bits >> 32);
}

#define F64_FROM                                                               \
    ".reg .f64 %x, %y, %z, %w; mov.b64 %x, {%ra, %rb};\n"                      \
    "and.b32 %r4, %ra, 0x7f; sub.u32 %r4, %r4, 64; shl.b32 %r4, %r4, 20;\n"    \
    "add.u32 %r4, %rb, %r4; mov.b64 %y, {%rc, %r4};\n"                         \
    "mov.b64 %z, {%rc, %ra};\n"
#define F64_TO                                                                 \
    "mov.b64 {%r5, %r6}, %w; mad.lo.u32 %r7, %r6, 2, %r6;\n"                   \
    "xor.b32 %rd, %r5, %r7;"

static double sum64(double x, double y, double z) {
    (void)z;
    return x + y;
}
static double less64(double x, double y, double z) {
    (void)z;
    return x - y;
}
static double product64(double x, double y, double z) {
    (void)z;
    return x * y;
}
static double fused64(double x, double y, double z) {
    return fma(x, y, z);
}
static double rest64(double x, double y, double z) {
    (void)z;
    return fma(x, y, -(x * y));
}
static double quotient64(double x, double y, double z) {
    (void)z;
    return x / y;
}
static double root64(double x, double y, double z) {
    (void)y;
    (void)z;
    return sqrt(fabs(x));
}
static double short64(double x, double y, double z) {
    (void)y;
    (void)z;
    return (double)(float)x;
}
static double whole64(double x, double y, double z) {
    (void)y;
    (void)z;
    return rint(ldexp(x, -900));
}

static struct {
    const char *line;
    double (*want)(double x, double y, double z);
} const lines[] = {
    {F64_FROM "add.f64 %w, %x, %y;" F64_TO, sum64},
    {F64_FROM "sub.f64 %w, %x, %y;" F64_TO, less64},
    {F64_FROM "mul.f64 %w, %x, %y;" F64_TO, product64},
    {F64_FROM "fma.rn.f64 %w, %x, %y, %z;" F64_TO, fused64},
    {F64_FROM "mul.f64 %z, %x, %y; neg.f64 %z, %z;\n"
              "fma.rn.f64 %w, %x, %y, %z;" F64_TO,
     rest64},
    {F64_FROM "div.rn.f64 %w, %x, %y;" F64_TO, quotient64},
    {F64_FROM "abs.f64 %x, %x; sqrt.rn.f64 %w, %x;" F64_TO, root64},
    {F64_FROM "cvt.rn.f32.f64 %f1, %x; cvt.f64.f32 %w, %f1;" F64_TO, short64},
    {F64_FROM "mul.f64 %x, %x, 0d07B0000000000000;\n"
              "cvt.rni.f64.f64 %w, %x;" F64_TO,
     whole64},
};

/* Exponents of all kinds; few ones in a significand; two numbers close. */
static void fill(int i) {
    a[i] = some();
    b[i] = some();
    c[i] = any() % 4 ? some() : a[i] + any() % 5 - 2;
    if (any() % 4 == 0) /* a float as short as f32's, and its neighbours */
        b[i] = (b[i] & 0x80000000) + ((896 + any() % 254) << 20) +
               (b[i] & 0xfffff),
        a[i] = (a[i] & 0xe0000000) + any() % 3 - 1;
}

static void computes(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct ptx_machine m;
        ptx_machine_open(&m, lines[k].line, 64);
        assert_non_null(m.code);
        for (int batch = 0; batch < batches; batch++) {
            for (int i = 0; i < BATCH; i++)
                fill(i);
            assert_true(ptx_machine_run(&m, BATCH, a, b, c, d));
            for (int i = 0; i < BATCH; i++) {
                uint64_t low = a[i], y = c[i];
                uint32_t high = b[i] + (((a[i] & 0x7f) - 64) << 20);
                double want =
                    lines[k].want(f64_of(low | (uint64_t)b[i] << 32),
                                  f64_of(y | (uint64_t)high << 32),
                                  f64_of((uint64_t)a[i] << 32 | c[i]));
                if (d[i] != folded(want))
                    fail_msg("%s of 0x%08x%08x, 0x%08x%08x: 0x%08x, expected "
                             "0x%08x, of %a",
                             lines[k].line + sizeof F64_FROM - 1, b[i], a[i],
                             high, c[i], d[i], folded(want), want);
            }
        }
        print_message("%4d words, %d results: %.24s...\n", m.code->n_words,
                      batches * BATCH, lines[k].line + sizeof F64_FROM - 1);
        ptx_machine_close(&m);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    batches = argc > 1 ? 16 : 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(computes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
