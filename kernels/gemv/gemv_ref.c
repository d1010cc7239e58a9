/* gemv_ref.c - y = A x, A row-major. */
#include "ref.h"

void ref_gemv(struct ref_run *r) {
    const int64_t rows = ref_int(r, "rows");
    const int64_t cols = ref_int(r, "cols");
    const float *a = ref_f32(r, "a");
    const float *x = ref_f32(r, "x");
    float *y = ref_f32(r, "y");

    for (int64_t i = 0; i < rows; i++) {
        double sum = 0;

        for (int64_t j = 0; j < cols; j++)
            sum += (double)a[i * cols + j] * x[j];
        y[i] = (float)sum;
    }
}
