/* conv.cu - 3x3 convolution layer of a neural network, one image, NCHW.
 *
 * out[k][y][x] = bias[k] + sum over c, dy, dx of
 *                weight[k][c][dy][dx] * in[c][y + dy - 1][x + dx - 1]
 *
 * The image is padded with zeros so that input and output have equal size.
 *
 * Named by: MPU, Table I, CONV (machine learning, after TensorFlow).
 * Launch: three-dimensional, block 32x4, grid z is the output channel.
 */

extern "C" __global__ void conv(int channels, int width, int height,
                                const float *__restrict__ in,
                                const float *__restrict__ weight,
                                const float *__restrict__ bias,
                                float *__restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z;

    if (x >= width || y >= height)
        return;

    const float *w = weight + k * channels * 9;
    float sum = bias[k];

    for (int c = 0; c < channels; c++) {
        const float *plane = in + c * width * height;

#pragma unroll
        for (int dy = 0; dy < 3; dy++) {
            const int iy = y + dy - 1;

#pragma unroll
            for (int dx = 0; dx < 3; dx++) {
                const int ix = x + dx - 1;

                if (iy >= 0 && iy < height && ix >= 0 && ix < width)
                    sum += w[dy * 3 + dx] * plane[iy * width + ix];
            }
        }
        w += 9;
    }
    out[(k * height + y) * width + x] = sum;
}
