/* backprop.cu - training step of a fully connected layer with 16 hidden units.
 *
 * backprop_forward  partial sums of input x weight for the hidden units: one
 *                   CTA takes 16 inputs, multiplies in shared memory and
 *                   folds them with a tree
 * backprop_adjust   weight += rate * delta * input + momentum * last change
 *
 * `weight` and `change` have inputs + 1 rows of HIDDEN + 1 words; row 0 and
 * unit 0 belong to the bias.  `input` and `delta` start with the bias too.
 *
 * Named by: TOM, Table 2, BP (after Rodinia).
 * Launch: two-dimensional, block 16x16, grid y = inputs / 16.
 */

#define HIDDEN 16
#define SIDE 16
#define RATE 0.3f
#define MOMENTUM 0.3f

extern "C" __global__ void backprop_forward(const float *__restrict__ input,
                                            const float *__restrict__ weight,
                                            float *__restrict__ partial) {
    __shared__ float node[SIDE];
    __shared__ float product[SIDE][HIDDEN];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * SIDE + ty + 1;

    if (tx == 0)
        node[ty] = input[row];
    __syncthreads();

    product[ty][tx] = weight[row * (HIDDEN + 1) + tx + 1] * node[ty];
    __syncthreads();

    for (int step = 1; step < SIDE; step *= 2) {
        if (ty % (2 * step) == 0)
            product[ty][tx] += product[ty + step][tx];
        __syncthreads();
    }
    if (ty == 0)
        partial[blockIdx.y * HIDDEN + tx] = product[0][tx];
}

extern "C" __global__ void backprop_adjust(const float *__restrict__ delta,
                                           const float *__restrict__ input,
                                           float *__restrict__ weight,
                                           float *__restrict__ change) {
    const int tx = threadIdx.x;
    const int row = blockIdx.y * SIDE + threadIdx.y + 1;
    const int at = row * (HIDDEN + 1) + tx + 1;
    const float c = RATE * delta[tx + 1] * input[row] + MOMENTUM * change[at];

    weight[at] += c;
    change[at] = c;

    if (row == 1) {
        const float b = RATE * delta[tx + 1] + MOMENTUM * change[tx + 1];

        weight[tx + 1] += b;
        change[tx + 1] = b;
    }
}
