/* axpy.cu - y = alpha * x + y.
 *
 * Named by: MPU, Table I, AXPY (linear algebra, after cuBLAS);
 *           Chopim, Table I, AXPY.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void axpy(int n, float alpha, const float *__restrict__ x,
                                float *__restrict__ y) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = alpha * x[i] + y[i];
}
