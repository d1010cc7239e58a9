/* triad_ref.c - c = a + scale * b. */
#include <math.h>

#include "ref.h"

void ref_triad(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float scale = ref_float(r, "scale");
    const float *a = ref_f32(r, "a");
    const float *b = ref_f32(r, "b");
    float *c = ref_f32(r, "c");

    for (int64_t i = 0; i < n; i++)
        c[i] = fmaf(scale, b[i], a[i]);
}
