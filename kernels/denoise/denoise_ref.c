/* denoise_ref.c - non-local means, border pixels repeated. */
#include <math.h>

#include "ref.h"

struct image {
    int64_t width, height;
    const float *pixels;
};

static double pixel(const struct image *in, int64_t x, int64_t y) {
    x = x < 0 ? 0 : x >= in->width ? in->width - 1 : x;
    y = y < 0 ? 0 : y >= in->height ? in->height - 1 : y;
    return in->pixels[y * in->width + x];
}

/* Mean squared difference of the patches around two pixels. */
static double unlike(const struct image *in, int64_t patch, int64_t ax,
                     int64_t ay, int64_t bx, int64_t by) {
    const double area = (double)((2 * patch + 1) * (2 * patch + 1));
    double sum = 0;

    for (int64_t dy = -patch; dy <= patch; dy++)
        for (int64_t dx = -patch; dx <= patch; dx++) {
            const double d =
                pixel(in, ax + dx, ay + dy) - pixel(in, bx + dx, by + dy);

            sum += d * d;
        }
    return sum / area;
}

void ref_denoise(struct ref_run *r) {
    const struct image in = {ref_int(r, "width"), ref_int(r, "height"),
                             ref_f32(r, "in")};
    const int64_t window = ref_int(r, "window");
    const int64_t patch = ref_int(r, "patch");
    const double strength = ref_float(r, "strength");
    float *out = ref_f32(r, "out");

    for (int64_t y = 0; y < in.height; y++)
        for (int64_t x = 0; x < in.width; x++) {
            double total = 0;
            double sum = 0;

            for (int64_t v = y - window; v <= y + window; v++)
                for (int64_t u = x - window; u <= x + window; u++) {
                    const double weight =
                        exp(-strength * unlike(&in, patch, x, y, u, v));

                    total += weight;
                    sum += weight * pixel(&in, u, v);
                }
            out[y * in.width + x] = (float)(sum / total);
        }
}
