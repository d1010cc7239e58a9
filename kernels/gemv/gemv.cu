/* gemv.cu - matrix-vector product y = A x, A row-major, rows x cols.
 *
 * One warp computes one row: the lanes walk the row together, so that every
 * load of A is coalesced, and fold their partial sums by shuffles.
 *
 * Named by: MPU, Table I, GEMV (linear algebra, after cuBLAS);
 *           Chopim, Table I, GEMV.
 * Launch: one-dimensional, block 256 = 8 warps, any grid (warps stride over
 * the rows).
 */

extern "C" __global__ void gemv(int rows, int cols, const float *__restrict__ a,
                                const float *__restrict__ x,
                                float *__restrict__ y) {
    const int lane = threadIdx.x % 32;
    const int warps = gridDim.x * blockDim.x / 32;

    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows;
         row += warps) {
        const float *p = a + (size_t)row * cols;
        float sum = 0.0f;

        for (int c = lane; c < cols; c += 32)
            sum += p[c] * x[c];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (lane == 0)
            y[row] = sum;
    }
}
