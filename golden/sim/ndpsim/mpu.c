/* mpu.c - the composition `mpu`: options, and the loop over cycles.
 */
#include "mpu.h"

#include "mpu_state.h"

#include "sim/system/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_EVERY = 1 << 14, STUCK = 1000000 };

/* --- options -------------------------------------------------------------- */

static const struct option_spec specs[] = {
    {"policy", 0, "annotated|default|near|far",
     "Where instructions run: annotated (by the compiler), default (by the "
     "hardware alone), near or far (all of them). Default: annotated."},
    {"open", 0, "N",
     "Rows that a bank has open together: 1, 2 or 4. Default: 4."},
    {"tsv", 0, "WIRES",
     "Data wires between the dies that carry a beat a cycle, a power of two; "
     "128 for 64 at twice the core's clock. Default: 64."},
    {"accesses", 0, "N",
     "Accesses to global memory that each near-bank unit's warps have under "
     "way "
     "together, one of each load-store unit. Default: 1."},
    {NULL, 0, NULL, NULL}};

static const struct setting_number numbers[] = {
    {"open", offsetof(struct mpu_settings, open), 1, 4},
    {"tsv", offsetof(struct mpu_settings, tsv), 32, 256},
    {"accesses", offsetof(struct mpu_settings, accesses), 1, MPU_MOST},
    {NULL, 0, 0, 0}};

static const struct setting_choice choices[] = {
    {"policy", "annotated|default|near|far",
     offsetof(struct mpu_settings, policy)},
    {NULL, NULL, 0}};

static void *create(void) {
    struct mpu_settings *s = xmalloc(sizeof *s);
    *s = (struct mpu_settings){.open = 4, .tsv = 64, .accesses = 1};
    return s;
}

static bool take(void *settings, const char *name, const char *value,
                 struct diag *d) {
    return setting_take(settings, numbers, choices, name, value, d);
}

static bool is_power(uint32_t n) {
    return (n & (n - 1)) == 0;
}

static bool check(const void *settings, struct diag *d) {
    const struct mpu_settings *s = settings;
    if (!is_power(s->open))
        diag_error(d, (struct place){0}, "'--open' is %u, expected 1, 2 or 4",
                   s->open);
    if (!is_power(s->tsv))
        diag_error(d, (struct place){0},
                   "'--tsv' is %u, expected a power of two", s->tsv);
    return d->errors == 0;
}

/* --- the machine ---------------------------------------------------------- */

static bool configure(struct mpu *m) {
    struct config *c = &m->config;
    if (!config_preset(c, "mpu", m->job->diag))
        return false;
    c->nbu_policy = (int)m->settings->policy;
    c->nbu_tsv_width = c->cut_tsv_width = (int)m->settings->tsv;
    c->bank_open_rows = (int)m->settings->open;
    c->lsu_hybrid_cores = 2; /* the least; all memory is at the first */
    return true;
}

static bool build(struct mpu *m, const struct mpu_settings *s,
                  const struct system_job *job) {
    m->settings = s;
    m->job = job;
    if (!job->run) {
        diag_error(job->diag, (struct place){0},
                   "%s: a trace has no registers to place, expected a run "
                   "description",
                   job->path);
        return false;
    }
    if (!configure(m))
        return false;
    m->size = nbu_local(&m->config);
    m->dies = golden_create(golden_find("dies"), &m->config);
    m->out = golden_cycle(m->dies, true, NULL);
    m->memory = mpu_memory_create(m);
    m->result = xcalloc(1, sizeof *m->result);
    m->result->settings = *s;
    return true;
}

static void tear_down(struct mpu *m) {
    mpu_feed_free(m);
    for (int side = MPU_FAR; side <= MPU_NEAR; side++)
        array_free(&m->pipe[side]);
    mpu_memory_free(m->memory);
    golden_free(m->dies);
}

/* --- cycles --------------------------------------------------------------- */

static void step(struct mpu *m) {
    mpu_pipelines(m);
    mpu_memory_step(m);
    mpu_issue(m);
    m->out = golden_cycle(m->dies, false, &m->in);
    m->cycle++;
}

/* Something is done all the time, or a model is broken. */
static void look_for_progress(struct mpu *m) {
    uint64_t done = m->result->packets[0] + m->result->packets[1] +
                    m->result->beats[5] + m->result->beats[6];
    if (done != m->done) {
        m->done = done;
        m->done_at = m->cycle;
    } else if (m->cycle - m->done_at > STUCK) {
        BUG("nothing moves after %llu packets", (unsigned long long)done);
    }
}

static bool stops(const struct mpu *m) {
    return m->cycle % ASK_EVERY == 0 && m->job->go_on &&
           !m->job->go_on(m->job, m->cycle, 0);
}

static void *run(const void *settings, const struct system_job *job) {
    struct mpu m = {0};
    struct mpu_result *r;
    bool ok = build(&m, settings, job);
    while (ok && mpu_feed(&m) && !(m.over && mpu_drained(&m)) && !stops(&m)) {
        step(&m);
        look_for_progress(&m);
    }
    ok = ok && !m.failed;
    r = m.result;
    if (ok)
        r->cycles = m.cycle;
    for (int k = 0; ok && k < MPU_KINDS; k++)
        r->events[MPU_TSV] += r->beats[k];
    tear_down(&m);
    if (ok)
        return r;
    free(r);
    return NULL;
}

const struct system_preset mpu_preset = {
    .name = "mpu",
    .doc = "a core of MPU, its near-bank units over the cut, the hybrid "
           "load-store units and the banks: time, traffic between the dies, "
           "energy",
    .specs = specs,
    .create = create,
    .take = take,
    .check = check,
    .run = run,
    .destroy_result = free,
    .page = mpu_page,
    .heading = mpu_heading,
    .row = mpu_row,
    .json = mpu_json,
};
