/* svrg_ref.c - average gradient of l2-regularised logistic regression. */
#include <math.h>

#include "ref.h"

static double dot(int64_t n, const float *a, const float *b) {
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

void ref_svrg(struct ref_run *r) {
    const int64_t samples = ref_int(r, "samples");
    const int64_t features = ref_int(r, "features");
    const double lambda = ref_float(r, "lambda");
    const float *x = ref_f32(r, "x");
    const float *label = ref_f32(r, "label");
    const float *w = ref_f32(r, "w");
    float *scale = ref_f32(r, "scale");
    float *gradient = ref_f32(r, "gradient");

    for (int64_t i = 0; i < samples; i++) {
        const double margin = dot(features, x + i * features, w);

        scale[i] = (float)(-label[i] /
                           ((double)samples * (1 + exp(label[i] * margin))));
    }
    for (int64_t j = 0; j < features; j++) {
        double sum = lambda * w[j];

        for (int64_t i = 0; i < samples; i++)
            sum += (double)scale[i] * x[i * features + j];
        gradient[j] = (float)sum;
    }
}
