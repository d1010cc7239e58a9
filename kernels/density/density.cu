/* density.cu - counts the zeros of an array.
 *
 * A warp's zeros are counted from one bitmap, and its first lane adds them to
 * the total.
 *
 * Named by: opportunistic computing, Table 3, DENSITY.
 * Launch: one-dimensional, block 256, any grid (warps stride together).
 */

extern "C" __global__ void density(int n, const int *__restrict__ a,
                                   unsigned int *__restrict__ zeros) {
    const int lane = threadIdx.x % 32;
    const int stride = gridDim.x * blockDim.x;
    unsigned int count = 0;

    for (int base = blockIdx.x * blockDim.x + threadIdx.x - lane; base < n;
         base += stride) {
        const int i = base + lane;
        const bool zero = i < n && a[i] == 0;

        count += __popc(__ballot_sync(0xffffffffu, zero));
    }
    if (lane == 0 && count != 0)
        atomicAdd(zeros, count);
}
