/* nrm2.cu - Euclidean norm of a vector.
 *
 * nrm2        each CTA writes one partial sum of squares: threads stride over
 *             the vector, warps fold by shuffles, the first warp folds the
 *             warps' sums
 * nrm2_final  one warp adds the partial sums and takes the root
 *
 * Named by: Chopim, Table I, NRM2.
 * Launch: one-dimensional, block 256, any grid; nrm2_final one warp.
 */

#define WARPS 8

static __device__ __forceinline__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

extern "C" __global__ void nrm2(int n, const float *__restrict__ x,
                                float *__restrict__ partial) {
    __shared__ float sums[WARPS];

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const float v = x[i];

        sum += v * v;
    }
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < WARPS ? sums[lane] : 0.0f);
        if (lane == 0)
            partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void nrm2_final(int n, const float *__restrict__ partial,
                                      float *__restrict__ result) {
    float sum = 0.0f;

    for (int i = threadIdx.x; i < n; i += 32)
        sum += partial[i];
    sum = warp_sum(sum);
    if (threadIdx.x == 0)
        *result = sqrtf(sum);
}
