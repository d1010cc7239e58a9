/* conv2d_ref.c - 5x5 convolution, zeros outside the image. */
#include "ref.h"

enum { RADIUS = 2, TAPS = 2 * RADIUS + 1 };

void ref_conv2d(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *filter = ref_f32(r, "filter");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t at = 0; at < width * height; at++) {
        double sum = 0;

        for (int64_t tap = 0; tap < TAPS * TAPS; tap++) {
            const int64_t x = at % width + tap % TAPS - RADIUS;
            const int64_t y = at / width + tap / TAPS - RADIUS;

            if (x >= 0 && x < width && y >= 0 && y < height)
                sum += (double)filter[tap] * in[y * width + x];
        }
        out[at] = (float)sum;
    }
}
