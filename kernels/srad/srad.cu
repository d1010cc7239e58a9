/* srad.cu - speckle-reducing anisotropic diffusion of an image.
 *
 * srad_extract   image = exp(image / 255)
 * srad_stats     sum and sum of squares of the image, one CTA
 * srad_gradient  differences to the four neighbours and the diffusion
 *                coefficient of each pixel
 * srad_update    image += lambda / 4 * divergence
 * srad_compress  image = 255 * log(image)
 *
 * Border pixels are their own neighbours beyond the border.
 *
 * Named by: opportunistic computing, Table 3, SRAD (after Rodinia's first
 * version).
 * Launch: one-dimensional, block 256, one thread a pixel; srad_stats one CTA
 * of 256 threads.
 */

#define THREADS 256

extern "C" __global__ void srad_extract(int n, float *__restrict__ image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        image[i] = expf(image[i] / 255.0f);
}

extern "C" __global__ void srad_stats(int n, const float *__restrict__ image,
                                      float *__restrict__ stats) {
    __shared__ float sums[THREADS];
    __shared__ float squares[THREADS];

    const int t = threadIdx.x;
    float sum = 0.0f;
    float square = 0.0f;

    for (int i = t; i < n; i += THREADS) {
        sum += image[i];
        square += image[i] * image[i];
    }
    sums[t] = sum;
    squares[t] = square;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            squares[t] += squares[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        stats[0] = sums[0];
        stats[1] = squares[0];
    }
}

extern "C" __global__ void
srad_gradient(int width, int height, const float *__restrict__ image,
              const float *__restrict__ stats, float *__restrict__ north,
              float *__restrict__ south, float *__restrict__ west,
              float *__restrict__ east, float *__restrict__ coefficient) {
    const int n = width * height;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    const int x = i % width;
    const int y = i / width;
    const float centre = image[i];
    const float dn = image[y > 0 ? i - width : i] - centre;
    const float ds = image[y < height - 1 ? i + width : i] - centre;
    const float dw = image[x > 0 ? i - 1 : i] - centre;
    const float de = image[x < width - 1 ? i + 1 : i] - centre;

    /* Speckle scale of the whole image: variance by squared mean. */
    const float mean = stats[0] / n;
    const float q0 = (stats[1] / n - mean * mean) / (mean * mean);

    const float g2 =
        (dn * dn + ds * ds + dw * dw + de * de) / (centre * centre);
    const float l = (dn + ds + dw + de) / centre;
    const float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
    const float den = 1.0f + 0.25f * l;
    const float q = num / (den * den);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));

    north[i] = dn;
    south[i] = ds;
    west[i] = dw;
    east[i] = de;
    coefficient[i] = fminf(fmaxf(c, 0.0f), 1.0f);
}

extern "C" __global__ void
srad_update(int width, int height, float lambda,
            const float *__restrict__ north, const float *__restrict__ south,
            const float *__restrict__ west, const float *__restrict__ east,
            const float *__restrict__ coefficient, float *__restrict__ image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= width * height)
        return;

    const int x = i % width;
    const int y = i / width;
    const float here = coefficient[i];
    const float below = coefficient[y < height - 1 ? i + width : i];
    const float right = coefficient[x < width - 1 ? i + 1 : i];
    const float divergence =
        here * north[i] + below * south[i] + here * west[i] + right * east[i];

    image[i] += 0.25f * lambda * divergence;
}

extern "C" __global__ void srad_compress(int n, float *__restrict__ image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        image[i] = logf(image[i]) * 255.0f;
}
