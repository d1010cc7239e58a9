/* knn_ref.c - distance of every (latitude, longitude) record to the query. */
#include <math.h>

#include "ref.h"

void ref_knn(struct ref_run *r) {
    const int64_t records = ref_int(r, "records");
    const double latitude = ref_float(r, "latitude");
    const double longitude = ref_float(r, "longitude");
    const float *location = ref_f32(r, "location");
    float *distance = ref_f32(r, "distance");

    for (int64_t i = 0; i < records; i++)
        distance[i] = (float)hypot(latitude - location[2 * i],
                                   longitude - location[2 * i + 1]);
}
