/* xmy.cu - element-wise product z[i] = x[i] * y[i].
 *
 * Named by: Chopim, Table I, XMY.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void xmy(int n, const float *__restrict__ x,
                               const float *__restrict__ y,
                               float *__restrict__ z) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        z[i] = x[i] * y[i];
}
