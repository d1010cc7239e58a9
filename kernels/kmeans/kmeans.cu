/* kmeans.cu - k-means clustering: the steps that run on the GPU.
 *
 * kmeans_invert  turns points x features into features x points, so that
 *                neighbouring threads read neighbouring words
 * kmeans_assign  gives each point the index of its nearest centre by squared
 *                Euclidean distance; the first of equals wins
 *
 * Centres are read from global memory, not from constant or texture memory.
 *
 * Named by: MPU, Table I, KMEANS; TOM, Table 2, KM; opportunistic computing,
 *           Table 3, KMN (all after Rodinia).
 * Launch: one-dimensional, block 256, one thread a point.
 */

extern "C" __global__ void kmeans_invert(int points, int features,
                                         const float *__restrict__ in,
                                         float *__restrict__ out) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= points)
        return;
    for (int f = 0; f < features; f++)
        out[f * points + p] = in[p * features + f];
}

extern "C" __global__ void kmeans_assign(int points, int features, int clusters,
                                         const float *__restrict__ feature,
                                         const float *__restrict__ centre,
                                         int *__restrict__ membership) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= points)
        return;

    int best = -1;
    float best_distance = 3.402823466e38f;

    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;

        for (int f = 0; f < features; f++) {
            const float d = feature[f * points + p] - centre[c * features + f];

            distance += d * d;
        }
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    membership[p] = best;
}
