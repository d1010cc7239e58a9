/* matmul_ref.c - matrix product C = A B. */
#include "ref.h"

void ref_matmul(struct ref_run *r) {
    const int64_t rows = ref_int(r, "rows");
    const int64_t cols = ref_int(r, "cols");
    const int64_t inner = ref_int(r, "inner");
    const float *a = ref_f32(r, "a");
    const float *b = ref_f32(r, "b");
    float *c = ref_f32(r, "c");

    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < cols; x++) {
            double sum = 0;

            for (int64_t k = 0; k < inner; k++)
                sum += (double)a[y * inner + k] * b[k * cols + x];
            c[y * cols + x] = (float)sum;
        }
}
