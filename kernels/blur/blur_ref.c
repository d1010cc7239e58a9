/* blur_ref.c - mean of the 3x3 neighbourhood, border pixels repeated. */
#include "ref.h"

static int64_t clamp(int64_t i, int64_t count) {
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

void ref_blur(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            double sum = 0;

            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[clamp(y + dy, height) * width +
                              clamp(x + dx, width)];
            out[y * width + x] = (float)(sum / 9);
        }
}
