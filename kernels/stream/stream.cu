/* stream.cu - streaming clustering: cost of opening a centre at point `x`.
 *
 * Each point compares its weighted squared distance to the candidate with
 * the cost of its present centre.  If it would switch, it notes so and adds
 * the saving to its row's last cell; otherwise it adds the distance by which
 * its centre is the better one to that centre's cell.  The host sums the
 * columns of `work` (one row a point, centres + 1 cells) and decides.
 *
 * Named by: opportunistic computing, Table 3, STREAM (after Rodinia's
 * streamcluster).
 * Launch: one-dimensional, block 256, one thread a point; 4 bytes of dynamic
 * shared memory a dimension.
 */

extern "C" __global__ void
stream(int points, int dimensions, int x, int centres,
       const float *__restrict__ coordinate, const float *__restrict__ weight,
       const float *__restrict__ cost, const int *__restrict__ centre,
       float *__restrict__ work, int *__restrict__ switches) {
    extern __shared__ float candidate[];

    for (int d = threadIdx.x; d < dimensions; d += blockDim.x)
        candidate[d] = coordinate[d * points + x];
    __syncthreads();

    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= points)
        return;

    float distance = 0.0f;

    for (int d = 0; d < dimensions; d++) {
        const float diff = coordinate[d * points + p] - candidate[d];

        distance += diff * diff;
    }
    distance *= weight[p];

    float *row = work + p * (centres + 1);

    if (distance < cost[p]) {
        switches[p] = 1;
        row[centres] += distance - cost[p];
    } else {
        row[centre[p]] += cost[p] - distance;
    }
}
