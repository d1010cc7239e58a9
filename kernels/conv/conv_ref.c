/* conv_ref.c - 3x3 convolution layer, zero padding, NCHW. */
#include "ref.h"

/* Weighted 3x3 neighbourhood of (x, y) in one plane. */
static double window(const float *plane, int64_t width, int64_t height,
                     int64_t x, int64_t y, const float *w) {
    double sum = 0;

    for (int64_t dy = 0; dy < 3; dy++)
        for (int64_t dx = 0; dx < 3; dx++) {
            const int64_t ix = x + dx - 1;
            const int64_t iy = y + dy - 1;

            if (ix >= 0 && ix < width && iy >= 0 && iy < height)
                sum += (double)w[dy * 3 + dx] * plane[iy * width + ix];
        }
    return sum;
}

void ref_conv(struct ref_run *r) {
    const int64_t in_channels = ref_int(r, "channels");
    const int64_t out_channels = ref_int(r, "filters");
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *in = ref_f32(r, "in");
    const float *weight = ref_f32(r, "weight");
    const float *bias = ref_f32(r, "bias");
    float *out = ref_f32(r, "out");

    for (int64_t k = 0; k < out_channels; k++)
        for (int64_t y = 0; y < height; y++)
            for (int64_t x = 0; x < width; x++) {
                double sum = bias[k];

                for (int64_t c = 0; c < in_channels; c++)
                    sum += window(in + c * width * height, width, height, x, y,
                                  weight + (k * in_channels + c) * 9);
                out[(k * height + y) * width + x] = (float)sum;
            }
}
