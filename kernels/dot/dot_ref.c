/* dot_ref.c - dot product of two vectors. */
#include "ref.h"

void ref_dot(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float *x = ref_f32(r, "x");
    const float *y = ref_f32(r, "y");
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    *ref_f32(r, "result") = (float)sum;
}
