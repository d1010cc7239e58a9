/* jacobi2d_ref.c - Jacobi iteration of the five-point stencil. */
#include "ref.h"

static void step(int64_t width, int64_t height, const float *in, float *out) {
    for (int64_t y = 1; y < height - 1; y++)
        for (int64_t x = 1; x < width - 1; x++) {
            const float *c = in + y * width + x;

            out[y * width + x] = (float)(0.2 * ((double)c[0] + c[-1] + c[1] +
                                                c[width] + c[-width]));
        }
}

void ref_jacobi2d(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const int64_t steps = ref_int(r, "steps");
    float *a = ref_f32(r, "a");
    float *b = ref_f32(r, "b");

    for (int64_t t = 0; t < steps; t++) {
        step(width, height, a, b);
        for (int64_t y = 1; y < height - 1; y++)
            for (int64_t x = 1; x < width - 1; x++)
                a[y * width + x] = b[y * width + x];
    }
}
