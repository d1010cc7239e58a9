/* fwt.cu - fast Walsh-Hadamard transform in natural order, in place.
 *
 * fwt_global  one radix-4 stage over global memory, for strides too large for
 *             shared memory
 * fwt_shared  the remaining stages of 2^log2n consecutive words, in shared
 *             memory: radix 4, and a last stage of radix 2 when log2n is odd
 *
 * Named by: TOM, Table 2, FWT (after the CUDA samples).
 * Launch: fwt_global one-dimensional, block 256, one thread for four words;
 * fwt_shared one CTA of 2^log2n / 4 threads for each 2^log2n words, 4 bytes of
 * dynamic shared memory a word.
 */

static __device__ __forceinline__ void butterfly4(float *d0, float *d1,
                                                  float *d2, float *d3) {
    const float a = *d0 + *d2;
    const float b = *d0 - *d2;
    const float c = *d1 + *d3;
    const float d = *d1 - *d3;

    *d0 = a + c;
    *d1 = a - c;
    *d2 = b + d;
    *d3 = b - d;
}

extern "C" __global__ void fwt_global(int stride, float *data) {
    const int pos = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = pos & (stride - 1);
    float *d = data + ((pos - low) * 4 + low);

    butterfly4(d, d + stride, d + 2 * stride, d + 3 * stride);
}

extern "C" __global__ void fwt_shared(int log2n, float *data) {
    extern __shared__ float words[];

    const int n = 1 << log2n;
    float *part = data + ((size_t)blockIdx.x << log2n);

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        words[i] = part[i];

    for (int stride = n / 4; stride > 0; stride /= 4) {
        const int low = threadIdx.x & (stride - 1);
        float *d = words + ((threadIdx.x - low) * 4 + low);

        __syncthreads();
        butterfly4(d, d + stride, d + 2 * stride, d + 3 * stride);
    }
    if (log2n % 2 == 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            const float a = words[2 * i];
            const float b = words[2 * i + 1];

            words[2 * i] = a + b;
            words[2 * i + 1] = a - b;
        }
    }
    __syncthreads();

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        part[i] = words[i];
}
