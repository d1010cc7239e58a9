/* heartwall.cu - template match step of heart wall tracking.
 *
 * Each tracked point has a template of side x side pixels and a corner where
 * it was last seen.  The template is compared by normalised cross-correlation
 * with the frame at every shift of up to `radius` pixels each way, and the
 * corner moves to the best one (the first of equals, row by row).
 *
 * Named by: TOM, Table 2, HW (after Rodinia).
 * Launch: one-dimensional, block 256, one CTA a point; threads stride over
 * the shifts.
 */

#define THREADS 256

/* Sum over the CTA of one float a thread, the same for all threads. */
static __device__ __forceinline__ float cta_sum(float *scratch, float v) {
    const int t = threadIdx.x;

    scratch[t] = v;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            scratch[t] += scratch[t + half];
        __syncthreads();
    }
    v = scratch[0];
    __syncthreads();
    return v;
}

extern "C" __global__ void
heartwall(int width, int side, int radius, const float *__restrict__ frame,
          const float *__restrict__ pattern, int *__restrict__ row,
          int *__restrict__ col, float *__restrict__ score) {
    __shared__ float value[THREADS];
    __shared__ int index[THREADS];

    const int t = threadIdx.x;
    const int point = blockIdx.x;
    const int area = side * side;
    const int span = 2 * radius + 1;
    const float *tmpl = pattern + point * area;

    /* Mean and energy of the template. */
    float part = 0.0f;

    for (int i = t; i < area; i += THREADS)
        part += tmpl[i];

    const float mean = cta_sum(value, part) / area;

    part = 0.0f;
    for (int i = t; i < area; i += THREADS)
        part += (tmpl[i] - mean) * (tmpl[i] - mean);

    const float energy = cta_sum(value, part);

    /* Best shift of this thread. */
    const float *corner =
        frame + (row[point] - radius) * width + col[point] - radius;
    float best = -2.0f;
    int best_shift = span * span;

    for (int s = t; s < span * span; s += THREADS) {
        const float *window = corner + s / span * width + s % span;
        float cross = 0.0f;
        float sum = 0.0f;
        float square = 0.0f;

        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const float w = window[y * width + x];

                cross += (tmpl[y * side + x] - mean) * w;
                sum += w;
                square += w * w;
            }

        const float spread = square - sum * sum / area;
        const float ncc = cross * rsqrtf(spread * energy);

        if (ncc > best) {
            best = ncc;
            best_shift = s;
        }
    }

    /* Best shift of the CTA. */
    value[t] = best;
    index[t] = best_shift;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            const float v = value[t + half];
            const int s = index[t + half];

            if (v > value[t] || (v == value[t] && s < index[t])) {
                value[t] = v;
                index[t] = s;
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        row[point] += index[0] / span - radius;
        col[point] += index[0] % span - radius;
        score[point] = value[0];
    }
}
