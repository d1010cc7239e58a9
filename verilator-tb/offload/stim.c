/* stim.c - stimulus of the offload controller: puts its parts together.
 *
 * ask.c      requests, operands, probes, answers
 * judge.c    which answers are justified (TOM, 3.3, 4.1, 4.2)
 * send.c     register rows, L1 flush, request packets
 * ack.c      memory stacks: acknowledgements, up to the release
 * links.c    links with their monitors, metadata table
 * random.c   requests: constrained random
 * directed.c requests: a script that aims at each cover point
 * run.c      requests: those of a kernel that is executed
 */
#include "stim.h"

#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

bool off_idle(const struct off_stim *s) {
    for (int w = 0; w < s->size.WARPS; w++)
        if (s->warp[w].state != WARP_IDLE || s->warp[w].reserved > s->base.now)
            return false;
    return s->ready && !s->offering && s->load_at < 0 && s->sending < 0 &&
           s->working < 0 && s->base.now >= s->quiet;
}

void off_reset(struct off_stim *s) {
    off_ask_reset(s);
    off_send_reset(s);
    off_ack_reset(s);
    off_links_reset(s);
    s->last_move = s->base.now;
    s->quiet = s->base.now;
    s->ready = false;
}

void off_open(struct off_stim *s, const struct design *d, struct master *m) {
    s->design = d;
    s->master = m;
    s->size = offload_local(&d->config);
    size_t lanes =
        (size_t)s->size.WARPS * (size_t)s->size.REGS * (size_t)s->size.LANES;
    s->regs = xcalloc(lanes, sizeof *s->regs);
    s->kept = xcalloc(lanes, sizeof *s->kept);
    for (size_t i = 0; i < lanes; i++)
        s->regs[i] = (uint32_t)rng_next(&s->base.rng);
    s->patience = 40u * (uint64_t)s->size.WARPS *
                  (uint64_t)(s->size.REGS * s->size.ROW_FLITS + 16);
    s->base.reset_every = 2000 + 20 * s->size.ENTRIES;
    off_links_open(s);
}

void off_close(struct off_stim *s) {
    off_links_close(s);
    free(s->regs);
    free(s->kept);
}

void off_drive(struct off_stim *s, struct offload_in *in) {
    off_load_drive(s, in);
    off_ask_drive(s, in);
    off_send_drive(s, in);
    off_ack_drive(s, in);
    off_links_drive(s, in);
    s->base.wishbone = s->tune.wishbone;
}

static const char *watch_age(struct off_stim *s) {
    const uint64_t still = 5000;
    s->looked = (s->looked + 1) % s->size.WARPS;
    int n = s->looked;
    if (s->base.now - s->last_move >= still)
        for (n = 0; n < s->size.WARPS && s->warp[n].state == WARP_IDLE; n++)
            ;
    else if (s->warp[n].state == WARP_IDLE ||
             s->base.now - s->warp[n].since < s->patience)
        return NULL;
    if (n == s->size.WARPS) {
        s->last_move = s->base.now;
        return NULL;
    }
    static const char *const waits[] = {"nothing", "its answer", "its release"};
    const struct off_warp *w = &s->warp[n];
    const char *what = waits[w->state];
    if (w->state == WARP_AWAY && w->packet != PACKET_SENT)
        what = "its packet";
    return stim_complain(&s->base,
                         "warp %d waits for %s, it asked %" PRIu64 " edges ago",
                         n, what, s->base.now - w->since);
}

static const char *watch_all(struct off_stim *s, const struct offload_in *in,
                             const struct offload_out *before,
                             const struct offload_out *after) {
    const char *wrong = off_links_watch(s, in, before, after);
    if (!wrong)
        wrong = off_send_watch(s, in, before);
    if (!wrong)
        wrong = off_ack_watch(s, in, before);
    if (!wrong)
        wrong = off_ask_watch(s, in, before, after);
    off_load_watch(s, in, before);
    return wrong ? wrong : watch_age(s);
}

/* A lower limit, a lowered or a raised one: both may have decided. */
static void note_settings(struct off_stim *s) {
    if (s->master->changed == OFFLOAD_SET_map_bit)
        s->map_edge = s->base.now;
    if (s->master->changed != OFFLOAD_SET_limit)
        return;
    uint32_t limit = s->master->value;
    for (int n = 0; n < s->size.WARPS; n++) {
        struct off_warp *w = &s->warp[n];
        w->limit_low = limit < w->limit_low ? limit : w->limit_low;
        w->limit_high = limit > w->limit_high ? limit : w->limit_high;
    }
}

static void note_counters(struct off_stim *s) {
    struct master *m = s->master;
    note_settings(s);
    for (int n = OFFLOAD_CNT_offloaded; n <= OFFLOAD_CNT_refused_address; n++) {
        m->late[n] = (uint64_t)s->asked;
        if (m->clearing)
            m->early[n] = (uint64_t)s->asked;
    }
    m->early[OFFLOAD_CNT_stray] = m->late[OFFLOAD_CNT_stray] = 1;
}

/* The initialiser writes an entry an edge; after that only requests without an
 * answer hold up further ones. */
static const char *watch_ready(struct off_stim *s,
                               const struct offload_out *after) {
    bool ready = s->base.age >= (uint64_t)s->size.ENTRIES;
    bool room = ready && s->asked < s->size.DEPTH;
    s->ready = after->load_ready;
    if (after->load_ready == ready && after->ask_ready == room)
        return NULL;
    return stim_complain(&s->base,
                         "%" PRIu64 " edges after reset, with %d requests "
                         "unanswered, requests are ready %d and loads %d",
                         s->base.age, s->asked, (int)after->ask_ready,
                         (int)after->load_ready);
}

const char *off_watch(struct off_stim *s, const struct offload_in *in,
                      const struct offload_out *before,
                      const struct offload_out *after) {
    const char *wrong = watch_all(s, in, before, after);
    note_counters(s);
    const char *not_ready = watch_ready(s, after);
    s->tx_valid = after->tx_valid;
    s->tx_stack = (int)after->tx_stack;
    return wrong ? wrong : not_ready;
}

void off_report(const struct off_stim *s, struct text *t) {
    static const char *const reasons[N_REASONS] = {
        "offloaded", "off",        "no_entry", "cond_false", "tx_busy",
        "rx_busy",   "stack_full", "no_save",  "no_address"};
    text_printf(t, "asked\t%" PRIu64 "\n", s->asks);
    for (int r = 0; r < N_REASONS; r++)
        text_printf(t, "%s\t%" PRIu64 "\n", reasons[r], s->reasons[r]);
    text_printf(t, "probes\t%" PRIu64 "\n", s->probes);
    text_printf(t, "released\t%" PRIu64 "\n", s->releases);
    text_printf(t, "strays\t%" PRIu64 "\n", s->strays);
    text_printf(t, "flits_tx\t%" PRIu64 "\n", s->flits[0]);
    text_printf(t, "flits_rx\t%" PRIu64 "\n", s->flits[1]);
    text_printf(t, "rows_checked\t%" PRIu64 "\n", s->rows_checked);
    text_printf(t, "latency_checked\t%" PRIu64 "\n", s->latency_checked);
    text_printf(t, "latency_most\t%" PRIu64 "\n", s->latency_most);
    text_printf(t, "longest_streak\t%" PRIu64 "\n", s->streak_most);
}

/* --- the controller alone ------------------------------------------------ */

static void open(struct stim *base, const struct config *c) {
    (void)c;
    off_open((struct off_stim *)base, base->design, &base->master);
}

static void close(struct stim *base) {
    off_close((struct off_stim *)base);
}

static void reset(struct stim *base) {
    off_reset((struct off_stim *)base);
}

static void drive(struct stim *base, void *in) {
    off_drive((struct off_stim *)base, in);
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    return off_watch((struct off_stim *)base, in, before, after);
}

static void report(struct stim *base, struct text *t) {
    off_report((const struct off_stim *)base, t);
}

static const struct stim_mode *const modes[] = {
    &off_random.base, &off_directed.base, &off_run.base, NULL};

const struct stim_class offload_stim = {
    .size = sizeof(struct off_stim),
    .modes = modes,
    .first_reset = 2, /* the windows of the monitors count from there */
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
