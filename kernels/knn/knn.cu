/* knn.cu - k-nearest-neighbour: distance of every record to the query point.
 *
 * A record is a (latitude, longitude) pair.  The host picks the k smallest
 * distances afterwards; the kernel is the distance step.
 *
 * Named by: MPU, Table I, KNN (machine learning, after Rodinia).
 * Launch: one-dimensional, block 256, any grid (grid-stride loop).
 */

extern "C" __global__ void knn(int records, float latitude, float longitude,
                               const float2 *__restrict__ location,
                               float *__restrict__ distance) {
    const int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < records;
         i += stride) {
        const float2 p = location[i];
        const float dy = latitude - p.x;
        const float dx = longitude - p.y;

        distance[i] = sqrtf(dy * dy + dx * dx);
    }
}
