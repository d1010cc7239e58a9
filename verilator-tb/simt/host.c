/* host.c - the host: loads a launch, starts it, halts it, lets it step, reads
 * what it holds, clears it, and knows at each edge what status must show. */
#include "env.h"

#include <inttypes.h>
#include <string.h>

enum {
    HANG = 8000,      /* edges without a retirement */
    HALTS_IN = 2000,  /* edges in which a halt must show */
    ANSWERS_IN = 1000 /* the same of a read */
};

/* --- loading -------------------------------------------------------------- */

static void put(struct host *h, int op, int index, uint64_t data) {
    *array_push(&h->commands) =
        (struct command){(uint8_t)op, (uint16_t)index, data};
}

/* Beyond the last launch register that the core has. */
static int registers(const struct simt_stim *s) {
    return s->l.MOVES   ? N_REGS
           : s->l.AREAS ? AT_PACE
           : s->l.STEPS ? AT_AREA
                        : AT_FIRST_CTA;
}

/* Commands beyond what there is are passed over. */
static void put_stray(struct simt_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t data = rng_next(r);
    switch (rng_below(r, 5)) {
    case 0:
        put(&s->host, SET, rng_range(r, registers(s), 65535), data);
        break;
    case 1:
        if (s->l.CODE < 65536)
            put(&s->host, CODE, rng_range(r, s->l.CODE, 65535), data);
        break;
    case 2:
        put(&s->host, PARAM, rng_range(r, s->l.PARAMS, 65535), data);
        break;
    case 3:
        put(&s->host, STEP, (int)rng_below(r, 8), data);
        break;
    default:
        put(&s->host, rng_range(r, CLEAR + 1, 15), (int)rng_below(r, 16), data);
        break;
    }
}

/* Behind a word that a chain continues, a legal one must stand. */
static void end_chains(const struct simt_stim *s, struct launch *l) {
    const uint64_t tag = (uint64_t)15 << 27;
    struct isa_word w;
    for (int i = 0; i < l->code.n; i++)
        if (i + 1 == l->code.n || !simt_legal(s, l->code.v[i + 1], &w))
            l->code.v[i] &= ~tag;
}

static void next_launch(struct simt_stim *s) {
    struct host *h = &s->host;
    struct launch *l = &s->launch;
    bool directed = strcmp(s->base.mode->name, "directed") == 0;
    l->code.n = 0;
    if (directed)
        simt_directed_launch(s);
    else
        simt_random_launch(s);
    end_chains(s, l);
    h->commands.n = h->sent = 0;
    for (int i = 0; i < l->code.n; i++)
        put(h, CODE, i, l->code.v[i]);
    for (int i = 0; i < ENV_PARAMS && i < s->l.PARAMS; i++)
        put(h, PARAM, i, l->params[i]);
    for (int i = 0; i < registers(s); i++)
        put(h, SET, i, l->reg[i]);
    if (!directed && rng_percent(&s->base.rng, 30))
        put_stray(s);
    put(h, START, 0, 0);
    h->prepared = h->ended = false;
    h->gap = directed ? 0 : rng_percent(&s->base.rng, 70) ? 0 : 30;
    h->state = H_LOAD;
}

void simt_host_reset(struct simt_stim *s) {
    struct host *h = &s->host;
    h->core = IDLE;
    h->halted = h->halt = h->stood = h->asked = h->ask_late = false;
    h->quiet = true;
    h->steps = 0;
    h->stand = 0;
    next_launch(s);
}

/* --- commands while it runs ----------------------------------------------- */

static void send(struct simt_in *in, int op, uint32_t index, uint64_t data) {
    in->ctl_valid = 1;
    in->ctl_op = (uint64_t)op;
    in->ctl_index = index;
    in->ctl_data = data;
}

/* What a running core passes over. */
static void send_noise(struct simt_stim *s, struct simt_in *in) {
    static const uint8_t ops[] = {SET, CODE, PARAM, START, 9, 15};
    struct rng *r = &s->base.rng;
    int op = ops[rng_below(r, sizeof ops)];
    send(in, op, rng_below(r, op == SET ? (uint32_t)registers(s) : 16),
         rng_next(r));
}

/* Edges after which whoever could pop has popped. */
static int settled_after(const struct simt_stim *s) {
    int stack = s->l.STACK < 4 ? s->l.STACK : 4;
    return 4 * s->l.WARPS * stack + 8;
}

static void send_read(struct simt_stim *s, struct simt_in *in) {
    struct rng *r = &s->base.rng;
    struct host *h = &s->host;
    bool near = rng_percent(r, 60); /* to what is in use, most likely */
    int warp = (int)rng_below(r, near ? s->launch.reg[AT_WARPS]
                                      : (uint32_t)s->l.WARPS);
    int lane = (int)rng_below(r, (uint32_t)s->l.LANES);
    int what = (int)rng_below(r, near ? 12 : (uint32_t)s->l.REGS);
    if (rng_percent(r, 40))
        what = rng_range(r, 64, 66);
    if (rng_percent(r, 5)) { /* passed over */
        send(in, READ, 0, 255 | (uint64_t)what << 16);
        return;
    }
    if (what < 64 &&
        (h->core == FAULTED || !simt_oracle_knows(s, warp, lane, what)))
        return;
    if (what >= 64 && (h->stood_for < settled_after(s) || h->core != RUNNING))
        return;
    send(in, READ, 0,
         (uint64_t)warp | (uint64_t)lane << 8 | (uint64_t)what << 16);
    h->asked = true;
    h->ask_for = 0;
    h->ask_warp = warp;
    h->ask_lane = lane;
    h->ask_what = what;
    h->ask_value = simt_oracle_value(s, warp, lane, what);
}

static void drive_halted(struct simt_stim *s, struct simt_in *in) {
    struct rng *r = &s->base.rng;
    struct host *h = &s->host;
    /* most halts are seen, short ones may be over before */
    bool enough = --h->stand <= 0 && (h->stood || h->brief);
    if (enough && !h->asked) {
        send(in, RESUME, 0, 0);
        return;
    }
    if (!h->halted || h->asked)
        return;
    if (rng_percent(r, 10)) {
        send(in, STEP, rng_below(r, (uint32_t)s->l.WARPS + 1), 0);
        h->steps++;
        h->stepped++;
    } else if (rng_percent(r, 15)) {
        send_read(s, in);
    }
}

static void drive_running(struct simt_stim *s, struct simt_in *in) {
    const struct tune *t = &s->launch.tune;
    struct rng *r = &s->base.rng;
    struct host *h = &s->host;
    if (h->halt) {
        drive_halted(s, in);
    } else if ((int)rng_below(r, 10000) < t->halt) {
        send(in, HALT, 0, 0);
        h->stand = rng_percent(r, 30) ? settled_after(s) + rng_range(r, 20, 200)
                                      : rng_range(r, 1, 120);
        h->brief = h->stand < 15;
    } else if (h->core == RUNNING && (int)rng_below(r, 1000) < t->noise) {
        send_noise(s, in);
    } else if ((int)rng_below(r, 10000) < t->clear) {
        send(in, CLEAR, 0, 0);
    }
}

static void drive_faulted(struct simt_stim *s, struct simt_in *in) {
    struct rng *r = &s->base.rng;
    switch (rng_below(r, 30)) {
    case 0:
    case 1:
        send(in, CLEAR, 0, 0);
        break;
    case 2:
        send(in, START, 0, 0);
        break;
    case 3:
        send(in, HALT, 0, 0);
        break;
    default:
        break;
    }
}

/* With blocks moved, guests may come before the launch starts, and behind it. */
static int linger(struct simt_stim *s) {
    struct rng *r = &s->base.rng;
    return rng_percent(r, 60) || !s->launch.pieces ? 0 : rng_range(r, 1, 1500);
}

static bool starts_later(struct simt_stim *s) {
    struct host *h = &s->host;
    if (!s->l.MOVES || h->sent + 1 < h->commands.n)
        return false;
    if (!h->prepared) {
        simt_oracle_prepare(s);
        h->prepared = true;
        h->linger = linger(s);
    }
    return h->linger > 0 && h->linger-- > 0;
}

/* The launch is over, and no guest of it is left. */
static bool ends_later(struct simt_stim *s) {
    struct host *h = &s->host;
    if (!s->l.MOVES)
        return false;
    if (!h->ended) {
        h->ended = true;
        h->linger = linger(s);
    }
    if (h->linger > 0)
        h->linger--;
    return h->linger > 0 || simt_broker_busy(s);
}

bool simt_host_invites(const struct simt_stim *s) {
    const struct host *h = &s->host;
    return h->state == H_LOAD
               ? h->prepared && h->linger > 0
               : h->core == RUNNING || (h->core == DONE && h->linger > 0);
}

void simt_drive_host(struct simt_stim *s, struct simt_in *in) {
    struct host *h = &s->host;
    struct rng *r = &s->base.rng;
    in->ctl_valid = 0;
    in->ctl_op = rng_below(r, 9); /* noise */
    if (s->base.rst_left)
        return;
    if (h->state == H_LOAD) {
        if (starts_later(s))
            return;
        if (h->sent < h->commands.n && !(h->gap && rng_percent(r, h->gap))) {
            const struct command *c = &h->commands.v[h->sent++];
            send(in, c->op, c->index, c->data);
        }
    } else if (h->core == FAULTED) {
        drive_faulted(s, in);
    } else {
        drive_running(s, in);
    }
}

/* --- what status must show ------------------------------------------------ */

static const char *starts(struct simt_stim *s, const struct simt_out *after) {
    struct host *h = &s->host;
    if (after->state != RUNNING)
        return stim_complain(&s->base, "host: start, and state is %d",
                             (int)after->state);
    h->state = H_RUN;
    h->launches++;
    h->silent_for = 0;
    h->watchdog = 0;
    h->edges = 0;
    h->ever_halted = h->halt;
    h->mixed = s->l.MOVES && simt_broker_busy(s);
    h->looks_before = s->broker.looked;
    memset(s->counted, 0, sizeof s->counted);
    if (!s->l.MOVES)
        simt_oracle_prepare(s);
    simt_oracle_start(s);
    return NULL;
}

/* Whether the watchdog's counter comes to its end on this edge. */
static bool expires(struct simt_stim *s, const struct simt_out *before) {
    struct host *h = &s->host;
    if (before->state != RUNNING || h->halt)
        return false;
    h->watchdog = before->ret_valid ? 0 : h->watchdog + 1;
    return h->watchdog && h->watchdog == s->launch.reg[AT_WATCHDOG];
}

static const char *watch_state(struct simt_stim *s,
                               const struct simt_out *before,
                               const struct simt_out *after, bool expired) {
    struct host *h = &s->host;
    if (before->state == RUNNING && after->state == FAULTED) {
        h->faults++;
        h->ask_late = h->asked; /* it may be in the pipe, or never come */
        h->asked = false;
        if (after->fault_cause == C_WATCHDOG && !expired)
            return stim_complain(&s->base, "host: the watchdog is early");
        return simt_oracle_fault(s, after);
    }
    if (expired)
        return stim_complain(&s->base, "host: the watchdog does not expire");
    if (before->state == RUNNING && s->refused)
        return stim_complain(&s->base, "host: a refused request is no fault");
    if (before->state == RUNNING && after->state == DONE) {
        h->mixed |= s->l.MOVES && simt_broker_busy(s);
        return simt_binder_busy(s)
                   ? stim_complain(&s->base, "done, and a chain is there")
                   : simt_oracle_done(s);
    }
    if (before->state != after->state)
        return stim_complain(&s->base, "host: state goes from %d to %d",
                             (int)before->state, (int)after->state);
    if (after->fault_cause != before->fault_cause ||
        after->fault_pc != before->fault_pc ||
        after->fault_warp != before->fault_warp ||
        after->fault_address != before->fault_address)
        return stim_complain(&s->base, "host: the fault changes");
    return NULL;
}

/* Bounds of idle edges by what was selected: each edge is idle, or selects, or
 * F holds what D cannot take: as another's passes go first, each of which holds
 * the pipe no longer than a conversion. */
static const char *watch_idle(struct simt_stim *s) {
    const struct host *h = &s->host;
    uint64_t passes = (uint64_t)s->l.PASSES - 1;
    if (s->l.ITERATIVE)
        passes += (uint64_t)(s->l.PASSES * s->l.HOLD_CONVERT);
    uint64_t warps = (uint64_t)s->oracle.ctas * s->launch.reg[AT_WARPS];
    uint64_t looks = s->broker.looked - h->looks_before;
    uint64_t through = s->counted[0] + s->counted[6] + warps + looks;
    uint64_t selected = through + s->counted[2], idle = s->counted[1];
    if (h->ever_halted || h->mixed ||
        (idle + selected <= h->edges &&
         idle + selected + passes * through >= h->edges))
        return NULL;
    return stim_complain(&s->base,
                         "host: %" PRIu64 " edges, %" PRIu64 " idle, %" PRIu64
                         " words selected",
                         h->edges, idle, selected);
}

static const char *watch_debug(struct simt_stim *s,
                               const struct simt_out *before,
                               const struct simt_out *after) {
    struct host *h = &s->host;
    if (!after->debug_valid) {
        if (after->debug_value != before->debug_value)
            return stim_complain(&s->base, "host: 'debug_value' changes");
        if (h->asked && h->ask_for++ > ANSWERS_IN)
            return stim_complain(&s->base, "host: a read is not answered");
        return NULL;
    }
    if (!h->asked && !h->ask_late)
        return stim_complain(&s->base, "host: an answer to nothing");
    h->asked = h->ask_late = false;
    h->reads++;
    return simt_oracle_read(s, (uint32_t)after->debug_value);
}

static const char *watch_halt(struct simt_stim *s,
                              const struct simt_out *after) {
    struct host *h = &s->host;
    if (after->halted && !h->halt)
        return stim_complain(&s->base, "host: halted, and it must run");
    if (!h->halt) {
        h->halt_for = 0;
        return NULL;
    }
    h->ever_halted = true;
    if (h->stood && after->count_issued && h->steps-- <= 0)
        return stim_complain(&s->base, "host: halted, and a word is issued");
    if (h->stood && after->count_idle)
        return stim_complain(&s->base, "host: halted, and it counts as idle");
    h->stood |= after->halted != 0;
    h->stood_for = after->halted ? h->stood_for + 1 : 0;
    if (!h->stood && h->halt_for++ > HALTS_IN)
        return stim_complain(&s->base, "host: it does not halt");
    return NULL;
}

static void obey(struct simt_stim *s, const struct simt_in *in) {
    struct host *h = &s->host;
    if (!in->ctl_valid)
        return;
    if (in->ctl_op == HALT) {
        h->halt = true;
        h->stood_for = 0;
    } else if (in->ctl_op == RESUME) {
        h->halt = h->stood = false;
        h->steps = 0;
    } else if (in->ctl_op == STEP) {
        h->stood_for = 0;
    }
}

static const char *cleared(struct simt_stim *s, const struct simt_out *after) {
    struct simt_out fresh = {.quiet = 1,
                             .put_ready = (uint64_t)s->l.OFFERS,
                             .look_ready = (uint64_t)s->l.MOVES};
    s->host.clears++;
    if (simt_binder_busy(s))
        return stim_complain(&s->base, "host: clear, and a chain is there");
    if (memcmp(&fresh, after, sizeof fresh) != 0)
        return stim_complain(&s->base, "host: clear leaves something");
    simt_binder_reset(s);
    simt_broker_reset(s);
    simt_host_reset(s);
    return NULL;
}

const char *simt_watch_host(struct simt_stim *s, const struct simt_in *in,
                            const struct simt_out *before,
                            const struct simt_out *after) {
    struct host *h = &s->host;
    const char *bad = NULL;
    if (in->ctl_valid && in->ctl_op == CLEAR && before->quiet)
        return cleared(s, after);
    bool expired = expires(s, before);
    h->edges += before->state == RUNNING && !h->halt;
    obey(s, in);
    if (in->ctl_valid && in->ctl_op == START &&
        (before->state == IDLE || before->state == DONE))
        bad = starts(s, after);
    else
        bad = watch_state(s, before, after, expired);
    bad = bad ? bad : watch_debug(s, before, after);
    bad = bad ? bad : watch_halt(s, after);
    h->silent_for = after->ret_valid || h->halt || after->state != RUNNING
                        ? 0
                        : h->silent_for + 1;
    if (!bad && h->silent_for > HANG)
        bad = stim_complain(&s->base, "host: nothing retires any more");
    if (!bad && before->state == RUNNING && after->state == DONE)
        bad = watch_idle(s);
    h->core = (int)after->state;
    h->halted = after->halted;
    h->quiet = after->quiet;
    if (h->state == H_RUN && h->core == DONE && !h->asked && !ends_later(s))
        next_launch(s);
    return bad;
}
