/* downsample.cu - halves width and height of a grey image of bytes.
 *
 * Each output pixel is the rounded mean of a 2x2 square of the input.
 *
 * downsample               plain: one thread an output pixel
 * downsample_pattern       pattern-aware: one CTA an SM walks a contiguous
 *                          band of rows, row-major in blocks of blockDim
 * downsample_pattern_sync  the same with a barrier after each block
 *
 * Named by: image NDP, Table 3, DownSample.
 * Launch: block 32x8; plain: two-dimensional grid over the output; pattern:
 * as many CTAs as SMs.
 */

/* width: of the output; the input's is twice that. */
static __device__ __forceinline__ void
downsample_pixel(int x, int y, int width, const unsigned char *__restrict__ in,
                 unsigned char *__restrict__ out) {
    const unsigned char *p = in + 2 * y * 2 * width + 2 * x;
    const int sum = p[0] + p[1] + p[2 * width] + p[2 * width + 1];

    out[y * width + x] = (sum + 2) / 4;
}

extern "C" __global__ void downsample(int width, int height,
                                      const unsigned char *__restrict__ in,
                                      unsigned char *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        downsample_pixel(x, y, width, in, out);
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void
downsample_walk(bool sync, int width, int height,
                const unsigned char *__restrict__ in,
                unsigned char *__restrict__ out) {
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

            if (x < width && y < last)
                downsample_pixel(x, y, width, in, out);
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void
downsample_pattern(int width, int height, const unsigned char *__restrict__ in,
                   unsigned char *__restrict__ out) {
    downsample_walk(false, width, height, in, out);
}

extern "C" __global__ void
downsample_pattern_sync(int width, int height,
                        const unsigned char *__restrict__ in,
                        unsigned char *__restrict__ out) {
    downsample_walk(true, width, height, in, out);
}
