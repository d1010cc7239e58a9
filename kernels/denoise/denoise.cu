/* denoise.cu - non-local means denoising of a float image.
 *
 * Each pixel becomes the mean of the pixels around it (`window` each way),
 * weighted by how alike the patches around the two are (`patch` each way):
 * weight = exp(-strength * mean squared difference of the patches).
 * Coordinates outside repeat the border.
 *
 * denoise               plain: one thread a pixel
 * denoise_pattern       pattern-aware: one CTA an SM walks a contiguous band
 *                       of rows, row-major in blocks of blockDim
 * denoise_pattern_sync  the same with a barrier after each block
 *
 * Named by: image NDP, Table 3, Denoising.
 * Launch: block 32x8; plain: two-dimensional grid over the image; pattern:
 * as many CTAs as SMs.
 */

struct image {
    int width, height;
    const float *__restrict__ pixels;
};

static __device__ __forceinline__ float pixel(const image &in, int x, int y) {
    x = min(max(x, 0), in.width - 1);
    y = min(max(y, 0), in.height - 1);
    return in.pixels[y * in.width + x];
}

static __device__ __forceinline__ float denoise_pixel(const image &in, int x,
                                                      int y, int window,
                                                      int patch,
                                                      float strength) {
    const float scale = -strength / ((2 * patch + 1) * (2 * patch + 1));
    float total = 0.0f;
    float sum = 0.0f;

    for (int wy = -window; wy <= window; wy++)
        for (int wx = -window; wx <= window; wx++) {
            float difference = 0.0f;

            for (int py = -patch; py <= patch; py++)
                for (int px = -patch; px <= patch; px++) {
                    const float d = pixel(in, x + px, y + py) -
                                    pixel(in, x + wx + px, y + wy + py);

                    difference += d * d;
                }

            const float weight = expf(scale * difference);

            total += weight;
            sum += weight * pixel(in, x + wx, y + wy);
        }
    return sum / total;
}

extern "C" __global__ void denoise(int width, int height, int window, int patch,
                                   float strength, const float *__restrict__ in,
                                   float *__restrict__ out) {
    const image source = {width, height, in};
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        out[y * width + x] =
            denoise_pixel(source, x, y, window, patch, strength);
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void denoise_walk(bool sync, const image &in,
                                                    int window, int patch,
                                                    float strength,
                                                    float *__restrict__ out) {
    const int dx = blockDim.x;
    const int dy = blockDim.y;
    const int row_blocks = (in.height + dy - 1) / dy;
    const int band = (row_blocks + gridDim.x - 1) / gridDim.x * dy;
    const int first = blockIdx.x * band;
    const int last = min(first + band, in.height);

    for (int y0 = first; y0 < last; y0 += dy)
        for (int x0 = 0; x0 < in.width; x0 += dx) {
            const int x = x0 + threadIdx.x;
            const int y = y0 + threadIdx.y;

            if (x < in.width && y < last)
                out[y * in.width + x] =
                    denoise_pixel(in, x, y, window, patch, strength);
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void denoise_pattern(int width, int height, int window,
                                           int patch, float strength,
                                           const float *__restrict__ in,
                                           float *__restrict__ out) {
    const image source = {width, height, in};

    denoise_walk(false, source, window, patch, strength, out);
}

extern "C" __global__ void denoise_pattern_sync(int width, int height,
                                                int window, int patch,
                                                float strength,
                                                const float *__restrict__ in,
                                                float *__restrict__ out) {
    const image source = {width, height, in};

    denoise_walk(true, source, window, patch, strength, out);
}
