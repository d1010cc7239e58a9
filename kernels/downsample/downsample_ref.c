/* downsample_ref.c - rounded mean of each 2x2 square. */
#include "ref.h"

void ref_downsample(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const uint8_t *in = ref_u8(r, "in");
    uint8_t *out = ref_u8(r, "out");

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            int sum = 2;

            for (int64_t k = 0; k < 4; k++)
                sum += in[(2 * y + k / 2) * 2 * width + 2 * x + k % 2];
            out[y * width + x] = (uint8_t)(sum / 4);
        }
}
