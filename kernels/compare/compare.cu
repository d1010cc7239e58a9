/* compare.cu - counts the places in which two strings differ.
 *
 * Each thread compares one place of both strings at a time; a warp's matches
 * are counted from one bitmap, and its first lane adds them to the total.
 *
 * Named by: opportunistic computing, Table 3, COMPARE.
 * Launch: one-dimensional, block 256, any grid (warps stride together).
 */

extern "C" __global__ void compare(int n, const char *__restrict__ a,
                                   const char *__restrict__ b,
                                   unsigned int *__restrict__ differing) {
    const int lane = threadIdx.x % 32;
    const int stride = gridDim.x * blockDim.x;
    unsigned int count = 0;

    for (int base = blockIdx.x * blockDim.x + threadIdx.x - lane; base < n;
         base += stride) {
        const int i = base + lane;
        const bool differs = i < n && a[i] != b[i];

        count += __popc(__ballot_sync(0xffffffffu, differs));
    }
    if (lane == 0 && count != 0)
        atomicAdd(differing, count);
}
