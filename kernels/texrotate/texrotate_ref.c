/* texrotate_ref.c - an image turned about its middle and repeated; bilinear
 * with weights in 256ths, as texture units have them: the one of the last texel
 * is rounded, the others are what is left of both directions' weights.
 */
#include <math.h>

#include "ref.h"

/* The texel left of, or above, a coordinate of which 1 is the whole size, and
 * the weight of the one behind it. */
static int64_t split(float at, int64_t size, double *weight) {
    const double steps = floor((double)at * 2097152) / 2097152;
    const double fixed = floor(steps * (double)size * 256 - 128 + 0.5);
    const double whole = floor(fixed / 256);

    *weight = fixed / 256 - whole;
    return (int64_t)whole;
}

static double pixel(const float *in, int64_t width, int64_t height, int64_t x,
                    int64_t y) {
    while (x < 0)
        x += width;
    while (y < 0)
        y += height;
    return in[y % height * width + x % width];
}

void ref_texrotate(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float right = ref_float(r, "right");
    const float down = ref_float(r, "down");
    const float c = ref_float(r, "c");
    const float s = ref_float(r, "s");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            float u = ((float)x + 0.5f) * right;
            float v = ((float)y + 0.5f) * down;

            u -= 0.5f;
            v -= 0.5f;

            const float uc = u * c, vs = v * s, vc = v * c, us = u * s;
            const float across = uc - vs, along = vc + us;
            double fx, fy;
            const int64_t x0 = split(across + 0.5f, width, &fx);
            const int64_t y0 = split(along + 0.5f, height, &fy);
            const double both = floor(fx * fy * 256 + 0.5) / 256;

            out[y * width + x] =
                (float)((1 - fx - fy + both) *
                            pixel(in, width, height, x0, y0) +
                        (fx - both) * pixel(in, width, height, x0 + 1, y0) +
                        (fy - both) * pixel(in, width, height, x0, y0 + 1) +
                        both * pixel(in, width, height, x0 + 1, y0 + 1));
        }
}
