/* fdtd_ref.c - two-dimensional finite-difference time-domain steps. */
#include "ref.h"

static void electric(int64_t width, int64_t height, float source, float *ex,
                     float *ey, const float *hz) {
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            const int64_t at = y * width + x;
            const double h = hz[at];

            ey[at] =
                y == 0 ? source : (float)(ey[at] - 0.5 * (h - hz[at - width]));
            if (x > 0)
                ex[at] = (float)(ex[at] - 0.5 * (h - hz[at - 1]));
        }
}

void ref_fdtd(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const int64_t steps = ref_int(r, "steps");
    const float *source = ref_f32(r, "source");
    float *ex = ref_f32(r, "ex");
    float *ey = ref_f32(r, "ey");
    float *hz = ref_f32(r, "hz");

    for (int64_t t = 0; t < steps; t++) {
        electric(width, height, source[t], ex, ey, hz);
        for (int64_t y = 0; y < height - 1; y++)
            for (int64_t x = 0; x < width - 1; x++) {
                const int64_t at = y * width + x;

                hz[at] = (float)(hz[at] - 0.7 * ((double)ex[at + 1] - ex[at] +
                                                 ey[at + width] - ey[at]));
            }
    }
}
