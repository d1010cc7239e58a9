/* nrm2_ref.c - Euclidean norm of a vector. */
#include <math.h>

#include "ref.h"

void ref_nrm2(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float *x = ref_f32(r, "x");
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * x[i];
    *ref_f32(r, "result") = (float)sqrt(sum);
}
