/* axpy_ref.c - y = alpha * x + y. */
#include <math.h>

#include "ref.h"

void ref_axpy(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float alpha = ref_float(r, "alpha");
    const float *x = ref_f32(r, "x");
    float *y = ref_f32(r, "y");

    for (int64_t i = 0; i < n; i++)
        y[i] = fmaf(alpha, x[i], y[i]);
}
