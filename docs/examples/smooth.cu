// smooth.cu - each element becomes a mean of itself and its neighbours: the kernel
// of the tutorial (docs/tutorial.md).
extern "C" __global__ void smooth(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = i > 0 ? x[i - 1] : x[i];
    float right = i < n - 1 ? x[i + 1] : x[i];
    y[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
}
