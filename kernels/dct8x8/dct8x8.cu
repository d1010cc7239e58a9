/* dct8x8.cu - discrete cosine transform of each 8x8 block of a float image.
 *
 * coefficient[u][v] = sum over y, x of basis[u][y] * basis[v][x] * in[y][x],
 * basis[0][x] = sqrt(1/8), basis[u][x] = 1/2 cos((2x + 1) u pi / 16).
 *
 * dct8x8               plain: four blocks a CTA, columns then rows, with the
 *                      blocks in shared memory
 * dct8x8_pattern       pattern-aware: one CTA an SM walks a contiguous band
 *                      of rows; columns straight from the cache (the
 *                      paper's guideline 4), and their sums along a row from
 *                      the other lanes of the warp, which has whole rows
 * dct8x8_pattern_sync  the same with a barrier after each step
 *
 * Named by: image NDP, Table 3, Dct8x8.
 * Launch: block 32x8, width a multiple of 32 and height of 8; plain:
 * two-dimensional grid over the image; pattern: as many CTAs as SMs.
 */

#define SIDE 8
#define COLS 32

#define C1 0.490392640f
#define C2 0.461939766f
#define C3 0.415734806f
#define C4 0.353553391f
#define C5 0.277785117f
#define C6 0.191341716f
#define C7 0.0975451610f

extern "C" {
__constant__ float basis[SIDE * SIDE] = {
    C4, C4,  C4,  C4,  C4,  C4,  C4,  C4,  /* u = 0 */
    C1, C3,  C5,  C7,  -C7, -C5, -C3, -C1, /* u = 1 */
    C2, C6,  -C6, -C2, -C2, -C6, C6,  C2,  /* u = 2 */
    C3, -C7, -C1, -C5, C5,  C1,  C7,  -C3, /* u = 3 */
    C4, -C4, -C4, C4,  C4,  -C4, -C4, C4,  /* u = 4 */
    C5, -C1, C7,  C3,  -C3, -C7, C1,  -C5, /* u = 5 */
    C6, -C2, C2,  -C6, -C6, C2,  -C2, C6,  /* u = 6 */
    C7, -C5, C3,  -C1, C1,  -C3, C5,  -C7, /* u = 7 */
};
}

extern "C" __global__ void dct8x8(int width, const float *__restrict__ in,
                                  float *__restrict__ out) {
    __shared__ float block[SIDE][COLS];
    __shared__ float half_done[SIDE][COLS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int left = tx / SIDE * SIDE;
    const int at = (blockIdx.y * SIDE + ty) * width + blockIdx.x * COLS + tx;

    block[ty][tx] = in[at];
    __syncthreads();

    float sum = 0.0f;

#pragma unroll
    for (int y = 0; y < SIDE; y++)
        sum += basis[ty * SIDE + y] * block[y][tx];
    half_done[ty][tx] = sum;
    __syncthreads();

    sum = 0.0f;
#pragma unroll
    for (int x = 0; x < SIDE; x++)
        sum += basis[tx % SIDE * SIDE + x] * half_done[ty][left + x];
    out[at] = sum;
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void dct8x8_walk(bool sync, int width,
                                                   int height,
                                                   const float *__restrict__ in,
                                                   float *__restrict__ out) {
    const int u = threadIdx.y;
    const int v = threadIdx.x % SIDE;
    const int row_blocks = height / SIDE;
    const int band = (row_blocks + gridDim.x - 1) / gridDim.x * SIDE;
    const int first = blockIdx.x * band;
    const int last = min(first + band, height);

    for (int y0 = first; y0 < last; y0 += SIDE)
        for (int x0 = 0; x0 < width; x0 += COLS) {
            const int x = x0 + threadIdx.x;
            const float *column = in + y0 * width + x;
            float half_done = 0.0f;

#pragma unroll
            for (int y = 0; y < SIDE; y++)
                half_done += basis[u * SIDE + y] * column[y * width];

            float sum = 0.0f;

#pragma unroll
            for (int k = 0; k < SIDE; k++)
                sum += basis[v * SIDE + k] *
                       __shfl_sync(0xffffffff, half_done, k, SIDE);
            out[(y0 + u) * width + x] = sum;
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void dct8x8_pattern(int width, int height,
                                          const float *__restrict__ in,
                                          float *__restrict__ out) {
    dct8x8_walk(false, width, height, in, out);
}

extern "C" __global__ void dct8x8_pattern_sync(int width, int height,
                                               const float *__restrict__ in,
                                               float *__restrict__ out) {
    dct8x8_walk(true, width, height, in, out);
}
