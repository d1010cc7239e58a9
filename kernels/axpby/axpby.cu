/* axpby.cu - z = alpha * x + beta * y.
 *
 * Named by: Chopim, Table I, AXPBY.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void axpby(int n, float alpha, float beta,
                                 const float *__restrict__ x,
                                 const float *__restrict__ y,
                                 float *__restrict__ z) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        z[i] = alpha * x[i] + beta * y[i];
}
