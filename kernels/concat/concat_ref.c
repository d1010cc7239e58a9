/* concat_ref.c - two images side by side. */
#include <string.h>

#include "ref.h"

void ref_concat(struct ref_run *r) {
    const size_t left_width = (size_t)ref_int(r, "left_width");
    const size_t right_width = (size_t)ref_int(r, "right_width");
    const size_t height = (size_t)ref_int(r, "height");
    const uint32_t *left = ref_u32(r, "left");
    const uint32_t *right = ref_u32(r, "right");
    uint32_t *out = ref_u32(r, "out");

    for (size_t y = 0; y < height; y++) {
        uint32_t *row = out + y * (left_width + right_width);

        memcpy(row, left + y * left_width, left_width * sizeof *row);
        memcpy(row + left_width, right + y * right_width,
               right_width * sizeof *row);
    }
}
