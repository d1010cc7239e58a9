/* maxp.cu - max pooling layer over channel planes.
 *
 * out[c][y][x] is the largest input of the window of `window` x `window`
 * words whose corner is (x * stride, y * stride), cut off at the plane's
 * border.
 *
 * Named by: MPU, Table I, MAXP (machine learning, after TensorFlow).
 * Launch: one-dimensional, block 256, any grid (grid-stride loop over the
 * outputs of all channels).
 */

extern "C" __global__ void maxp(int channels, int height, int width, int window,
                                int stride, int out_height, int out_width,
                                const float *__restrict__ in,
                                float *__restrict__ out) {
    const int total = channels * out_height * out_width;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total;
         i += gridDim.x * blockDim.x) {
        const int x = i % out_width;
        const int y = i / out_width % out_height;
        const int c = i / (out_width * out_height);
        const int y0 = y * stride, y1 = min(y0 + window, height);
        const int x0 = x * stride, x1 = min(x0 + window, width);
        const float *plane = in + c * height * width;
        float best = plane[y0 * width + x0];

        for (int iy = y0; iy < y1; iy++)
            for (int ix = x0; ix < x1; ix++)
                best = fmaxf(best, plane[iy * width + ix]);
        out[i] = best;
    }
}
