#!/bin/sh
# cuda_test.sh - programs of CUDA, compiled by ndpcu and run on devices: the
# examples with their own checks, and what a user gets when something is wrong.
#
# usage: cuda_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=cuda_test.sh
. tests/common/room.sh
needs "$build/ndpcu" "$build/ndpsim" "$build/ndprun"
if ! command -v clang++-14 >/dev/null || [ ! -f /usr/lib/clc/nvptx64--nvidiacl.bc ]; then
    echo "$test_name: skipped, clang++-14 or libclc-14 is not here"
    exit 0
fi
ndpcu=$build/ndpcu
needs "$build/cudart/libcudart.so.13"
examples=docs/examples/cuda
unset NDP_DEVICE NDP_FALLBACK NDP_RECORD NDP_REPORT NDP_TIMEOUT

# --- the examples, on each kind of device --------------------------------------------

compile() { # program file...
    program=$1
    shift
    status 0 "$ndpcu" "$@" -O1 -o "$room/$program"
}
runs() { # device program
    status 0 env NDP_DEVICE="$1" "$room/$2"
    says out "$2: right, 0 of "
}
for p in reduce bfs image matmul histogram nbody double; do
    compile $p $examples/$p.cu
done
compile several $examples/several.cu $examples/several_host.cu
compile errors $examples/errors.cu
for device in exec golden:plain golden:mpu_core; do
    for p in reduce bfs image matmul histogram nbody double several; do
        runs $device $p
    done
    says out "256 keys, the first is 0x00000000"
    status 0 env NDP_TIMEOUT=0.3 NDP_DEVICE=$device "$room/errors"
    says out "errors: right"
    says err "did not end in time and was stopped"
done
says err "misaligned address"
says err "PTX line"

# --- a kernel that the machine refuses ---------------------------------------------

cat >"$room/two.cu" <<'CU'
#include <cstdio>
#include <memory>
__global__ void single(float *x) { x[0] = x[0] * 2 + 1; }
__global__ void twice(double *x) { x[0] = __dadd_rz(x[0] * 2, 1); }
int main() {
    float *f, a = 3;
    double *d, b = 3;
    cudaMalloc(&f, sizeof a);
    cudaMalloc(&d, sizeof b);
    cudaMemcpy(f, &a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d, &b, sizeof b, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(d);
    printf("twice: %s\n", cudaGetErrorName(cudaGetLastError()));
    single<<<1, 1>>>(f);
    printf("single: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(&a, f, sizeof a, cudaMemcpyDeviceToHost);
    cudaMemcpy(&b, d, sizeof b, cudaMemcpyDeviceToHost);
    printf("%g %g\n", a, b);
}
CU
compile two "$room/two.cu"
status 0 env NDP_DEVICE=golden:tiny "$room/two"
says err "no sequence for this form of f64"
says out "twice: cudaErrorNoKernelImageForDevice"
says out "single: cudaSuccess"
says out "7 3"
holds_back err "ran on"
status 0 env NDP_DEVICE=golden:tiny NDP_FALLBACK=exec "$room/two"
says out "twice: cudaSuccess"
says out "7 7"
says err "twice(double*)                       exec (fallback)             1"
says err "single(float*)                       golden:tiny                 1"

# nor is a table of functions, which machines cannot store, a hindrance to others
cat >"$room/virtual.cu" <<'CU'
#include <cstdio>
struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float a;
    __device__ Square(float x) : a(x) {}
    __device__ float area() const override { return a * a; }
};
__noinline__ __device__ float get(const Shape *s) { return s->area(); }
__global__ void areas(float *x) {
    Square s(threadIdx.x);
    x[threadIdx.x] = get(&s);
}
__global__ void more(float *x) { x[threadIdx.x] += 1; }
int main() {
    float *x;
    cudaMallocManaged(&x, 32 * sizeof(float));
    areas<<<1, 32>>>(x);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    more<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    printf("<%g>\n", x[9]);
}
CU
compile virtual "$room/virtual.cu"
status 0 env NDP_DEVICE=golden:plain "$room/virtual"
says err "is given an address that the machines cannot store"
says out "cudaErrorNoKernelImageForDevice"
says out "<1>"
status 0 env NDP_DEVICE=golden:plain NDP_FALLBACK=exec "$room/virtual"
says out "<82>"

# on RTL, too; the second kernel beside it
needs "$build/ndpgen"
status 0 "$build/ndpgen" --target system --preset tiny -o "$room/tiny"
status 0 sh scripts/machine.sh icarus "$room/tiny"
status 0 env NDP_DEVICE="icarus:$room/tiny" NDP_FALLBACK=exec "$room/two"
says out "7 7"

# --- mathematics: a step of sinf's reduction of its argument that is contracted into
# one rounding is wrong by a thousandth

cat >"$room/sine.cu" <<'CU'
#include <cstdio>
#include <cmath>
__global__ void sine(float *y) {
    y[threadIdx.x] = sinf(threadIdx.x * 0.78f) + tanhf(threadIdx.x * 0.01f);
}
int main() {
    float *y;
    double worst = 0;
    cudaMallocManaged(&y, 256 * sizeof(float));
    sine<<<1, 256>>>(y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++)
        worst = fmax(worst, fabs(y[i] - (sin((double)(i * 0.78f)) + tanh((double)(i * 0.01f)))));
    printf("%s %g\n", worst < 4e-7 ? "near" : "far", worst);
}
CU
compile sine "$room/sine.cu"
for device in exec golden:plain; do
    status 0 env NDP_DEVICE=$device "$room/sine"
    says out "near"
done

# --- instructions by sequences: machines against the executor

compile ops tests/cuda/ops.cu -arch=sm_80
status 0 env NDP_DEVICE=exec "$room/ops"
cp "$room/out" "$room/want"
for device in untimed:plain golden:plain; do
    status 0 env NDP_DEVICE=$device "$room/ops"
    cp "$room/out" "$room/got"
    status 0 diff "$room/want" "$room/got"
done

# --- which core a CTA runs on --------------------------------------------------------

cat >"$room/cores.cu" <<'CU'
#include <cstdio>
__global__ void k(unsigned *out) {
    unsigned core, cores;
    asm("mov.u32 %0, %%smid;" : "=r"(core));
    asm("mov.u32 %0, %%nsmid;" : "=r"(cores));
    out[blockIdx.x] = core * 100 + cores;
}
int main() {
    unsigned *o, h[6];
    cudaMalloc(&o, sizeof h);
    k<<<6, 1>>>(o);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    for (unsigned one : h)
        printf(" %u", one);
}
CU
compile cores "$room/cores.cu"
status 0 env NDP_DEVICE=golden:plain "$room/cores"
says out " 1 1 1 1 1 1"
status 0 env NDP_DEVICE=golden:cluster "$room/cores"
says out " 4 104 204 304 4 104"

# --- programs that were linked to the shared library of nvcc -----------------------

status 0 "$ndpcu" -c $examples/reduce.cu -o "$room/reduce.o"
for version in 11.0 12 13; do
    status 0 c++ "$room/reduce.o" "$build/cudart/libcudart.so.$version" -lm -o "$room/linked"
    status 0 env LD_LIBRARY_PATH="$build/cudart" "$room/linked"
    says out "reduce: right, 0 of "
    status 0 readelf -V "$room/linked"
    says out "libcudart.so.$version"
done

# by nvcc where it is, and refused where not
cat >"$room/nvcc" <<'NV'
#!/bin/sh
echo "$@" >>"${0%/*}/words"
while [ "$1" != -o ]; do shift; done
cp "${0%/*}/reduce.o" "$2"
NV
chmod +x "$room/nvcc"
status 0 env PATH="$room:$PATH" "$ndpcu" --nvcc -O1 -DN=5 -Wall $examples/reduce.cu -o "$room/linked"
status 0 "$room/linked"
status 0 cat "$room/words"
says out "-std=c++17 -DN=5 -O1 -gencode arch=compute_75,code=compute_75 -c $examples/reduce.cu -o"
rm "$room/nvcc"
command -v nvcc >/dev/null || {
    status 2 "$ndpcu" --nvcc $examples/reduce.cu -o "$room/linked"
    says err "no 'nvcc' here"
}

# printf as nvcc compiles it: a call, with the arguments in local memory
cat >"$room/vprintf.cu" <<'CU'
#include <cstdio>
extern "C" __device__ int print(const char *, const void *) __asm__("vprintf");
__global__ void k(int i, float x, const char *s) {
    struct { int i; double x; long long l; const char *s; int c, width, v; double y; } all = {
        i, x, 1ll << 40, "text", 'q', 6, 7, 1e-3 * i};
    print("%d %5.2f %lld %s %c%% %*d %g\n", &all);
    print("plain\n", nullptr);
}
int main() {
    k<<<1, 1>>>(-3, 1.25f, nullptr);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CU
compile vprintf "$room/vprintf.cu"
for device in exec golden:plain; do
    status 0 env NDP_DEVICE=$device "$room/vprintf"
    says out "-3  1.25 1099511627776 text q%      7 -0.003"
    says out "plain"
    says out "cudaSuccess"
done

# --- launches on record, replayed elsewhere -----------------------------------------

status 0 env NDP_RECORD="$room/record" "$room/several"
status 0 env NDP_RECORD="$room/record2" NDP_DEVICE=exec "$room/histogram"
status 0 "$build/ndpsim" "$room/record/0001_launch.yml" "$room/record/0020_launch.yml" "$room/record2/0001_launch.yml"
status 0 "$build/ndprun" "$room/record/0001_launch.yml" --device exec
says out ": right, "
status 0 "$build/ndprun" "$room/record/0007_launch.yml" --device untimed:plain
says out ": right, "
printf 'X' | dd of="$room/record/0007_b0.after" conv=notrunc 2>/dev/null
status 1 "$build/ndprun" "$room/record/0007_launch.yml"
says out ": wrong, "

# --- ndpcu and devices that are not -------------------------------------------------

status 2 "$ndpcu"
says err "no file"
status 2 "$ndpcu" -dc "$room/two.cu"
says err "not supported"
status 1 "$ndpcu" -c "$room/two.cu" -DsizeofX -Dsingle=0 -o "$room/no.o"
says err "two.cu:3:"
status 0 "$ndpcu" --ptx "$room/two.cu" -o "$room/two.ptx"
status 0 env NDP_DEVICE=golden:nowhere "$room/two"
says err "nowhere"
says out "cudaErrorNoDevice"

done_testing
