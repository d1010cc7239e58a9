// several.cu - a program of two files: this one has the kernels and main,
// several_host.cu a kernel of its own and the check.  Also printf in a kernel.
#include "check.h"
#include "several.h"

__device__ int count;

__global__ void keys(unsigned *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = __brev(i) ^ __popc(i) * 0x9e3779b9u;
        if (__ballot_sync(__activemask(), x[i] & 1) & 1u << i % 32)
            atomicAdd(&count, 1);
    }
    if (i == 0)
        printf("%d keys, the first is 0x%08x\n", n, x[0]);
}

int main() {
    const int n = 256;
    unsigned *x;
    int odd;
    CHECK(cudaMalloc(&x, n * sizeof *x));
    keys<<<2, 128>>>(x, n);
    CHECK(cudaMemcpyFromSymbol(&odd, count, sizeof odd));
    sort(x, n);
    return verdict("several", wrong_of(x, n, odd), n);
}
