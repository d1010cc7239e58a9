// double.cu - f64 on machines whose lanes have none: each operation is a sequence of
// integer instructions with the result of IEEE 754, bit by bit.  NDP_REPORT=1 prints
// what they cost: `words` only moves the operands, the others compute beside that.
#include "check.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

typedef uint64_t u64;

constexpr u64 sign_bit = 1ull << 63, infinity = 0x7ffull << 52;

__global__ void words(const u64 *a, const u64 *b, u64 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] ^ b[i];
}
__global__ void sums(const double *a, const double *b, double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
__global__ void products(const double *a, const double *b, double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] * b[i];
}
__global__ void quotients(const double *a, const double *b, double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] / b[i];
}
__global__ void fused(const double *a, const double *b, double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = fma(a[i], b[i], c[i]);
}
__global__ void roots(const double *a, const double *b, double *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = sqrt(a[i] < b[i] ? b[i] : a[i]);
}
// whole numbers, whose sum is the same in any order
__global__ void total(const int *a, int n, double *sum) {
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += a[i];
    atomicAdd(sum, mine);
}

static u64 number(u64 *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed ^ *seed >> 29;
}

static u64 bits(double x) {
    u64 b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static bool same(double want, double got) {
    return want != want ? got != got : bits(want) == bits(got);
}

int main() {
    const int n = 1024;
    std::vector<double> a(n), b(n), c(n);
    std::vector<int> whole(n);
    u64 seed = 1;
    double sum = 0, *at[3];
    int wrong = 0, *integers;
    for (int i = 0; i < n; i++) { // exponents far apart, close, small, and ends
        u64 x = number(&seed), y = number(&seed);
        if (i & 1)
            y = (x & ~((1ull << 52) - 1)) + (y >> 12) + (number(&seed) % 7 << 52);
        if (i % 8 == 2)
            x &= ~infinity;
        if (i % 8 == 4)
            y = (infinity - (x & infinity)) | (y & ~infinity);
        if (i % 64 == 5)
            y = infinity;
        if (i % 64 == 6)
            x = sign_bit;
        memcpy(&a[i], &x, sizeof x);
        memcpy(&b[i], &y, sizeof y);
        whole[i] = (int)(y >> 40) - (1 << 23);
        sum += whole[i];
    }
    for (double *&one : at)
        CHECK(cudaMalloc(&one, n * sizeof(double)));
    CHECK(cudaMalloc(&integers, n * sizeof(int)));
    CHECK(cudaMemcpy(at[0], a.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(at[1], b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(integers, whole.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    auto fetch = [&] {
        CHECK(cudaMemcpy(c.data(), at[2], n * sizeof(double), cudaMemcpyDeviceToHost));
    };
    words<<<n / 64, 64>>>((u64 *)at[0], (u64 *)at[1], (u64 *)at[2]);
    sums<<<n / 64, 64>>>(at[0], at[1], at[2]);
    fetch();
    for (int i = 0; i < n; i++)
        wrong += !same(a[i] + b[i], c[i]);
    std::vector<double> before = c;
    fused<<<n / 64, 64>>>(at[0], at[1], at[2]);
    fetch();
    for (int i = 0; i < n; i++)
        wrong += !same(fma(a[i], b[i], before[i]), c[i]);
    products<<<n / 64, 64>>>(at[0], at[1], at[2]);
    fetch();
    for (int i = 0; i < n; i++)
        wrong += !same(a[i] * b[i], c[i]);
    quotients<<<n / 64, 64>>>(at[0], at[1], at[2]);
    fetch();
    for (int i = 0; i < n; i++)
        wrong += !same(a[i] / b[i], c[i]);
    roots<<<n / 64, 64>>>(at[0], at[1], at[2]);
    fetch();
    for (int i = 0; i < n; i++)
        wrong += !same(sqrt(a[i] < b[i] ? b[i] : a[i]), c[i]);
    CHECK(cudaMemset(at[2], 0, sizeof(double)));
    total<<<2, 8>>>(integers, n, at[2]);
    fetch();
    wrong += !same(sum, c[0]);
    return verdict("double", wrong, 5 * n + 1);
}
