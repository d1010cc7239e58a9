/* reduce.cu - sum of a vector of floats.
 *
 * reduce         each thread adds its share of the input, each CTA folds its
 *                threads in shared memory down to one warp and then by
 *                shuffles, and writes one partial sum; a second launch with
 *                one CTA adds the partial sums
 * reduce_global  one halving step in global memory, without shared memory:
 *                a[i] += a[i + half]; launched once for each halving
 *
 * Named by: MPU, Table I, PR (after CUB); TOM, Table 2, RD; opportunistic
 *           computing, Table 3, RED (which rewrites it to global memory).
 * Launch: one-dimensional; reduce wants a block of a power of two from 64 up
 * and 4 bytes of dynamic shared memory a thread.
 */

extern "C" __global__ void reduce(int n, const float *__restrict__ in,
                                  float *__restrict__ partial) {
    extern __shared__ float scratch[];

    const int t = threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride)
        sum += in[i];
    scratch[t] = sum;
    __syncthreads();

    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half)
            scratch[t] += scratch[t + half];
        __syncthreads();
    }

    if (t < 32) {
        sum = scratch[t];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (t == 0)
            partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduce_global(int half, int n, float *a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < half && i + half < n)
        a[i] += a[i + half];
}
