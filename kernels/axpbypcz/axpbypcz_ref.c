/* axpbypcz_ref.c - w = alpha * x + beta * y + gamma * z. */
#include "ref.h"

void ref_axpbypcz(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const double alpha = ref_float(r, "alpha");
    const double beta = ref_float(r, "beta");
    const double gamma = ref_float(r, "gamma");
    const float *x = ref_f32(r, "x");
    const float *y = ref_f32(r, "y");
    const float *z = ref_f32(r, "z");
    float *w = ref_f32(r, "w");

    for (int64_t i = 0; i < n; i++)
        w[i] = (float)(alpha * x[i] + beta * y[i] + gamma * z[i]);
}
