/* texture.h - texture fetches: what a texture is, and what a fetch gives.
 *
 * As the CUDA C++ programming guide describes texture fetching; what it leaves
 * open is fixed here, and stands in docs/run.md.
 *
 * A texture is a view of memory: height rows of width texels, row by row, each
 * row pitch bytes after the one before.  A texel is 1, 2 or 4 channels of one
 * type, next to each other.
 */
#ifndef NDP_EXEC_TEXTURE_H
#define NDP_EXEC_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum texel_type {
    TEXEL_U8,
    TEXEL_I8,
    TEXEL_U16,
    TEXEL_I16,
    TEXEL_U32,
    TEXEL_I32,
    TEXEL_F16,
    TEXEL_F32,
    TEXEL_TYPES
};

enum texture_filter { TEXTURE_POINT, TEXTURE_LINEAR };

enum texture_address {
    TEXTURE_CLAMP,
    TEXTURE_BORDER,
    TEXTURE_WRAP,
    TEXTURE_MIRROR
};

/* Most texels in one direction: offsets of fetches stay exact in a double. */
#define TEXTURE_MOST ((uint64_t)1 << 27)

struct texture {
    int dims; /* 1 or 2 */
    enum texel_type type;
    int channels;           /* 1, 2 or 4 */
    uint64_t width, height; /* texels; height 1 if dims is 1 */
    uint64_t pitch;         /* bytes */
    uint64_t address;       /* of the first texel */
    const uint8_t *data;    /* the same place */
    bool unit_texels;       /* integers read as f32 from 0 or -1 to 1 */
    bool unit_coordinates;  /* 0 to 1 is the whole width or height */
    enum texture_filter filter;
    enum texture_address mode[2]; /* outside in x, in y */
};

/* What one lane gets, and the texels that it took, first row first.  One of a
 * border counts as the texel of the edge. */
struct texture_fetch {
    uint32_t value[4]; /* f32 or integer; channels that are not there: 0 */
    int n;             /* 1, 2 or 4 */
    uint64_t address[4];
};

/* NULL, or what is wrong with t, with what was expected; then *key is what of a
 * run description says it: "width", "filter", ...  key may be NULL. */
const char *texture_wrong(const struct texture *t, const char **key);

/* Bytes of a texel. */
uint32_t texture_texel(const struct texture *t);

/* Whether fetches give f32. */
bool texture_gives_float(const struct texture *t);

/* A fetch at coordinates x, y; filtered if the texture is. */
void texture_at(const struct texture *t, const float at[2],
                struct texture_fetch *f);

/* A fetch of texel x, y, not filtered; of textures whose coordinates are not
 * unit_coordinates. */
void texture_texel_at(const struct texture *t, const int32_t at[2],
                      struct texture_fetch *f);

#endif
