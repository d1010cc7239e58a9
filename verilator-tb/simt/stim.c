/* stim.c - stimulus of the SIMT core: a host and a memory around it, and an
 * oracle that knows what every instruction must do (env.h); with chains offered
 * also somebody who computes them, with blocks moved who moves warps.
 *
 * random    launches of made-up programs, one after another, some with a fault
 * directed  written programs, one for each thing that must happen
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>

static void open(struct stim *base, const struct config *c) {
    struct simt_stim *s = (struct simt_stim *)base;
    s->config = *c;
    s->l = simt_local(c);
    base->reset_every = 20000;
    simt_memory_open(&s->memory);
    simt_oracle_open(s);
    simt_binder_open(s);
    simt_broker_open(s);
}

static void close(struct stim *base) {
    struct simt_stim *s = (struct simt_stim *)base;
    if (s->memory.page)
        simt_memory_close(&s->memory);
    simt_oracle_close(s);
    array_free(&s->launch.code);
    array_free(&s->host.commands);
    array_free(&s->pending);
}

static void reset(struct stim *base) {
    struct simt_stim *s = (struct simt_stim *)base;
    s->pending.n = 0;
    s->ids = 0;
    s->refused = false;
    simt_binder_reset(s);
    simt_broker_reset(s);
    simt_host_reset(s);
}

static void drive(struct stim *base, void *ports) {
    struct simt_stim *s = (struct simt_stim *)base;
    struct simt_in *in = ports;
    simt_drive_memory(s, in);
    if (s->l.MOVES)
        simt_drive_broker(s, in);
    else
        simt_drive_binder(s, in);
    simt_drive_host(s, in);
}

static void count(struct simt_stim *s, const struct simt_out *o) {
    const uint64_t pulse[] = {
        o->count_issued,   o->count_idle,    o->count_blocked,
        o->count_diverged, o->count_request, o->count_conflict,
        o->count_returned, o->count_cta,     o->count_barrier};
    for (int i = 0; i < 9; i++)
        s->counted[i] += pulse[i];
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct simt_stim *s = (struct simt_stim *)base;
    const struct simt_in *in = in_ports;
    const struct simt_out *before = before_ports, *after = after_ports;
    count(s, after);
    const char *bad = simt_watch_memory(s, in, before, after);
    if (!bad && after->count_issued && after->count_blocked)
        bad = stim_complain(base, "issued and blocked at once");
    if (!bad && after->ret_valid)
        bad = simt_oracle_retire(s, after);
    if (!bad && after->fenced)
        bad = simt_oracle_fenced(s);
    if (!bad)
        bad = s->l.MOVES ? simt_watch_broker(s, in, before, after)
                         : simt_watch_binder(s, in, before, after);
    return bad ? bad : simt_watch_host(s, in, before, after);
}

static void report(struct stim *base, struct text *t) {
    const struct simt_stim *s = (const struct simt_stim *)base;
    text_printf(t, "launches\t%" PRIu64 "\n", s->host.launches);
    text_printf(t, "faults\t%" PRIu64 "\n", s->host.faults);
    text_printf(t, "instructions\t%" PRIu64 "\n", s->oracle.instructions);
    simt_coverage_report(s, t);
    if (s->l.MOVES) {
        text_printf(t, "blocks left\t%" PRIu64 "\n", s->broker.left);
        text_printf(t, "blocks stayed\t%" PRIu64 "\n", s->broker.stayed);
        text_printf(t, "guests\t%" PRIu64 "\n", s->broker.came);
        text_printf(t, "looks\t%" PRIu64 "\n", s->broker.looked);
    } else if (s->l.OFFERS) {
        text_printf(t, "chains elsewhere\t%" PRIu64 "\n", s->binder.away);
        text_printf(t, "chains returned\t%" PRIu64 "\n", s->binder.back);
        text_printf(t, "chains alone\t%" PRIu64 "\n", s->binder.alone);
    }
    text_printf(t, "reads\t%" PRIu64 "\n", s->host.reads);
    text_printf(t, "steps\t%" PRIu64 "\n", s->host.stepped);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode directed_mode = {.name = "directed"};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class simt_stim = {
    .size = sizeof(struct simt_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
