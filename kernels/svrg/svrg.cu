/* svrg.cu - average gradient of l2-regularised logistic regression, the
 * summarisation step of stochastic variance reduced gradient (SVRG).
 *
 * svrg_margin    scale[i] = -label[i] / (samples * (1 + exp(label[i] * m)))
 *                with the margin m = x[i] . w; one warp a sample
 * svrg_gradient  gradient[j] = lambda * w[j] + sum over i of
 *                scale[i] * x[i][j]; one thread a feature
 *
 * Named by: Chopim, Table II and Figures 6 and 8, SVRG average gradient.
 * Launch: one-dimensional, block 256; svrg_margin any grid (warps stride over
 * the samples), svrg_gradient one thread a feature.
 */

extern "C" __global__ void svrg_margin(int samples, int features,
                                       const float *__restrict__ x,
                                       const float *__restrict__ label,
                                       const float *__restrict__ w,
                                       float *__restrict__ scale) {
    const int lane = threadIdx.x % 32;
    const int warps = gridDim.x * blockDim.x / 32;

    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < samples;
         i += warps) {
        const float *row = x + (size_t)i * features;
        float margin = 0.0f;

        for (int j = lane; j < features; j += 32)
            margin += row[j] * w[j];
        for (int offset = 16; offset > 0; offset /= 2)
            margin += __shfl_down_sync(0xffffffffu, margin, offset);
        if (lane == 0)
            scale[i] = -label[i] / (samples * (1.0f + expf(label[i] * margin)));
    }
}

extern "C" __global__ void
svrg_gradient(int samples, int features, float lambda,
              const float *__restrict__ x, const float *__restrict__ w,
              const float *__restrict__ scale, float *__restrict__ gradient) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j >= features)
        return;

    float sum = lambda * w[j];

    for (int i = 0; i < samples; i++)
        sum += scale[i] * x[(size_t)i * features + j];
    gradient[j] = sum;
}
