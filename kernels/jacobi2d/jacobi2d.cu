/* jacobi2d.cu - two-dimensional Jacobi stencil of five points.
 *
 * jacobi2d       out = 0.2 * (centre and its four neighbours), plain: one
 *                thread a point; the border stays as it is
 * jacobi2d_copy  copies the interior back for the next time step
 * ..._pattern    pattern-aware: one CTA an SM walks a contiguous band of
 *                rows, row-major in blocks of blockDim
 * ..._pattern_sync  the same with a barrier after each block
 *
 * Named by: image NDP, Table 3, Jacobi2D (after PolyBench).
 * Launch: block 32x8; plain: two-dimensional grid over the image; pattern:
 * as many CTAs as SMs.
 */

static __device__ __forceinline__ bool inside(int x, int y, int width,
                                              int height) {
    return x > 0 && x < width - 1 && y > 0 && y < height - 1;
}

static __device__ __forceinline__ float
five_points(const float *__restrict__ centre, int width) {
    return 0.2f * (centre[0] + centre[-1] + centre[1] + centre[width] +
                   centre[-width]);
}

extern "C" __global__ void jacobi2d(int width, int height,
                                    const float *__restrict__ in,
                                    float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (inside(x, y, width, height))
        out[y * width + x] = five_points(in + y * width + x, width);
}

extern "C" __global__ void jacobi2d_copy(int width, int height,
                                         const float *__restrict__ in,
                                         float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (inside(x, y, width, height))
        out[y * width + x] = in[y * width + x];
}

/* The walk over this CTA's band of rows; copy chooses the second kernel. */
static __device__ __forceinline__ void
jacobi2d_walk(bool sync, bool copy, int width, int height,
              const float *__restrict__ in, float *__restrict__ out) {
    const int dx = blockDim.x;
    const int dy = blockDim.y;
    const int row_blocks = (height + dy - 1) / dy;
    const int band = (row_blocks + gridDim.x - 1) / gridDim.x * dy;
    const int first = blockIdx.x * band;
    const int last = min(first + band, height);

    for (int y0 = first; y0 < last; y0 += dy)
        for (int x0 = 0; x0 < width; x0 += dx) {
            const int x = x0 + threadIdx.x;
            const int y = y0 + threadIdx.y;
            const int at = y * width + x;

            if (inside(x, y, width, height))
                out[at] = copy ? in[at] : five_points(in + at, width);
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void jacobi2d_pattern(int width, int height,
                                            const float *__restrict__ in,
                                            float *__restrict__ out) {
    jacobi2d_walk(false, false, width, height, in, out);
}

extern "C" __global__ void jacobi2d_copy_pattern(int width, int height,
                                                 const float *__restrict__ in,
                                                 float *__restrict__ out) {
    jacobi2d_walk(false, true, width, height, in, out);
}

extern "C" __global__ void jacobi2d_pattern_sync(int width, int height,
                                                 const float *__restrict__ in,
                                                 float *__restrict__ out) {
    jacobi2d_walk(true, false, width, height, in, out);
}

extern "C" __global__ void
jacobi2d_copy_pattern_sync(int width, int height, const float *__restrict__ in,
                           float *__restrict__ out) {
    jacobi2d_walk(true, true, width, height, in, out);
}
