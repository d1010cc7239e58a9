/* backprop_ref.c - partial sums of the hidden units, then the new weights. */
#include "ref.h"

enum { HIDDEN = 16, SIDE = 16 };

static void forward(int64_t inputs, const float *input, const float *weight,
                    float *partial) {
    for (int64_t b = 0; b < inputs / SIDE; b++)
        for (int64_t h = 0; h < HIDDEN; h++) {
            double sum = 0;

            for (int64_t i = b * SIDE + 1; i <= (b + 1) * SIDE; i++)
                sum += (double)input[i] * weight[i * (HIDDEN + 1) + h + 1];
            partial[b * HIDDEN + h] = (float)sum;
        }
}

void ref_backprop(struct ref_run *r) {
    const int64_t inputs = ref_int(r, "inputs");
    const float *input = ref_f32(r, "input");
    const float *delta = ref_f32(r, "delta");
    float *weight = ref_f32(r, "weight");
    float *change = ref_f32(r, "change");

    forward(inputs, input, weight, ref_f32(r, "partial"));
    for (int64_t i = 0; i <= inputs; i++)
        for (int64_t h = 1; h <= HIDDEN; h++) {
            const int64_t at = i * (HIDDEN + 1) + h;
            const double signal = i == 0 ? 1 : input[i];
            const double c = 0.3 * delta[h] * signal + 0.3 * change[at];

            weight[at] = (float)(weight[at] + c);
            change[at] = (float)c;
        }
}
