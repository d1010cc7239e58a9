/* concat.cu - puts two images of four-byte pixels side by side.
 *
 * concat               plain: one thread an output pixel
 * concat_pattern       pattern-aware: one CTA an SM walks a contiguous band
 *                      of rows, row-major in blocks of blockDim
 * concat_pattern_sync  the same with a barrier after each block
 *
 * Named by: image NDP, Table 3, Concat.
 * Launch: block 32x8; plain: two-dimensional grid over the output; pattern:
 * as many CTAs as SMs.
 */

/* Widths of the two inputs; the output is as wide as both. */
static __device__ __forceinline__ void
concat_pixel(int x, int y, int left_width, int right_width,
             const uchar4 *__restrict__ left, const uchar4 *__restrict__ right,
             uchar4 *__restrict__ out) {
    const int width = left_width + right_width;

    if (x < left_width)
        out[y * width + x] = left[y * left_width + x];
    else
        out[y * width + x] = right[y * right_width + x - left_width];
}

extern "C" __global__ void concat(int left_width, int right_width, int height,
                                  const uchar4 *__restrict__ left,
                                  const uchar4 *__restrict__ right,
                                  uchar4 *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < left_width + right_width && y < height)
        concat_pixel(x, y, left_width, right_width, left, right, out);
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void
concat_walk(bool sync, int left_width, int right_width, int height,
            const uchar4 *__restrict__ left, const uchar4 *__restrict__ right,
            uchar4 *__restrict__ out) {
    const int width = left_width + right_width;
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
                concat_pixel(x, y, left_width, right_width, left, right, out);
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void concat_pattern(int left_width, int right_width,
                                          int height,
                                          const uchar4 *__restrict__ left,
                                          const uchar4 *__restrict__ right,
                                          uchar4 *__restrict__ out) {
    concat_walk(false, left_width, right_width, height, left, right, out);
}

extern "C" __global__ void concat_pattern_sync(int left_width, int right_width,
                                               int height,
                                               const uchar4 *__restrict__ left,
                                               const uchar4 *__restrict__ right,
                                               uchar4 *__restrict__ out) {
    concat_walk(true, left_width, right_width, height, left, right, out);
}
