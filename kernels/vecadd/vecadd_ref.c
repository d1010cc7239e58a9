/* vecadd_ref.c - c[i] = a[i + shift] + b[i + 2 * shift]; aligned: shift 0. */
#include "ref.h"

void ref_vecadd(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const int64_t shift = ref_int(r, "shift");
    const float *a = ref_f32(r, "a");
    const float *b = ref_f32(r, "b");
    float *c = ref_f32(r, "c");

    for (int64_t i = 0; i < n; i++)
        c[i] = a[i + shift] + b[i + 2 * shift];
}
