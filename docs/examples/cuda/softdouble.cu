// softdouble.cu - f64 additions and products on machines that have no f64: each is
// some 250 instructions on integers.  NDP_REPORT=1 prints what they cost: `words`
// only moves the operands, `sums` and `products` compute beside that.
#include "check.h"

#include <cstdint>
#include <cstring>
#include <vector>

typedef uint64_t u64;

constexpr u64 sign_bit = 1ull << 63, infinity = 0x7ffull << 52,
              nan_bits = 0x7ff8ull << 48;
constexpr int below = 10; // bits below the last one of a result; the lowest is sticky

// |x| = m 2^(e - 1075 - below), m below 2^63, rounded to nearest even
__device__ u64 rounded(u64 sign, int e, u64 m) {
    if (e <= 0) { // a subnormal result
        int n = 1 - e;
        m = n > 63 ? m != 0 : m >> n | ((m << (64 - n)) != 0);
        e = 0;
    }
    m = (m + (1u << (below - 1)) - 1 + (m >> below & 1)) >> below;
    if (m >> 53) {
        m >>= 1;
        e++;
    }
    if (e == 0 && m >> 52)
        e = 1;
    return e >= 2047 ? sign | infinity : sign | (u64)e << 52 | (m & ((1ull << 52) - 1));
}

__device__ u64 significand(u64 x, int *e) {
    u64 m = x & ((1ull << 52) - 1);
    *e = (int)(x >> 52);
    if (*e)
        return m | 1ull << 52;
    *e = 1;
    return m;
}

__device__ u64 sum(u64 a, u64 b) {
    if ((a & ~sign_bit) < (b & ~sign_bit)) {
        u64 t = a;
        a = b;
        b = t;
    }
    u64 x = a & ~sign_bit, y = b & ~sign_bit;
    bool minus = (a ^ b) & sign_bit;
    if (x >= infinity)
        return x > infinity || (y == infinity && minus) ? nan_bits : a;
    int e, f;
    u64 m = significand(x, &e) << below, n = significand(y, &f) << below;
    int d = e - f;
    n = d > 62 ? n != 0 : d ? n >> d | ((n << (64 - d)) != 0) : n;
    m = minus ? m - n : m + n;
    if (m == 0)
        return a & b & sign_bit;
    int up = __clzll(m) - 1;
    if (up < 0) {
        m = m >> 1 | (m & 1);
        e++;
    } else {
        up = up < e ? up : e - 1;
        m <<= up;
        e -= up;
    }
    if (!(m >> 62)) // a subnormal, exact
        return (a & sign_bit) | m >> below;
    return rounded(a & sign_bit, e, m);
}

__device__ u64 product(u64 a, u64 b) {
    u64 sign = (a ^ b) & sign_bit, x = a & ~sign_bit, y = b & ~sign_bit;
    if (x > infinity || y > infinity || (x == infinity && y == 0) || (y == infinity && x == 0))
        return nan_bits;
    if (x == infinity || y == infinity)
        return sign | infinity;
    if (x == 0 || y == 0)
        return sign;
    int e, f;
    u64 m = significand(x, &e), n = significand(y, &f);
    int up = __clzll(m) - 11, also = __clzll(n) - 11;
    m <<= up + below;
    n <<= also + below + 1;
    e += f - up - also - 1022;
    u64 high = __umul64hi(m, n), low = m * n;
    u64 r = high | (low != 0);
    if (!(r >> 62)) {
        r = high << 1 | low >> 63 | ((low << 1) != 0);
        e--;
    }
    return rounded(sign, e, r);
}

__global__ void sums(const u64 *a, const u64 *b, u64 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = sum(a[i], b[i]);
}
__global__ void products(const u64 *a, const u64 *b, u64 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = product(a[i], b[i]);
}
__global__ void words(const u64 *a, const u64 *b, u64 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] ^ b[i];
}

static u64 number(u64 *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed ^ *seed >> 29;
}

static bool same(double want, u64 got) {
    u64 bits;
    memcpy(&bits, &want, sizeof bits);
    return want != want ? (got & ~sign_bit) > infinity : got == bits;
}

int main() {
    const int n = 1024;
    std::vector<u64> a(n), b(n), s(n), p(n);
    u64 seed = 1, *at[3];
    for (int i = 0; i < n; i++) { // exponents far apart, close, small, and ends
        a[i] = number(&seed);
        b[i] = number(&seed);
        if (i & 1)
            b[i] = (a[i] & ~((1ull << 52) - 1)) + (b[i] >> 12) + (number(&seed) % 7 << 52);
        if (i % 8 == 2)
            a[i] &= ~infinity;
        if (i % 8 == 4)
            b[i] = (infinity - (a[i] & infinity)) | (b[i] & ~infinity);
        if (i % 64 == 5)
            b[i] = infinity;
        if (i % 64 == 6)
            a[i] = sign_bit;
    }
    for (u64 *&one : at)
        CHECK(cudaMalloc(&one, n * sizeof(u64)));
    CHECK(cudaMemcpy(at[0], a.data(), n * sizeof(u64), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(at[1], b.data(), n * sizeof(u64), cudaMemcpyHostToDevice));
    words<<<n / 64, 64>>>(at[0], at[1], at[2]);
    sums<<<n / 64, 64>>>(at[0], at[1], at[2]);
    CHECK(cudaMemcpy(s.data(), at[2], n * sizeof(u64), cudaMemcpyDeviceToHost));
    products<<<n / 64, 64>>>(at[0], at[1], at[2]);
    CHECK(cudaMemcpy(p.data(), at[2], n * sizeof(u64), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double x, y;
        memcpy(&x, &a[i], sizeof x);
        memcpy(&y, &b[i], sizeof y);
        wrong += !same(x + y, s[i]) + !same(x * y, p[i]);
    }
    return verdict("softdouble", wrong, 2 * n);
}
