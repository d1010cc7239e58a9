/* simt.c - the SIMT core: commands, status, and the order of an edge. */
#include "simt.h"

#include "state.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>

/* --- create and reset ----------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    struct simt *n = (struct simt *)g;
    n->l = simt_local(c);
    if (n->l.FMA_L + 4 > RING)
        BUG("%d edges of arithmetic", n->l.FMA_L);
    n->lanes = (uint32_t)ones(n->l.LANES);
    n->warps = ones(n->l.WARPS);
    size_t warps = (size_t)n->l.WARPS;
    n->code = xcalloc((size_t)n->l.CODE, sizeof *n->code);
    n->words = xcalloc((size_t)n->l.CODE, sizeof *n->words);
    n->params = xcalloc((size_t)n->l.PARAMS, sizeof *n->params);
    n->shared = xcalloc((size_t)n->l.SHARED, sizeof *n->shared);
    n->registers = xcalloc(warps * (size_t)n->l.REGS, sizeof *n->registers);
    n->predicates = xcalloc(warps, sizeof *n->predicates);
    n->stack = xcalloc(warps, sizeof *n->stack);
    for (int i = 0; i < n->l.CODE; i++)
        n->code[i].illegal = true;
}

static void close(struct golden *g) {
    struct simt *n = (struct simt *)g;
    free(n->code);
    free(n->words);
    free(n->params);
    free(n->shared);
    free(n->registers);
    free(n->predicates);
    free(n->stack);
}

/* All but memories and launch registers. */
static void reset_core(struct simt *n) {
    memset(&n->s, 0, sizeof n->s);
    memset(&n->out, 0, sizeof n->out);
    n->out.quiet = 1;
    n->out.put_ready = (uint64_t)n->l.OFFERS;
    n->out.look_ready = (uint64_t)n->l.MOVES;
    n->s.builder = NOBODY;
    n->s.step = -1;
    n->s.popping = -1;
    n->s.last_selected = (uint8_t)(n->l.WARPS - 1);
    n->s.in[WARP_IDLE] = n->warps;
}

static void reset(struct golden *g) {
    struct simt *n = (struct simt *)g;
    memset(n->launch, 0, sizeof n->launch);
    n->was_faulted = false;
    reset_core(n);
}

/* --- commands ------------------------------------------------------------- */

enum { READ_PC = 64, READ_MASK, READ_STATE };

static void start(struct simt *n) {
    struct core *s = &n->s;
    s->state = CORE_RUNNING;
    s->clock = s->watchdog = 0;
    s->step = -1;
    s->builder = NOBODY;
    simt_start_dispatch(n);
    hit_if(n, n->was_faulted, SIMT_COV_clear);
    n->was_faulted = false;
}

/* What does not go through the pipe is answered on this edge; the rest waits
 * for select. */
static void read_command(struct simt *n, uint64_t data,
                         const struct warp *before) {
    struct core *s = &n->s;
    uint32_t warp = data & ones(8), lane = data >> 8 & ones(8),
             what = data >> 16 & ones(7);
    if (warp >= (uint32_t)n->l.WARPS || what > READ_STATE)
        return;
    if (what < READ_PC) {
        if (lane >= (uint32_t)n->l.LANES || what >= (uint32_t)n->l.REGS)
            return;
        s->read = true;
        s->read_warp = (uint8_t)warp;
        s->read_lane = (uint8_t)lane;
        s->read_reg = (uint8_t)what;
        return;
    }
    n->out.debug_valid = 1;
    n->out.debug_value = what == READ_PC ? before->pc
                         : what == READ_MASK
                             ? before->mask
                             : before->state | (uint32_t)before->depth << 4;
}

/* A command as the state before the edge finds it. */
struct command {
    bool valid, halted, ready, running, startable;
    enum ctl_op op;
    uint32_t index;
    struct warp warp; /* that `read` names */
};

static struct command look(const struct simt *n, const struct simt_in *in) {
    struct command c = {.valid = in->ctl_valid & 1};
    if (!c.valid)
        return c;
    c.op = in->ctl_op & ones(4);
    c.index = in->ctl_index & ones(16);
    c.halted = n->out.halted;
    c.running = simt_running(n);
    c.startable = n->s.state == CORE_IDLE || n->s.state == CORE_DONE;
    c.ready =
        c.index < (uint32_t)n->l.WARPS && n->s.in[WARP_READY] >> c.index & 1;
    c.warp = n->s.warp[in->ctl_data & (MAX_WARPS - 1)];
    return c;
}

static void load_word(struct simt *n, uint32_t at, uint64_t word) {
    n->words[at] = word;
    simt_instr(n, word, &n->code[at]);
}

static void load_command(struct simt *n, const struct command *c,
                         uint64_t data) {
    if (c->running)
        return;
    bool there = c->index < REG_FIRST_CTA ||
                 (n->l.STEPS && c->index < REG_AREA) ||
                 (n->l.AREAS && c->index < REG_PACE) ||
                 (n->l.MOVES && c->index == REG_PACE);
    if (c->op == CTL_SET && there)
        n->launch[c->index] = (uint32_t)data;
    else if (c->op == CTL_CODE && c->index < (uint32_t)n->l.CODE)
        load_word(n, c->index, data);
    else if (c->op == CTL_PARAM && c->index < (uint32_t)n->l.PARAMS)
        n->params[c->index] = (uint32_t)data;
}

static void obey(struct simt *n, const struct command *c, uint64_t data) {
    struct core *s = &n->s;
    switch (c->op) {
    case CTL_SET:
    case CTL_CODE:
    case CTL_PARAM:
        load_command(n, c, data);
        break;
    case CTL_START:
        if (c->startable)
            start(n);
        break;
    case CTL_HALT:
        s->halted = true;
        break;
    case CTL_RESUME:
        hit_if(n, c->halted && c->running, SIMT_COV_halt_resume);
        s->halted = false;
        s->step = -1;
        break;
    case CTL_STEP:
        if (c->halted && c->running && c->ready)
            s->step = (int)c->index;
        break;
    case CTL_READ:
        if (c->halted)
            read_command(n, data, &c->warp);
        break;
    default:
        break;
    }
}

/* --- status --------------------------------------------------------------- */

static void begin_edge(struct simt *n) {
    struct simt_out *o = &n->out;
    o->debug_valid = 0;
    o->count_issued = o->count_idle = o->count_blocked = 0;
    o->count_diverged = o->count_request = o->count_conflict = 0;
    o->count_returned = o->count_cta = o->count_barrier = 0;
    o->fenced = 0;
    if (o->seen_valid) {
        o->seen_valid = o->seen_last = 0;
        memset(o->seen_data, 0, sizeof o->seen_data);
    }
}

/* The watchdog's edge; true if it expires.  ret_valid: as it was shown. */
static bool watchdog(struct simt *n) {
    struct core *s = &n->s;
    if (!simt_running(n) || s->halted)
        return false;
    s->watchdog = n->out.ret_valid ? 0 : s->watchdog + 1;
    return s->watchdog && s->watchdog == n->launch[REG_WATCHDOG];
}

static void take_fault(struct simt *n, const struct fault *f) {
    const unsigned all = (1u << N_CAUSES) - 1 - 1u - (1u << FAULT_WATCHDOG);
    n->s.state = CORE_FAULTED;
    n->was_faulted = true;
    n->out.fault_cause = f->cause;
    n->out.fault_warp = f->warp;
    n->out.fault_pc = f->pc;
    n->out.fault_address = f->address;
    hit_if(n, f->cause == FAULT_WATCHDOG, SIMT_COV_watchdog);
    if ((n->causes & all) == all)
        return;
    n->causes |= 1u << f->cause;
    hit_if(n, (n->causes & all) == all, SIMT_COV_faults);
}

static void settle(struct simt *n, const struct edge *e, bool expires) {
    struct core *s = &n->s;
    if (e->freed)
        for (uint64_t rest = s->in[WARP_WAIT]; rest; rest &= rest - 1)
            simt_move_warp(n, __builtin_ctzll(rest), WARP_READY);
    if (simt_running(n))
        s->clock++;
    if (s->state == CORE_FAULTED)
        return;
    for (int i = 0; i < N_FAULTERS; i++)
        if (e->fault[i].cause) {
            take_fault(n, &e->fault[i]);
            return;
        }
    if (expires) {
        take_fault(n, &(struct fault){.cause = FAULT_WATCHDOG});
    } else if (e->done) {
        s->state = CORE_DONE;
    }
}

static void show(struct simt *n) {
    const struct core *s = &n->s;
    n->out.state = s->state;
    n->out.halted = s->halted && s->f.item == NOTHING && s->d.item == NOTHING &&
                    !s->in_ring;
    n->out.quiet = !s->ids;
    n->out.look_ready = n->l.MOVES && !s->look.there;
}

/* --- an edge -------------------------------------------------------------- */

static void edge(struct golden *g, const void *ports) {
    struct simt *n = (struct simt *)g;
    struct edge e = {.in = ports};
    struct command c = look(n, e.in);
    if (c.valid && c.op == CTL_CLEAR && n->out.quiet) {
        reset_core(n);
        return;
    }

    simt_choose_front(n, &e);
    simt_choose_warps(n, &e);
    simt_choose_engine(n, &e);
    bool was_shown = n->out.offer_valid;
    if (n->l.OFFERS)
        simt_choose_put(n, &e);
    if (n->l.MOVES)
        simt_choose_moves(n, &e);

    begin_edge(n);
    bool expires = watchdog(n);
    simt_move_barriers(n, &e);
    simt_move_dispatch(n, &e);
    simt_move_engine(n, &e);
    simt_move_response(n, &e);
    if (n->l.OFFERS) {
        simt_move_put(n, &e);
        simt_move_go(n, &e);
    }
    if (n->l.MOVES)
        simt_move_moves(n, &e);
    simt_move_front(n, &e);
    simt_move_pipe(n, &e);
    simt_move_pop(n, &e);
    settle(n, &e, expires);
    if (c.valid)
        obey(n, &c, e.in->ctl_data);
    show(n);
    if (n->l.OFFERS)
        simt_show_chains(n, was_shown, e.in->chain_busy & 1);
}

/* What moves while nothing happens. */
static void slept(struct golden *g, uint64_t edges) {
    struct simt *n = (struct simt *)g;
    struct core *s = &n->s;
    uint64_t ctas = (uint64_t)n->l.CTAS;

    s->moves += edges;
    s->barrier_slot = (uint8_t)((s->barrier_slot + edges % ctas) % ctas);
    if (!simt_running(n))
        return;
    s->clock += (uint32_t)edges;
    if (!s->halted)
        s->watchdog += (uint32_t)edges;
}

/* Until the watchdog expires; not while a barrier may come to its turn, or a
 * pass is on its way, which is no more than its place in the ring. */
static uint64_t rest(const struct golden *g, const void *in) {
    const struct simt *n = (const struct simt *)g;
    uint32_t limit = n->launch[REG_WATCHDOG];

    (void)in;
    if (n->s.in[WARP_BARRIER] || n->s.in_ring || n->s.pace)
        return 0;
    return simt_running(n) && !n->s.halted && limit ? limit - n->s.watchdog - 1
                                                    : UINT64_MAX;
}

const struct golden_class simt_golden = {
    .iface = &simt_iface,
    MODEL_STRUCT(struct simt),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
    .still = true,
};
