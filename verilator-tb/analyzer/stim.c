/* stim.c - stimulus of the memory map analyzer: puts its parts
 * together.
 *
 * oracle.c   what the unit must know and show (TOM, 3.2, 4.3)
 * random.c   instances and tables: constrained random
 * directed.c a script that aims at each cover point
 * run.c      instances of a kernel that is executed
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>

bool ana_settled(const struct ana_stim *s) {
    return s->ready && !ana_enabled(s) && master_idle(&s->base.master) &&
           s->n_searches == 0 && s->base.now >= s->settled;
}

void ana_load(struct ana_stim *s, int n) {
    s->n_fresh = n;
    s->load_at = 0;
}

static void open(struct stim *base, const struct config *c) {
    struct ana_stim *s = (struct ana_stim *)base;
    s->size = analyzer_local(c);
    s->irq_best = -1;
    base->reset_every = 2000 + 20 * s->size.SLOTS;
}

static void reset(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    s->offering = s->asking = false;
    s->wanted_query = s->load_at = -1;
    s->settled = base->now;
    s->ready = false;
    ana_oracle_reset(s);
}

/* --- driving -------------------------------------------------------------- */

static void drive_event(struct ana_stim *s, struct analyzer_in *in) {
    const struct ana_mode *mode = (const struct ana_mode *)s->base.mode;
    if (!s->offering && !ana_loading(s) &&
        rng_percent(&s->base.rng, s->tune.event) && mode->next(s, &s->offer)) {
        s->offering = true;
        in->ev_op = s->offer.op;
        in->ev_warp = (uint64_t)s->offer.warp;
        in->ev_address = s->offer.address;
    }
    in->ev_valid = s->offering;
}

/* The driver writes from the first place up; places that hold an old range and
 * get no new one are written back to what they were after reset. */
static void drive_load(struct ana_stim *s, struct analyzer_in *in) {
    in->load_valid = s->load_at >= 0;
    if (s->load_at < 0)
        return;
    const struct ana_range *r = &s->fresh[s->load_at];
    bool used = s->load_at < s->n_fresh;
    in->load_index = (uint64_t)s->load_at;
    in->load_start = used ? r->start : ones(s->size.ADDR_W);
    in->load_length = used ? r->length : 0;
}

static void drive_query(struct ana_stim *s, struct analyzer_in *in) {
    s->asking =
        s->wanted_query >= 0 || rng_percent(&s->base.rng, s->tune.query);
    s->query = s->wanted_query;
    if (s->query < 0)
        s->query = (int)rng_below(&s->base.rng, 1u << s->size.QUERY_W);
    s->wanted_query = -1;
    in->query_valid = s->asking;
    in->query_index = (uint64_t)s->query;
}

static void drive(struct stim *base, void *in) {
    struct ana_stim *s = (struct ana_stim *)base;
    drive_load(s, in);
    drive_event(s, in);
    drive_query(s, in);
    base->wishbone = s->tune.wishbone;
}

/* --- watching ------------------------------------------------------------- */

static void watch_load(struct ana_stim *s, const struct analyzer_in *in,
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
static const char *watch_ready(struct ana_stim *s,
                               const struct analyzer_out *after) {
    int entries = s->size.WARPS > s->size.SLOTS ? s->size.WARPS : s->size.SLOTS;
    bool ready = s->base.age >= (uint64_t)entries;
    s->ready = after->ev_ready;
    if (after->ev_ready != ready || after->load_ready != ready)
        return stim_complain(&s->base,
                             "%llu edges after reset events are ready %d and "
                             "loads %d, expected %d",
                             (unsigned long long)s->base.age,
                             (int)after->ev_ready, (int)after->load_ready,
                             ready);
    return NULL;
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct ana_stim *s = (struct ana_stim *)base;
    const char *wrong = ana_oracle_watch(s, in, before, after);
    watch_load(s, in, before);
    const char *not_ready = watch_ready(s, after);
    return wrong ? wrong : not_ready;
}

static void report(struct stim *base, struct text *t) {
    const struct ana_stim *s = (const struct ana_stim *)base;
    text_printf(t, "begins\t%" PRIu64 "\n", s->events[OP_BEGIN]);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->events[OP_ACCESS]);
    text_printf(t, "ends\t%" PRIu64 "\n", s->events[OP_END]);
    text_printf(t, "inside\t%" PRIu64 "\n", s->inside);
    text_printf(t, "outside\t%" PRIu64 "\n", s->outside);
    text_printf(t, "learned\t%" PRIu64 "\n", s->learned);
    text_printf(t, "queries_checked\t%" PRIu64 "\n", s->checked);
}

static const struct stim_mode *const modes[] = {
    &ana_random.base, &ana_directed.base, &ana_run.base, NULL};

const struct stim_class analyzer_stim = {
    .size = sizeof(struct ana_stim),
    .modes = modes,
    .first_reset = 2,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
