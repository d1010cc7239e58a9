/* texspmv.cu - y = A x, A in compressed rows, x through a texture.
 *
 * x is linear memory that a texture object shows; tex1Dfetch takes its elements
 * by index.  A thread has a row.
 *
 * Named by: no paper; textures.
 * Launch: block 128, a thread a row.
 */

extern "C" __global__ void texspmv(int n, const int *__restrict__ begin,
                                   const int *__restrict__ column,
                                   const float *__restrict__ value,
                                   cudaTextureObject_t x,
                                   float *__restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= n)
        return;

    float sum = 0.0f;

    for (int k = begin[row]; k < begin[row + 1]; k++)
        sum += value[k] * tex1Dfetch<float>(x, column[k]);
    y[row] = sum;
}
