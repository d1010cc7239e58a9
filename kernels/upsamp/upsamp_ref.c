/* upsamp_ref.c - bilinear enlargement by two, border pixels repeated. */
#include <math.h>

#include "ref.h"

static double pixel(const float *in, int64_t width, int64_t height, int64_t x,
                    int64_t y) {
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return in[y * width + x];
}

void ref_upsamp(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t y = 0; y < 2 * height; y++)
        for (int64_t x = 0; x < 2 * width; x++) {
            const double sx = ((double)x + 0.5) / 2 - 0.5;
            const double sy = ((double)y + 0.5) / 2 - 0.5;
            const int64_t x0 = (int64_t)floor(sx);
            const int64_t y0 = (int64_t)floor(sy);
            const double fx = sx - (double)x0;
            const double fy = sy - (double)y0;
            const double top = (1 - fx) * pixel(in, width, height, x0, y0) +
                               fx * pixel(in, width, height, x0 + 1, y0);
            const double bottom =
                (1 - fx) * pixel(in, width, height, x0, y0 + 1) +
                fx * pixel(in, width, height, x0 + 1, y0 + 1);

            out[y * 2 * width + x] = (float)((1 - fy) * top + fy * bottom);
        }
}
