/* ttrans_ref.c - transposes the two inner dimensions of a tensor. */
#include "ref.h"

void ref_ttrans(struct ref_run *r) {
    const int64_t batch = ref_int(r, "batch");
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");

    for (int64_t b = 0; b < batch; b++)
        for (int64_t y = 0; y < height; y++)
            for (int64_t x = 0; x < width; x++)
                out[(b * width + x) * height + y] =
                    in[(b * height + y) * width + x];
}
