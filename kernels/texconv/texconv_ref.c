/* texconv_ref.c - separable 17x17 convolution, the edge repeated outside. */
#include "ref.h"

enum { RADIUS = 8 };

static int64_t within(int64_t at, int64_t size) {
    return at < 0 ? 0 : at < size ? at : size - 1;
}

/* Convolution along (dx, dy), one of which is 1 and the other 0. */
static void pass(int64_t dx, int64_t dy, int64_t width, int64_t height,
                 const float *filter, const float *in, float *out) {
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            double sum = 0;

            for (int64_t k = -RADIUS; k <= RADIUS; k++)
                sum += (double)filter[k + RADIUS] *
                       in[within(y + k * dy, height) * width +
                          within(x + k * dx, width)];
            out[y * width + x] = (float)sum;
        }
}

void ref_texconv(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *filter = ref_f32(r, "filter");
    float *rows = ref_f32(r, "rows");

    pass(1, 0, width, height, filter, ref_f32(r, "in"), rows);
    pass(0, 1, width, height, filter, rows, ref_f32(r, "out"));
}
