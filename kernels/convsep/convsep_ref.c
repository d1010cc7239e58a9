/* convsep_ref.c - separable 17x17 convolution, zeros outside the image. */
#include "ref.h"

enum { RADIUS = 8 };

/* Convolution along (dx, dy), one of which is 1 and the other 0. */
static void pass(int64_t dx, int64_t dy, int64_t width, int64_t height,
                 const float *filter, const float *in, float *out) {
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            double sum = 0;

            for (int64_t k = -RADIUS; k <= RADIUS; k++) {
                const int64_t ix = x + k * dx;
                const int64_t iy = y + k * dy;

                if (ix >= 0 && ix < width && iy >= 0 && iy < height)
                    sum += (double)filter[k + RADIUS] * in[iy * width + ix];
            }
            out[y * width + x] = (float)sum;
        }
}

void ref_convsep(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *filter = ref_f32(r, "filter");
    float *rows = ref_f32(r, "rows");

    pass(1, 0, width, height, filter, ref_f32(r, "in"), rows);
    pass(0, 1, width, height, filter, rows, ref_f32(r, "out"));
}
