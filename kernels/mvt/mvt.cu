/* mvt.cu - two products with one square matrix: x1 += A y1, x2 += A^T y2.
 *
 * mvt_rows reads the matrix by rows: neighbouring threads are a row apart.
 * mvt_cols reads it by columns: neighbouring threads read neighbouring words.
 *
 * Named by: opportunistic computing, Table 3, MVT (after PolyBench).
 * Launch: one-dimensional, block 256, one thread an element of the result.
 */

extern "C" __global__ void mvt_rows(int n, const float *__restrict__ a,
                                    const float *__restrict__ y1,
                                    float *__restrict__ x1) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        for (int j = 0; j < n; j++)
            x1[i] += a[i * n + j] * y1[j];
}

extern "C" __global__ void mvt_cols(int n, const float *__restrict__ a,
                                    const float *__restrict__ y2,
                                    float *__restrict__ x2) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        for (int j = 0; j < n; j++)
            x2[i] += a[j * n + i] * y2[j];
}
