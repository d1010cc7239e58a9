/* blur.cu - 3x3 box blur of a single-channel float image.
 *
 * Each output pixel is the mean of the nine input pixels around it.  Pixels
 * of the border repeat the nearest pixel of the image; the interior takes a
 * path without clamping.
 *
 * Named by: MPU, Table I, BLUR (image processing, after Halide).
 * Launch: two-dimensional, block 32x8, one thread a pixel.
 */

static __device__ __forceinline__ int clamp_index(int i, int count) {
    return min(max(i, 0), count - 1);
}

static __device__ __forceinline__ float row3(const float *__restrict__ p) {
    return p[0] + p[1] + p[2];
}

extern "C" __global__ void blur(int width, int height,
                                const float *__restrict__ in,
                                float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;

    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        const float *p = in + (y - 1) * width + (x - 1);

        sum = row3(p) + row3(p + width) + row3(p + 2 * width);
    } else {
        for (int dy = -1; dy <= 1; dy++) {
            const float *row = in + clamp_index(y + dy, height) * width;

            for (int dx = -1; dx <= 1; dx++)
                sum += row[clamp_index(x + dx, width)];
        }
    }
    out[y * width + x] = sum * (1.0f / 9.0f);
}
