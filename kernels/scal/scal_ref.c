/* scal_ref.c - x = alpha * x. */
#include "ref.h"

void ref_scal(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float alpha = ref_float(r, "alpha");
    float *x = ref_f32(r, "x");

    for (int64_t i = 0; i < n; i++)
        x[i] *= alpha;
}
