/* copy.cu - copies one array into another.
 *
 * copy_aligned  y[i] = x[i].  With both arrays at the same offset in the
 *               interleaving of the memory partitions, load and store of an
 *               element fall into one partition.
 * copy_strided  y[i] = x[i + shift].  A shift of whole memory chunks puts load
 *               and store into different partitions; accesses stay coalesced.
 *
 * Named by: opportunistic computing, Table 3, COPY-ALIGNED and COPY-STRIDED;
 *           Chopim, Table I, COPY (the aligned form).
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void copy_aligned(int n, const float *__restrict__ x,
                                        float *__restrict__ y) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = x[i];
}

extern "C" __global__ void copy_strided(int n, int shift,
                                        const float *__restrict__ x,
                                        float *__restrict__ y) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = x[i + shift];
}
