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

#include "base/arena.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *ana_complain(struct ana_stim *s, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return s->message;
}

bool ana_settled(const struct ana_stim *s) {
    return s->ready && !ana_enabled(s) && master_idle(&s->master) &&
           s->n_searches == 0 && s->now >= s->settled;
}

void ana_load(struct ana_stim *s, int n) {
    s->n_fresh = n;
    s->load_at = 0;
}

static void reset(struct ana_stim *s) {
    s->offering = s->asking = false;
    s->wanted_query = s->load_at = -1;
    s->settled = s->now;
    s->ready = false;
    s->age = 0;
    master_reset(&s->master);
    ana_oracle_reset(s);
    if (s->program->reset)
        s->program->reset(s);
}

static bool open_program(struct ana_stim *s, const struct stim_options *o,
                         struct diag *d) {
    if (strcmp(o->mode, "replay") == 0) {
        s->program = &ana_run;
        return ana_run_open(s, o, d);
    }
    if (strcmp(o->mode, "random") == 0) {
        s->program = &ana_random;
        ana_random_open(s);
        return true;
    }
    if (strcmp(o->mode, "directed") == 0) {
        s->program = &ana_directed;
        ana_directed_open(s);
        return true;
    }
    return stim_unknown(o->mode, d);
}

static void destroy(void *stim) {
    struct ana_stim *s = stim;
    if (s->script)
        s->program->destroy(s);
    free(s);
}

static void *create(const struct config *c, const struct stim_options *o,
                    struct diag *d) {
    struct ana_stim *s = xcalloc(1, sizeof *s);
    rng_seed(&s->rng, o->seed);
    s->size = analyzer_local(c);
    s->irq_best = -1;
    master_open(&s->master, &analyzer_iface, c, &s->rng);
    channels_find(&s->channels, &analyzer_iface);
    if (!open_program(s, o, d)) {
        destroy(s);
        return NULL;
    }
    reset(s);
    s->rst_left = 2;
    return s;
}

/* --- driving -------------------------------------------------------------- */

static void drive_event(struct ana_stim *s, struct analyzer_in *in) {
    if (!s->offering && !ana_loading(s) &&
        rng_percent(&s->rng, s->tune.event) && s->program->next(s, &s->offer)) {
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
    in->load_start = used ? r->start : low_bits(s->size.ADDR_W);
    in->load_length = used ? r->length : 0;
}

static void drive_query(struct ana_stim *s, struct analyzer_in *in) {
    s->asking = s->wanted_query >= 0 || rng_percent(&s->rng, s->tune.query);
    s->query = s->wanted_query;
    if (s->query < 0)
        s->query = (int)rng_below(&s->rng, 1u << s->size.QUERY_W);
    s->wanted_query = -1;
    in->query_valid = s->asking;
    in->query_index = (uint64_t)s->query;
}

static void drive(void *stim, bool *rst, void *ports) {
    struct ana_stim *s = stim;
    struct analyzer_in *in = ports;
    s->program->step(s);
    drive_load(s, in);
    drive_event(s, in);
    drive_query(s, in);
    master_drive(&s->master, in, s->tune.wishbone);
    *rst = s->rst_left > 0;
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
    bool ready = ++s->age >= (uint64_t)entries;
    s->ready = after->ev_ready;
    if (after->ev_ready != ready || after->load_ready != ready)
        return ana_complain(s,
                            "%llu edges after reset events are ready %d and "
                            "loads %d, expected %d",
                            (unsigned long long)s->age, (int)after->ev_ready,
                            (int)after->load_ready, ready);
    return NULL;
}

static const char *watch(void *stim, bool rst, const void *in,
                         const void *before, const void *after) {
    struct ana_stim *s = stim;
    const char *why, *port, *wrong;
    s->now++;
    if (rst) {
        s->resets += s->rst_left == 1;
        s->rst_left--;
        reset(s);
        return NULL;
    }
    wrong = master_watch(&s->master, in, before, after);
    port = channels_watch(&s->channels, in, before, after, &why);
    if (port)
        wrong = ana_complain(s, "'%s' %s", port, why);
    if (!wrong)
        wrong = ana_oracle_watch(s, in, before, after);
    watch_load(s, in, before);
    master_settle(&s->master);
    const char *not_ready = watch_ready(s, after);
    return wrong ? wrong : not_ready;
}

static enum stim_state state(const void *stim) {
    const struct ana_stim *s = stim;
    return s->program->state ? s->program->state(s) : STIM_GOING;
}

static void report(void *stim, bool all, struct text *t) {
    struct ana_stim *s = stim;
    if (!all && !s->program->measures)
        return;
    text_printf(t, "begins\t%" PRIu64 "\n", s->events[OP_BEGIN]);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->events[OP_ACCESS]);
    text_printf(t, "ends\t%" PRIu64 "\n", s->events[OP_END]);
    text_printf(t, "inside\t%" PRIu64 "\n", s->inside);
    text_printf(t, "outside\t%" PRIu64 "\n", s->outside);
    text_printf(t, "learned\t%" PRIu64 "\n", s->learned);
    text_printf(t, "queries_checked\t%" PRIu64 "\n", s->checked);
    text_printf(t, "registers_checked\t%" PRIu64 "\n", s->master.reads);
    text_printf(t, "resets\t%" PRIu64 "\n", s->resets);
    if (s->program->report)
        s->program->report(s, t);
}

const struct stim_class stim_analyzer = {.create = create,
                                         .destroy = destroy,
                                         .drive = drive,
                                         .watch = watch,
                                         .state = state,
                                         .report = report};
