/* xmy_ref.c - element-wise product. */
#include "ref.h"

void ref_xmy(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float *x = ref_f32(r, "x");
    const float *y = ref_f32(r, "y");
    float *z = ref_f32(r, "z");

    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] * y[i];
}
