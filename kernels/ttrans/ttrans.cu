/* ttrans.cu - transposition of the two inner dimensions of a tensor.
 *
 * out[b][x][y] = in[b][y][x] for a tensor of batch x height x width words.
 * A 32x32 tile passes through shared memory, so that loads and stores are
 * both coalesced; the tile's pitch of 33 keeps columns in different banks.
 *
 * Named by: MPU, Table I, TTRANS (linear algebra, after cuBLAS).
 * Launch: three-dimensional, block 32x8, grid z is the batch index.
 */

#define TILE 32
#define ROWS 8

extern "C" __global__ void ttrans(int width, int height,
                                  const float *__restrict__ in,
                                  float *__restrict__ out) {
    __shared__ float tile[TILE][TILE + 1];

    const size_t plane = (size_t)blockIdx.z * width * height;
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] =
                in[plane + (size_t)(y + j) * width + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            out[plane + (size_t)(y + j) * height + x] =
                tile[threadIdx.x][threadIdx.y + j];
}
