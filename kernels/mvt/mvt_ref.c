/* mvt_ref.c - x1 += A y1, x2 += A^T y2. */
#include "ref.h"

void ref_mvt(struct ref_run *r) {
    const int64_t n = ref_int(r, "n");
    const float *a = ref_f32(r, "a");
    const float *y1 = ref_f32(r, "y1");
    const float *y2 = ref_f32(r, "y2");
    float *x1 = ref_f32(r, "x1");
    float *x2 = ref_f32(r, "x2");

    for (int64_t i = 0; i < n; i++) {
        double row = x1[i];
        double column = x2[i];

        for (int64_t j = 0; j < n; j++) {
            row += (double)a[i * n + j] * y1[j];
            column += (double)a[j * n + i] * y2[j];
        }
        x1[i] = (float)row;
        x2[i] = (float)column;
    }
}
