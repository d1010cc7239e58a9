// matrix.cu - C = A B, a thread an element.

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y, col = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
