/* env.c - around an analyzer: the driver and software.
 *
 * Tables are sorted and disjoint; the driver loads them place by place while
 * learning is off and nothing is under way.
 */
#include "env.h"

#include <inttypes.h>

void ana_open(struct ana_env *s, struct stim *stim, const struct design *d,
              struct master *m) {
    s->stim = stim;
    s->master = m;
    s->size = analyzer_local(&d->config);
    s->irq_best = -1;
}

void ana_reset(struct ana_env *s) {
    s->wanted_query = s->load_at = -1;
    s->settled = s->stim->now;
    s->ready = false;
    ana_oracle_reset(s);
}

bool ana_settled(const struct ana_env *s) {
    return s->ready && !ana_enabled(s) && master_idle(s->master) &&
           s->n_searches == 0 && s->stim->now >= s->settled;
}

void ana_load(struct ana_env *s, int n) {
    s->n_fresh = n;
    s->load_at = 0;
}

/* --- tables --------------------------------------------------------------- */

/* Sorted and disjoint, cut out of the addresses from left to right; neighbours
 * touch at times, and the first may begin at zero.  The very last address
 * belongs to none: places without a range begin there. */
void ana_random_table(struct ana_env *s, int n) {
    uint64_t top = ones(s->size.ADDR_W), at = 0;
    for (int i = 0; i < n; i++) {
        uint64_t room = (top - at) / (uint64_t)(n - i);
        uint64_t gap = rng_percent(&s->stim->rng, 30)
                           ? 0
                           : rng_next(&s->stim->rng) % (room / 2 + 1);
        uint64_t length = rng_next(&s->stim->rng) % (room / 2 + 1);
        if (rng_percent(&s->stim->rng, 40))
            length = 1 + length % 4096;
        if (length > room / 2)
            length = room / 2;
        if (i == n - 1 && rng_percent(&s->stim->rng, 20))
            length = top - at - gap; /* all that is left */
        s->fresh[i] = (struct ana_range){at + gap, length ? length : 1, false};
        at = s->fresh[i].start + s->fresh[i].length;
    }
}

uint64_t ana_edge_address(struct ana_env *s) {
    const struct ana_range *r;
    uint64_t mask = ones(s->size.ADDR_W);
    if (s->n_ranges == 0)
        return rng_next(&s->stim->rng) & ones(s->size.ADDR_W);
    r = &s->range[rng_below(&s->stim->rng, (uint32_t)s->n_ranges)];
    if (rng_percent(&s->stim->rng, 20))
        r = &s->range[rng_percent(&s->stim->rng, 50) ? 0 : s->n_ranges - 1];
    switch (rng_below(&s->stim->rng, 5)) {
    case 0:
        return r->start;
    case 1:
        return r->start + r->length - 1;
    case 2:
        return (r->start - 1) & mask;
    case 3:
        return (r->start + r->length) & mask;
    default:
        return r->start + rng_next(&s->stim->rng) % r->length;
    }
}

/* --- driving -------------------------------------------------------------- */

/* The driver writes from the first place up; places that hold an old range and
 * get no new one are written back to what they were after reset. */
static void drive_load(struct ana_env *s, struct analyzer_in *in) {
    in->load_valid = s->load_at >= 0;
    if (s->load_at < 0)
        return;
    const struct ana_range *r = &s->fresh[s->load_at];
    bool used = s->load_at < s->n_fresh;
    in->load_index = (uint64_t)s->load_at;
    in->load_start = used ? r->start : ones(s->size.ADDR_W);
    in->load_length = used ? r->length : 0;
}

static void drive_query(struct ana_env *s, struct analyzer_in *in,
                        int percent) {
    struct rng *r = &s->stim->rng;
    int query = s->wanted_query;
    in->query_valid = query >= 0 || rng_percent(r, percent);
    if (query < 0)
        query = (int)rng_below(r, 1u << s->size.QUERY_W);
    s->wanted_query = -1;
    in->query_index = (uint64_t)query;
}

void ana_drive(struct ana_env *s, struct analyzer_in *in, int query) {
    drive_load(s, in);
    drive_query(s, in, query);
}

/* --- watching ------------------------------------------------------------- */

static void watch_load(struct ana_env *s, const struct analyzer_in *in,
                       const struct analyzer_out *before) {
    if (!in->load_valid || !before->load_ready)
        return;
    s->range[s->load_at] =
        (struct ana_range){in->load_start, in->load_length, false};
    s->load_at++;
    if (s->load_at < s->n_fresh || s->load_at < s->n_ranges)
        return;
    s->n_ranges = s->n_fresh;
    s->load_at = -1;
}

/* The initialiser writes an entry an edge; after that nobody ever waits. */
static const char *watch_ready(struct ana_env *s,
                               const struct analyzer_out *after) {
    int entries = s->size.WARPS > s->size.SLOTS ? s->size.WARPS : s->size.SLOTS;
    bool ready = s->stim->age >= (uint64_t)entries;
    s->ready = after->ev_ready;
    if (after->ev_ready != ready || after->load_ready != ready)
        return stim_complain(s->stim,
                             "%llu edges after reset events are ready %d and "
                             "loads %d, expected %d",
                             (unsigned long long)s->stim->age,
                             (int)after->ev_ready, (int)after->load_ready,
                             ready);
    return NULL;
}

const char *ana_watch(struct ana_env *s, const struct analyzer_in *in,
                      const struct analyzer_out *before,
                      const struct analyzer_out *after) {
    const char *wrong = ana_oracle_watch(s, in, before, after);
    watch_load(s, in, before);
    const char *not_ready = watch_ready(s, after);
    return wrong ? wrong : not_ready;
}

void ana_report(const struct ana_env *s, struct text *t) {
    text_printf(t, "begins\t%" PRIu64 "\n", s->events[OP_BEGIN]);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->events[OP_ACCESS]);
    text_printf(t, "ends\t%" PRIu64 "\n", s->events[OP_END]);
    text_printf(t, "inside\t%" PRIu64 "\n", s->inside);
    text_printf(t, "outside\t%" PRIu64 "\n", s->outside);
    text_printf(t, "learned\t%" PRIu64 "\n", s->learned);
    text_printf(t, "queries_checked\t%" PRIu64 "\n", s->checked);
}
