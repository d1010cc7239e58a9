/* texrotate.cu - an image turned about its middle, as a pattern that goes on
 * for ever.
 *
 * The texture object has normalised coordinates, wraps and filters; its handle
 * comes in a struct with the turn.  Products and sums are rounded one by one,
 * so that a CPU finds the same texels and weights.
 *
 * Named by: no paper; textures.
 * Launch: block 32x8, two-dimensional grid over the image.
 */

struct turn {
    int width, height;
    cudaTextureObject_t image;
    float right, down; /* of a pixel: 1 / width, 1 / height */
    float c, s;
};

extern "C" __global__ void texrotate(struct turn t, float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= t.width || y >= t.height)
        return;

    const float u = __fadd_rn(__fmul_rn(x + 0.5f, t.right), -0.5f);
    const float v = __fadd_rn(__fmul_rn(y + 0.5f, t.down), -0.5f);

    out[y * t.width + x] = tex2D<float>(
        t.image,
        __fadd_rn(__fadd_rn(__fmul_rn(u, t.c), -__fmul_rn(v, t.s)), 0.5f),
        __fadd_rn(__fadd_rn(__fmul_rn(v, t.c), __fmul_rn(u, t.s)), 0.5f));
}
