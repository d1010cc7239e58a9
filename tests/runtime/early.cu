// Threads that return before a barrier that the others come to: at once, after a
// store, out of a loop.
extern "C" __global__ void at_once(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[threadIdx.x ^ 1] * 2.0f;
}

extern "C" __global__ void after_store(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) {
        out[i] = -1.0f;
        return;
    }
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[threadIdx.x ^ 1] * 2.0f;
}

extern "C" __global__ void of_loop(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 3; k++) {
        if (i >= n + 2 * k) {
            out[i] = -1.0f - k;
            return;
        }
        s[threadIdx.x] = in[i];
        __syncthreads();
        sum += s[threadIdx.x ^ 1];
        __syncthreads();
        n -= 10;
    }
    out[i] = sum;
}
