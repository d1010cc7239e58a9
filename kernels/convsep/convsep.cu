/* convsep.cu - separable 17x17 convolution: rows, then columns.
 *
 * convsep_rows, convsep_cols  plain: the CTA's pixels and their margin pass
 *                             through shared memory, as in the CUDA samples
 * ..._pattern                 pattern-aware: one CTA an SM walks a contiguous
 *                             band of rows, and the cache takes the place of
 *                             shared memory (the paper's guideline 4)
 * ..._pattern_sync            the same with a barrier after each block
 *
 * Pixels outside are zero.  The filter lies in constant memory.
 *
 * Named by: image NDP, Table 3, ConvSep.
 * Launch: block 32x8; plain: two-dimensional grid over the image; pattern:
 * as many CTAs as SMs.
 */

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define COLS 32
#define ROWS 8

extern "C" {
__constant__ float filter[TAPS];
}

static __device__ __forceinline__ float
pixel(int x, int y, int width, int height, const float *__restrict__ in) {
    return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x]
                                                       : 0.0f;
}

extern "C" __global__ void convsep_rows(int width, int height,
                                        const float *__restrict__ in,
                                        float *__restrict__ out) {
    __shared__ float line[ROWS][COLS + 2 * RADIUS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * COLS + tx;
    const int y = blockIdx.y * ROWS + ty;

    for (int i = tx; i < COLS + 2 * RADIUS; i += COLS)
        line[ty][i] = pixel(x - tx + i - RADIUS, y, width, height, in);
    __syncthreads();

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += filter[k] * line[ty][tx + k];
    out[y * width + x] = sum;
}

extern "C" __global__ void convsep_cols(int width, int height,
                                        const float *__restrict__ in,
                                        float *__restrict__ out) {
    __shared__ float line[ROWS + 2 * RADIUS][COLS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * COLS + tx;
    const int y = blockIdx.y * ROWS + ty;

    for (int i = ty; i < ROWS + 2 * RADIUS; i += ROWS)
        line[i][tx] = pixel(x, y - ty + i - RADIUS, width, height, in);
    __syncthreads();

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += filter[k] * line[ty + k][tx];
    out[y * width + x] = sum;
}

/* Whether the filter stays inside the image for the whole block of pixels at
 * (x0, y0), and the block inside the band that ends at row last. */
static __device__ __forceinline__ bool inside(int x0, int y0, int along_x,
                                              int along_y, int width, int last,
                                              int height) {
    return x0 >= RADIUS * along_x && y0 >= RADIUS * along_y &&
           x0 + (int)blockDim.x + RADIUS * along_x <= width &&
           y0 + (int)blockDim.y + RADIUS * along_y <= height &&
           y0 + (int)blockDim.y <= last;
}

/* The walk over this CTA's band of rows; blocks inside the image need no look at
 * its edges, as those in shared memory of the plain form.  The filter lies along (along_x,
 * along_y), one of which is 1 and the other 0. */
static __device__ __forceinline__ void
convsep_walk(bool sync, int along_x, int along_y, int width, int height,
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

            if (inside(x0, y0, along_x, along_y, width, last, height)) {
                const float *centre = in + y * width + x;
                const int step = along_x + along_y * width;
                float sum = 0.0f;

#pragma unroll
                for (int k = 0; k < TAPS; k++)
                    sum += filter[k] * centre[(k - RADIUS) * step];
                out[y * width + x] = sum;
            } else if (x < width && y < last) {
                float sum = 0.0f;

#pragma unroll
                for (int k = 0; k < TAPS; k++)
                    sum += filter[k] * pixel(x + (k - RADIUS) * along_x,
                                             y + (k - RADIUS) * along_y, width,
                                             height, in);
                out[y * width + x] = sum;
            }
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void convsep_rows_pattern(int width, int height,
                                                const float *__restrict__ in,
                                                float *__restrict__ out) {
    convsep_walk(false, 1, 0, width, height, in, out);
}

extern "C" __global__ void convsep_cols_pattern(int width, int height,
                                                const float *__restrict__ in,
                                                float *__restrict__ out) {
    convsep_walk(false, 0, 1, width, height, in, out);
}

extern "C" __global__ void
convsep_rows_pattern_sync(int width, int height, const float *__restrict__ in,
                          float *__restrict__ out) {
    convsep_walk(true, 1, 0, width, height, in, out);
}

extern "C" __global__ void
convsep_cols_pattern_sync(int width, int height, const float *__restrict__ in,
                          float *__restrict__ out) {
    convsep_walk(true, 0, 1, width, height, in, out);
}
