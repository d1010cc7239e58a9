/* nw.cu - Needleman-Wunsch global alignment of two sequences.
 *
 * score[i][j] = max(score[i-1][j-1] + similarity[i][j],
 *                   score[i][j-1] - penalty, score[i-1][j] - penalty)
 *
 * The matrix is cut into 16x16 tiles.  One launch computes one anti-diagonal
 * of tiles, one CTA a tile; inside, the tile lies in shared memory and the
 * threads move over it anti-diagonal by anti-diagonal between barriers.
 * nw_upper takes the diagonals from the corner to the longest one, nw_lower
 * those after it.  Matrices have `cols` = 16 * tiles + 1 rows and columns;
 * row 0 and column 0 of score hold the gap penalties.
 *
 * Named by: MPU, Table I, NW (bioinformatics, after Rodinia).
 * Launch: block 16, grid = tiles on this anti-diagonal.
 */

#define TILE 16

static __device__ __forceinline__ int max3(int a, int b, int c) {
    return max(max(a, b), c);
}

/* Aligns, in shared memory, the tile whose first cell is at row
 * 16 * ty + 1, column 16 * tx + 1. */
static __device__ __forceinline__ void
align_tile(int cell[TILE + 1][TILE + 1], int match[TILE][TILE], int tx, int ty,
           int cols, int penalty, const int *__restrict__ similarity,
           int *__restrict__ score) {
    const int t = threadIdx.x;
    const int corner = ty * TILE * cols + tx * TILE;

    for (int row = 0; row < TILE; row++)
        match[row][t] = similarity[corner + (row + 1) * cols + t + 1];
    if (t == 0)
        cell[0][0] = score[corner];
    cell[0][t + 1] = score[corner + t + 1];
    cell[t + 1][0] = score[corner + (t + 1) * cols];
    __syncthreads();

    for (int d = 0; d < 2 * TILE - 1; d++) {
        const int x = t + 1;
        const int y = d - t + 1;

        if (y >= 1 && y <= TILE)
            cell[y][x] =
                max3(cell[y - 1][x - 1] + match[y - 1][x - 1],
                     cell[y][x - 1] - penalty, cell[y - 1][x] - penalty);
        __syncthreads();
    }

    for (int row = 0; row < TILE; row++)
        score[corner + (row + 1) * cols + t + 1] = cell[row + 1][t + 1];
}

extern "C" __global__ void nw_upper(int diagonal, int cols, int penalty,
                                    const int *__restrict__ similarity,
                                    int *__restrict__ score) {
    __shared__ int cell[TILE + 1][TILE + 1];
    __shared__ int match[TILE][TILE];

    const int tx = blockIdx.x;

    align_tile(cell, match, tx, diagonal - 1 - tx, cols, penalty, similarity,
               score);
}

extern "C" __global__ void nw_lower(int diagonal, int tiles, int cols,
                                    int penalty,
                                    const int *__restrict__ similarity,
                                    int *__restrict__ score) {
    __shared__ int cell[TILE + 1][TILE + 1];
    __shared__ int match[TILE][TILE];

    const int tx = blockIdx.x + tiles - diagonal;

    align_tile(cell, match, tx, 2 * tiles - diagonal - 1 - tx, cols, penalty,
               similarity, score);
}
