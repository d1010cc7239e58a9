/* triad.cu - c = a + scale * b.
 *
 * Named by: opportunistic computing, Table 3, TRIAD (after SHOC).
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void triad(int n, float scale,
                                 const float *__restrict__ a,
                                 const float *__restrict__ b,
                                 float *__restrict__ c) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + scale * b[i];
}
