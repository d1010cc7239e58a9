/* scalarprod.cu - scalar products of many pairs of vectors.
 *
 * A CTA takes one pair at a time.  It keeps ACCUMULATORS running sums in
 * shared memory, each over every ACCUMULATORS-th element, and folds them with
 * a tree.
 *
 * Named by: TOM, Table 2, SP; opportunistic computing, Table 3, SCP (both
 *           after the CUDA samples).
 * Launch: one-dimensional, block 256, any grid (CTAs stride over the pairs).
 */

#define ACCUMULATORS 1024

extern "C" __global__ void scalarprod(int vectors, int elements,
                                      const float *__restrict__ a,
                                      const float *__restrict__ b,
                                      float *__restrict__ c) {
    __shared__ float sums[ACCUMULATORS];

    for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
        const int begin = v * elements;
        const int end = begin + elements;

        for (int s = threadIdx.x; s < ACCUMULATORS; s += blockDim.x) {
            float sum = 0.0f;

            for (int i = begin + s; i < end; i += ACCUMULATORS)
                sum += a[i] * b[i];
            sums[s] = sum;
        }
        for (int half = ACCUMULATORS / 2; half > 0; half /= 2) {
            __syncthreads();
            for (int s = threadIdx.x; s < half; s += blockDim.x)
                sums[s] += sums[s + half];
        }
        __syncthreads();
        if (threadIdx.x == 0)
            c[v] = sums[0];
        __syncthreads();
    }
}
