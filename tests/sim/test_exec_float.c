/* test_exec_float.c - floating-point arithmetic of the executor against the
 * CPU's own: rounding modes, comparisons, conversions (between f16 and f32
 * exhaustively), halves, and the errors of the approximate functions.
 */
#include "exec_arith.h"

#include <fenv.h>
#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_F16C __builtin_cpu_supports("avx2") /* then it has */
#else
#define HAVE_F16C 0
#endif

/* ------------------------------------------------------------------ floats */

static float f_of(uint64_t v) {
    uint32_t b = (uint32_t)v;
    float f;
    memcpy(&f, &b, 4);
    return f;
}
static uint64_t f_bits(float f) {
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}
static double d_of(uint64_t v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static uint64_t d_bits(double d) {
    uint64_t v;
    memcpy(&v, &d, 8);
    return v;
}

/* One rounded operation; volatile keeps it between the mode changes. */
#define ROUNDED(name, T, of, to, mode, expr)                                   \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                 \
        volatile T x = of(a), y = of(b), z = of(c), r;                         \
        (void)y;                                                               \
        (void)z;                                                               \
        fesetround(mode);                                                      \
        r = expr;                                                              \
        fesetround(FE_TONEAREST);                                              \
        return to(r);                                                          \
    }
#define ROUNDED_F(name, mode, expr)                                            \
    ROUNDED(name, float, f_of, f_bits, mode, expr)
#define ROUNDED_D(name, mode, expr)                                            \
    ROUNDED(name, double, d_of, d_bits, mode, expr)

ROUNDED_F(f_add, FE_TONEAREST, x + y)
ROUNDED_F(f_add_rz, FE_TOWARDZERO, x + y)
ROUNDED_F(f_add_rm, FE_DOWNWARD, x + y)
ROUNDED_F(f_add_rp, FE_UPWARD, x + y)
ROUNDED_F(f_sub, FE_TONEAREST, x - y)
ROUNDED_F(f_mul, FE_TONEAREST, x *y)
ROUNDED_F(f_mul_rp, FE_UPWARD, x *y)
ROUNDED_F(f_fma, FE_TONEAREST, fmaf(x, y, z))
ROUNDED_F(f_fma_rm, FE_DOWNWARD, fmaf(x, y, z))
ROUNDED_F(f_fma_rz, FE_TOWARDZERO, fmaf(x, y, z))
ROUNDED_F(f_div, FE_TONEAREST, x / y)
ROUNDED_F(f_div_rz, FE_TOWARDZERO, x / y)
ROUNDED_F(f_sqrt, FE_TONEAREST, sqrtf(x))
ROUNDED_F(f_sqrt_rp, FE_UPWARD, sqrtf(x))
ROUNDED_F(f_rcp, FE_TONEAREST, 1 / x)
ROUNDED_D(d_add, FE_TONEAREST, x + y)
ROUNDED_D(d_add_rm, FE_DOWNWARD, x + y)
ROUNDED_D(d_sub, FE_TONEAREST, x - y)
ROUNDED_D(d_mul, FE_TONEAREST, x *y)
ROUNDED_D(d_mul_rz, FE_TOWARDZERO, x *y)
ROUNDED_D(d_fma, FE_TONEAREST, fma(x, y, z))
ROUNDED_D(d_fma_rp, FE_UPWARD, fma(x, y, z))
ROUNDED_D(d_div, FE_TONEAREST, x / y)
ROUNDED_D(d_sqrt, FE_TONEAREST, sqrt(x))
ROUNDED_D(d_rcp, FE_TONEAREST, 1 / x)

/* .ftz on both sides of an operation. */
static uint64_t flush(uint64_t v) {
    return (v & 0x7f800000) == 0 ? v & 0x80000000 : v;
}
static uint64_t f_add_ftz(uint64_t a, uint64_t b, uint64_t c) {
    return flush(f_add(flush(a), flush(b), c));
}
static uint64_t f_fma_ftz(uint64_t a, uint64_t b, uint64_t c) {
    return flush(f_fma(flush(a), flush(b), flush(c)));
}
static uint64_t f_mul_sat(uint64_t a, uint64_t b, uint64_t c) {
    float r = f_of(f_mul(a, b, c));
    return f_bits(r > 0 ? r < 1 ? r : 1.0f : 0.0f);
}

static uint64_t f_min(uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    if (is_nan(a, 32) || is_nan(b, 32))
        return is_nan(a, 32) ? is_nan(b, 32) ? 0x7fffffff : b : a;
    if (f_of(a) == 0 && f_of(b) == 0)
        return a | b;
    return f_of(a) < f_of(b) ? a : b;
}
static uint64_t d_max(uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    if (is_nan(a, 64) || is_nan(b, 64))
        return is_nan(a, 64) ? is_nan(b, 64) ? 0x7ff8000000000000 : b : a;
    if (d_of(a) == 0 && d_of(b) == 0)
        return a & b;
    return d_of(a) > d_of(b) ? a : b;
}
static uint64_t f_max_nan(uint64_t a, uint64_t b, uint64_t c) {
    if (is_nan(a, 32) || is_nan(b, 32))
        return 0x7fffffff;
    return f_min(a ^ 0x80000000, b ^ 0x80000000, c) ^ 0x80000000;
}
REF(f_abs, a & 0x7fffffff)
REF(f_neg, a ^ 0x80000000)
REF(f_copysign, (a & 0x80000000) | (b & 0x7fffffff))

static void floats(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"add.f32", "rrr", f_add, true},
        {"add.rz.f32", "rrr", f_add_rz, true},
        {"add.rm.f32", "rrr", f_add_rm, true},
        {"add.rp.f32", "rrr", f_add_rp, true},
        {"add.ftz.f32", "rrr", f_add_ftz, true},
        {"sub.rn.f32", "rrr", f_sub, true},
        {"mul.f32", "rrr", f_mul, true},
        {"mul.rp.f32", "rrr", f_mul_rp, true},
        {"mul.sat.f32", "rrr", f_mul_sat, false},
        {"fma.rn.f32", "rrrr", f_fma, true},
        {"fma.rm.f32", "rrrr", f_fma_rm, true},
        {"fma.rz.f32", "rrrr", f_fma_rz, true},
        {"fma.rn.ftz.f32", "rrrr", f_fma_ftz, true},
        {"mad.f32", "rrrr", f_fma, true},
        {"div.rn.f32", "rrr", f_div, true},
        {"div.rz.f32", "rrr", f_div_rz, true},
        {"sqrt.rn.f32", "rr", f_sqrt, true},
        {"sqrt.rp.f32", "rr", f_sqrt_rp, true},
        {"rcp.rn.f32", "rr", f_rcp, true},
        {"min.f32", "rrr", f_min, false},
        {"max.NaN.f32", "rrr", f_max_nan, false},
        {"abs.f32", "rr", f_abs, false},
        {"neg.f32", "rr", f_neg, false},
        {"copysign.f32", "rrr", f_copysign, false},
        {"add.f64", "ddd", d_add, true},
        {"add.rm.f64", "ddd", d_add_rm, true},
        {"sub.f64", "ddd", d_sub, true},
        {"mul.f64", "ddd", d_mul, true},
        {"mul.rz.f64", "ddd", d_mul_rz, true},
        {"fma.rn.f64", "dddd", d_fma, true},
        {"fma.rp.f64", "dddd", d_fma_rp, true},
        {"div.rn.f64", "ddd", d_div, true},
        {"sqrt.rn.f64", "dd", d_sqrt, true},
        {"rcp.rn.f64", "dd", d_rcp, true},
        {"max.f64", "ddd", d_max, false},
    };
    CHECK_ALL(list);
}

/* ---------------------------------------------------------- comparisons */

/* Exactly one of the three holds, or none if one is NaN. */
#define COMPARISON(name, expr)                                                 \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                 \
        float x = f_of(a), y = f_of(b);                                        \
        (void)c;                                                               \
        return (expr) ? UINT32_MAX : 0;                                        \
    }
COMPARISON(s_lt, x < y)
COMPARISON(s_ne, x<y || x> y)
COMPARISON(s_neu, x != y)
COMPARISON(s_geu, !(x < y))
COMPARISON(s_num, x == x && y == y)
COMPARISON(s_nan, x != x || y != y)
COMPARISON(s_equ, !(x < y || x > y))
REF(s_ltu32, U32(a) < U32(b) ? UINT32_MAX : 0)
REF(s_ges32, S32(a) >= S32(b) ? UINT32_MAX : 0)
REF(s_gts64, S64(a) > S64(b) ? UINT32_MAX : 0)
REF(s_hi, U32(a) > U32(b) ? UINT32_MAX : 0)
REF(s_les16, S16(a) <= S16(b) ? UINT32_MAX : 0)
REF(s_float, U32(a) == U32(b) ? 0x3f800000 : 0)
REF(slct_s, S32(c) >= 0 ? a : b)
REF(slct_f, f_of(c) >= 0 ? a : b)

static void comparisons(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"set.lt.u32.f32", "rrr", s_lt, false},
        {"set.ne.s32.f32", "rrr", s_ne, false},
        {"set.neu.u32.f32", "rrr", s_neu, false},
        {"set.geu.u32.f32", "rrr", s_geu, false},
        {"set.num.u32.f32", "rrr", s_num, false},
        {"set.nan.u32.f32", "rrr", s_nan, false},
        {"set.equ.u32.f32", "rrr", s_equ, false},
        {"set.lt.u32.u32", "rrr", s_ltu32, false},
        {"set.ge.u32.s32", "rrr", s_ges32, false},
        {"set.gt.u32.s64", "rdd", s_gts64, false},
        {"set.hi.u32.u32", "rrr", s_hi, false},
        {"set.le.u32.s16", "rhh", s_les16, false},
        {"set.eq.f32.u32", "rrr", s_float, false},
        {"slct.u32.s32", "rrrr", slct_s, false},
        {"slct.f32.f32", "rrrr", slct_f, false},
    };
    CHECK_ALL(list);
}

/* ------------------------------------------------------------ conversions */

/* Float to integer: rounded, clamped, NaN is 0. */
static uint64_t to_int(double x, double low, double high, int64_t lowest,
                       uint64_t highest) {
    return x != x      ? 0
           : x >= high ? highest
           : x <= low  ? (uint64_t)lowest
           : low < 0   ? (uint64_t)(int64_t)x
                       : (uint64_t)x;
}
static uint64_t c_s32_f32(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return to_int(truncf(f_of(a)), INT32_MIN, 2147483647.0, INT32_MIN,
                  INT32_MAX);
}
static uint64_t c_u32_f32_rni(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return to_int(nearbyint(f_of(a)), 0, 4294967295.0, 0, UINT32_MAX);
}
static uint64_t c_s64_f64_rmi(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return to_int(floor(d_of(a)), -0x1p63, 0x1p63, INT64_MIN, INT64_MAX);
}
static uint64_t c_u8_f32_rpi(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return to_int(ceilf(f_of(a)), 0, 255, 0, 255);
}
static uint64_t c_f32_sat(uint64_t a, uint64_t b, uint64_t c) {
    float x = f_of(a);
    (void)b;
    (void)c;
    return f_bits(x > 0 ? x < 1 ? x : 1.0f : 0.0f);
}
#define C_ROUNDED(name, in, mode, R, to)                                       \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                 \
        volatile R r;                                                          \
        (void)b;                                                               \
        (void)c;                                                               \
        fesetround(mode);                                                      \
        r = (R)(in);                                                           \
        fesetround(FE_TONEAREST);                                              \
        return to(r);                                                          \
    }
C_ROUNDED(c_f32_s32, S32(a), FE_TONEAREST, float, f_bits)
C_ROUNDED(c_f32_u32_rz, U32(a), FE_TOWARDZERO, float, f_bits)
C_ROUNDED(c_f32_s64, S64(a), FE_TONEAREST, float, f_bits)
C_ROUNDED(c_f32_u64_rp, a, FE_UPWARD, float, f_bits)
C_ROUNDED(c_f64_s64_rm, S64(a), FE_DOWNWARD, double, d_bits)
C_ROUNDED(c_f64_u32, U32(a), FE_TONEAREST, double, d_bits)
C_ROUNDED(c_f32_f64, d_of(a), FE_TONEAREST, float, f_bits)
C_ROUNDED(c_f32_f64_rz, d_of(a), FE_TOWARDZERO, float, f_bits)
C_ROUNDED(c_f64_f32, f_of(a), FE_TONEAREST, double, d_bits)
C_ROUNDED(c_rmi, floorf(f_of(a)), FE_TONEAREST, float, f_bits)
C_ROUNDED(c_rni, nearbyintf(f_of(a)), FE_TONEAREST, float, f_bits)
REF(c_s64_s32, (int64_t)S32(a))
REF(c_s32_s16, S16(a))
REF(c_s32_s8, (int8_t)a)
REF(c_u16_u32, a & 0xffff)
REF(c_sat_u8_s32, S32(a) < 0 ? 0 : S32(a) > 255 ? 255 : a)
REF(c_sat_s16_s32, S32(a) < -32768 ? -32768 : S32(a) > 32767 ? 32767 : S32(a))
REF(c_sat_u32_s64, S64(a) < 0 ? 0 : S64(a) > UINT32_MAX ? UINT32_MAX : a)

static void conversions(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"cvt.rzi.s32.f32", "rr", c_s32_f32, false},
        {"cvt.rni.u32.f32", "rr", c_u32_f32_rni, false},
        {"cvt.rmi.s64.f64", "dd", c_s64_f64_rmi, false},
        {"cvt.rpi.u8.f32", "rr", c_u8_f32_rpi, false},
        {"cvt.rn.f32.s32", "rr", c_f32_s32, false},
        {"cvt.rz.f32.u32", "rr", c_f32_u32_rz, false},
        {"cvt.rn.f32.s64", "rd", c_f32_s64, false},
        {"cvt.rp.f32.u64", "rd", c_f32_u64_rp, false},
        {"cvt.rm.f64.s64", "dd", c_f64_s64_rm, false},
        {"cvt.rn.f64.u32", "dr", c_f64_u32, false},
        {"cvt.rn.f32.f64", "rd", c_f32_f64, true},
        {"cvt.rz.f32.f64", "rd", c_f32_f64_rz, true},
        {"cvt.f64.f32", "dr", c_f64_f32, true},
        {"cvt.rmi.f32.f32", "rr", c_rmi, true},
        {"cvt.rni.f32.f32", "rr", c_rni, true},
        {"cvt.sat.f32.f32", "rr", c_f32_sat, false},
        {"cvt.s64.s32", "dr", c_s64_s32, false},
        {"cvt.s32.s16", "rh", c_s32_s16, false},
        {"cvt.s32.s8", "rr", c_s32_s8, false},
        {"cvt.u16.u32", "hr", c_u16_u32, false},
        {"cvt.sat.u8.s32", "rr", c_sat_u8_s32, false},
        {"cvt.sat.s16.s32", "hr", c_sat_s16_s32, false},
        {"cvt.sat.u32.s64", "rd", c_sat_u32_s64, false},
    };
    CHECK_ALL(list);
}

/* A kernel over n elements with conversion text from 32 to 32 bits. */
static void convert(const char *text, uint32_t *data, uint32_t n) {
    static char kernel[1024];
    struct kit k;
    snprintf(kernel, sizeof kernel,
             "%s.visible .entry k(.param .u64 p) { .reg .b64 %%a, %%o; "
             ".reg .b32 %%i, %%n, %%t, %%x; .reg .b16 %%h;\n"
             "ld.param.u64 %%a, [p]; mov.u32 %%i, %%ctaid.x;\n"
             "mov.u32 %%n, %%ntid.x; mov.u32 %%t, %%tid.x;\n"
             "mad.lo.u32 %%i, %%i, %%n, %%t; mul.wide.u32 %%o, %%i, 4;\n"
             "add.u64 %%a, %%a, %%o; ld.global.b32 %%x, [%%a];\n%s\n"
             "st.global.b32 [%%a], %%x; ret; }",
             KIT_HEAD, text);
    kit_open(&k, kernel, NULL);
    uint32_t *buffer = kit_buffer(&k, "data", 4 * (uint64_t)n);
    memcpy(buffer, data, 4 * (size_t)n);
    kit_finish(&k, n / 256, 256);
    memcpy(data, buffer, 4 * (size_t)n);
    kit_close(&k);
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) static uint32_t cpu_f32(uint32_t h) {
    return (uint32_t)f_bits(_cvtsh_ss((uint16_t)h));
}
__attribute__((target("f16c"))) static uint32_t cpu_f16(uint32_t f, int mode) {
    float x = f_of(f);
    return mode == 0   ? _cvtss_sh(x, 0)
           : mode == 1 ? _cvtss_sh(x, 3)
           : mode == 2 ? _cvtss_sh(x, 1)
                       : _cvtss_sh(x, 2);
}
#else
static uint32_t cpu_f32(uint32_t h) {
    return h;
}
static uint32_t cpu_f16(uint32_t f, int mode) {
    return f + (uint32_t)mode;
}
#endif

static void f16_to_f32(void **state) {
    (void)state;
    static uint32_t data[65536];
    if (!HAVE_F16C)
        skip();
    for (uint32_t i = 0; i < 65536; i++)
        data[i] = i;
    convert("cvt.u16.u32 %h, %x; cvt.f32.f16 %x, %h;", data, 65536);
    for (uint32_t i = 0; i < 65536; i++) {
        bool nan = is_nan(i, 16);
        assert_true(nan ? data[i] == 0x7fffffff : data[i] == cpu_f32(i));
    }
}

/* Every f16, and between each two the middle and its neighbours; all modes. */
static void f32_to_f16(void **state) {
    (void)state;
    enum { COUNT = 65536 * 4 };
    static uint32_t in[COUNT], data[COUNT];
    static const char *const modes[] = {"rn", "rz", "rm", "rp"};
    if (!HAVE_F16C)
        skip();
    for (uint32_t i = 0; i < 65536; i++) {
        uint32_t here = cpu_f32(i), next = cpu_f32(i + 1);
        uint32_t middle = here + (next - here) / 2;
        in[4 * i] = here;
        in[4 * i + 1] = middle - 1;
        in[4 * i + 2] = middle;
        in[4 * i + 3] = middle + 1;
    }
    for (int mode = 0; mode < 4; mode++) {
        char text[80];
        snprintf(text, sizeof text,
                 "cvt.%s.f16.f32 %%h, %%x; cvt.u32.u16 %%x, %%h;", modes[mode]);
        memcpy(data, in, sizeof data);
        convert(text, data, COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            bool nan = is_nan(in[i], 32);
            assert_int_equal(data[i], nan ? 0x7fff : cpu_f16(in[i], mode));
        }
    }
}

/* bf16 is the upper half of an f32, rounded to even. */
static void bf16(void **state) {
    (void)state;
    enum { COUNT = 65536 };
    static uint32_t in[COUNT], data[COUNT];
    state_of_random = 5;
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = in[i] = i << 16 | (uint32_t)(value(32) & 0xffff);
    convert("cvt.rn.bf16.f32 %h, %x; cvt.u32.u16 %x, %h;", data, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t want = (in[i] + 0x7fff + (in[i] >> 16 & 1)) >> 16;
        assert_int_equal(data[i], is_nan(in[i], 32) ? 0x7fff : want);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    convert("cvt.u16.u32 %h, %x; cvt.f32.bf16 %x, %h;", data, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(data[i], is_nan(i << 16, 32) ? 0x7fffffff : i << 16);
}

/* Two f32 into a pair, the first one above. */
static void pairs(void **state) {
    (void)state;
    uint32_t data[256];
    for (uint32_t i = 0; i < 256; i++)
        data[i] = (uint32_t)f_bits((float)i);
    convert("cvt.rn.f16x2.f32 %x, %x, 0f3F800000;", data, 256);
    if (HAVE_F16C)
        for (uint32_t i = 0; i < 256; i++)
            assert_int_equal(
                data[i], cpu_f16((uint32_t)f_bits((float)i), 0) << 16 | 0x3c00);
}

#if defined(__x86_64__)
/* Sums and products of two f16 are exact in double; their fma is not, but a
 * long double holds it. */
static uint64_t half_of(long double v) {
    /* to odd in f32's 24 bits, which are more than f16 needs twice over */
    float f = (float)v;
    if ((long double)f != v && !isinf(f)) {
        uint32_t b = (uint32_t)f_bits(f);
        bool above = fabsl((long double)f) > fabsl(v);
        if (above)
            b--;
        f = f_of(b | 1);
    }
    return cpu_f16((uint32_t)f_bits(f), 0);
}
static long double h(uint64_t v) {
    return f_of(cpu_f32((uint32_t)(v & 0xffff)));
}
REF(h_add, half_of(h(a) + h(b)))
REF(h_sub, half_of(h(a) - h(b)))
REF(h_mul, half_of(h(a) * h(b)))
REF(h_fma, half_of(h(a) * h(b) + h(c)))
REF(h2_add, half_of(h(a) + h(b)) | half_of(h(a >> 16) + h(b >> 16)) << 16)
REF(h2_fma, half_of(h(a) * h(b) + h(c)) |
                half_of(h(a >> 16) * h(b >> 16) + h(c >> 16)) << 16)
REF(h_neg, a ^ 0x8000)

static bool pair_nan(uint64_t v) {
    return is_nan(v & 0xffff, 16) || is_nan(v >> 16, 16);
}

static uint64_t h2_add_canonical(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t v = h2_add(a, b, c);
    uint64_t low = is_nan(v & 0xffff, 16) ? 0x7fff : v & 0xffff;
    uint64_t high = is_nan(v >> 16, 16) ? 0x7fff : v >> 16;
    return pair_nan(v) ? high << 16 | low : v;
}

static uint64_t h2_fma_canonical(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t v = h2_fma(a, b, c);
    uint64_t low = is_nan(v & 0xffff, 16) ? 0x7fff : v & 0xffff;
    uint64_t high = is_nan(v >> 16, 16) ? 0x7fff : v >> 16;
    return high << 16 | low;
}

static void halves(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"add.f16", "hhh", h_add, true},
        {"sub.rn.f16", "hhh", h_sub, true},
        {"mul.f16", "hhh", h_mul, true},
        {"fma.rn.f16", "hhhh", h_fma, true},
        {"neg.f16", "hh", h_neg, true},
        {"add.f16x2", "rrr", h2_add_canonical, false},
        {"fma.rn.f16x2", "rrrr", h2_fma_canonical, false},
    };
    if (!HAVE_F16C)
        skip();
    CHECK_ALL(list);
}
#else
static void halves(void **state) {
    (void)state;
    skip();
}
#endif

/* -------------------------------------------------------------- approximate */

/* Error of an approximate function over a range, relative or absolute. */
static void approximate(const char *op, double (*exact)(double), float low,
                        float high, double relative, double absolute) {
    enum { COUNT = 4096 };
    static uint32_t data[COUNT];
    char text[80];
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = (uint32_t)f_bits(low + (high - low) * (float)i / COUNT);
    static uint32_t in[COUNT];
    memcpy(in, data, sizeof in);
    snprintf(text, sizeof text, "%s %%x, %%x;", op);
    convert(text, data, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        double want = exact(f_of(in[i])), got = f_of(data[i]);
        if (fabs(got - want) > absolute + relative * fabs(want))
            fail_msg("%s of %g is %g, expected %g", op, f_of(in[i]), got, want);
    }
}

static double rsqrt(double x) {
    return 1 / sqrt(x);
}
static double reciprocal(double x) {
    return 1 / x;
}

static void approximations(void **state) {
    (void)state;
    approximate("ex2.approx.f32", exp2, -20, 20, 0x1p-22, 0);
    approximate("ex2.approx.ftz.f32", exp2, -120, 120, 0x1p-22, 0);
    approximate("lg2.approx.f32", log2, 0.01f, 100, 0x1p-22, 0x1p-22);
    approximate("sin.approx.f32", sin, -3.14f, 3.14f, 0, 0x1p-20);
    approximate("cos.approx.ftz.f32", cos, -3.14f, 3.14f, 0, 0x1p-20);
    approximate("tanh.approx.f32", tanh, -5, 5, 0x1p-11, 0);
    approximate("rsqrt.approx.f32", rsqrt, 0.001f, 1000, 0x1p-22, 0);
    approximate("rcp.approx.ftz.f32", reciprocal, 0.001f, 1000, 0x1p-23, 0);
    approximate("sqrt.approx.f32", sqrt, 0.001f, 1000, 0x1p-22, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),         cmocka_unit_test(comparisons),
        cmocka_unit_test(conversions),    cmocka_unit_test(f16_to_f32),
        cmocka_unit_test(f32_to_f16),     cmocka_unit_test(bf16),
        cmocka_unit_test(pairs),          cmocka_unit_test(halves),
        cmocka_unit_test(approximations),
    };
    return cmocka_run_group_tests_name("exec_float", tests, NULL, NULL);
}
