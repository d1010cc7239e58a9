/* fdtd.cu - two-dimensional finite-difference time-domain step.
 *
 * fdtd_ey  electric field y from the magnetic field; row 0 is the source
 * fdtd_ex  electric field x from the magnetic field
 * fdtd_hz  magnetic field from the electric fields
 *
 * All fields have height x width words here; ex keeps its column 0, ey its
 * row 0 apart from the source, hz its last row and column.
 *
 * Named by: opportunistic computing, Table 3, FDTD (after PolyBench FDTD-2D).
 * Launch: two-dimensional, block 32x8, one thread a point; the three kernels
 * make one time step.
 */

extern "C" __global__ void fdtd_ey(int width, int height, int t,
                                   const float *__restrict__ source,
                                   float *__restrict__ ey,
                                   const float *__restrict__ hz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = y * width + x;

    if (x >= width || y >= height)
        return;
    if (y == 0)
        ey[at] = source[t];
    else
        ey[at] = ey[at] - 0.5f * (hz[at] - hz[at - width]);
}

extern "C" __global__ void fdtd_ex(int width, int height,
                                   float *__restrict__ ex,
                                   const float *__restrict__ hz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = y * width + x;

    if (x > 0 && x < width && y < height)
        ex[at] = ex[at] - 0.5f * (hz[at] - hz[at - 1]);
}

extern "C" __global__ void fdtd_hz(int width, int height,
                                   const float *__restrict__ ex,
                                   const float *__restrict__ ey,
                                   float *__restrict__ hz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = y * width + x;

    if (x < width - 1 && y < height - 1)
        hz[at] =
            hz[at] - 0.7f * (ex[at + 1] - ex[at] + ey[at + width] - ey[at]);
}
