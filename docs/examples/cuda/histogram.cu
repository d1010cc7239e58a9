// histogram.cu - counts of bytes: a histogram a block by atomics in shared
// memory, of a size that the launch gives, then atomics in global memory.
#include "check.h"

#include <vector>

__global__ void histogram(const unsigned char *data, int n, unsigned *bins,
                          int n_bins) {
    extern __shared__ unsigned mine[];
    for (int i = threadIdx.x; i < n_bins; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i] * n_bins / 256], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < n_bins; i += blockDim.x)
        if (mine[i])
            atomicAdd(&bins[i], mine[i]);
}

int main() {
    const int n = 2000, n_bins = 64;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> got(n_bins), want(n_bins);
    unsigned seed = 7;
    for (auto &d : data) {
        seed = seed * 1664525u + 1013904223u;
        d = (unsigned char)((seed >> 24) & (seed >> 16));
        want[d * n_bins / 256]++;
    }
    unsigned char *d_data;
    unsigned *d_bins;
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_bins, n_bins * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, n_bins * sizeof(unsigned)));
    histogram<<<4, 96, n_bins * sizeof(unsigned)>>>(d_data, n, d_bins, n_bins);
    CHECK(cudaMemcpy(got.data(), d_bins, n_bins * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n_bins; i++)
        wrong += got[i] != want[i];
    return verdict("histogram", wrong, n_bins);
}
