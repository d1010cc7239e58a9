/* libor_ref.c - LIBOR market model, one path at a time.
 *
 * The value is a function of the rates, so its derivative by rate k is summed
 * here directly over the options, without an adjoint sweep: the discount
 * factor at date m holds the factor 1 / (1 + delta * rate[k]) for each k up to
 * m, hence d discount[m] / d rate[k] = -delta / (1 + delta * rate[k]) *
 * discount[m], and the annuity is the sum of delta * discount.
 */
#include <math.h>

#include "ref.h"

struct model {
    int64_t paths, rates, steps, options;
    double delta;
    const float *lambda, *normal, *swap_rate;
    const int32_t *maturity;
    float *rate, *rate_b, *discount, *annuity;
};

static void evolve(const struct model *m, int64_t p) {
    for (int64_t n = 0; n < m->steps; n++) {
        const double shock = sqrt(m->delta) * m->normal[n * m->paths + p];
        double drift = 0;

        for (int64_t i = n + 1; i < m->rates; i++) {
            const double lam = m->lambda[i - n - 1];
            const double con = m->delta * lam;
            float *l = &m->rate[i * m->paths + p];

            drift += con * *l / (1 + m->delta * *l);
            *l = (float)(*l * exp(con * drift + lam * (shock - 0.5 * con)));
        }
    }
}

/* 1 + delta * rate n of path p. */
static double growth(const struct model *m, int64_t p, int64_t n) {
    return 1 + m->delta * m->rate[n * m->paths + p];
}

/* Fills discount and annuity; returns the discount over the steps. */
static double discounts(const struct model *m, int64_t p) {
    double before = 1;
    double b = 1;
    double s = 0;

    for (int64_t n = 0; n < m->steps; n++)
        before /= growth(m, p, n);
    for (int64_t n = m->steps; n < m->rates; n++) {
        b /= growth(m, p, n);
        s += m->delta * b;
        m->discount[(n - m->steps) * m->paths + p] = (float)b;
        m->annuity[(n - m->steps) * m->paths + p] = (float)s;
    }
    return before;
}

/* Derivative of option o's value by the rate of date k after the steps. */
static double option_slope(const struct model *m, int64_t p, int64_t o,
                           int64_t k) {
    const int64_t last = m->maturity[o] - 1;
    const double swap_rate = m->swap_rate[o];
    const double part =
        -m->delta / growth(m, p, m->steps + k); /* of d log discount */
    double slope;

    if (k > last)
        return 0;
    slope = part * m->discount[last * m->paths + p];
    for (int64_t j = k; j <= last; j++)
        slope += swap_rate * m->delta * part * m->discount[j * m->paths + p];
    return -100 * slope;
}

static double portfolio(const struct model *m, int64_t p) {
    const double before = discounts(m, p);
    double v = 0;

    for (int64_t k = 0; k < m->rates; k++)
        m->rate_b[k * m->paths + p] = 0;
    for (int64_t o = 0; o < m->options; o++) {
        const int64_t at = (m->maturity[o] - 1) * m->paths + p;
        const double swap =
            m->discount[at] + (double)m->swap_rate[o] * m->annuity[at] - 1;

        if (swap >= 0)
            continue;
        v += -100 * swap;
        for (int64_t k = 0; k < m->rates - m->steps; k++)
            m->rate_b[(m->steps + k) * m->paths + p] +=
                (float)(before * option_slope(m, p, o, k));
    }
    v *= before;
    for (int64_t n = 0; n < m->steps; n++)
        m->rate_b[n * m->paths + p] = (float)(-v * m->delta / growth(m, p, n));
    return v;
}

/* One path in an array of its own, the late derivatives behind its rates. */
static void discount_own(const struct model *m, double late, float *own) {
    double v = late;

    for (int64_t n = 0; n < m->steps; n++)
        v /= 1 + m->delta * own[n];
    for (int64_t n = m->steps; n < m->rates; n++)
        own[n] = (float)(own[n] * (v / late));
    for (int64_t n = 0; n < m->steps; n++)
        own[n] = (float)(-v * m->delta / (1 + m->delta * own[n]));
}

void ref_libor(struct ref_run *r) {
    const struct model m = {
        .paths = ref_int(r, "paths"),
        .rates = ref_int(r, "rates"),
        .steps = ref_int(r, "steps"),
        .options = ref_int(r, "options"),
        .delta = ref_float(r, "delta"),
        .lambda = ref_f32(r, "lambda"),
        .normal = ref_f32(r, "normal"),
        .swap_rate = ref_f32(r, "swap_rate"),
        .maturity = ref_i32(r, "maturity"),
        .rate = ref_f32(r, "rate"),
        .rate_b = ref_f32(r, "rate_b"),
        .discount = ref_f32(r, "discount"),
        .annuity = ref_f32(r, "annuity"),
    };
    float *value = ref_f32(r, "value");
    float *late = ref_f32(r, "late"), *own = ref_f32(r, "own");

    for (int64_t p = 0; p < m.paths; p++) {
        evolve(&m, p);
        value[p] = (float)portfolio(&m, p);
        discount_own(&m, late[p], own + p * m.rates);
    }
}
