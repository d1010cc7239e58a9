/* copy_ref.c - y[i] = x[i + shift]; the aligned form has shift 0. */
#include <string.h>

#include "ref.h"

void ref_copy(struct ref_run *r) {
    const size_t n = (size_t)ref_int(r, "n");
    const float *x = ref_f32(r, "x");
    float *y = ref_f32(r, "y");

    memcpy(y, x + ref_int(r, "shift"), n * sizeof *y);
}
