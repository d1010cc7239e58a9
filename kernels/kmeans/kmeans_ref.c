/* kmeans_ref.c - nearest centre of each point.
 *
 * The reference also writes the transposed features, the kernel's scratch.
 * Distances are summed in float and in the kernel's order with fused
 * multiply-adds: the index of the nearest is an integer and compared exactly.
 */
#include <float.h>
#include <math.h>

#include "ref.h"

static float distance(const float *a, const float *b, int64_t features) {
    float sum = 0;

    for (int64_t f = 0; f < features; f++) {
        const float d = a[f] - b[f];

        sum = fmaf(d, d, sum);
    }
    return sum;
}

void ref_kmeans(struct ref_run *r) {
    const int64_t points = ref_int(r, "points");
    const int64_t features = ref_int(r, "features");
    const int64_t clusters = ref_int(r, "clusters");
    const float *in = ref_f32(r, "in");
    const float *centre = ref_f32(r, "centre");
    float *feature = ref_f32(r, "feature");
    int32_t *membership = ref_i32(r, "membership");

    for (int64_t p = 0; p < points; p++) {
        float best = FLT_MAX;

        membership[p] = -1;
        for (int64_t c = 0; c < clusters; c++) {
            const float d =
                distance(in + p * features, centre + c * features, features);

            if (d < best) {
                best = d;
                membership[p] = (int32_t)c;
            }
        }
        for (int64_t f = 0; f < features; f++)
            feature[f * points + p] = in[p * features + f];
    }
}
