/* hist.cu - histogram of bytes over 256 bins.
 *
 * Each CTA counts into a private histogram in shared memory with shared
 * atomics and adds it to the result once at the end.  Bytes are read four at
 * a time; the first CTA takes the tail of up to three.
 *
 * Named by: MPU, Table I, HIST (image processing, after CUB).
 * Launch: one-dimensional, block 256 (one thread a bin at the end), any grid.
 */

#define BINS 256

extern "C" __global__ void hist(int n, const unsigned char *__restrict__ data,
                                unsigned int *__restrict__ bins) {
    __shared__ unsigned int local[BINS];

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    const uchar4 *quads = (const uchar4 *)data;
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4;
         i += stride) {
        const uchar4 q = quads[i];

        atomicAdd(&local[q.x], 1u);
        atomicAdd(&local[q.y], 1u);
        atomicAdd(&local[q.z], 1u);
        atomicAdd(&local[q.w], 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        atomicAdd(&local[data[n / 4 * 4 + threadIdx.x]], 1u);
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b] != 0)
            atomicAdd(&bins[b], local[b]);
}
