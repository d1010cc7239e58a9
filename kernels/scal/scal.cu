/* scal.cu - x = alpha * x, in place.
 *
 * Named by: Chopim, Table I, SCAL.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void scal(int n, float alpha, float *__restrict__ x) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        x[i] *= alpha;
}
