/* heartwall_ref.c - best shift of each template by normalised correlation. */
#include <math.h>

#include "ref.h"

/* Normalised cross-correlation of a template with a window of the frame. */
static double correlation(const float *pattern, const float *window,
                          int64_t side, int64_t width) {
    const double area = (double)(side * side);
    double p = 0, w = 0, pp = 0, ww = 0, pw = 0;

    for (int64_t y = 0; y < side; y++)
        for (int64_t x = 0; x < side; x++) {
            const double a = pattern[y * side + x];
            const double b = window[y * width + x];

            p += a;
            w += b;
            pp += a * a;
            ww += b * b;
            pw += a * b;
        }
    return (pw - p * w / area) /
           sqrt((pp - p * p / area) * (ww - w * w / area));
}

void ref_heartwall(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t points = ref_int(r, "points");
    const int64_t side = ref_int(r, "side");
    const int64_t radius = ref_int(r, "radius");
    const float *frame = ref_f32(r, "frame");
    const float *pattern = ref_f32(r, "pattern");
    int32_t *row = ref_i32(r, "row");
    int32_t *col = ref_i32(r, "col");
    float *score = ref_f32(r, "score");

    for (int64_t p = 0; p < points; p++) {
        int64_t best_y = 0, best_x = 0;
        double best = -2;

        for (int64_t dy = -radius; dy <= radius; dy++)
            for (int64_t dx = -radius; dx <= radius; dx++) {
                const double c = correlation(
                    pattern + p * side * side,
                    frame + (row[p] + dy) * width + col[p] + dx, side, width);

                if (c > best) {
                    best = c;
                    best_y = dy;
                    best_x = dx;
                }
            }
        row[p] += (int32_t)best_y;
        col[p] += (int32_t)best_x;
        score[p] = (float)best;
    }
}
