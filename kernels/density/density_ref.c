/* density_ref.c - number of zeros in an array. */
#include "ref.h"

void ref_density(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const int32_t *a = ref_i32(r, "a");
    uint32_t *zeros = ref_u32(r, "zeros");

    for (int64_t i = 0; i < n; i++)
        *zeros += a[i] == 0;
}
