/* maxp_ref.c - largest element of each pooling window. */
#include <math.h>

#include "ref.h"

void ref_maxp(struct ref_run *r) {
    const int64_t channels = ref_int(r, "channels");
    const int64_t height = ref_int(r, "height");
    const int64_t width = ref_int(r, "width");
    const int64_t window = ref_int(r, "window");
    const int64_t stride = ref_int(r, "stride");
    const int64_t out_height = ref_int(r, "out_height");
    const int64_t out_width = ref_int(r, "out_width");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t i = 0; i < channels * out_height * out_width; i++) {
        const int64_t y0 = i / out_width % out_height * stride;
        const int64_t x0 = i % out_width * stride;
        const float *plane = in + i / (out_width * out_height) * height * width;
        float best = -INFINITY;

        for (int64_t y = y0; y < y0 + window && y < height; y++)
            for (int64_t x = x0; x < x0 + window && x < width; x++)
                best = fmaxf(best, plane[y * width + x]);
        out[i] = best;
    }
}
