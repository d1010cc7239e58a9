/* scalarprod_ref.c - scalar products of many pairs of vectors. */
#include "ref.h"

void ref_scalarprod(struct ref_run *r) {
    const int64_t vectors = ref_int(r, "vectors");
    const int64_t elements = ref_int(r, "elements");
    const float *a = ref_f32(r, "a");
    const float *b = ref_f32(r, "b");
    float *c = ref_f32(r, "c");

    for (int64_t v = 0; v < vectors; v++) {
        double sum = 0;

        for (int64_t i = v * elements; i < (v + 1) * elements; i++)
            sum += (double)a[i] * b[i];
        c[v] = (float)sum;
    }
}
