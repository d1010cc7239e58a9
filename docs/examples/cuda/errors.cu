// errors.cu - what goes wrong, as CUDA tells it, and how a program goes on.
#include "check.h"

__global__ void store(int *p, int i) { p[i] = 7; }
__global__ void misaligned(char *p) { *(int *)(p + 1) = 7; }
__global__ void forever(volatile int *p) {
    while (*p == 0)
        ;
}

static int wrong;
static void expect(const char *what, cudaError_t got, cudaError_t want) {
    if (got != want) {
        printf("%s: got %s, expected %s\n", what, cudaGetErrorName(got),
               cudaGetErrorName(want));
        wrong++;
    }
}

int main() {
    int *p, value = 0;
    // refused at once; the program goes on
    expect("no memory", cudaMalloc(&p, (size_t)1 << 40),
           cudaErrorMemoryAllocation);
    expect("last error", cudaGetLastError(), cudaErrorMemoryAllocation);
    expect("once only", cudaGetLastError(), cudaSuccess);
    CHECK(cudaMalloc(&p, 64));
    CHECK(cudaMemset(p, 0, 64));
    store<<<1, 2048>>>(p, 0);
    expect("block too large", cudaGetLastError(),
           cudaErrorInvalidConfiguration);
    store<<<0, 1>>>(p, 0);
    expect("no blocks", cudaGetLastError(), cudaErrorInvalidConfiguration);
    expect("free twice", cudaFree((void *)0x10), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    store<<<1, 1>>>(p, 1);
    CHECK(cudaMemcpy(&value, p + 1, 4, cudaMemcpyDeviceToHost));
    if (value != 7)
        wrong++;

    // a kernel that fails: the next call says so, and all until a reset
    store<<<1, 1>>>(p, 1 << 28);
    expect("far outside", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    expect("still", cudaMalloc(&p, 4), cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, 64));
    store<<<1, 1>>>(&value, 0);
    expect("memory of the host", cudaDeviceSynchronize(),
           cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, 64));
    misaligned<<<1, 1>>>((char *)p);
    expect("misaligned", cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, 64));
    CHECK(cudaMemset(p, 0, 64));
    forever<<<1, 1>>>(p);
    expect("no end", cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, 64));
    store<<<1, 1>>>(p, 0);
    CHECK(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    return verdict("errors", wrong + (value != 7), 12);
}
