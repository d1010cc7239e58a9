/* texconv.cu - separable 17x17 convolution through textures: rows, then
 * columns.
 *
 * The form that old codes have in place of shared memory: each thread fetches
 * all it needs, a pixel outside is that of the edge.  The second launch fetches
 * what the first one has stored.  The filter lies in constant memory.
 *
 * Named by: no paper; textures.
 * Launch: block 32x8, two-dimensional grid over the image.
 */

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)

extern "C" {
__constant__ float filter[TAPS];
}

extern "C" __global__ void texconv_rows(cudaTextureObject_t in, int width,
                                        int height, float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += filter[k] * tex2D<float>(in, x + k - RADIUS + 0.5f, y + 0.5f);
    out[y * width + x] = sum;
}

extern "C" __global__ void texconv_cols(cudaTextureObject_t in, int width,
                                        int height, float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += filter[k] * tex2D<float>(in, x + 0.5f, y + k - RADIUS + 0.5f);
    out[y * width + x] = sum;
}
