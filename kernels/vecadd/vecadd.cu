/* vecadd.cu - sum of two arrays in a third.
 *
 * vecadd_aligned  c[i] = a[i] + b[i].  With all arrays at the same offset in
 *                 the interleaving of the memory partitions, the three
 *                 accesses of an element fall into one partition.
 * vecadd_strided  c[i] = a[i + shift] + b[i + 2 * shift].  A shift of whole
 *                 memory chunks puts them into three partitions; accesses
 *                 stay coalesced.
 *
 * Named by: opportunistic computing, Table 3, VECADD-ALIGNED and
 *           VECADD-STRIDED.
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void vecadd_aligned(int n, const float *__restrict__ a,
                                          const float *__restrict__ b,
                                          float *__restrict__ c) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void vecadd_strided(int n, int shift,
                                          const float *__restrict__ a,
                                          const float *__restrict__ b,
                                          float *__restrict__ c) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i + shift] + b[i + 2 * shift];
}
