/* axpby_ref.c - z = alpha * x + beta * y. */
#include "ref.h"

void ref_axpby(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const double alpha = ref_float(r, "alpha");
    const double beta = ref_float(r, "beta");
    const float *x = ref_f32(r, "x");
    const float *y = ref_f32(r, "y");
    float *z = ref_f32(r, "z");

    for (int64_t i = 0; i < n; i++)
        z[i] = (float)(alpha * x[i] + beta * y[i]);
}
