/* fwt_ref.c - Walsh-Hadamard transform, radix 2.
 *
 * The description fills the vector with small integers, so that every sum is
 * an integer below 2^24 and float arithmetic is exact in any order.
 */
#include "ref.h"

void ref_fwt(struct ref_run *r) {
    const int64_t n = (int64_t)1 << ref_int(r, "log2n");
    float *data = ref_f32(r, "data");

    for (int64_t half = 1; half < n; half *= 2)
        for (int64_t i = 0; i < n; i++)
            if ((i & half) == 0) {
                const float a = data[i];
                const float b = data[i + half];

                data[i] = a + b;
                data[i + half] = a - b;
            }
}
