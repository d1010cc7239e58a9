/* texresize.cu - an image of four bytes a pixel at another size, bilinear.
 *
 * The texture object reads bytes as 0 to 1 and filters; what is outside has the
 * colour of the edge.  step is the distance in the image between two pixels of
 * the result.
 *
 * Named by: no paper; textures.
 * Launch: block 32x8, two-dimensional grid over the result.
 */

extern "C" __global__ void texresize(cudaTextureObject_t image, float step,
                                     int width, int height,
                                     float4 *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;
    out[y * width + x] =
        tex2D<float4>(image, (x + 0.5f) * step, (y + 0.5f) * step);
}
