// ops.cu - instructions that machines carry out by sequences, on words of all
// kinds; prints a line an instruction, the same on every device.
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;

__device__ u64 pick(u64 seed) {
    seed = (seed + 1) * 0x9e3779b97f4a7c15ull;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ull;
    u64 v = (seed ^ seed >> 27) * 0x94d049bb133111ebull;
    switch (seed >> 59) { // corners, too
    case 0: return 0;
    case 1: return ~0ull;
    case 2: return 1ull << 63;
    case 3: return v & 0xffffffff;
    case 4: return v >> 40;
    case 5: return ~(v >> 40);
    default: return v;
    }
}

#define OP(name, ...)                                                          \
    __global__ void name(u64 *out, int n) {                                    \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                         \
        u64 a = pick(4 * i), b = pick(4 * i + 1), c = pick(4 * i + 2), d = 0;  \
        u32 x = (u32)a, y = (u32)b, z = (u32)c, w = 0;                         \
        float f = 0;                                                           \
        (void)x, (void)y, (void)z, (void)w, (void)f, (void)c;                  \
        __VA_ARGS__;                                                           \
        out[i] = d + w;                                                        \
    }
#define ASM64(name, text)                                                      \
    OP(name, asm(text " %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b)))
#define ASM32(name, text)                                                      \
    OP(name, asm(text " %0, %1, %2, %3;" : "=r"(w) : "r"(x), "r"(y), "r"(z)))

ASM64(mulhi_u64, "mul.hi.u64")
ASM64(mulhi_s64, "mul.hi.s64")
OP(div_u64, if (b) d = a / b)
OP(rem_u64, if (b) d = a % b)
OP(div_s64, if (b && (s64)b != -1) d = (u64)((s64)a / (s64)b))
OP(rem_s64, if (b && (s64)b != -1) d = (u64)((s64)a % (s64)b))
OP(bfe_u64, asm("bfe.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(y & 127),
                                            "r"(z & 127)))
OP(bfe_s64, asm("bfe.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(y & 127),
                                            "r"(z & 127)))
OP(bfi_b64, asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d) : "l"(a), "l"(b),
                                                "r"(z & 63), "r"(y & 63)))
ASM32(prmt, "prmt.b32")
ASM32(dp4a_ss, "dp4a.s32.s32")
ASM32(dp4a_us, "dp4a.u32.s32")
ASM32(dp4a_uu, "dp4a.u32.u32")
ASM32(dp2a_lo, "dp2a.lo.s32.u32")
ASM32(dp2a_hi, "dp2a.hi.u32.s32")
OP(carries, u32 t; asm("{add.cc.u32 %0, %2, %3; addc.cc.u32 %1, %4, %2; "
                       "addc.u32 %0, %0, %1;}" : "=&r"(w), "=&r"(t)
                       : "r"(x), "r"(y), "r"(z)); d = t)
OP(borrows, u32 t; asm("{sub.cc.u32 %0, %2, %3; subc.cc.u32 %1, %4, %2; "
                       "subc.u32 %0, %0, %1;}" : "=&r"(w), "=&r"(t)
                       : "r"(x), "r"(y), "r"(z)); d = t)
OP(carries_64, u64 t; asm("{add.cc.u64 %0, %2, %3; addc.u64 %1, %4, %2;}"
                          : "=&l"(d), "=&l"(t) : "l"(a), "l"(b), "l"(c));
   d ^= t)
OP(products, u32 t; asm("{mad.lo.cc.u32 %0, %2, %3, %4; "
                        "madc.hi.cc.u32 %1, %2, %3, %4; addc.u32 %0, %0, 0;}"
                        : "=&r"(w), "=&r"(t) : "r"(x), "r"(y), "r"(z)); d = t)
OP(tanh_fast, float g = (int)x * 1e-9f;
   asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(g));
   w = fabsf(f - tanhf(g)) > 2e-4f * fabsf(g))
#define REDUX(name, text)                                                      \
    OP(name, u32 m = 0xffffffff;                       \
       asm volatile("redux.sync." text " %0, %1, %2;"                          \
                    : "=r"(w) : "r"(x), "r"(m)))
REDUX(redux_add, "add.u32")
REDUX(redux_min, "min.s32")
REDUX(redux_max, "max.u32")
REDUX(redux_xor, "xor.b32")
OP(match_any, w = __match_any_sync(0xffffffff, x & 3))
OP(match_any_64, w = __match_any_sync(0xffffffff, a & 0x100000001ull))
OP(match_all, int all; w = __match_all_sync(0xffffffff, i / 32 % 2 ? 7u : x & 3,
                                            &all); d = all)

OP(count, w = __syncthreads_count(x & 1) * 16 + __syncthreads_and(x > 5u || i > 70) * 2 +
              __syncthreads_or(i == 77) + __syncthreads_count(y & 1) * 1024)

// Functions that are not inlined: structs, arrays, pointers, one inside another,
// under divergence and in loops.
struct pair {
    u64 a;
    u32 b;
    short c;
    signed char d;
};
#define APART __noinline__ __device__
APART pair turned(pair p) {
    pair q = {p.a << 1 | p.a >> 63, p.b + 7, (short)(p.c * 3), (signed char)-p.d};
    return q;
}
APART float half_of(float x) { return x * 0.5f; }
APART u32 steps(u32 n) { // leaves in the middle of a loop
    for (u32 i = 0; i < 40; i++) {
        if (n == 1)
            return i;
        n = n & 1 ? 3 * n + 1 : n / 2;
    }
    return 99;
}
APART u32 both(u32 a, u32 b) { return steps(a & 63) * 64 + steps(b & 31); }
APART void fill(u32 *to, u32 from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from = from * 1664525u + 1013904223u;
}
APART bool odd(u64 v) { return v & 1; }
APART void never(u32 *to) { *to = 5; }
struct table {
    u32 v[6];
};
APART u32 entry_of(table t, u32 i) { return t.v[i % 6]; }
OP(call_struct, pair p = {a, x, (short)y, (signed char)z}; p = turned(turned(p));
   d = p.a ^ p.b; w = (u32)p.c * 1000 + p.d)
OP(call_nested, w = x & 1 ? both(x, y) : steps(z & 15); if (y & 4) w += both(y, w))
OP(call_array, u32 t[8]; fill(t, x, 8); w = t[y & 7]; if (z & 1) fill(t + 2, w, 3);
   d = t[z >> 3 & 7])
OP(call_entry, table t; for (int k = 0; k < 6; k++) t.v[k] = x * k; w = entry_of(t, y))
OP(call_float, f = half_of((float)(x >> 8)); w = (u32)half_of(f + 3))
OP(call_bool, w = odd(a) ? 3 : odd(b) + 10; if (w > 100) never(&w))
OP(call_loop, for (u32 k = 0; k < (x & 7); k++) w += steps(k + (y & 7)))

// Pointers of which only the running program knows where they lead.
__device__ u32 elsewhere[256];
APART u32 *which(u32 *a, u32 *b, u32 *c, u32 k) { return k == 0 ? a : k == 1 ? b : c; }
APART u32 sum_of(const u32 *p, int n) {
    u32 s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (i + 1);
    return s;
}
APART void count_in(u32 *p, u32 by) { atomicAdd(p, by); }
APART void add_in(float *p, float by) { atomicAdd(p, by); }
OP(generic, __shared__ u32 t[64]; __shared__ u64 u[64]; u32 own[4] = {x, y, z, 5};
   t[threadIdx.x] = x; u[threadIdx.x] = a; elsewhere[i] = y; __syncthreads();
   u32 *p = which(t, own, elsewhere + (i & ~63), z % 3); w = sum_of(p, 4);
   u64 *q = (u64 *)which((u32 *)u, (u32 *)out, (u32 *)u, 2 * (y & 1)); d = q == out ? 7 : q[threadIdx.x];
   __syncthreads(); if (w & 1) *which(t + threadIdx.x, own, elsewhere + i, z % 3) = w;
   d ^= t[threadIdx.x] + own[0] + elsewhere[i] + u[threadIdx.x];
   d += __isShared(p) + 2 * __isGlobal(p) + 4 * __isLocal(p))
OP(generic_atomics, __shared__ u32 t[8]; __shared__ float g; if (threadIdx.x < 8) t[threadIdx.x] = 0;
   if (threadIdx.x == 9) g = 0; elsewhere[i] = 0; __syncthreads();
   count_in(which(t + (x & 7), elsewhere + (i & ~63), t, z % 2), y & 255); add_in(&g, 1.5f);
   __syncthreads(); w = t[i & 7] + elsewhere[i & ~63]; d = (u32)g)

// Fields, tables of branches, roundings, 64-bit atomics, barriers of some warps.
#define FIELD(name, text)                                                      \
    OP(name, int few = (int)(z % 70), any = (int)(y & 127) - 40;              \
       asm(text " %0, %1, %2;" : "=r"(w) : "r"(x), "r"(y & 64 ? any : few)))
FIELD(szext_s, "szext.clamp.s32")
FIELD(szext_u, "szext.wrap.u32")
OP(bmsk, u32 t; asm("bmsk.clamp.b32 %0, %2, %3; bmsk.wrap.b32 %1, %2, %3;" : "=&r"(w), "=r"(t)
                    : "r"(y % 40), "r"(z % 40)); d = t)
OP(nth_set, asm("fns.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(x), "r"(y % 36), "r"((int)(z % 21) - 10)))
OP(branches, asm("{ .reg .pred p; ts: .branchtargets L0,L1,L2;\n setp.ne.u32 p,%1,3;\n mov.u32 %0,40;\n"
                 " @p brx.idx %1,ts; bra D; L0: mov.u32 %0,10; bra D; L1: mov.u32 %0,11; bra D; L2: mov.u32 %0,12; D: }"
                 : "=&r"(w) : "r"(y & 3)))
__device__ float as_float(u32 v) { return __uint_as_float(v); }
// numbers of all kinds, small exponents and large ones beside each other
__device__ u32 kinds(u32 v, u32 k) {
    switch (k % 8) {
    case 0: return v & 0x807fffff;                // subnormal
    case 1: return (v & 0x807fffff) | 0x7f000000; // near the end
    case 2: return (v & 0x80000fff) | 0x3f800000;
    case 3: return v & 0x80000003;
    default: return v;
    }
}
#define ROUNDED(name, text)                                                    \
    OP(name, float p = as_float(kinds(x, z)), q = as_float(kinds(y, z >> 3));  \
       asm(text : "=f"(f) : "f"(p), "f"(q)); w = f != f ? 1 : __float_as_uint(f))
ROUNDED(div_rz, "div.rz.f32 %0, %1, %2;")
ROUNDED(div_rm, "div.rm.f32 %0, %1, %2;")
ROUNDED(div_rp, "div.rp.f32 %0, %1, %2;")
ROUNDED(div_rz_ftz, "div.rz.ftz.f32 %0, %1, %2;")
ROUNDED(rcp_rp, "rcp.rp.f32 %0, %1;")
ROUNDED(rcp_rm, "rcp.rm.f32 %0, %2;")
ROUNDED(sqrt_rz, "sqrt.rz.f32 %0, %1;")
ROUNDED(sqrt_rp, "sqrt.rp.f32 %0, %1;")
ROUNDED(sqrt_rm_ftz, "sqrt.rm.ftz.f32 %0, %2;")
__device__ u64 long_of[64];
APART u64 *which_long(u64 *a, u64 *b, u32 k) { return k & 1 ? a : b; }
OP(long_atomics, __shared__ u64 t[4]; if (threadIdx.x < 4) t[threadIdx.x] = threadIdx.x;
   if (threadIdx.x < 8) long_of[threadIdx.x + blockIdx.x * 8] = 77; __syncthreads();
   u64 *own = long_of + blockIdx.x * 8;
   atomicAdd(own, a); atomicMin(own + 1, a); atomicMax(own + 2, a); atomicXor(own + 3, b);
   atomicMax((s64 *)own + 4, (s64)a); atomicAnd(own + 5, a | 0xff); atomicOr(own + 6, a & b & c);
   if (x & 1) atomicAdd(which_long(t, own + 7, y) , c);
   atomicCAS(own + 7, 77ull, 3ull); atomicAdd(&t[1], b); if (i == 65) atomicExch(&t[2], a);
   __syncthreads(); d = own[threadIdx.x & 7] ^ t[threadIdx.x & 3])
OP(named_barriers, __shared__ u32 t[64]; t[threadIdx.x] = x; u32 half = threadIdx.x / 32;
   for (int k = 0; k < 3; k++) {
       if (half == 0) { asm volatile("bar.sync 3, 64;" ::: "memory"); w += t[threadIdx.x + 32];
                        asm volatile("bar.arrive 4, 64;" ::: "memory"); }
       else { t[threadIdx.x] = x + k; asm volatile("bar.arrive 3, 64;" ::: "memory");
              asm volatile("bar.sync 4, 64;" ::: "memory"); t[threadIdx.x - 32]++; }
       asm volatile("barrier.sync 7;" ::: "memory"); w = w * 3 + t[threadIdx.x ^ 32];
       __syncthreads();
   })

typedef void kernel(u64 *, int);
int main() {
    const int n = 256;
    u64 *out;
    std::vector<u64> got(n);
    if (cudaMalloc(&out, n * sizeof *out) != cudaSuccess)
        return 2;
#define RUN(name) {#name, name}
    const struct { const char *name; kernel *k; } all[] = {
        RUN(mulhi_u64), RUN(mulhi_s64), RUN(div_u64), RUN(rem_u64),
        RUN(div_s64), RUN(rem_s64), RUN(bfe_u64), RUN(bfe_s64), RUN(bfi_b64),
        RUN(prmt), RUN(dp4a_ss), RUN(dp4a_us), RUN(dp4a_uu), RUN(dp2a_lo),
        RUN(dp2a_hi), RUN(carries), RUN(borrows), RUN(carries_64),
        RUN(products), RUN(tanh_fast), RUN(redux_add), RUN(redux_min),
        RUN(redux_max), RUN(redux_xor), RUN(match_any), RUN(match_any_64),
        RUN(match_all), RUN(count),
        RUN(call_struct), RUN(call_nested), RUN(call_array), RUN(call_entry),
        RUN(call_float), RUN(call_bool), RUN(call_loop), RUN(generic),
        RUN(generic_atomics), RUN(szext_s), RUN(szext_u), RUN(bmsk),
        RUN(nth_set), RUN(branches), RUN(div_rz), RUN(div_rm), RUN(div_rp),
        RUN(div_rz_ftz), RUN(rcp_rp), RUN(rcp_rm), RUN(sqrt_rz), RUN(sqrt_rp),
        RUN(sqrt_rm_ftz), RUN(long_atomics), RUN(named_barriers)};
    for (auto &o : all) {
        u64 sum = 0;
        o.k<<<n / 64, 64>>>(out, n);
        cudaError_t e = cudaGetLastError();
        cudaMemcpy(got.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
        for (u64 v : got)
            sum = (sum ^ v) * 0x100000001b3ull;
        if (getenv("OPS_ALL") && atoi(getenv("OPS_ALL")) == &o - all)
            for (int i = 0; i < n; i++)
                printf("%d %llx\n", i, got[i]);
        printf("%-14s %016llx %s\n", o.name, sum, cudaGetErrorName(e));
    }
}
