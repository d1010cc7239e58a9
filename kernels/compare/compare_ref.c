/* compare_ref.c - number of places in which two strings differ. */
#include "ref.h"

void ref_compare(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const uint8_t *a = ref_u8(r, "a");
    const uint8_t *b = ref_u8(r, "b");
    uint32_t *differing = ref_u32(r, "differing");

    for (int64_t i = 0; i < n; i++)
        *differing += a[i] != b[i];
}
