/* reduce_ref.c - sum of a vector.
 *
 * Both forms of the workload leave the sum in element 0 of `result`, and only
 * that element is checked: the rest is partial sums.
 */
#include "ref.h"

void ref_reduce(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float *in = ref_f32(r, "in");
    float *result = ref_f32(r, "result");
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += in[i];
    result[0] = (float)sum;
}
