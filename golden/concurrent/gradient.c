/* gradient.c - see gradient.h. */
#include "gradient.h"

#include "ref.h"
#include "sim/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 255 }; /* rows of a launch */

uint32_t gradient_bits(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

float gradient_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

/* --- the kernel's data ---------------------------------------------------- */

/* A run calls the reference without anything of ours. */
static struct gradient *wanted;
static ref_fn *reference;

static float *copy(const float *from, int64_t n) {
    float *to = xmalloc((size_t)n * sizeof *to);
    return memcpy(to, from, (size_t)n * sizeof *to);
}

static void listen(struct ref_run *r) {
    struct gradient *g = wanted;
    g->samples = (int)ref_int(r, "samples");
    g->features = (int)ref_int(r, "features");
    g->lambda = ref_float(r, "lambda");
    reference(r);
    g->x = copy(ref_f32(r, "x"), (int64_t)g->samples * g->features);
    g->label = copy(ref_f32(r, "label"), g->samples);
    g->w = copy(ref_f32(r, "w"), g->features);
    g->result = copy(ref_f32(r, "gradient"), g->features);
}

static ref_fn *find_svrg(const char *name) {
    ref_fn *f = ref_find(name);
    if (strcmp(name, "svrg") != 0)
        return f;
    reference = f;
    return f ? listen : NULL;
}

bool gradient_read(struct gradient *g, const char *path, const char *size,
                   int parts, struct diag *d) {
    struct run_options options = {.size = size, .reference = find_svrg};

    memset(g, 0, sizeof *g);
    wanted = g;
    struct run *run = run_open(path, &options, d);
    wanted = NULL;
    if (!run)
        return false;
    run_close(run);
    if (!g->x || !g->label || !g->w || !g->result) {
        diag_error(d, (struct place){0},
                   "'%s' is no run of kernel svrg, expected "
                   "kernels/svrg/svrg.yml",
                   path);
        return false;
    }
    if (g->samples > MOST_SAMPLES) {
        diag_error(d, (struct place){0},
                   "'%s' has %d samples, expected %d at most: rows of a launch",
                   path, g->samples, MOST_SAMPLES);
        return false;
    }
    g->parts = parts;
    g->words =
        (g->features + parts * GRADIENT_LANES - 1) / (parts * GRADIENT_LANES);
    return true;
}

void gradient_free(struct gradient *g) {
    free(g->x);
    free(g->label);
    free(g->w);
    free(g->result);
    memset(g, 0, sizeof *g);
}

/* --- where things lie ----------------------------------------------------- */

const float *gradient_row(const struct gradient *g, int sample) {
    return g->x + (size_t)sample * (size_t)g->features;
}

static float element(const struct gradient *g, const float *v, int part,
                     int word, int lane) {
    int j = (word * g->parts + part) * GRADIENT_LANES + lane;
    return j < g->features ? v[j] : 0;
}

uint64_t gradient_word(const struct gradient *g, const float *vector, int part,
                       int word) {
    uint64_t low = gradient_bits(element(g, vector, part, word, 0));
    uint64_t high = gradient_bits(element(g, vector, part, word, 1));
    return high << 32 | low;
}

uint64_t gradient_at_w(void) {
    return 0;
}

uint64_t gradient_at_result(const struct gradient *g) {
    return (uint64_t)g->words;
}

uint64_t gradient_at_row(const struct gradient *g, int sample) {
    return (uint64_t)(2 + sample) * (uint64_t)g->words;
}

/* --- what must come out --------------------------------------------------- */

float gradient_scale(const struct gradient *g, int sample, double margin) {
    double label = g->label[sample];
    return (float)(-label / (g->samples * (1 + exp(label * margin))));
}

uint32_t gradient_expect_margin(const struct gradient *g, int part,
                                int sample) {
    const float *row = gradient_row(g, sample);
    float sum[GRADIENT_LANES] = {0, 0};
    for (int i = 0; i < g->words; i++)
        for (int h = 0; h < GRADIENT_LANES; h++)
            sum[h] = fmaf(element(g, row, part, i, h),
                          element(g, g->w, part, i, h), sum[h]);
    return gradient_bits(sum[0] + sum[1]);
}

uint64_t gradient_expect_word(const struct gradient *g, int part, int word,
                              const float *scale) {
    uint64_t bits = 0;
    for (int h = 0; h < GRADIENT_LANES; h++) {
        float sum = fmaf(scale[0], element(g, g->x, part, word, h),
                         g->lambda * element(g, g->w, part, word, h));
        for (int s = 1; s < g->samples; s++) {
            const float *row = gradient_row(g, s);
            sum += scale[s] * element(g, row, part, word, h);
        }
        bits |= (uint64_t)gradient_bits(sum) << 32 * h;
    }
    return bits;
}
