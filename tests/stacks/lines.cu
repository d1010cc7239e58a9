/* lines.cu - stores of blocks that leave to lines that their core has, or waits for.
 *
 * Each thread loads its element of a, which brings the line into its core's cache;
 * then a loop, which may run in a memory stack, stores to that element; then the
 * thread loads it again, and other elements of the line are loaded by others.
 *
 * stale    the lanes of a warp have elements beside each other
 * beside   two warps of so many lanes have them by turns, so that one loads a line
 *          while a block of the other stores to it
 */

static __device__ __forceinline__ void
add_up(int i, int n, int steps, unsigned *a, const unsigned *b, unsigned *out) {
    const unsigned before = a[i];

    for (int k = 0; k < steps; k++)
        a[i + k * n] += b[i + k * n];
    out[i] = before + a[i];
}

extern "C" __global__ void stale(int n, int steps, unsigned *a,
                                 const unsigned *b, unsigned *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        add_up(i, n, steps, a, b, out);
}

extern "C" __global__ void beside(int n, int steps, int lanes, unsigned *a,
                                  const unsigned *b, unsigned *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int in = i % (2 * lanes);

    if (i < n)
        add_up(i - in + in % lanes * 2 + in / lanes, n, steps, a, b, out);
}
