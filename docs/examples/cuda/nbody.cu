// nbody.cu - bodies that attract each other, some steps, in f32: rsqrtf, struct
// parameters, sinf and expf of the device's mathematics.
#include "check.h"

#include <cmath>
#include <vector>

struct Settings {
    float step, softening;
    int n;
};

__global__ void place(float4 *at, Settings s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s.n)
        at[i] = make_float4(cosf(0.7f * i), sinf(0.7f * i), expf(-0.05f * i),
                            1.0f + 0.25f * (i % 3));
}

__global__ void step(const float4 *at, float4 *next, float3 *speed,
                     Settings s) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < s.n ? at[i] : make_float4(0, 0, 0, 0);
    float3 force = {0, 0, 0};
    for (int base = 0; base < s.n; base += blockDim.x) {
        int k = base + threadIdx.x;
        tile[threadIdx.x] = k < s.n ? at[k] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + s.softening);
            float f = o.w * r * r * r;
            force.x += f * dx;
            force.y += f * dy;
            force.z += f * dz;
        }
        __syncthreads();
    }
    if (i >= s.n)
        return;
    float3 v = speed[i];
    v.x += s.step * force.x;
    v.y += s.step * force.y;
    v.z += s.step * force.z;
    speed[i] = v;
    next[i] = make_float4(me.x + s.step * v.x, me.y + s.step * v.y,
                          me.z + s.step * v.z, me.w);
}

struct Body {
    double x, y, z, mass, u, v, w;
};

static void reference(std::vector<Body> &b, double dt, double softening) {
    std::vector<Body> old = b;
    for (size_t i = 0; i < b.size(); i++) {
        double fx = 0, fy = 0, fz = 0;
        for (const Body &o : old) {
            double dx = o.x - old[i].x, dy = o.y - old[i].y;
            double dz = o.z - old[i].z;
            double r = 1 / sqrt(dx * dx + dy * dy + dz * dz + softening);
            fx += o.mass * r * r * r * dx;
            fy += o.mass * r * r * r * dy;
            fz += o.mass * r * r * r * dz;
        }
        b[i].x += dt * (b[i].u += dt * fx);
        b[i].y += dt * (b[i].v += dt * fy);
        b[i].z += dt * (b[i].w += dt * fz);
    }
}

int main() {
    Settings s = {0.01f, 0.1f, 24};
    const int steps = 2, threads = 32, blocks = (s.n + threads - 1) / threads;
    float4 *at, *next;
    float3 *speed;
    CHECK(cudaMalloc(&at, s.n * sizeof *at));
    CHECK(cudaMalloc(&next, s.n * sizeof *next));
    CHECK(cudaMalloc(&speed, s.n * sizeof *speed));
    CHECK(cudaMemset(speed, 0, s.n * sizeof *speed));
    place<<<blocks, threads>>>(at, s);
    std::vector<Body> want(s.n);
    for (int i = 0; i < s.n; i++)
        want[i] = {cos(0.7f * i), sin(0.7f * i),         exp(-0.05f * i),
                   1 + 0.25 * (i % 3), 0, 0, 0};
    for (int k = 0; k < steps; k++) {
        step<<<blocks, threads, threads * sizeof(float4)>>>(at, next, speed, s);
        std::swap(at, next);
        reference(want, s.step, s.softening);
    }
    std::vector<float4> got(s.n);
    CHECK(cudaMemcpy(got.data(), at, s.n * sizeof *at, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < s.n; i++)
        wrong += fabs(got[i].x - want[i].x) > 1e-4 ||
                 fabs(got[i].y - want[i].y) > 1e-4 ||
                 fabs(got[i].z - want[i].z) > 1e-4;
    return verdict("nbody", wrong, s.n);
}
