/* test_texture.c - texture fetches against values worked out by hand; the
 * executor's instructions, what they do to a stream, and what they refuse;
 * textures of run descriptions.
 */
#include "tests/sim/exec_kit.h"
#include "tests/common/scratch.h"
#include "sim/exec/texture.h"
#include "sim/run/run.h"
#include "sim/system/cta.h"
#include "sim/trace/dump.h"
#include "sim/trace/stats.h"

#include <math.h>
#include <stdlib.h>

static float f32(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ------------------------------------------------------------ coordinates */

static const float line_data[] = {10, 20, 40, 80};

static struct texture line(enum texture_filter filter, enum texture_address m,
                           bool unit) {
    return (struct texture){.dims = 1,
                            .type = TEXEL_F32,
                            .channels = 1,
                            .width = 4,
                            .height = 1,
                            .pitch = 16,
                            .address = 0x1000,
                            .data = (const uint8_t *)line_data,
                            .filter = filter,
                            .mode = {m, m},
                            .unit_coordinates = unit};
}

static void expect_at(const struct texture *t, float x, float y, float wanted) {
    struct texture_fetch f;
    texture_at(t, (const float[2]){x, y}, &f);
    if (f32(f.value[0]) != wanted)
        fail_msg("filter %d, mode %d, unit %d, at %.9g, %.9g: %.9g, expected "
                 "%.9g",
                 t->filter, t->mode[0], t->unit_coordinates, (double)x,
                 (double)y, (double)f32(f.value[0]), (double)wanted);
}

struct point {
    float x, wanted;
};

#define LINE(filter, mode, unit, ...)                                          \
    do {                                                                       \
        static const struct point points[] = {__VA_ARGS__};                    \
        struct texture t = line(filter, mode, unit);                           \
        assert_null(texture_wrong(&t, NULL));                                  \
        for (size_t i = 0; i < sizeof points / sizeof *points; i++)            \
            expect_at(&t, points[i].x, 0, points[i].wanted);                   \
    } while (0)

static void points(void **state) {
    (void)state;
    LINE(TEXTURE_POINT, TEXTURE_CLAMP, false, {-0.5f, 10}, {0, 10},
         {0.99999994f, 10}, {1, 20}, {3.9f, 80}, {4, 80}, {1e30f, 80},
         {-1e30f, 10}, {INFINITY, 80}, {-INFINITY, 10}, {NAN, 10});
    LINE(TEXTURE_POINT, TEXTURE_BORDER, false, {-1e-30f, 0}, {0, 10},
         {3.5f, 80}, {4, 0}, {-3e38f, 0}, {3e38f, 0});
    LINE(TEXTURE_POINT, TEXTURE_CLAMP, true, {0.25f, 20}, {0.75f, 80}, {1, 80},
         {-7, 10});
    LINE(TEXTURE_POINT, TEXTURE_BORDER, true, {0.9999f, 80}, {1, 0},
         {-0.1f, 0});
    /* frac: -1e-30 is just below 1 */
    LINE(TEXTURE_POINT, TEXTURE_WRAP, true, {1.25f, 20}, {-0.25f, 80},
         {-1e-30f, 80}, {1, 10}, {2.5f, 40}, {-8, 10}, {1e30f, 10},
         {16777215.5f, 10});
    /* by texels: 4 to 7 are 3 to 0 */
    LINE(TEXTURE_POINT, TEXTURE_MIRROR, true, {0.3f, 20}, {1, 80}, {1.125f, 80},
         {1.2499999f, 80}, {1.25f, 40}, {1.9f, 10}, {2.25f, 20}, {-0.25f, 10},
         {-0.26f, 20}, {-0.2f, 10}, {-1, 80}, {-1.75f, 20}, {3, 80});
}

static void linear(void **state) {
    (void)state;
    LINE(TEXTURE_LINEAR, TEXTURE_CLAMP, false, {0.5f, 10}, {1, 15}, {2, 30},
         {0, 10}, {3.5f, 80}, {4, 80}, {-9, 10}, {1e30f, 80}, {2.75f, 50});
    /* weights in 256ths, half of one goes up, all of them reach the next */
    LINE(TEXTURE_LINEAR, TEXTURE_CLAMP, false, {0.5f + 1.0f / 1024, 10},
         {0.5f + 1.0f / 512, 10.0390625f}, {0.5f + 1.0f / 256, 10.0390625f},
         {1.5f - 1.0f / 1024, 20}, {1.5f - 1.0f / 512, 20},
         {1.5f - 1.0f / 256, 19.9609375f},
         {1.3f, 18.0078125f}); /* 0.8 is 205 of 256 */
    LINE(TEXTURE_LINEAR, TEXTURE_BORDER, false, {0, 5}, {4, 40}, {-0.5f, 0},
         {-0.25f, 2.5f}, {4.5f, 0}, {1, 15});
    LINE(TEXTURE_LINEAR, TEXTURE_WRAP, true, {0, 45}, {1, 45}, {-0.125f, 80},
         {0.25f, 15}, {7.25f, 15}, {-3, 45});
    LINE(TEXTURE_LINEAR, TEXTURE_MIRROR, true, {0, 10}, {1, 80}, {1.125f, 80},
         {1.25f, 60}, {-0.25f, 15}, {2.25f, 15});
    LINE(TEXTURE_LINEAR, TEXTURE_CLAMP, true, {0.25f, 15}, {1.5f, 80});
}

/* Sizes and coordinates at which an f32, or 2^-8 of it, would not do. */
static void large(void **state) {
    (void)state;
    uint32_t width = 3 << 20;
    float *data = calloc(width, sizeof *data);
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_WRAP, true);
    t.width = width;
    t.pitch = 4 * (uint64_t)width;
    t.data = (const uint8_t *)data;
    for (uint32_t i = 0; i < width; i++)
        data[i] = (float)i;
    /* of 0.1f are left 209715 / 2^21: 314572.5, less a half */
    expect_at(&t, 0.1f, 0, 314572);
    t.filter = TEXTURE_POINT;
    expect_at(&t, 0.1f, 0, 314572);
    expect_at(&t, -0.1f, 0, 2831154);
    free(data);
}

static void two_dimensions(void **state) {
    (void)state;
    static const float data[2][4] = {{1, 2, 3, -1}, {5, 7, 11, -1}};
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    struct texture_fetch f;
    t.dims = 2;
    t.width = 3;
    t.height = 2;
    t.data = (const uint8_t *)data;
    expect_at(&t, 1, 1, 3.75f);
    expect_at(&t, 1.25f, 0.75f, 2.9375f);
    expect_at(&t, 9, 1, 7); /* between 3 and 11 */
    expect_at(&t, -9, -9, 1);
    t.mode[1] = TEXTURE_BORDER; /* x still clamps */
    expect_at(&t, 9, 0, 1.5f);
    expect_at(&t, 9, -1, 0);
    texture_at(&t, (const float[2]){1.5f, 1.5f}, &f);
    assert_int_equal(f.n, 4);
    assert_int_equal(f.address[0], 0x1014);
    assert_int_equal(f.address[1], 0x1018);
    assert_int_equal(f.address[2], 0x1014); /* border: the row of the edge */
    t.filter = TEXTURE_POINT;
    expect_at(&t, 2.9f, 1.9f, 11);
    texture_at(&t, (const float[2]){2.9f, 1.9f}, &f);
    assert_int_equal(f.n, 1);
    assert_int_equal(f.address[0], 0x1018);
    texture_texel_at(&t, (const int32_t[2]){-4, 1}, &f);
    assert_true(f32(f.value[0]) == 5);
    texture_texel_at(&t, (const int32_t[2]){1, 2}, &f);
    assert_int_equal(f.value[0], 0);
}

/* docs/run.md word by word, in doubles that hold all of it exactly: the first
 * texel along one direction, and the weight of the next. */
static int64_t by_the_book(const struct texture *t, int k, double x,
                           double *weight) {
    if (t->unit_coordinates)
        x = floor(x * 2097152) / 2097152 * (double)(k ? t->height : t->width);
    *weight = 0;
    if (t->filter == TEXTURE_LINEAR) {
        x -= 0.5;
        *weight = floor((x - floor(x)) * 256 + 0.5) / 256;
    }
    return (int64_t)floor(x);
}

static double texel_by_the_book(const struct texture *t, const float *data,
                                int64_t x, int64_t y) {
    int64_t at[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        int64_t n = (int64_t)(k ? t->height : t->width);
        bool outside = at[k] < 0 || at[k] >= n;
        if (outside && t->mode[k] == TEXTURE_BORDER)
            return 0;
        while (t->mode[k] >= TEXTURE_WRAP && (at[k] < 0 || at[k] >= n))
            if (t->mode[k] == TEXTURE_WRAP)
                at[k] += at[k] < 0 ? n : -n;
            else
                at[k] = at[k] < 0 ? -1 - at[k] : 2 * n - 1 - at[k];
        if (outside && t->mode[k] == TEXTURE_CLAMP)
            at[k] = at[k] < 0 ? 0 : n - 1;
    }
    return (double)data[at[1] * (int64_t)t->width + at[0]];
}

static uint32_t draw(uint32_t *seed, uint32_t n) {
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % n;
}

static void at_random(void **state) {
    (void)state;
    float data[16 * 16];
    uint32_t seed = 1;
    for (int i = 0; i < 16 * 16; i++)
        data[i] = (float)(draw(&seed, 1000));
    for (int n = 0; n < 20000; n++) {
        struct texture t = line(TEXTURE_POINT, TEXTURE_CLAMP, draw(&seed, 2));
        double w[2], sum = 0;
        float at[2];
        int64_t i[2];
        t.dims = 2;
        t.data = (const uint8_t *)data;
        t.width = 1 + draw(&seed, 16);
        t.height = 1 + draw(&seed, 16);
        t.pitch = 4 * t.width;
        t.filter = draw(&seed, 2) ? TEXTURE_LINEAR : TEXTURE_POINT;
        for (int k = 0; k < 2; k++) {
            t.mode[k] =
                (enum texture_address)(draw(&seed, t.unit_coordinates ? 4 : 2));
            float x = (float)(draw(&seed, 1 << 16)) - (1 << 15);
            at[k] = x / (float)(1 << draw(&seed, 16));
            i[k] = by_the_book(&t, k, (double)at[k], &w[k]);
        }
        double both = floor(w[0] * w[1] * 256 + 0.5) / 256;
        double weights[] = {1 - w[0] - w[1] + both, w[0] - both, w[1] - both,
                            both};
        for (int k = 0; k < 4; k++)
            sum += weights[k] *
                   texel_by_the_book(&t, data, i[0] + (k & 1), i[1] + (k >> 1));
        expect_at(&t, at[0], at[1], (float)sum);
    }
}

/* A neighbour that is not a number counts only with a weight. */
static void not_numbers(void **state) {
    (void)state;
    const float data[] = {1, NAN, INFINITY, 2};
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    struct texture_fetch f;
    t.data = (const uint8_t *)data;
    expect_at(&t, 0.5f, 0, 1);
    expect_at(&t, 2.5f, 0, INFINITY);
    texture_at(&t, (const float[2]){1, 0}, &f);
    assert_int_equal(f.value[0], 0x7fffffff);
}

/* ----------------------------------------------------------------- texels */

static void expect_texel(enum texel_type type, int channels, bool unit,
                         const void *data, const uint32_t wanted[4]) {
    struct texture t = line(TEXTURE_POINT, TEXTURE_CLAMP, false);
    struct texture_fetch f;
    t.type = type;
    t.channels = channels;
    t.unit_texels = unit;
    t.width = 1;
    t.data = data;
    assert_null(texture_wrong(&t, NULL));
    texture_texel_at(&t, (const int32_t[2]){0, 0}, &f);
    for (int k = 0; k < 4; k++)
        if (f.value[k] != wanted[k])
            fail_msg("type %d, channel %d: 0x%x, expected 0x%x", (int)type, k,
                     f.value[k], wanted[k]);
}

#define ONE 0x3f800000u
#define MINUS_ONE 0xbf800000u

static void texels(void **state) {
    (void)state;
    static const uint8_t bytes[] = {255, 0, 51, 0x80};
    static const uint16_t words[] = {0xffff, 0x8000, 0x7fff, 0x3c00};
    static const uint32_t longs[] = {0xdeadbeef, 7};
#define TEXEL(type, channels, unit, data, ...)                                 \
    expect_texel(type, channels, unit, data, (const uint32_t[4]){__VA_ARGS__})
    TEXEL(TEXEL_U8, 4, false, bytes, 255, 0, 51, 128);
    TEXEL(TEXEL_U8, 2, false, bytes, 255, 0, 0, 0);
    TEXEL(TEXEL_I8, 4, false, bytes, 0xffffffff, 0, 51, 0xffffff80);
    TEXEL(TEXEL_U8, 4, true, bytes, ONE, 0, 0x3e4ccccd, 0x3f008081);
    /* 255 is -1 of 127, and -128 no less than -127 */
    TEXEL(TEXEL_I8, 4, true, bytes, 0xbc010204, 0, 0x3ecd9b36, MINUS_ONE);
    TEXEL(TEXEL_U16, 4, false, words, 0xffff, 0x8000, 0x7fff, 0x3c00);
    TEXEL(TEXEL_I16, 2, false, words, 0xffffffff, 0xffff8000, 0, 0);
    TEXEL(TEXEL_U16, 1, true, words, ONE, 0, 0, 0);
    TEXEL(TEXEL_I16, 4, true, words, 0xb8000100, MINUS_ONE, ONE, 0x3ef001e0);
    TEXEL(TEXEL_U32, 2, false, longs, 0xdeadbeef, 7, 0, 0);
    TEXEL(TEXEL_I32, 1, false, longs, 0xdeadbeef, 0, 0, 0);
    TEXEL(TEXEL_F16, 4, false, words, 0x7fffffff, 0x80000000, 0x7fffffff, ONE);
    TEXEL(TEXEL_F32, 1, false, longs, 0xdeadbeef, 0, 0, 0);
}

/* Filtered channel by channel: (255 + 3 * 51) / 4 of 255 is 0.4, and 3 / 4 of
 * 65535 is not whole. */
static void channels(void **state) {
    (void)state;
    static const uint8_t data[] = {255, 0, 0, 255, 51, 255, 0, 255};
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    struct texture_fetch f;
    t.type = TEXEL_U8;
    t.channels = 4;
    t.unit_texels = true;
    t.width = 2;
    t.data = data;
    texture_at(&t, (const float[2]){1.25f, 0}, &f);
    assert_true(f32(f.value[0]) == 0.4f);
    assert_true(f32(f.value[1]) == (float)(49151 / 65535.0));
    assert_true(f.value[2] == 0 && f.value[3] == ONE);
}

static void wrong(void **state) {
    (void)state;
    const struct texture good = line(TEXTURE_POINT, TEXTURE_CLAMP, false);
    const char *key;
#define WRONG(k, ...)                                                          \
    do {                                                                       \
        struct texture t = good;                                               \
        __VA_ARGS__;                                                           \
        assert_non_null(texture_wrong(&t, &key));                              \
        assert_string_equal(key, k);                                           \
    } while (0)
    assert_null(texture_wrong(&good, NULL));
    WRONG("width", t.width = 0);
    WRONG("width", t.width = TEXTURE_MOST + 1);
    WRONG("height", t.height = 0);
    WRONG("channels", t.channels = 3);
    WRONG("pitch", t.pitch = 12);
    WRONG("pitch", t.pitch = 18);
    WRONG("pitch", t.address = 2);
    WRONG("read", t.unit_texels = true);
    WRONG("read", t.unit_texels = true, t.type = TEXEL_U32);
    WRONG("filter", t.filter = TEXTURE_LINEAR, t.type = TEXEL_U8);
    WRONG("address", t.mode[0] = TEXTURE_WRAP);
    WRONG("address", t.dims = 2, t.mode[1] = TEXTURE_MIRROR);
}

/* --------------------------------------------------------------- executor */

/* The kernel 'k' of exec_kit.h, behind it a texture's handle as p1. */
#define ENTRY                                                                  \
    KIT_HEAD ".global .texref lines; .global .texref other;\n"                 \
             ".visible .entry k(.param .u64 p0, .param .u64 p1) {\n"           \
             ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<16>;\n"         \
             ".reg .b64 %rd<8>; .reg .b32 %t; .reg .b64 %out, %mine, %tex;\n"  \
             "ld.param.u64 %out, [p0]; ld.param.u64 %tex, [p1];\n"             \
             "mov.u32 %t, %tid.x; cvt.rn.f32.u32 %f0, %t;\n"                   \
             "mul.wide.u32 %mine, %t, 4; add.u64 %mine, %mine, %out;\n"
#define STORE "\nst.global.b32 [%mine], %f1; ret; }\n"

static struct kit kit;

static float *open_kit(const char *text, const struct texture *t) {
    uint64_t handle;
    kit_open(&kit, text, NULL);
    float *out = kit_buffer(&kit, "out", 1024);
    if (t && exec_texture_symbol(kit.exec, "lines", &handle))
        exec_texture_bind(kit.exec, handle, t);
    handle = exec_texture(kit.exec, "image");
    if (t)
        exec_texture_bind(kit.exec, handle, t);
    kit_value(&kit, handle);
    return out;
}

/* Each form of the instruction, with four lanes. */
static void instructions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        float wanted[4];
    } cases[] = {
        {"tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%tex, {%t}];",
         {10, 20, 40, 80}},
        {"tex.1d.v4.f32.f32 {%f1,_,_,_}, [%tex, {%f0}];", {10, 15, 30, 60}},
        {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [lines, {%f0}];",
         {10, 15, 30, 60}},
        {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, %f0];", {10, 15, 30, 60}},
        {"tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [lines, {%t,%t,%t,%t}];",
         {10, 20, 40, 80}}, /* as PTX 1.x has it */
        {"tex.level.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0}], "
         "0f40000000;",
         {10, 15, 30, 60}},
        {"tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0}], %f0, %f0;",
         {10, 15, 30, 60}},
        {"tex.1d.v4.f32.f32 {%f0,%f1,%f3,%f4}, [%tex, {%f0}];\n"
         "mov.f32 %f1, %f0;", /* into its own coordinate */
         {10, 15, 30, 60}},
        {"mov.f32 %f1, 0f3F800000; setp.lt.u32 %p1, %t, 2;\n"
         "@%p1 tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%tex, {%t}];",
         {10, 20, 1, 1}},
        {"mov.u64 %rd1, lines;\n"
         "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%t}];",
         {10, 20, 40, 80}},
    };
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", ENTRY, cases[i].text, STORE);
        float *out = open_kit(text, &t);
        kit_finish(&kit, 1, 4);
        for (int k = 0; k < 4; k++)
            if (out[k] != cases[i].wanted[k])
                fail_msg("%s\nlane %d: %g, expected %g", cases[i].text, k,
                         (double)out[k], (double)cases[i].wanted[k]);
        kit_close(&kit);
    }
}

/* Where PTX 1.x declares its textures. */
static void old_reference(void **state) {
    (void)state;
    struct texture t = line(TEXTURE_POINT, TEXTURE_CLAMP, false);
    uint64_t handle;
    kit_open(&kit,
             ".version 1.4\n.target sm_13\n.tex .u64 lines;\n"
             ".entry k(.param .u64 p0) { .reg .u64 %d<3>; .reg .u32 %r<3>;\n"
             ".reg .f32 %f<5>; cvt.u32.u16 %r1, %tid.x; mov.u32 %r2, 0;\n"
             "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4},[lines,{%r1,%r2,%r2,%r2}];\n"
             "ld.param.u64 %d0, [p0]; mul.wide.u32 %d1, %r1, 4;\n"
             "add.u64 %d0, %d0, %d1; st.global.f32 [%d0+0], %f1; exit; }\n",
             NULL);
    float *out = kit_buffer(&kit, "out", 64);
    assert_false(exec_texture_symbol(kit.exec, "line", &handle));
    assert_true(exec_texture_symbol(kit.exec, "lines", &handle));
    exec_texture_bind(kit.exec, handle, &t);
    kit_finish(&kit, 1, 3);
    assert_true(out[0] == 10 && out[1] == 20 && out[2] == 40);
    kit_close(&kit);
}

static void faults(void **state) {
    (void)state;
    struct texture t = line(TEXTURE_POINT, TEXTURE_CLAMP, false), other = t;
    other.type = TEXEL_I32;
    struct texture unit = t;
    unit.unit_coordinates = true;
    const struct {
        const struct texture *texture;
        const char *text, *message;
    } cases[] = {
        {&t, "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [other, {%t}];",
         "fetch from texture reference 'other', to which nothing is bound, "
         "expected a texture of symbol 'other'"},
        {NULL, "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%tex, {%t}];",
         "fetch from texture 'image', to which nothing is bound"},
        {&t, "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%out, {%t}];",
         "fetch from 0x100000000, which is no texture but an address in 'out'"},
        {&t,
         "add.u64 %tex, %tex, 512;\n"
         "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%tex, {%t}];",
         ", which is no texture, expected"},
        {&t, "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0,%f0}];",
         "which has 1 dimension"},
        {&t, "tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%t}];",
         "gives floating point, expected .f32 as its type"},
        {&other, "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0}];",
         "gives integers, expected .u32 or .s32 as its type"},
        {&unit, "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%tex, {%t}];",
         "expected one whose coordinates are not normalised"},
        {&t, "tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0,%f0,%f0,%f0}];",
         "instruction 'tex.3d.v4.f32.f32' is not supported"},
        {&t, "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, lines, {%f0}];",
         "instruction 'tex.1d.v4.f32.f32' is not supported"},
        {&t, "suld.b.1d.b32.trap %r1, [%tex, {%t}];",
         "instruction 'suld.b.1d.b32.trap' is not supported"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", ENTRY, cases[i].text, STORE);
        open_kit(text, cases[i].texture);
        kit_fails(&kit, 1, 4, EXEC_FAULT, cases[i].message);
        kit_close(&kit);
    }
    /* with its place, as every fault */
    open_kit(ENTRY "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [other, {%t}];" STORE,
             &t);
    kit_fails(
        &kit, 1, 4, EXEC_FAULT,
        "test.ptx:11:1: error: kernel 'k', block (0,0,0), thread (0,0,0)");
    kit_close(&kit);
}

/* ---------------------------------------------------------------- streams */

/* Runs to the first fetch. */
static void fetch_event(const char *text, const struct texture *t,
                        struct stream_event *e) {
    char all[2048];
    snprintf(all, sizeof all, "%s%s%s", ENTRY, text, STORE);
    open_kit(all, t);
    struct exec_launch l = {.kernel = kit_entry(&kit),
                            .grid = {1, 1, 1},
                            .block = {4, 1, 1},
                            .params = kit.params};
    assert_true(exec_begin(kit.exec, &l, &kit.diag));
    do
        assert_int_equal(exec_step(kit.exec, e), EXEC_RUNNING);
    while (e->insn->opc != OPC_texture);
}

static char *dumped(const struct stream_event *e) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    dump_event(e, f);
    fclose(f);
    return text;
}

static void accesses(void **state) {
    (void)state;
    static const char text[] =
        "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0}];";
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    struct stream_event e;
    struct stats s = {0};
    fetch_event(text, &t, &e);
    assert_int_equal(e.insn->space, PTX_SPACE_TEX);
    assert_int_equal(e.insn->access, STREAM_LOAD);
    assert_int_equal(stream_width(&e), 4);
    assert_int_equal(stream_addresses(&e), 2);
    for (uint32_t i = 0; i < 4; i++) { /* i - 0.5: from i - 1 and i */
        assert_int_equal(stream_row(&e, 0)[i], 0x1000 + 4 * (i ? i - 1 : 0));
        assert_int_equal(stream_row(&e, 1)[i], 0x1000 + 4 * i);
    }
    char *line_text = dumped(&e);
    assert_non_null(strstr(line_text, " tex.4 0x1000,0x1000,0x1004,0x1008 and "
                                      "+0,+4,+4,+4\n"));
    free(line_text);
    stats_add(&s, &e);
    assert_int_equal(s.spaces[PTX_SPACE_TEX].loads, 1);
    assert_int_equal(s.spaces[PTX_SPACE_TEX].bytes, 32);
    assert_int_equal(s.spaces[PTX_SPACE_TEX].lines, 1);
    assert_int_equal(s.footprint_lines, 1);
    kit_close(&kit);

    /* the second texel of the last lane begins another line */
    t.address = 0x1074;
    fetch_event(text, &t, &e);
    stats_add(&s, &e);
    assert_int_equal(s.spaces[PTX_SPACE_TEX].lines, 3);
    assert_int_equal(s.footprint_lines, 2);
    assert_true(stats_lines_per_access(&s) == 1.5);
    kit_close(&kit);
    stats_free(&s);

    t.filter = TEXTURE_POINT;
    fetch_event(text, &t, &e);
    assert_int_equal(stream_addresses(&e), 1);
    assert_int_equal(e.address[3], 0x1080);
    kit_close(&kit);
}

/* A stream of one event, for the reader of CTAs. */
struct single {
    struct stream stream;
    struct stream_event event;
    int at;
};

static enum stream_result next_single(struct stream *s,
                                      struct stream_event *e) {
    struct single *one = (struct single *)(void *)s;
    if (one->at == 2)
        return STREAM_END;
    *e = one->event;
    e->kind = one->at++ ? STREAM_INSTRUCTION : STREAM_LAUNCH;
    return STREAM_EVENT;
}

static void coalescing(void **state) {
    (void)state;
    static const struct stream_ops ops = {next_single, NULL};
    struct texture t = line(TEXTURE_LINEAR, TEXTURE_CLAMP, false);
    struct single one = {.stream = {&ops}};
    t.address = 0x1074;
    fetch_event("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%tex, {%f0}];", &t,
                &one.event);
    struct cta_reader *r = cta_reader_create(&one.stream);
    struct cta *c = cta_read(r);
    assert_non_null(c);
    const struct cta_warp *w = &c->warps[0];
    assert_int_equal(w->n_lines, 2);
    assert_int_equal(w->lines[0].address, 0x1074);
    assert_int_equal(w->lines[0].sectors, 8);
    assert_int_equal(w->lines[1].address, 0x1080);
    assert_int_equal(w->lines[1].sectors, 1);
    cta_free(c);
    assert_null(cta_read(r));
    cta_reader_free(r);
    kit_close(&kit);
}

/* ----------------------------------------------------------- descriptions */

static const char blend_ptx[] =
    KIT_HEAD ".global .texref lines;\n"
             ".visible .entry k(.param .u64 o, .param .u64 t) {\n"
             ".reg .b64 %d<4>; .reg .f32 %f<8>; .reg .b32 %r<2>;\n"
             "ld.param.u64 %d0, [o]; ld.param.u64 %d1, [t];\n"
             "mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;\n"
             "add.u64 %d0, %d0, %d2; cvt.rn.f32.u32 %f0, %r0;\n"
             "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f0,%f0}];\n"
             "tex.1d.v4.f32.s32 {%f5,%f2,%f3,%f4}, [lines, {%r0}];\n"
             "add.f32 %f1, %f1, %f5; st.global.f32 [%d0], %f1; ret; }\n";

static enum run_result run_text(const char *textures, const char *expect,
                                char **text) {
    struct scratch s;
    char yml[2048];
    struct diag d = {0};
    struct run_verdict v = {.result = RUN_STOPPED};
    struct stream_event e;
    snprintf(yml, sizeof yml,
             "ptx: k.ptx\nvalues: {w: 3, h: 2}\ngrid: 1\nblock: 4\nbuffers:\n"
             "  p: {type: u8, count: 6, fill: {values: [0, 51, 102, 153, 204, "
             "255]}}\n"
             "  f: {type: f32, count: 4, fill: 10 * i}\n"
             "  g: {type: f64, count: 4}\n"
             "  o: {type: f32, count: 4, check: {expect: \"%s\", absolute: "
             "1e-6}}\ntextures:\n%sarguments: [o, image]\n",
             expect, textures);
    scratch_open(&s);
    scratch_text(&s, "k.ptx", blend_ptx);
    struct run *r = run_open(scratch_text(&s, "k.yml", yml), NULL, &d);
    while (r && stream_next(run_stream(r), &e) == STREAM_EVENT)
        ;
    if (r)
        run_verdict(r, &v);
    *text = diag_captured(&d);
    run_close(r);
    diag_free(&d);
    scratch_close(&s);
    return v.result;
}

#define LINES "  l: {data: f, width: 4, symbol: lines}\n"
#define IMAGE "  image: {data: p, width: w, height: h, read: normalised"

static void descriptions(void **state) {
    (void)state;
    static const struct {
        const char *textures, *expect;
    } cases[] = {
        {LINES IMAGE "}\n", "10 * i + (i == 0 ? 0 : i == 1 ? 0.8 : 1)"},
        {LINES IMAGE ", address: border}\n", "10 * i + (i == 1 ? 0.8 : 0)"},
        /* 1, 1 lies between 0, 51, 153 and 204; 2, 2 between 204 and 255, with
         * 16 bits */
        {LINES IMAGE ", filter: linear}\n",
         "10 * i + (i == 0 ? 0 : i == 1 ? 0.4 : i == 2 ? 58982 / 65535.0 : 1)"},
        /* y clamps to the row of the edge, x leaves */
        {LINES IMAGE ", address: [border, clamp]}\n",
         "10 * i + (i == 0 ? 0 : i == 1 ? 0.8 : i == 2 ? 1 : 0)"},
        {LINES IMAGE ", coordinates: normalised, address: wrap}\n", "10 * i"},
        /* rows of two in steps of three */
        {LINES "  image: {data: p, width: 2, height: 2, pitch: 3, "
               "read: normalised}\n",
         "10 * i + (i == 0 ? 0 : 0.8)"},
        {LINES "  image: {data: p, width: 2, height: 2, read: normalised}\n",
         "10 * i + (i == 0 ? 0 : 0.6)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        enum run_result r = run_text(cases[i].textures, cases[i].expect, &text);
        if (r != RUN_RIGHT)
            fail_msg("case %zu: %d %s", i, (int)r, text);
        assert_string_equal(text, "");
        free(text);
    }
}

static void bad_descriptions(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"  image: {date: p}\n", "k.yml:11:11: error: unknown key 'date' of a "
                                 "texture, did you mean 'data'"},
        {"  image: p\n", ":11:10: error: a texture must be a map"},
        {"  image: {width: 4}\n", "texture 'image' needs 'data'"},
        {"  image: {data: q, width: 4}\n", ":11:17: error: no buffer 'q'"},
        {"  image: {data: p}\n", "texture 'image' needs a 'width'"},
        {"  image: {data: p, width: 0}\n",
         ":11:27: error: 'width' is 0, expected an integer from 1 to "
         "134217728"},
        {"  image: {data: p, width: 3, height: h - 2}\n",
         ":11:38: error: 'height' is 0, expected"},
        {"  image: {data: p, width: 2.5}\n", "'width' is 2.5, expected an"},
        {"  image: {data: p, width: 2, channels: 3}\n",
         ":11:40: error: texture 'image': a texel has 1, 2 or 4 channels"},
        {"  image: {data: p, width: 4, height: 2}\n",
         ":11:17: error: texture 'image' has 8 bytes, but buffer 'p' only 6"},
        {"  image: {data: p, width: 3, height: 2, pitch: 2}\n",
         ":11:48: error: texture 'image': its rows must not overlap"},
        {"  image: {data: g, width: 4}\n",
         ":11:17: error: buffer 'g' of texture 'image' has elements of type "
         "f64, expected u8 i8"},
        {"  image: {data: p, width: 3, filter: linear}\n",
         ":11:38: error: texture 'image': a linear filter needs texels that "
         "are read as floating point"},
        {"  image: {data: p, width: 3, filter: linaer}\n",
         "no such filter, did you mean 'linear', expected point, linear"},
        {"  image: {data: p, width: 3, address: wrap}\n",
         ":11:39: error: texture 'image': wrap and mirror need 'coordinates: "
         "normalised', expected clamp or border"},
        {"  image: {data: p, width: 3, height: 2, address: [clamp, mirror]}\n",
         "wrap and mirror need 'coordinates: normalised'"},
        {"  image: {data: p, width: 3, address: [clamp, clamp]}\n",
         ":11:39: error: 2 addressing modes for 1 dimension"},
        {"  image: {data: p, width: 3, address: repeat}\n",
         "no such addressing mode, expected clamp, border, wrap, mirror"},
        {"  image: {data: p, width: 3, coordinates: unit}\n",
         "no such unit of coordinates, expected texels, normalised"},
        {"  image: {data: f, width: 3, read: normalised}\n",
         ":11:36: error: texture 'image': only integers of 8 or 16 bits can be "
         "read normalised"},
        {"  image: {data: f, width: 3, symbol: line}\n",
         ":11:38: error: no texture reference 'line' in"},
        {"  image: {data: f, width: 3, symbol: lines}\n" LINES,
         ":12:34: error: texture 'image' is bound to the same reference"},
        {"  w: {data: f, width: 3}\n",
         ":11:3: error: 'w' is a size or a value"},
        {"  p: {data: f, width: 3}\n", ":11:3: error: 'p' is a buffer already"},
        {IMAGE "}\n", "k.ptx:11:1: error: kernel 'k', block (0,0,0), thread "
                      "(0,0,0): fetch from texture reference 'lines', to which "
                      "nothing is bound"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        assert_int_equal(run_text(cases[i][0], "0", &text), RUN_STOPPED);
        if (!strstr(text, cases[i][1]))
            fail_msg("case %zu: %s\nexpected: %s", i, text, cases[i][1]);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),        cmocka_unit_test(linear),
        cmocka_unit_test(large),         cmocka_unit_test(two_dimensions),
        cmocka_unit_test(at_random),     cmocka_unit_test(not_numbers),
        cmocka_unit_test(texels),        cmocka_unit_test(channels),
        cmocka_unit_test(wrong),         cmocka_unit_test(instructions),
        cmocka_unit_test(old_reference), cmocka_unit_test(faults),
        cmocka_unit_test(accesses),      cmocka_unit_test(coalescing),
        cmocka_unit_test(descriptions),  cmocka_unit_test(bad_descriptions),
    };
    return cmocka_run_group_tests_name("texture", tests, NULL, NULL);
}
