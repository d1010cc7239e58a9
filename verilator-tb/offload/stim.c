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
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *off_complain(struct off_stim *s, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return s->message;
}

bool off_idle(const struct off_stim *s) {
    for (int w = 0; w < s->size.WARPS; w++)
        if (s->warp[w].state != WARP_IDLE || s->warp[w].reserved > s->now)
            return false;
    return s->ready && !s->offering && s->load_at < 0 && s->sending < 0 &&
           s->working < 0 && s->now >= s->quiet;
}

static void reset(struct off_stim *s) {
    off_ask_reset(s);
    off_send_reset(s);
    off_ack_reset(s);
    off_links_reset(s);
    master_reset(&s->master);
    s->last_move = s->now;
    s->quiet = s->now;
    s->ready = false;
    s->age = 0;
    if (s->program->reset)
        s->program->reset(s);
}

static void set_sizes(struct off_stim *s, const struct config *c) {
    s->size = offload_local(c);
    s->by_pc = s->size.BY_PC;
    size_t lanes =
        (size_t)s->size.WARPS * (size_t)s->size.REGS * (size_t)s->size.LANES;
    s->regs = xcalloc(lanes, sizeof *s->regs);
    s->kept = xcalloc(lanes, sizeof *s->kept);
    for (size_t i = 0; i < lanes; i++)
        s->regs[i] = (uint32_t)rng_next(&s->rng);
    s->patience = 40u * (uint64_t)s->size.WARPS *
                  (uint64_t)(s->size.REGS * s->size.ROW_FLITS + 16);
    master_open(&s->master, &offload_iface, c, &s->rng);
    channels_find(&s->channels, &offload_iface);
    off_links_open(s);
}

static bool open_program(struct off_stim *s, const struct stim_options *o,
                         struct diag *d) {
    if (strcmp(o->mode, "replay") == 0) {
        s->program = &off_run;
        return off_run_open(s, o, d);
    }
    if (strcmp(o->mode, "random") == 0) {
        s->program = &off_random;
        off_random_open(s);
        return true;
    }
    if (strcmp(o->mode, "directed") == 0) {
        s->program = &off_directed;
        off_directed_open(s);
        return true;
    }
    return stim_unknown(o->mode, d);
}

static void destroy(void *stim) {
    struct off_stim *s = stim;
    if (s->script)
        s->program->destroy(s);
    off_links_close(s);
    free(s->regs);
    free(s->kept);
    free(s);
}

/* The first edges are a reset of its own: the windows of the monitors count
 * from there. */
static void *create(const struct config *c, const struct stim_options *o,
                    struct diag *d) {
    struct off_stim *s = xcalloc(1, sizeof *s);
    rng_seed(&s->rng, o->seed);
    set_sizes(s, c);
    if (!open_program(s, o, d)) {
        destroy(s);
        return NULL;
    }
    reset(s);
    s->rst_left = 2;
    return s;
}

static void drive(void *stim, bool *rst, void *ports) {
    struct off_stim *s = stim;
    struct offload_in *in = ports;
    s->program->step(s);
    off_load_drive(s, in);
    off_ask_drive(s, in);
    off_send_drive(s, in);
    off_ack_drive(s, in);
    off_links_drive(s, in);
    master_drive(&s->master, in, s->tune.wishbone);
    *rst = s->rst_left > 0;
}

static const char *watch_age(struct off_stim *s) {
    const uint64_t still = 5000;
    s->looked = (s->looked + 1) % s->size.WARPS;
    int n = s->looked;
    if (s->now - s->last_move >= still)
        for (n = 0; n < s->size.WARPS && s->warp[n].state == WARP_IDLE; n++)
            ;
    else if (s->warp[n].state == WARP_IDLE ||
             s->now - s->warp[n].since < s->patience)
        return NULL;
    if (n == s->size.WARPS) {
        s->last_move = s->now;
        return NULL;
    }
    static const char *const waits[] = {"nothing", "its answer", "its release"};
    const struct off_warp *w = &s->warp[n];
    const char *what = waits[w->state];
    if (w->state == WARP_AWAY && w->packet != PACKET_SENT)
        what = "its packet";
    return off_complain(s,
                        "warp %d waits for %s, it asked %" PRIu64 " edges ago",
                        n, what, s->now - w->since);
}

static const char *watch_all(struct off_stim *s, const struct offload_in *in,
                             const struct offload_out *before,
                             const struct offload_out *after) {
    const char *why, *port, *wrong;
    port = channels_watch(&s->channels, in, before, after, &why);
    if (port)
        return off_complain(s, "'%s' %s", port, why);
    wrong = master_watch(&s->master, in, before, after);
    if (!wrong)
        wrong = off_links_watch(s, in, before, after);
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
    if (s->master.changed == OFFLOAD_SET_map_bit)
        s->map_edge = s->now;
    if (s->master.changed != OFFLOAD_SET_limit)
        return;
    uint32_t limit = s->master.data & s->master.mask[OFFLOAD_SET_limit];
    for (int n = 0; n < s->size.WARPS; n++) {
        struct off_warp *w = &s->warp[n];
        w->limit_low = limit < w->limit_low ? limit : w->limit_low;
        w->limit_high = limit > w->limit_high ? limit : w->limit_high;
    }
}

static void settle(struct off_stim *s) {
    struct master *m = &s->master;
    note_settings(s);
    for (int n = OFFLOAD_CNT_offloaded; n <= OFFLOAD_CNT_refused_address; n++) {
        m->late[n] = (uint64_t)s->asked;
        if (m->clearing)
            m->early[n] = (uint64_t)s->asked;
    }
    m->early[OFFLOAD_CNT_stray] = m->late[OFFLOAD_CNT_stray] = 1;
    master_settle(m);
}

/* The initialiser writes an entry an edge; after that only requests without an
 * answer hold up further ones. */
static const char *watch_ready(struct off_stim *s,
                               const struct offload_out *after) {
    bool ready = ++s->age >= (uint64_t)s->size.ENTRIES;
    bool room = ready && s->asked < s->size.DEPTH;
    s->ready = after->load_ready;
    if (after->load_ready == ready && after->ask_ready == room)
        return NULL;
    return off_complain(s,
                        "%" PRIu64 " edges after reset, with %d requests "
                        "unanswered, requests are ready %d and loads %d",
                        s->age, s->asked, (int)after->ask_ready,
                        (int)after->load_ready);
}

static const char *watch(void *stim, bool rst, const void *in,
                         const void *before, const void *after) {
    struct off_stim *s = stim;
    const struct offload_out *out = after;
    s->now++;
    if (rst) {
        s->resets += s->rst_left == 1;
        s->rst_left--;
        reset(s);
        return NULL;
    }
    const char *wrong = watch_all(s, in, before, after);
    settle(s);
    if (!wrong)
        wrong = watch_ready(s, out);
    s->tx_valid = out->tx_valid;
    s->tx_stack = (int)out->tx_stack;
    return wrong;
}

static enum stim_state state(const void *stim) {
    const struct off_stim *s = stim;
    return s->program->state ? s->program->state(s) : STIM_GOING;
}

static void report(void *stim, bool all, struct text *t) {
    static const char *const reasons[N_REASONS] = {
        "offloaded", "off",        "no_entry", "cond_false", "tx_busy",
        "rx_busy",   "stack_full", "no_save",  "no_address"};
    struct off_stim *s = stim;
    if (!all && !s->program->measures)
        return;
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
    text_printf(t, "registers_checked\t%" PRIu64 "\n", s->master.reads);
    text_printf(t, "resets\t%" PRIu64 "\n", s->resets);
    if (s->program->report)
        s->program->report(s, t);
}

const struct stim_class stim_offload = {.create = create,
                                        .destroy = destroy,
                                        .drive = drive,
                                        .watch = watch,
                                        .state = state,
                                        .report = report};
