/* norm_ref.c - y[i] = x[i] / value. */
#include "ref.h"

void ref_norm(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float value = ref_float(r, "value");
    const float *x = ref_f32(r, "x");
    float *y = ref_f32(r, "y");

    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] / value;
}
