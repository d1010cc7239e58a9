/* norm.cu - normalises an array by a given value: y[i] = x[i] / value.
 *
 * Named by: opportunistic computing, Table 3, NORM.
 * The kernel is not called norm: CUDA has a function of that name.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void normalise(int n, float value,
                                     const float *__restrict__ x,
                                     float *__restrict__ y) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = x[i] / value;
}
