// several_host.cu - the second file of several.cu: a bitonic sort, and the check.
#include "check.h"
#include "several.h"

#include <vector>

static __device__ int count; // not that of the other file

__global__ void exchange(unsigned *x, int distance, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ distance;
    if (j < i)
        return;
    unsigned a = x[i], b = x[j];
    if ((a > b) == ((i & size) == 0)) {
        x[i] = b;
        x[j] = a;
        atomicAdd(&count, 1);
    }
}

void sort(unsigned *x, int n) {
    for (int size = 2; size <= n; size *= 2)
        for (int distance = size / 2; distance; distance /= 2)
            exchange<<<n / 128, 128>>>(x, distance, size);
}

int wrong_of(const unsigned *device, int n, int odd) {
    std::vector<unsigned> x(n);
    int wrong = 0, moved = 0;
    CHECK(cudaMemcpy(x.data(), device, n * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&moved, count, sizeof moved));
    for (int i = 0; i < n; i++) {
        wrong += i > 0 && x[i - 1] > x[i];
        odd -= x[i] & 1;
    }
    return wrong + (odd != 0) + (moved == 0);
}
