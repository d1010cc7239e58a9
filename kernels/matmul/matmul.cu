/* matmul.cu - matrix product C = A B; A rows x inner, B inner x cols.
 *
 * matmul               plain: 16x16 tiles of A and B in shared memory
 * matmul_pattern       pattern-aware: one CTA an SM walks a contiguous band
 *                      of rows of C, row-major in blocks of 32x8, with tiles
 *                      of A (16x8) and B (32x16) in shared memory
 * matmul_pattern_sync  the same with a barrier after each block
 *
 * Each element of a tile is read 8 or 32 times.  The paper keeps shared memory
 * where data is often used again (3.2, Guideline 4).
 *
 * Named by: image NDP, Table 3, MatMul.
 * Launch: plain: block 16x16, two-dimensional grid over C; pattern: block
 * 32x8, as many CTAs as SMs.
 */

#define TILE 16

extern "C" __global__ void matmul(int rows, int cols, int inner,
                                  const float *__restrict__ a,
                                  const float *__restrict__ b,
                                  float *__restrict__ c) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * TILE + tx;
    const int y = blockIdx.y * TILE + ty;
    float sum = 0.0f;

    for (int k0 = 0; k0 < inner; k0 += TILE) {
        tile_a[ty][tx] =
            y < rows && k0 + tx < inner ? a[y * inner + k0 + tx] : 0.0f;
        tile_b[ty][tx] =
            x < cols && k0 + ty < inner ? b[(k0 + ty) * cols + x] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();
    }
    if (x < cols && y < rows)
        c[y * cols + x] = sum;
}

#define WIDE 32 /* a block */
#define HIGH 8
#define DEEP 16 /* elements of the sum in a tile */

/* Element (x0 + threadIdx.x, y) of the product, for threads that have one in
 * C; all threads load the tiles. */
static __device__ __forceinline__ float block_sum(
    bool in_rows, bool in_cols, int x, int y, int cols, int inner,
    const float *__restrict__ a, const float *__restrict__ b,
    float (*tile_a)[DEEP], float (*tile_b)[WIDE]) {
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    float sum = 0.0f;

    for (int k0 = 0; k0 < inner; k0 += DEEP) {
        if (tx < DEEP)
            tile_a[ty][tx] =
                in_rows && k0 + tx < inner ? a[y * inner + k0 + tx] : 0.0f;
#pragma unroll
        for (int k = ty; k < DEEP; k += HIGH)
            tile_b[k][tx] =
                in_cols && k0 + k < inner ? b[(k0 + k) * cols + x] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEEP; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();
    }
    return sum;
}

/* The walk over this CTA's band of rows. */
static __device__ __forceinline__ void
matmul_walk(bool sync, int rows, int cols, int inner,
            const float *__restrict__ a, const float *__restrict__ b,
            float *__restrict__ c, float (*tile_a)[DEEP],
            float (*tile_b)[WIDE]) {
    const int row_blocks = (rows + HIGH - 1) / HIGH;
    const int band = (row_blocks + gridDim.x - 1) / gridDim.x * HIGH;
    const int first = blockIdx.x * band;
    const int last = min(first + band, rows);

    for (int y0 = first; y0 < last; y0 += HIGH)
        for (int x0 = 0; x0 < cols; x0 += WIDE) {
            const int x = x0 + threadIdx.x;
            const int y = y0 + threadIdx.y;
            const float sum = block_sum(y < last, x < cols, x, y, cols, inner,
                                        a, b, tile_a, tile_b);

            if (x < cols && y < last)
                c[y * cols + x] = sum;
            if (sync)
                __syncthreads();
        }
}

extern "C" __global__ void matmul_pattern(int rows, int cols, int inner,
                                          const float *__restrict__ a,
                                          const float *__restrict__ b,
                                          float *__restrict__ c) {
    __shared__ float tile_a[HIGH][DEEP];
    __shared__ float tile_b[DEEP][WIDE];

    matmul_walk(false, rows, cols, inner, a, b, c, tile_a, tile_b);
}

extern "C" __global__ void matmul_pattern_sync(int rows, int cols, int inner,
                                               const float *__restrict__ a,
                                               const float *__restrict__ b,
                                               float *__restrict__ c) {
    __shared__ float tile_a[HIGH][DEEP];
    __shared__ float tile_b[DEEP][WIDE];

    matmul_walk(true, rows, cols, inner, a, b, c, tile_a, tile_b);
}
