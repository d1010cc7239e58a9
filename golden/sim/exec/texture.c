/* texture.c - texture fetches (texture.h).
 *
 * Coordinates are f32 and sizes at most 2^27, so that a coordinate in texels,
 * and 512 times it, is exact in a double: no rounding moves a fetch to another
 * texel or another weight.  Weights, sums and their rounding are those of GPUs,
 * bit by bit as far as docs/gpu.md says.
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
    if (m == TEXTURE_MIRROR) {
        i = (i % (2 * n) + 2 * n) % (2 * n);
        return (struct index){(uint64_t)(i < n ? i : 2 * n - 1 - i), false};
    }
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
 * the weight follow.  What repeats does so by texels, later, so that a mirrored
 * part has the weights that it would have without; a normalised coordinate
 * counts in steps of 2^-UNIT_BITS, downwards.  All as found on GPUs
 * (docs/gpu.md). */
enum { UNIT_BITS = 21 };

static int64_t position(float coordinate, uint64_t size, bool unit,
                        enum texture_address m) {
    f64 n = (f64)size, x = coordinate;
    if (isnan(x))
        x = 0;
    if (unit)
        x = ldexp(floor(ldexp(x, UNIT_BITS)), -UNIT_BITS);
    if (unit && repeats(m))
        x = isinf(x) ? 0 : fmod(x, 2); /* of even length, for a mirror */
    if (unit)
        x *= n;
    if (!unit || !repeats(m))
        x = x < -2 ? -2 : x > n + 2 ? n + 2 : x;
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

/* ------------------------------------------------------------------ filter */

static f64 round_away(f64 v) {
    return v < 0 ? ceil(v - 0.5) : floor(v + 0.5);
}

/* With so many significant bits, half away from zero. */
static f64 round_to(f64 v, int bits) {
    int e;
    if (v == 0 || v != v || isinf(v))
        return v;
    frexp(v, &e);
    return ldexp(round_away(ldexp(v, bits - e)), e - bits);
}

/* Floating-point texels: of each is lost what lies more than four bits below
 * the last place of the largest. */
static f32 sum_of_floats(const f64 v[4], const int weight[4], int bits) {
    f64 sum = 0, most = 0;
    int e = 0;
    for (int k = 0; k < 4; k++)
        if (weight[k] > 0 && fabs(v[k]) > most)
            most = fabs(v[k]);
    bool keep = isinf(most);
    if (!keep)
        frexp(most, &e);
    e -= bits + 4;
    for (int k = 0; k < 4; k++)
        if (weight[k] > 0)
            sum += weight[k] * (keep ? v[k] : ldexp(trunc(ldexp(v[k], -e)), e));
    sum = round_to(sum / WEIGHT, bits);
    return sum != sum ? f32_of(NAN_F32) : (f32)sum;
}

/* Integers: the sum has 16 bits.  255 and 127 become the largest of these by
 * repeating their bits below, those of a sign after the sum. */
static f32 sum_of_integers(enum texel_type type, const f64 v[4],
                           const int weight[4]) {
    int64_t sum = 0, most = types[type].is_signed ? 32767 : 65535;
    for (int k = 0; k < 4; k++)
        sum += weight[k] * (int64_t)v[k];
    if (type == TEXEL_U8)
        sum *= 257;
    if (type == TEXEL_I8)
        sum += (sum + 64 + ((sum >> 12) * 16)) >> 7;
    else
        sum = (sum + WEIGHT / 2) >> 8;
    return (f32)((f64)(sum < -most ? -most : sum) / (f64)most);
}

/* A channel, as it lies in memory; 0 outside. */
static f64 channel_at(const struct texture *t, struct index x, struct index y,
                      int c) {
    uint64_t at = offset_of(t, x, y) + (uint64_t)c * types[t->type].bytes;
    if (c >= t->channels || x.border || y.border)
        return 0;
    if (types[t->type].is_float)
        return float_at(t, at);
    uint32_t bits = integer_at(t, at);
    return types[t->type].is_signed ? (f64)(int32_t)bits : (f64)bits;
}

static void filter(const struct texture *t, const struct pair *x,
                   const struct pair *y, struct texture_fetch *f) {
    int both = (x->weight * y->weight + WEIGHT / 2) / WEIGHT;
    const int weight[4] = {WEIGHT - x->weight - y->weight + both,
                           x->weight - both, y->weight - both, both};
    f->n = t->dims == 2 ? 4 : 2;
    for (int k = 0; k < f->n; k++)
        f->address[k] = t->address + offset_of(t, k & 1 ? x->second : x->first,
                                               k & 2 ? y->second : y->first);
    for (int c = 0; c < 4; c++) {
        f64 v[4] = {0};
        f32 sum = 0;
        for (int k = 0; k < f->n; k++)
            v[k] = channel_at(t, k & 1 ? x->second : x->first,
                              k & 2 ? y->second : y->first, c);
        if (!types[t->type].is_float)
            sum = sum_of_integers(t->type, v, weight);
        else
            sum = sum_of_floats(v, weight, t->type == TEXEL_F16 ? 11 : 24);
        f->value[c] = f32_bits(sum);
    }
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
