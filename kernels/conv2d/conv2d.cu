/* conv2d.cu - 5x5 convolution of a float image, zeros outside.
 *
 * conv2d               plain: one thread a pixel, CTAs over the whole image
 * conv2d_pattern       pattern-aware: one CTA an SM walks a contiguous band
 *                      of rows, row-major in blocks of blockDim
 * conv2d_pattern_sync  the same with a barrier after each block
 *
 * Named by: image NDP, Table 3, Conv2D; section 3.2, Figures 6 and 7.
 * Launch: block 32x8; plain: two-dimensional grid over the image; pattern:
 * as many CTAs as SMs.
 */

#define RADIUS 2
#define TAPS (2 * RADIUS + 1)

static __device__ __forceinline__ void
conv2d_pixel(int x, int y, int width, int height,
             const float *__restrict__ filter, const float *__restrict__ in,
             float *__restrict__ out) {
    float sum = 0.0f;

    for (int i = 0; i < TAPS; i++) {
        const int iy = y + i - RADIUS;

        if (iy < 0 || iy >= height)
            continue;
        for (int j = 0; j < TAPS; j++) {
            const int ix = x + j - RADIUS;

            if (ix >= 0 && ix < width)
                sum += filter[i * TAPS + j] * in[iy * width + ix];
        }
    }
    out[y * width + x] = sum;
}

extern "C" __global__ void conv2d(int width, int height,
                                  const float *__restrict__ filter,
                                  const float *__restrict__ in,
                                  float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        conv2d_pixel(x, y, width, height, filter, in, out);
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void
conv2d_walk(bool sync, int width, int height, const float *__restrict__ filter,
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

            if (x < width && y < last)
                conv2d_pixel(x, y, width, height, filter, in, out);
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void conv2d_pattern(int width, int height,
                                          const float *__restrict__ filter,
                                          const float *__restrict__ in,
                                          float *__restrict__ out) {
    conv2d_walk(false, width, height, filter, in, out);
}

extern "C" __global__ void conv2d_pattern_sync(int width, int height,
                                               const float *__restrict__ filter,
                                               const float *__restrict__ in,
                                               float *__restrict__ out) {
    conv2d_walk(true, width, height, filter, in, out);
}
