/* axpbypcz.cu - w = alpha * x + beta * y + gamma * z.
 *
 * Named by: Chopim, Table I, AXPBYPCZ.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void axpbypcz(int n, float alpha, float beta, float gamma,
                                    const float *__restrict__ x,
                                    const float *__restrict__ y,
                                    const float *__restrict__ z,
                                    float *__restrict__ w) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        w[i] = alpha * x[i] + beta * y[i] + gamma * z[i];
}
