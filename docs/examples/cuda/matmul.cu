// matmul.cu - a matrix product in tiles of shared memory, with loads of float4
// and a template over the size of a tile.
#include "check.h"

#include <vector>

template <int T>
__global__ void matmul(const float4 *a, const float *b, float *c, int n) {
    __shared__ float4 left[T][T / 4];
    __shared__ float right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        if (x < T / 4)
            left[y][x] = a[(row * n + k) / 4 + x];
        right[y][x] = b[(k + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T / 4; i++) {
            float4 l = left[y][i];
            sum += l.x * right[4 * i][x] + l.y * right[4 * i + 1][x] +
                   l.z * right[4 * i + 2][x] + l.w * right[4 * i + 3][x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    const int n = 16, tile = 8;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(i % 7 - 3);
        b[i] = (float)(i % 5 - 2);
    }
    size_t bytes = n * n * sizeof(float);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
    matmul<tile><<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(
        (const float4 *)d_a, d_b, d_c, n);
    CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float want = 0;
            for (int k = 0; k < n; k++)
                want += a[y * n + k] * b[k * n + x];
            wrong += c[y * n + x] != want; // small integers: exact
        }
    return verdict("matmul", wrong, n * n);
}
