/* persistent.cu - ten workloads of MPU's Table I in persistent form.
 *
 * The grid is what a core holds at a time: CTAs of 128 threads, which walk over their
 * data with a stride of the whole grid.  Arrays stand apart (structures of arrays), and
 * images are stored by tiles of 32 x 32 elements.  So each access to global memory is a
 * full aligned line of 128 bytes, and the lines of a warp follow each other at multiples
 * of the grid's size.  Tiles do not see their neighbours: an index is clamped to the tile.
 * AXPY and the reduction have this form by themselves (../axpy, ../reduce).
 *
 * Named by: MPU, Table I; its authors' kernels are persistent, too.
 * Launch: one-dimensional, block 128, any grid.
 */

#define TILE 32
#define THREADS 128
#define ROWS (THREADS / TILE) /* of a tile that the CTA's warps take at a time */

/* y = A x.  A is stored by columns, a thread has a row, x stands in shared memory. */
extern "C" __global__ void gemv(int rows, int cols, const float *__restrict__ a,
                                const float *__restrict__ x,
                                float *__restrict__ y) {
    extern __shared__ float vector[];

    for (int c = threadIdx.x; c < cols; c += THREADS)
        vector[c] = x[c];
    __syncthreads();

    for (int r = blockIdx.x * THREADS + threadIdx.x; r < rows;
         r += gridDim.x * THREADS) {
        float sum = 0.0f;

        for (int c = 0; c < cols; c++)
            sum += a[c * rows + r] * vector[c];
        y[r] = sum;
    }
}

/* Distance of each record to the query. */
extern "C" __global__ void knn(int records, float latitude, float longitude,
                               const float *__restrict__ latitudes,
                               const float *__restrict__ longitudes,
                               float *__restrict__ distance) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < records;
         i += gridDim.x * THREADS) {
        const float dy = latitude - latitudes[i];
        const float dx = longitude - longitudes[i];

        distance[i] = sqrtf(dy * dy + dx * dx);
    }
}

/* Nearest of four centres of each point, of four features: an array each. */
extern "C" __global__ void kmeans(int points, const float *__restrict__ feature,
                                  const float *__restrict__ centre,
                                  int *__restrict__ membership) {
    float c[4][4];

#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int f = 0; f < 4; f++)
            c[k][f] = centre[4 * k + f];

    for (int i = blockIdx.x * THREADS + threadIdx.x; i < points;
         i += gridDim.x * THREADS) {
        float p[4], least = 0.0f;
        int nearest = 0;

#pragma unroll
        for (int f = 0; f < 4; f++)
            p[f] = feature[f * points + i];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float sum = 0.0f;

#pragma unroll
            for (int f = 0; f < 4; f++)
                sum += (p[f] - c[k][f]) * (p[f] - c[k][f]);
            if (k == 0 || sum < least) {
                least = sum;
                nearest = k;
            }
        }
        membership[i] = nearest;
    }
}

/* Maximum of windows of 2 x 2: the pixels of a window stand in four planes. */
extern "C" __global__ void maxp(int n, const float *__restrict__ a,
                                const float *__restrict__ b,
                                const float *__restrict__ c,
                                const float *__restrict__ d,
                                float *__restrict__ out) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS)
        out[i] = fmaxf(fmaxf(a[i], b[i]), fmaxf(c[i], d[i]));
}

/* Enlargement by two, each pixel scaled by the weight of its plane: the pixels of a
 * window of 2 x 2 go to four planes. */
extern "C" __global__ void upsamp(int n, float wb, float wc, float wd,
                                  const float *__restrict__ in,
                                  float *__restrict__ a, float *__restrict__ b,
                                  float *__restrict__ c,
                                  float *__restrict__ d) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS) {
        const float p = in[i];

        a[i] = p;
        b[i] = wb * p;
        c[i] = wc * p;
        d[i] = wd * p;
    }
}

static __device__ __forceinline__ void load_tile(float tile[TILE][TILE + 1],
                                                 const float *__restrict__ in) {
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;

    __syncthreads(); /* the tile before has been read */
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        tile[y + j][x] = in[(y + j) * TILE + x];
    __syncthreads();
}

/* Transposition of each tile. */
extern "C" __global__ void ttrans(int tiles, const float *__restrict__ in,
                                  float *__restrict__ out) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;

    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        load_tile(tile, in + t * TILE * TILE);
#pragma unroll
        for (int j = 0; j < TILE; j += ROWS)
            out[t * TILE * TILE + (y + j) * TILE + x] = tile[x][y + j];
    }
}

/* Box of 3 x 3. */
extern "C" __global__ void blur(int tiles, const float *__restrict__ in,
                                float *__restrict__ out) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const int left = max(x - 1, 0), right = min(x + 1, TILE - 1);

    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        load_tile(tile, in + t * TILE * TILE);
        for (int j = y; j < TILE; j += ROWS) {
            const int up = max(j - 1, 0), down = min(j + 1, TILE - 1);

            out[t * TILE * TILE + j * TILE + x] =
                (tile[up][left] + tile[up][x] + tile[up][right] +
                 tile[j][left] + tile[j][x] + tile[j][right] +
                 tile[down][left] + tile[down][x] + tile[down][right]) *
                (1.0f / 9.0f);
        }
    }
}

/* Filter of 3 x 3 and a bias. */
extern "C" __global__ void conv(int tiles, const float *__restrict__ weight,
                                float bias, const float *__restrict__ in,
                                float *__restrict__ out) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const int left = max(x - 1, 0), right = min(x + 1, TILE - 1);
    float w[9];

#pragma unroll
    for (int k = 0; k < 9; k++)
        w[k] = weight[k];

    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        load_tile(tile, in + t * TILE * TILE);
        for (int j = y; j < TILE; j += ROWS) {
            const int up = max(j - 1, 0), down = min(j + 1, TILE - 1);
            float sum = bias;

            sum += w[0] * tile[up][left] + w[1] * tile[up][x] + w[2] * tile[up][right];
            sum += w[3] * tile[j][left] + w[4] * tile[j][x] + w[5] * tile[j][right];
            sum += w[6] * tile[down][left] + w[7] * tile[down][x] + w[8] * tile[down][right];
            out[t * TILE * TILE + j * TILE + x] = sum;
        }
    }
}

/* Histogram of bytes, four a word, in f32 and in shared memory alone: a row of 256 bins
 * for each CTA. */
extern "C" __global__ void hist(int words, const unsigned *__restrict__ data,
                                float *__restrict__ partial) {
    __shared__ float local[256];

    for (int b = threadIdx.x; b < 256; b += THREADS)
        local[b] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < words;
         i += gridDim.x * THREADS) {
        const unsigned word = data[i];

        atomicAdd(&local[word & 255], 1.0f);
        atomicAdd(&local[word >> 8 & 255], 1.0f);
        atomicAdd(&local[word >> 16 & 255], 1.0f);
        atomicAdd(&local[word >> 24], 1.0f);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += THREADS)
        partial[blockIdx.x * 256 + b] = local[b];
}

/* Sum of the rows. */
extern "C" __global__ void hist_sum(int rows, const float *__restrict__ partial,
                                    unsigned *__restrict__ bins) {
    for (int b = blockIdx.x * THREADS + threadIdx.x; b < 256;
         b += gridDim.x * THREADS) {
        float sum = 0.0f;

        for (int r = 0; r < rows; r++)
            sum += partial[r * 256 + b];
        bins[b] = (unsigned)sum;
    }
}

/* Needleman-Wunsch alignment of many pairs of sequences of 32: a tile of similarities in,
 * a tile of scores out.  A warp walks over the anti-diagonals. */
extern "C" __global__ void nw(int pairs, int penalty,
                              const int *__restrict__ similarity,
                              int *__restrict__ score) {
    __shared__ int cell[TILE + 1][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;

    for (int t = blockIdx.x; t < pairs; t += gridDim.x) {
        const int *from = similarity + t * TILE * TILE;

        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE; j += ROWS)
            cell[y + j + 1][x + 1] = from[(y + j) * TILE + x];
        if (y == 0) {
            cell[0][x + 1] = -(x + 1) * penalty;
            cell[x + 1][0] = -(x + 1) * penalty;
            cell[0][0] = 0;
        }
        __syncthreads();
        for (int d = 0; d < 2 * TILE - 1; d++) {
            const int r = d - x;

            if (y == 0 && r >= 0 && r < TILE)
                cell[r + 1][x + 1] =
                    max(cell[r][x] + cell[r + 1][x + 1],
                        max(cell[r][x + 1], cell[r + 1][x]) - penalty);
            __syncthreads();
        }
#pragma unroll
        for (int j = 0; j < TILE; j += ROWS)
            score[t * TILE * TILE + (y + j) * TILE + x] = cell[y + j + 1][x + 1];
    }
}
