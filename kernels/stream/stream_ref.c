/* stream_ref.c - cost of opening a centre, point by point.
 *
 * The distance is summed in float in the kernel's order with fused
 * multiply-adds, so that a point near the limit falls on the same side.
 */
#include <math.h>

#include "ref.h"

void ref_stream(struct ref_run *r) {
    const int64_t points = ref_int(r, "points");
    const int64_t dimensions = ref_int(r, "dimensions");
    const int64_t x = ref_int(r, "x");
    const int64_t centres = ref_int(r, "centres");
    const float *coordinate = ref_f32(r, "coordinate");
    const float *weight = ref_f32(r, "weight");
    const float *cost = ref_f32(r, "cost");
    const int32_t *centre = ref_i32(r, "centre");
    float *work = ref_f32(r, "work");
    int32_t *switches = ref_i32(r, "switches");

    for (int64_t p = 0; p < points; p++) {
        float *row = work + p * (centres + 1);
        float sum = 0;

        for (int64_t d = 0; d < dimensions; d++) {
            const float diff =
                coordinate[d * points + p] - coordinate[d * points + x];

            sum = fmaf(diff, diff, sum);
        }
        sum *= weight[p];
        if (sum < cost[p]) {
            switches[p] = 1;
            row[centres] += sum - cost[p];
        } else {
            row[centre[p]] += cost[p] - sum;
        }
    }
}
