// reduce.cu - a sum with shuffles inside warps, shared memory between them and
// one atomic a block; the scale is a __constant__, the result a __device__
// variable.
#include "check.h"

#include <vector>

__constant__ float scale;
__device__ float total;

__inline__ __device__ float sum_of_warp(float v) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void reduce(const float *x, int n) {
    __shared__ float sums[32];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        v += scale * x[i];
    v = sum_of_warp(v);
    if (threadIdx.x % warpSize == 0)
        sums[threadIdx.x / warpSize] = v;
    __syncthreads();
    if (threadIdx.x < warpSize) {
        v = threadIdx.x < blockDim.x / warpSize ? sums[threadIdx.x] : 0;
        v = sum_of_warp(v);
        if (threadIdx.x == 0)
            atomicAdd(&total, v);
    }
}

int main() {
    const int n = 3000;
    std::vector<float> x(n);
    float *d_x, half = 0.5f, zero = 0, got = 0, want = 0;
    for (int i = 0; i < n; i++)
        want += 0.5f * (x[i] = i % 8); // exact in f32
    CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(scale, &half, sizeof half));
    CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
    reduce<<<4, 128>>>(d_x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&got, total, sizeof got));
    CHECK(cudaFree(d_x));
    return verdict("reduce", got != want, 1);
}
