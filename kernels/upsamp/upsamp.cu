/* upsamp.cu - doubles width and height of a float image, bilinear.
 *
 * Output pixel (x, y) lies at ((x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5) of
 * the input, so that each weight is 1/4 or 3/4.  Pixels outside repeat the
 * border.
 *
 * Named by: MPU, Table I, UPSAMP (image processing, after Halide).
 * Launch: two-dimensional, block 32x8, one thread an output pixel.
 */

extern "C" __global__ void upsamp(int width, int height,
                                  const float *__restrict__ in,
                                  float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= 2 * width || y >= 2 * height)
        return;

    /* The near pixel weighs 3/4; the far one lies left of it (above it) for
     * even coordinates and right of it (below it) for odd ones. */
    const int nx = x / 2;
    const int ny = y / 2;
    const int fx = min(max(nx + (x % 2) * 2 - 1, 0), width - 1);
    const int fy = min(max(ny + (y % 2) * 2 - 1, 0), height - 1);
    const float *near_row = in + ny * width;
    const float *far_row = in + fy * width;
    const float near_mix = 0.75f * near_row[nx] + 0.25f * near_row[fx];
    const float far_mix = 0.75f * far_row[nx] + 0.25f * far_row[fx];

    out[y * 2 * width + x] = 0.75f * near_mix + 0.25f * far_mix;
}
