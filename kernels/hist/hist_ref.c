/* hist_ref.c - histogram of bytes, added to what the bins hold. */
#include "ref.h"

void ref_hist(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const uint8_t *data = ref_u8(r, "data");
    uint32_t *bins = ref_u32(r, "bins");

    for (int64_t i = 0; i < n; i++)
        bins[data[i]]++;
}
