/* stim.c - stimulus of the front end: a host that loads launches, starts, halts
 * and clears, and what is behind 'issue': a near-bank unit with pipelines that
 * take words when they like, resolve what is of class control, and let all
 * commit in any order.
 *
 * random    launches with nested paths, barriers, exits, and faults of each
 * cause directed  operation after operation, with all kinds of operands
 */
#include "stim.h"

#include "base/array.h"
#include "env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HANG = 12000, HALTS_IN = 4000 };

/* --- the host ------------------------------------------------------------- */

static void put(struct frontend_stim *s, int op, int index, uint64_t data) {
    *array_push(&s->commands) =
        (struct command){(uint8_t)op, (uint16_t)index, data};
}

/* Commands beyond what there is are passed over. */
static void put_stray(struct frontend_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t data = rng_next(r);
    switch (rng_below(r, 4)) {
    case 0:
        put(s, SET, rng_range(r, N_REGS, 65535), data);
        break;
    case 1:
        put(s, CODE, rng_range(r, s->l.CODE - 1, 65535), data);
        break;
    case 2:
        put(s, PARAM, rng_range(r, s->l.PARAMS, 65535), data);
        break;
    default:
        put(s, rng_range(r, CLEAR + 1, 15), (int)rng_below(r, 16), data);
        break;
    }
}

static uint64_t word_at(const struct frontend_stim *s, int i) {
    return i < s->launch.code.n ? s->launch.code.v[i] : 0;
}

/* Whether the last program is there still, a reset or not. */
static bool is_loaded(const struct frontend_stim *s) {
    for (int i = 0; i < s->l.CODE - 1; i++)
        if (s->far_code[i] != word_at(s, i))
            return false;
    return s->launch.code.n > 0;
}

static void next_launch(struct frontend_stim *s, int same) {
    struct rng *r = &s->base.rng;
    bool directed = strcmp(s->base.mode->name, "directed") == 0;
    bool again = !directed && is_loaded(s) && rng_percent(r, same);
    if (!again)
        frontend_launch(s, directed);
    s->commands.n = s->sent = 0;
    for (int i = 0; i < s->l.CODE - 1 && !again; i++)
        if (i < s->launch.code.n || s->far_code[i] != 0)
            put(s, CODE, i, word_at(s, i));
    for (int i = 0; i < 4; i++)
        put(s, PARAM, (int)rng_below(r, (uint32_t)s->l.PARAMS), rng_next(r));
    for (int i = 0; i < N_REGS; i++)
        put(s, SET, i, s->launch.reg[i]);
    if (rng_percent(r, 30))
        put_stray(s);
    put(s, START, 0, 0);
    s->gap = rng_percent(r, 70) ? 0 : 30;
    s->loading = true;
}

static void send(struct frontend_in *in, int op, uint32_t index,
                 uint64_t data) {
    in->ctl_valid = 1;
    in->ctl_op = (uint64_t)op;
    in->ctl_index = index;
    in->ctl_data = data;
}

/* What a running core passes over. */
static void send_noise(struct frontend_stim *s, struct frontend_in *in) {
    static const uint8_t ops[] = {SET, CODE, PARAM, START, 6, 7, 9, 15};
    struct rng *r = &s->base.rng;
    send(in, ops[rng_below(r, sizeof ops)], rng_below(r, 16), rng_next(r));
}

static void drive_halted(struct frontend_stim *s, struct frontend_in *in) {
    if (--s->stand <= 0 && (s->stood || s->brief))
        send(in, RESUME, 0, 0);
}

static void drive_host(struct frontend_stim *s, struct frontend_in *in) {
    const struct tune *t = &s->launch.tune;
    struct rng *r = &s->base.rng;
    in->ctl_valid = 0;
    in->ctl_op = rng_below(r, 16); /* nobody looks */
    if (s->loading) {
        if (s->sent < s->commands.n && !(s->gap && rng_percent(r, s->gap))) {
            const struct command *c = &s->commands.v[s->sent++];
            send(in, c->op, c->index, c->data);
        }
    } else if (s->seen.state == FAULTED) {
        static const uint8_t ops[] = {CLEAR, CLEAR, START, HALT, CODE, SET};
        int op = ops[rng_below(r, sizeof ops)];
        if (rng_percent(r, 10))
            send(in, op, op == CODE ? 3 : 5, rng_next(r));
    } else if (s->halt) {
        drive_halted(s, in);
    } else if ((int)rng_below(r, 10000) < t->halt) {
        send(in, HALT, 0, 0);
        s->stand = rng_range(r, 1, 120);
        s->brief = rng_percent(r, 20); /* it may be over before it shows */
    } else if ((int)rng_below(r, 10000) < t->noise) {
        send_noise(s, in);
    } else if (t->noise && rng_below(r, 4000) == 0) {
        send(in, CLEAR, 0, 0);
    }
}

/* --- the back end --------------------------------------------------------- */

static void drive_ready(struct frontend_stim *s, struct frontend_in *in) {
    struct rng *r = &s->base.rng;
    s->ready = 0;
    for (int w = 0; w < s->l.WARPS; w++) {
        if (s->rest[w] > 0)
            s->rest[w]--;
        else if (!rng_percent(r, s->launch.tune.fickle))
            s->ready |= bit(w);
    }
    in->issue_ready = s->ready;
}

static bool goes_silent(const struct frontend_stim *s) {
    return s->launch.tune.silent && s->edges > 200 && s->seen.state == RUNNING;
}

/* A word that may do this now, from a random one on; -1: none. */
static int pick(struct frontend_stim *s, bool resolves) {
    int n = s->flights;
    int from = n ? (int)rng_below(&s->base.rng, (uint32_t)n) : 0;
    for (int k = 0; k < n; k++) {
        int i = (from + k) % n;
        const struct flight *f = &s->flight[i];
        bool waits = f->control && !f->resolved;
        if (waits == resolves && f->age >= f->due)
            return i;
    }
    return -1;
}

/* A word under way whose access can go wrong there; -1: none. */
static int some_access(const struct frontend_stim *s, int since, bool shared) {
    for (int i = 0; since && s->edges >= (uint64_t)since && i < s->flights; i++)
        if (s->flight[i].age >= 1 &&
            (shared ? s->flight[i].shared && s->l.SHARED : s->flight[i].global))
            return i;
    return -1;
}

static void far_fault(struct frontend_stim *s, struct frontend_in *in, int i) {
    static const uint8_t causes[] = {C_MISALIGNED, C_UNMAPPED, C_MEMORY};
    struct rng *r = &s->base.rng;
    const struct flight *f = &s->flight[i];
    int cause = f->global ? causes[rng_below(r, sizeof causes)] : C_ILLEGAL;
    in->far_fault_valid = 1;
    in->far_fault_cause = (uint64_t)cause;
    in->far_fault_warp = (uint64_t)f->warp;
    in->far_fault_tag = (uint64_t)f->pc;
    in->far_fault_address =
        f->global && cause != C_MEMORY ? (uint32_t)rng_next(r) : 0;
    s->launch.tune.far = 0;
}

static void near_fault(struct frontend_stim *s, struct frontend_in *in, int i) {
    struct rng *r = &s->base.rng;
    in->near_fault_valid = 1;
    in->near_fault_warp = (uint64_t)s->flight[i].warp;
    in->near_fault_tag = (uint64_t)s->flight[i].pc;
    in->near_fault_odd = rng_below(r, 2);
    in->near_fault_address = (uint32_t)rng_next(r);
    s->launch.tune.near = 0;
}

/* Of both dies at once, if that comes to pass within some edges. */
static void drive_faults(struct frontend_stim *s, struct frontend_in *in) {
    struct rng *r = &s->base.rng;
    const struct tune *t = &s->launch.tune;
    int far = some_access(s, t->far, false),
        near = some_access(s, t->near, true);
    bool waits = t->far && t->near && (far < 0 || near < 0) &&
                 s->edges < (uint64_t)t->far + 600;
    in->far_fault_valid = in->near_fault_valid = 0;
    /* fields of none: nobody looks */
    in->far_fault_cause = rng_below(r, 16);
    in->far_fault_warp = rng_below(r, (uint32_t)s->l.WARPS);
    in->far_fault_tag = rng_below(r, (uint32_t)s->l.CODE);
    in->far_fault_address = (uint32_t)rng_next(r);
    in->near_fault_warp = rng_below(r, (uint32_t)s->l.WARPS);
    in->near_fault_tag = rng_below(r, (uint32_t)s->l.CODE);
    in->near_fault_odd = rng_below(r, 2);
    in->near_fault_address = (uint32_t)rng_next(r);
    if (far >= 0 && !waits)
        far_fault(s, in, far);
    if (near >= 0 && !waits)
        near_fault(s, in, near);
}

static void drive_back(struct frontend_stim *s, struct frontend_in *in) {
    struct rng *r = &s->base.rng;
    const struct tune *t = &s->launch.tune;
    int i = pick(s, true);
    drive_ready(s, in);
    in->init_ready = toggle_step(&s->init, r, t->high, t->low);
    in->resolve_valid = i >= 0 && !goes_silent(s);
    in->resolve_warp = rng_below(r, (uint32_t)s->l.WARPS);
    if (in->resolve_valid) {
        const struct flight *f = &s->flight[i];
        in->resolve_warp = (uint64_t)f->warp;
        in->resolve_tag = (uint64_t)f->pc;
        in->resolve_lanes = frontend_lanes(s, f);
        /* of the first one all lanes are active, also those without a thread */
    }
    i = rng_percent(r, t->commit) ? pick(s, false) : -1;
    in->commit_valid = i >= 0 && !goes_silent(s);
    in->commit_warp = rng_below(r, (uint32_t)s->l.WARPS);
    in->commit_near = rng_below(r, 2);
    if (in->commit_valid) {
        in->commit_warp = (uint64_t)s->flight[i].warp;
        in->commit_tag = (uint64_t)s->flight[i].pc;
    }
    drive_faults(s, in);
}

/* The word of which this is told: a resolve, or a commit. */
static int find(const struct frontend_stim *s, uint64_t warp, uint64_t tag,
                bool resolves) {
    for (int i = 0; i < s->flights; i++) {
        const struct flight *f = &s->flight[i];
        bool waits = f->control && !f->resolved;
        if ((uint64_t)f->warp == warp && (uint64_t)f->pc == tag &&
            waits == resolves && f->age >= f->due)
            return i;
    }
    return -1;
}

static void watch_back(struct frontend_stim *s, const struct frontend_in *in,
                       const struct frontend_out *before) {
    struct rng *r = &s->base.rng;
    for (int i = 0; i < s->flights; i++)
        s->flight[i].age++;
    if (in->commit_valid) {
        int i = find(s, in->commit_warp, in->commit_tag, false);
        if (i < 0)
            BUG("a commit of nothing");
        frontend_commits(s, &s->flight[i]);
        s->flight[i] = s->flight[--s->flights];
    }
    if (in->resolve_valid) {
        int i = find(s, in->resolve_warp, in->resolve_tag, true);
        struct flight *f = &s->flight[i];
        if (i < 0)
            BUG("a resolve of nothing");
        frontend_resolves(s, f, (uint32_t)in->resolve_lanes);
        f->resolved = true;
        f->age = 0;
        f->due = rng_range(r, 1, s->launch.tune.late);
    }
    if (before->issue_valid && (in->issue_ready >> before->issue_warp & 1)) {
        frontend_taken(s, before);
        s->rest[before->issue_warp] = rng_range(r, 1, s->launch.tune.deliver);
    }
    if (before->init_valid && in->init_ready)
        frontend_begins(s, before);
    frontend_barriers(s);
}

/* --- what status must show ------------------------------------------------ */

static bool obeys(const struct frontend_stim *s, const struct frontend_in *in,
                  const struct frontend_out *b) {
    bool still = b->state != RUNNING && b->quiet;
    if (!in->ctl_valid)
        return false;
    switch (in->ctl_op) {
    case SET:
        return still && in->ctl_index < N_REGS;
    case CODE:
        return still && in->ctl_index < (uint64_t)s->l.CODE - 1;
    case PARAM:
        return still && in->ctl_index < (uint64_t)s->l.PARAMS;
    case START:
        return b->state == IDLE || b->state == DONE;
    case CLEAR:
        return b->quiet;
    default:
        return in->ctl_op == HALT || in->ctl_op == RESUME;
    }
}

static void watch_copies(struct frontend_stim *s, const struct frontend_in *in,
                         const struct frontend_out *a, bool obeyed) {
    bool code = obeyed && in->ctl_op == CODE;
    bool start = obeyed && in->ctl_op == START;
    bool param = obeyed && in->ctl_op == PARAM;
    uint64_t tag = start ? (uint64_t)s->l.CODE - 1 : in->ctl_index;
    uint64_t word = start ? UINT64_C(0x701) : in->ctl_data;
    if (a->far_code_valid != (code || start) ||
        a->near_code_valid != (code || start))
        stim_complain(&s->base, "a word of the code is told or not");
    else if ((code || start) &&
             (a->far_code_tag != tag || a->near_code_tag != tag ||
              a->far_code_word != word || a->near_code_word != word))
        stim_complain(&s->base, "another word of the code is told");
    if (a->param_valid != param ||
        (param && (a->param_index != in->ctl_index ||
                   a->param_word != (in->ctl_data & ones(32)))))
        stim_complain(&s->base, "a parameter is told wrongly");
    if (a->far_code_valid)
        s->far_code[a->far_code_tag] = a->far_code_word;
    if (a->near_code_valid)
        s->near_code[a->near_code_tag] = a->near_code_word;
}

static void forget(struct frontend_stim *s, int same) {
    s->flights = 0;
    s->halt = s->stood = false;
    s->x_cause = C_NONE;
    s->x_diverged = false;
    s->hang = s->halt_for = 0;
    s->now = 0;
    memset(s->rest, 0, sizeof s->rest);
    memset(s->oracle.warp, 0, sizeof s->oracle.warp);
    memset(&s->seen, 0, sizeof s->seen);
    s->seen.quiet = 1;
    next_launch(s, same);
}

static void cleared(struct frontend_stim *s, const struct frontend_out *a) {
    struct frontend_out fresh = {.quiet = 1, .launch_bound = s->reg[AT_END]};
    if (memcmp(&fresh, a, sizeof fresh) != 0)
        stim_complain(&s->base, "clear leaves something");
    if (s->flights)
        stim_complain(&s->base, "clear, and not all has committed");
    forget(s, 10);
}

struct told {
    int cause, warp, pc;
    uint32_t address;
};

/* The first fault that is known of on this edge, but for the check's. */
static struct told expected(struct frontend_stim *s,
                            const struct frontend_in *in, int x_cause,
                            bool expired) {
    if (in->far_fault_valid)
        return (struct told){(int)in->far_fault_cause, (int)in->far_fault_warp,
                             (int)in->far_fault_tag,
                             (uint32_t)in->far_fault_address};
    if (in->near_fault_valid)
        return (struct told){in->near_fault_odd ? C_MISALIGNED : C_UNMAPPED,
                             (int)in->near_fault_warp, (int)in->near_fault_tag,
                             (uint32_t)in->near_fault_address};
    if (x_cause)
        return (struct told){x_cause, s->x_warp, s->x_pc, 0};
    return (struct told){expired ? C_WATCHDOG : C_NONE, 0, 0, 0};
}

static void watch_fault(struct frontend_stim *s, const struct frontend_out *a,
                        const struct told *t) {
    bool same = (int)a->fault_cause == t->cause &&
                (int)a->fault_warp == t->warp && (int)a->fault_pc == t->pc &&
                a->fault_address == t->address;
    bool check = a->fault_cause == C_ILLEGAL && a->fault_address == 0 &&
                 frontend_is_wrong(s, (int)a->fault_warp, (int)a->fault_pc) &&
                 (t->cause == C_NONE || t->cause == C_WATCHDOG);
    s->faults++;
    if (!same && !check)
        stim_complain(&s->base,
                      "fault %d of warp %d at %d, expected %d of %d at %d",
                      (int)a->fault_cause, (int)a->fault_warp, (int)a->fault_pc,
                      t->cause, t->warp, t->pc);
}

static void starts(struct frontend_stim *s, const struct frontend_out *a) {
    if (a->state != RUNNING)
        stim_complain(&s->base, "start, and the state is %d", (int)a->state);
    s->loading = false;
    s->launches++;
    s->silent = s->edges = 0;
    s->now = s->ctas = s->passed = 0;
    frontend_start(s);
}

static void watch_state(struct frontend_stim *s, const struct frontend_in *in,
                        const struct frontend_out *b,
                        const struct frontend_out *a, const struct told *t) {
    (void)in;
    if (b->state == FAULTED) {
        if (a->state != FAULTED || a->fault_cause != b->fault_cause ||
            a->fault_warp != b->fault_warp || a->fault_pc != b->fault_pc ||
            a->fault_address != b->fault_address)
            stim_complain(&s->base, "the fault changes");
    } else if (a->state == FAULTED) {
        watch_fault(s, a, t);
    } else if (t->cause) {
        stim_complain(&s->base, "fault %d is not told", t->cause);
    } else if (a->state == DONE && b->state == RUNNING) {
        frontend_done(s);
        if (s->ctas != (uint64_t)s->oracle.ctas)
            stim_complain(&s->base, "CTAs are counted wrongly");
        if (s->passed != s->oracle.released)
            stim_complain(&s->base, "barriers are counted wrongly");
    } else if (a->state != b->state) {
        stim_complain(&s->base, "the state goes from %d to %d", (int)b->state,
                      (int)a->state);
    }
}

static void watch_halt(struct frontend_stim *s, const struct frontend_out *b,
                       const struct frontend_out *a, bool shows) {
    if (a->halted && !s->halt)
        stim_complain(&s->base, "halted, and it must run");
    if (s->halt && b->halted && (shows || a->count_idle))
        stim_complain(&s->base, "halted, and it goes on");
    s->halt_for = s->halt && !a->halted ? s->halt_for + 1 : 0;
    s->stood |= a->halted != 0;
    if (s->halt_for > HALTS_IN)
        stim_complain(&s->base, "it does not halt");
}

static void watch_status(struct frontend_stim *s, const struct frontend_in *in,
                         const struct frontend_out *b,
                         const struct frontend_out *a) {
    bool taken = b->issue_valid && (in->issue_ready >> b->issue_warp & 1);
    bool shows = a->issue_valid && (!b->issue_valid || taken);
    bool quiet = frontend_quiet(s) && !a->issue_valid && !a->init_valid;
    if (shows && b->state == FAULTED)
        stim_complain(&s->base, "a word behind a fault");
    if (shows)
        frontend_shows(s, a);
    if (a->count_issued != shows)
        stim_complain(&s->base, "an issued word is counted wrongly");
    if (a->quiet != quiet)
        stim_complain(&s->base, "quiet is %d", (int)a->quiet);
    if (a->launch_now != (s->now & ones(32)) ||
        a->launch_bound != s->reg[AT_END])
        stim_complain(&s->base, "of the launch something else is told");
    watch_halt(s, b, a, shows);
    bool moves = shows || in->commit_valid || a->state != RUNNING || s->halt ||
                 a->init_valid || a->value_valid;
    s->hang = moves ? 0 : s->hang + 1;
    if (s->hang > HANG)
        stim_complain(&s->base, "nothing goes on any more");
}

static void obey(struct frontend_stim *s, const struct frontend_in *in) {
    if (in->ctl_op == SET)
        s->reg[in->ctl_index] = (uint32_t)in->ctl_data;
    if (in->ctl_op == HALT)
        s->halt = true;
    if (in->ctl_op == RESUME)
        s->halt = s->stood = false;
}

/* Whether the watchdog's patience ends on this edge. */
static bool expires(struct frontend_stim *s, const struct frontend_in *in,
                    const struct frontend_out *b) {
    if (b->state != RUNNING || s->halt)
        return false;
    s->silent = in->commit_valid ? 0 : s->silent + 1;
    return s->silent && s->silent == s->reg[AT_WATCHDOG];
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct frontend_stim *s = (struct frontend_stim *)base;
    const struct frontend_in *in = in_ports;
    const struct frontend_out *b = before_ports, *a = after_ports;
    bool obeyed = obeys(s, in, b);
    int x_cause = s->x_cause;
    bool diverged = s->x_diverged;
    if (obeyed && in->ctl_op == CLEAR) {
        watch_back(s, in, b);
        cleared(s, a);
        return base->message[0] ? base->message : NULL;
    }
    struct told t = expected(s, in, x_cause, expires(s, in, b));
    if (b->state == FAULTED)
        t.cause = C_NONE;
    s->x_cause = C_NONE;
    s->x_diverged = false;
    if (a->count_diverged != diverged)
        stim_complain(base, "a branch that splits its warp is counted wrongly");
    watch_back(s, in, b);
    watch_copies(s, in, a, obeyed);
    if (obeyed)
        obey(s, in);
    s->edges++;
    if (b->state == RUNNING)
        s->now++;
    if (obeyed && in->ctl_op == START)
        starts(s, a);
    else
        watch_state(s, in, b, a, &t);
    frontend_told(s, a);
    s->ctas += a->count_cta;
    s->passed += a->count_barrier;
    watch_status(s, in, b, a);
    s->seen = *a;
    if (!s->loading && a->state == DONE && !s->halt)
        next_launch(s, 10);
    return base->message[0] ? base->message : NULL;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct frontend_stim *s = (struct frontend_stim *)base;
    s->l = frontend_local(c);
    s->flight = xcalloc(FLIGHTS, sizeof *s->flight);
    s->far_code = xcalloc((size_t)s->l.CODE, sizeof *s->far_code);
    s->near_code = xcalloc((size_t)s->l.CODE, sizeof *s->near_code);
    frontend_open(s);
    base->reset_every = 20000;
}

static void close(struct stim *base) {
    struct frontend_stim *s = (struct frontend_stim *)base;
    free(s->flight);
    free(s->far_code);
    free(s->near_code);
    array_free(&s->launch.code);
    array_free(&s->commands);
    frontend_close(s);
}

static void reset(struct stim *base) {
    struct frontend_stim *s = (struct frontend_stim *)base;
    memset(s->reg, 0, sizeof s->reg);
    forget(s, 80);
}

static void drive(struct stim *base, void *ports) {
    struct frontend_stim *s = (struct frontend_stim *)base;
    struct frontend_in *in = ports;
    if (base->rst_left > 0) {
        send(in, CODE, rng_below(&base->rng, 16), rng_next(&base->rng));
        in->commit_valid = in->resolve_valid = 0;
        in->far_fault_valid = in->near_fault_valid = 0;
        in->issue_ready = in->init_ready = 0;
        return;
    }
    drive_host(s, in);
    drive_back(s, in);
}

static void report(struct stim *base, struct text *t) {
    const struct frontend_stim *s = (const struct frontend_stim *)base;
    text_printf(t, "launches\t%" PRIu64 "\n", s->launches);
    text_printf(t, "words\t%" PRIu64 "\n", s->words);
    text_printf(t, "faults\t%" PRIu64 "\n", s->faults);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode directed_mode = {.name = "directed"};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class frontend_stim = {
    .size = sizeof(struct frontend_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
