/* texture.c - texture fetches (texture.h).
 *
 * Coordinates are f32 and sizes at most 2^27, so that a coordinate in texels,
 * and 512 times it, is exact in a double: no rounding moves a fetch to another
 * texel or another weight.
 */
#include "texture.h"

#include "half.h"

#include <math.h>
#include <string.h>

enum { WEIGHT = 256 }; /* one, as a weight of the linear filter */

static const struct {
    uint32_t bytes;
    bool is_float, is_signed;
} types[TEXEL_TYPES] = {
    [TEXEL_U8] = {1, false, false},  [TEXEL_I8] = {1, false, true},
    [TEXEL_U16] = {2, false, false}, [TEXEL_I16] = {2, false, true},
    [TEXEL_U32] = {4, false, false}, [TEXEL_I32] = {4, false, true},
    [TEXEL_F16] = {2, true, false},  [TEXEL_F32] = {4, true, false},
};

uint32_t texture_texel(const struct texture *t) {
    return types[t->type].bytes * (uint32_t)t->channels;
}

bool texture_gives_float(const struct texture *t) {
    return types[t->type].is_float || t->unit_texels;
}

static bool repeats(enum texture_address mode) {
    return mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR;
}

static bool is_outside(uint64_t size) {
    return size < 1 || size > TEXTURE_MOST;
}

const char *texture_wrong(const struct texture *t, const char **key) {
    const char *ignored;
    const char **at = key ? key : &ignored;
    uint32_t bytes = types[t->type].bytes, texel = texture_texel(t);
    *at = is_outside(t->width) ? "width" : "height";
    if (is_outside(t->width) || is_outside(t->height))
        return "its size is out of range, expected 1 to 2^27 texels";
    *at = "channels";
    if (t->channels != 1 && t->channels != 2 && t->channels != 4)
        return "a texel has 1, 2 or 4 channels";
    *at = "pitch";
    if (t->pitch < t->width * texel || t->pitch % texel || t->address % texel)
        return "its rows must not overlap and begin at multiples of a texel";
    *at = "read";
    if (t->unit_texels && (types[t->type].is_float || bytes > 2))
        return "only integers of 8 or 16 bits can be read normalised";
    *at = "filter";
    if (t->filter == TEXTURE_LINEAR && !texture_gives_float(t))
        return "a linear filter needs texels that are read as floating point: "
               "f16, f32, or integers of 8 or 16 bits with 'read: normalised'";
    *at = "address";
    if (!t->unit_coordinates &&
        (repeats(t->mode[0]) || (t->dims == 2 && repeats(t->mode[1]))))
        return "wrap and mirror need 'coordinates: normalised', expected clamp "
               "or border";
    return NULL;
}

/* ------------------------------------------------------------------ texels */

/* A texel index along one direction, and whether it lies in the texture. */
struct index {
    uint64_t at;
    bool border;
};

static struct index settle(int64_t i, uint64_t size, enum texture_address m) {
    int64_t n = (int64_t)size;
    if (i >= 0 && i < n)
        return (struct index){(uint64_t)i, false};
    if (m == TEXTURE_WRAP)
        return (struct index){(uint64_t)((i % n + n) % n), false};
    return (struct index){i < 0 ? 0 : size - 1, m == TEXTURE_BORDER};
}

static uint64_t offset_of(const struct texture *t, struct index x,
                          struct index y) {
    return y.at * t->pitch + x.at * texture_texel(t);
}

static uint32_t integer_at(const struct texture *t, uint64_t at) {
    uint32_t bits = 0, bytes = types[t->type].bytes;
    memcpy(&bits, t->data + at, bytes);
    if (types[t->type].is_signed && bytes < 4) {
        uint32_t sign = 1u << (8 * bytes - 1);
        bits = (bits ^ sign) - sign;
    }
    return bits;
}

/* A channel as f32: the largest integer becomes 1, the least -1 or 0. */
static f32 float_at(const struct texture *t, uint64_t at) {
    uint32_t bits = integer_at(t, at);
    if (t->type == TEXEL_F32)
        return f32_of(bits);
    if (t->type == TEXEL_F16) {
        f64 v = short_value(bits, FORMAT_F16);
        return v != v ? f32_of(NAN_F32) : (f32)v;
    }
    int width = 8 * (int)types[t->type].bytes - types[t->type].is_signed;
    f64 most = (f64)((1 << width) - 1);
    f64 v = types[t->type].is_signed ? (f64)(int32_t)bits : (f64)bits;
    return (f32)(v / most < -1 ? -1 : v / most);
}

static void take(const struct texture *t, struct index x, struct index y,
                 struct texture_fetch *f) {
    uint64_t at = offset_of(t, x, y);
    memset(f->value, 0, sizeof f->value);
    f->n = 1;
    f->address[0] = t->address + at;
    for (int c = 0; c < t->channels && !x.border && !y.border; c++) {
        f->value[c] = texture_gives_float(t) ? f32_bits(float_at(t, at))
                                             : integer_at(t, at);
        at += types[t->type].bytes;
    }
}

void texture_texel_at(const struct texture *t, const int32_t at[2],
                      struct texture_fetch *f) {
    struct index x = settle(at[0], t->width, t->mode[0]);
    struct index y = {0, false};
    if (t->dims == 2)
        y = settle(at[1], t->height, t->mode[1]);
    take(t, x, y, f);
}

/* ------------------------------------------------------------- coordinates */

/* A coordinate in 512ths of a texel, cut off, from which both the texel and
 * the weight follow.  One that repeats is brought into the texture; one that
 * does not stays near it. */
static int64_t position(float coordinate, uint64_t size, bool unit,
                        enum texture_address m) {
    f64 n = (f64)size, x = coordinate;
    if (isnan(x))
        x = 0;
    if (unit)
        x *= n;
    if (unit && m == TEXTURE_MIRROR) {
        x = isinf(x) ? 0 : fmod(fabs(x), 2 * n);
        x = x >= n ? 2 * n - x : x; /* frac where floor is even, else 1-frac */
    } else if (unit && m == TEXTURE_WRAP) {
        x = isinf(x) ? 0 : fmod(floor(x * 512), n * 512) / 512;
        x = x < 0 ? x + n : x;
    } else {
        x = x < -2 ? -2 : x > n + 2 ? n + 2 : x;
    }
    return (int64_t)floor(x * 512);
}

/* The two texels of a linear filter, and the weight of the second one. */
struct pair {
    struct index first, second;
    int weight;
};

static struct pair between(int64_t position, uint64_t size,
                           enum texture_address m) {
    int64_t at = ((position + 1) >> 1) - WEIGHT / 2; /* 256ths, half up */
    return (struct pair){settle(at >> 8, size, m),
                         settle((at >> 8) + 1, size, m), (int)(at & 255)};
}

static void filter(const struct texture *t, const struct pair *x,
                   const struct pair *y, struct texture_fetch *f) {
    struct texture_fetch part;
    f64 sum[4] = {0};
    int rows = t->dims == 2 ? 2 : 1;
    f->n = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 2; c++) {
            int wx = c ? x->weight : WEIGHT - x->weight;
            int wy = r ? y->weight : WEIGHT - y->weight;
            f64 weight = (f64)(wx * wy) / (WEIGHT * WEIGHT);
            take(t, c ? x->second : x->first, r ? y->second : y->first, &part);
            f->address[f->n++] = part.address[0];
            for (int k = 0; k < 4 && weight > 0; k++)
                sum[k] += weight * (f64)f32_of(part.value[k]);
        }
    for (int k = 0; k < 4; k++)
        f->value[k] = sum[k] != sum[k] ? NAN_F32 : f32_bits((f32)sum[k]);
}

void texture_at(const struct texture *t, const float at[2],
                struct texture_fetch *f) {
    bool unit = t->unit_coordinates;
    int64_t px = position(at[0], t->width, unit, t->mode[0]), py = 0;
    if (t->dims == 2)
        py = position(at[1], t->height, unit, t->mode[1]);
    if (t->filter == TEXTURE_POINT) {
        take(t, settle(px >> 9, t->width, t->mode[0]),
             settle(py >> 9, t->height, t->mode[1]), f);
        return;
    }
    struct pair x = between(px, t->width, t->mode[0]);
    struct pair y = {{0, false}, {0, false}, 0};
    if (t->dims == 2)
        y = between(py, t->height, t->mode[1]);
    filter(t, &x, &y, f);
}
