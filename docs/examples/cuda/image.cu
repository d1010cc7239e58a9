// image.cu - a blur of two images, each in a stream of its own: memory with a
// pitch, copies of two dimensions, events.
#include "check.h"

#include <vector>

__global__ void blur(const unsigned char *in, unsigned char *out, size_t pitch,
                     int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0, n = 0;
    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); u++) {
            sum += in[v * pitch + u];
            n++;
        }
    out[y * pitch + x] = sum / n;
}

static int wrong_of(const std::vector<unsigned char> &in,
                    const std::vector<unsigned char> &out, int width,
                    int height) {
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0, n = 0;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    if (u >= 0 && u < width && v >= 0 && v < height) {
                        sum += in[v * width + u];
                        n++;
                    }
            wrong += out[y * width + x] != sum / n;
        }
    return wrong;
}

int main() {
    const int width = 37, height = 21, images = 2;
    std::vector<unsigned char> in[images], out[images];
    unsigned char *d_in[images], *d_out[images];
    cudaStream_t stream[images];
    cudaEvent_t begin, end;
    size_t pitch;
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    for (int i = 0; i < images; i++) {
        in[i].resize(width * height);
        out[i].resize(width * height);
        for (int k = 0; k < width * height; k++)
            in[i][k] = (unsigned char)(k * (7 + i) ^ k >> 3);
        CHECK(cudaStreamCreate(&stream[i]));
        CHECK(cudaMallocPitch(&d_in[i], &pitch, width, height));
        CHECK(cudaMallocPitch(&d_out[i], &pitch, width, height));
        CHECK(cudaMemcpy2DAsync(d_in[i], pitch, in[i].data(), width, width,
                                height, cudaMemcpyHostToDevice, stream[i]));
        blur<<<grid, block, 0, stream[i]>>>(d_in[i], d_out[i], pitch, width,
                                            height);
        CHECK(cudaMemcpy2DAsync(out[i].data(), width, d_out[i], pitch, width,
                                height, cudaMemcpyDeviceToHost, stream[i]));
    }
    CHECK(cudaEventRecord(end));
    int wrong = 0;
    float ms;
    for (int i = 0; i < images; i++) {
        CHECK(cudaStreamSynchronize(stream[i]));
        CHECK(cudaStreamDestroy(stream[i]));
        wrong += wrong_of(in[i], out[i], width, height);
    }
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return verdict("image", wrong + (ms <= 0), images * width * height);
}
