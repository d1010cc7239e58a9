/* libor.cu - Monte Carlo pricing of a portfolio of swaptions in the LIBOR
 * market model, with the sensitivities by the adjoint method.
 *
 * libor_path       evolves the forward rates of each path over `steps` steps
 * libor_portfolio  value of the portfolio on each path, and its derivative by
 *                  every forward rate
 * libor_discount   the last part of that for paths that keep their rates in an
 *                  array of their own, where the derivatives take their place
 *
 * Rates, normals and scratch lie in global memory as [rate][path], so that
 * the threads of a warp touch neighbouring words; only libor_discount has
 * [path][rate], as the original with its array a thread.  Its last two loops
 * and those of libor_portfolio are the ones that TOM's Figure 4 shows: few
 * live-in registers, one load and one store an iteration.
 *
 * Named by: TOM, Table 2, LIB (after Giles' LIBOR code).
 * Launch: one-dimensional, block 64, one thread a path.
 */

extern "C" __global__ void libor_path(int paths, int rates, int steps,
                                      float delta,
                                      const float *__restrict__ lambda,
                                      const float *__restrict__ normal,
                                      float *__restrict__ rate) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= paths)
        return;
    for (int n = 0; n < steps; n++) {
        const float shock = sqrtf(delta) * normal[n * paths + p];
        float drift = 0.0f;

        for (int i = n + 1; i < rates; i++) {
            const float lam = lambda[i - n - 1];
            const float con = delta * lam;
            const float l = rate[i * paths + p];

            drift += con * l / (1.0f + delta * l);
            rate[i * paths + p] =
                l * expf(con * drift + lam * (shock - 0.5f * con));
        }
    }
}

extern "C" __global__ void
libor_portfolio(int paths, int rates, int steps, int options, float delta,
                const int *__restrict__ maturity,
                const float *__restrict__ swap_rate,
                const float *__restrict__ rate, float *__restrict__ discount,
                float *__restrict__ annuity, float *__restrict__ rate_b,
                float *__restrict__ value) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= paths)
        return;

    /* Discount factor and annuity at each date after the last step. */
    float b = 1.0f;
    float s = 0.0f;

    for (int n = steps; n < rates; n++) {
        b = b / (1.0f + delta * rate[n * paths + p]);
        s += delta * b;
        discount[(n - steps) * paths + p] = b;
        annuity[(n - steps) * paths + p] = s;
    }

    float v = 0.0f;

    for (int i = 0; i < options; i++) {
        const int m = (maturity[i] - 1) * paths + p;
        const float swap = discount[m] + swap_rate[i] * annuity[m] - 1.0f;

        if (swap < 0.0f)
            v += -100.0f * swap;
    }

    /* Backwards: b_b and s_b are the derivatives by discount and annuity;
     * maturities ascend, so the options are met from the last. */
    float b_b = 0.0f;
    float s_b = 0.0f;
    int i = options - 1;

    for (int n = rates - 1; n >= steps; n--) {
        const int m = (n - steps) * paths + p;

        for (; i >= 0 && maturity[i] - 1 == n - steps; i--)
            if (discount[m] + swap_rate[i] * annuity[m] < 1.0f) {
                b_b -= 100.0f;
                s_b -= 100.0f * swap_rate[i];
            }
        b_b += delta * s_b;

        const float g = 1.0f / (1.0f + delta * rate[n * paths + p]);

        rate_b[n * paths + p] = -b_b * delta * discount[m] * g;
        b_b *= g;
    }

    /* Discount back over the steps. */
    b = 1.0f;
    for (int n = 0; n < steps; n++)
        b = b / (1.0f + delta * rate[n * paths + p]);
    v = b * v;
    value[p] = v;

    /* Kept rolled, as the paper shows them. */
#pragma unroll 1
    for (int n = 0; n < steps; n++)
        rate_b[n * paths + p] =
            -v * delta / (1.0f + delta * rate[n * paths + p]);
#pragma unroll 1
    for (int n = steps; n < rates; n++)
        rate_b[n * paths + p] = b * rate_b[n * paths + p];
}

extern "C" __global__ void libor_discount(int paths, int rates, int steps,
                                          float delta,
                                          const float *__restrict__ late,
                                          float *__restrict__ own) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;

    if (p >= paths)
        return;

    float *L = own + p * rates;
    float b = 1.0f;

    for (int n = 0; n < steps; n++)
        b = b / (1.0f + delta * L[n]);

    const float v = b * late[p];

#pragma unroll 1
    for (int n = 0; n < steps; n++)
        L[n] = -v * delta / (1.0f + delta * L[n]);

    float *after = L + steps;
    const int dates = rates - steps;

#pragma unroll 1
    for (int n = 0; n < dates; n++)
        after[n] = b * after[n];
}
