/* frontend.c - golden model of the front end of a core with a near-bank unit.
 *
 * Written from docs/blocks/frontend.md.  An edge first looks at what stands
 * before it (choose), then moves one part after the other.
 */
#include "frontend.h"

#include "state.h"

#include <stdlib.h>
#include <string.h>

static void open(struct golden *g, const struct config *c) {
    struct frontend *n = (struct frontend *)g;

    n->l = frontend_local(c);
    n->code = xcalloc((size_t)n->l.CODE, sizeof *n->code);
    n->stack = xcalloc((size_t)(n->l.WARPS * n->l.STACK), sizeof *n->stack);
}

static void close(struct golden *g) {
    struct frontend *n = (struct frontend *)g;

    free(n->code);
    free(n->stack);
}

/* All but memories and launch registers. */
static void clear(struct frontend *n) {
    n->state = CORE_IDLE;
    n->halt = false;
    n->fault = (struct fault){0};
    n->now = n->silent = 0;
    memset(n->warp, 0, sizeof n->warp);
    n->chosen = n->l.WARPS - 1;
    n->f.valid = n->x.valid = false;
    memset(&n->i, 0, sizeof n->i);
    n->popping = NOBODY;
    n->barrier_slot = 0;
    memset(&n->d, 0, sizeof n->d);
    memset(&n->out, 0, sizeof n->out);
    n->out.launch_bound = n->reg[BOUND];
    n->out.quiet = 1;
}

static void reset(struct golden *g) {
    struct frontend *n = (struct frontend *)g;

    memset(n->reg, 0, sizeof n->reg);
    clear(n);
}

/* --- what stands before the edge ------------------------------------------ */

static bool quiet(const struct frontend *n) {
    for (int w = 0; w < n->l.WARPS; w++)
        if (n->warp[w].count)
            return false;
    return !n->i.valid && n->d.state != INITS;
}

static void choose_command(const struct frontend *n,
                           const struct frontend_in *in, struct edge *e) {
    uint64_t op = in->ctl_op & 15, index = in->ctl_index & 0xffff;
    bool still = !running(n) && quiet(n);

    if (!(in->ctl_valid & 1) || op > CLEAR)
        return;
    switch (op) {
    case SET:
        e->obeys[SET] = still && index < REGISTERS;
        break;
    case CODE:
        e->obeys[CODE] = still && index < (uint64_t)n->l.CODE - 1;
        break;
    case PARAM:
        e->obeys[PARAM] = still && index < (uint64_t)n->l.PARAMS;
        break;
    case START:
        e->obeys[START] = n->state != CORE_RUNNING && !faulted(n);
        break;
    case CLEAR:
        e->obeys[CLEAR] = quiet(n);
        break;
    default:
        e->obeys[op] = op == HALT || op == RESUME;
        break;
    }
}

static void choose_select(struct frontend *n, const struct frontend_in *in,
                          struct edge *e) {
    e->selected = NOBODY;
    if (!running(n) || n->halt || (n->f.valid && !e->f_moves))
        return;
    for (int k = 1; k <= n->l.WARPS && e->ready; k++) {
        int w = (n->chosen + k) % n->l.WARPS;
        const struct warp *p = &n->warp[w];
        if (!(e->ready >> w & 1))
            continue;
        bool room = in->issue_ready >> w & 1;
        hit_if(n, !room, FRONTEND_COV_not_ready);
        hit_if(n, p->count == n->l.LIMIT, FRONTEND_COV_limit);
        if (room && p->count < n->l.LIMIT && e->selected == NOBODY)
            e->selected = w;
    }
    e->counts_idle = e->selected == NOBODY;
}

static void choose_barrier(struct frontend *n, struct edge *e) {
    bool all = true, waits = false;
    uint64_t there = 0, live = 0;

    for (uint64_t left = e->barrier ? e->live : 0; left; left &= left - 1) {
        int w = __builtin_ctzll(left);
        const struct warp *p = &n->warp[w];
        if (p->slot != n->barrier_slot)
            continue;
        live++;
        waits |= p->count != 0;
        all &= p->state == WARP_BARRIER;
        there |= bit(w);
    }
    hit_if(n, there && all && waits, FRONTEND_COV_barrier_wait);
    hit_if(n, there && all && !waits && live < n->reg[CTA_WARPS],
           FRONTEND_COV_barrier_exit);
    e->passed = all && !waits ? there : 0;
}

static void tell(struct edge *e, enum cause cause, uint64_t warp, uint64_t pc,
                 uint64_t address) {
    if (e->fault.cause == FINE)
        e->fault = (struct fault){cause, warp, pc, address};
}

/* --- issue ---------------------------------------------------------------- */

static void edge_taken(struct frontend *n, const struct edge *e) {
    struct warp *w = &n->warp[n->i.warp];

    hit_if(n, n->i.valid && !e->taken, FRONTEND_COV_issue_held);
    if (!e->taken)
        return;
    w->count++;
    w->open |= n->i.global;
    if (n->i.control) {
        w->state = WARP_AWAIT;
        return;
    }
    w->pc = next_pc(n, w->pc);
    if (n->i.store)
        w->state = WARP_DRAIN;
    else
        frontend_settle(w);
    hit_if(n, n->i.store, FRONTEND_COV_store_waits);
}

static void show_packet(struct frontend *n, const struct packet *p) {
    struct frontend_out *o = &n->out;

    o->issue_valid = p->valid;
    o->issue_warp = p->warp;
    o->issue_tag = p->tag;
    o->issue_op = p->op;
    o->issue_hint = p->hint;
    o->issue_mask = p->mask;
    o->issue_dst = p->dst;
    o->issue_src0 = p->src[0];
    o->issue_src1 = p->src[1];
    o->issue_src2 = p->src[2];
    o->issue_guard = p->guard;
}

static void edge_front(struct frontend *n, const struct edge *e, enum check c,
                       const struct packet *p, const struct isa_word *w) {
    struct frontend_out *o = &n->out;
    bool moves = n->f.valid && e->f_moves;

    o->count_issued = moves && c == GOES;
    o->count_blocked = moves && c == WAITS;
    if (e->taken)
        memset(&n->i, 0, sizeof n->i);
    if (moves && c == GOES) {
        n->i = *p;
        if (!n->warp[p->warp].fresh)
            n->warp[p->warp].word = *w;
    }
    if (moves && c == WAITS) {
        n->warp[n->f.warp].state = WARP_DRAIN;
        hit_if(n, true, FRONTEND_COV_open_waits);
    }
    show_packet(n, &n->i);
    if (moves || faulted(n))
        n->f.valid = false;
    o->count_idle = e->counts_idle;
    if (e->selected == NOBODY)
        return;
    n->chosen = e->selected;
    n->warp[e->selected].state = WARP_FLIGHT;
    n->f.valid = true;
    n->f.warp = (uint64_t)e->selected;
    n->f.pc = n->warp[e->selected].pc;
    n->f.word = n->code[n->f.pc];
}

/* --- drain, barrier, commit ----------------------------------------------- */

static void edge_drains(struct frontend *n, const struct edge *e) {
    uint64_t closed = e->zero & e->open;

    for (uint64_t left = closed | e->passed | e->drained; left;
         left &= left - 1) {
        int w = __builtin_ctzll(left);
        struct warp *p = &n->warp[w];
        bool ends = p->mask == 0 && p->depth == 0;
        if (closed >> w & 1)
            p->open = false;
        if (e->passed >> w & 1)
            frontend_settle(p);
        if (!(e->drained >> w & 1))
            continue;
        if (ends) {
            p->state = WARP_IDLE;
            p->live = false;
        } else {
            frontend_settle(p);
        }
    }
    n->out.count_barrier = e->passed != 0;
    n->barrier_slot = (n->barrier_slot + 1) % n->l.CTAS;
}

static void edge_commit(struct frontend *n, const struct frontend_in *in,
                        const struct edge *e) {
    uint64_t w = in->commit_warp & ones(n->l.WARP_W);

    if (!(in->commit_valid & 1))
        return;
    n->warp[w].count--;
    hit_if(n, e->taken && n->i.warp == w, FRONTEND_COV_taken_committed);
}

/* --- commands, faults ----------------------------------------------------- */

static uint64_t kept(const struct frontend *n, int reg, uint64_t data) {
    const struct frontend_local *l = &n->l;
    const int bits[REGISTERS] = {
        l->TAG_W,  32,         16, 16, 11, 11, 11, l->THREADS_W,
        l->BORN_W, l->SLOTS_W, 32, 32, 32, 8,  8};

    return data & ones(bits[reg]);
}

static void edge_commands(struct frontend *n, const struct frontend_in *in,
                          const struct edge *e) {
    struct frontend_out *o = &n->out;
    uint64_t index = in->ctl_index & 0xffff, last = (uint64_t)n->l.CODE - 1;
    uint64_t tag = 0, word = 0;

    if (e->obeys[SET])
        n->reg[index] = kept(n, (int)index, in->ctl_data);
    if (e->obeys[HALT])
        n->halt = true;
    if (e->obeys[RESUME]) {
        hit_if(n, n->halt && running(n), FRONTEND_COV_halt_resume);
        n->halt = false;
    }
    o->param_valid = e->obeys[PARAM];
    o->param_index = e->obeys[PARAM] ? index : 0;
    o->param_word = e->obeys[PARAM] ? (uint32_t)in->ctl_data : 0;
    if (e->obeys[CODE]) {
        tag = index;
        word = in->ctl_data;
    } else if (e->obeys[START]) {
        struct isa_word nop = {.op = ISA_nop, .guard = ISA_TRUE};
        tag = last;
        (void)isa_encode(&nop, &word);
        n->state = CORE_RUNNING;
        n->silent = 0;
        n->d.more = n->reg[GRID] && n->reg[GRID + 1] && n->reg[GRID + 2];
        n->d.skip = n->reg[FIRST_CTA];
        memset(n->d.next, 0, sizeof n->d.next);
    }
    o->far_code_valid = o->near_code_valid = e->obeys[CODE] || e->obeys[START];
    o->far_code_tag = o->near_code_tag = tag;
    o->far_code_word = o->near_code_word = word;
    if (o->far_code_valid)
        n->code[tag] = word;
}

static void choose_faults(struct frontend *n, const struct frontend_in *in,
                          enum check c, struct edge *e, enum cause control) {
    bool counts = running(n) && !n->halt;
    bool far = in->far_fault_valid & 1, near = in->near_fault_valid & 1;
    bool wrong = n->f.valid && e->f_moves && c == WRONG;

    if (far)
        tell(e, (enum cause)(in->far_fault_cause & 15),
             in->far_fault_warp & ones(n->l.WARP_W),
             in->far_fault_tag & ones(n->l.TAG_W),
             (uint32_t)in->far_fault_address);
    if (near)
        tell(e, in->near_fault_odd & 1 ? MISALIGNED : UNMAPPED,
             in->near_fault_warp & ones(n->l.WARP_W),
             in->near_fault_tag & ones(n->l.TAG_W),
             (uint32_t)in->near_fault_address);
    if (control != FINE)
        tell(e, control, n->x.warp, n->warp[n->x.warp].pc, 0);
    if (wrong)
        tell(e, ILLEGAL, n->f.warp, n->f.pc, 0);
    bool late = counts && !(in->commit_valid & 1) && n->reg[WATCHDOG] &&
                n->silent + 1 == n->reg[WATCHDOG];
    if (late)
        tell(e, EXPIRED, 0, 0, 0);
    if (counts)
        n->silent = in->commit_valid & 1 ? 0 : n->silent + 1;
    if (faulted(n))
        return;
    hit_if(n, far + near + (control != FINE) + wrong > 1,
           FRONTEND_COV_two_faults);
    hit_if(n, e->fault.cause && n->i.valid && !e->taken,
           FRONTEND_COV_fault_held);
    hit_if(n, e->fault.cause == STACK_FULL, FRONTEND_COV_fault_stack);
    hit_if(n, e->fault.cause == NO_JOIN, FRONTEND_COV_fault_join);
    hit_if(n, e->fault.cause == BAD_BARRIER, FRONTEND_COV_fault_barrier);
    hit_if(n, e->fault.cause == TRAPPED, FRONTEND_COV_fault_trap);
    hit_if(n, e->fault.cause == EXPIRED, FRONTEND_COV_watchdog);
    hit_if(n, far, FRONTEND_COV_fault_far);
    hit_if(n, !far && near, FRONTEND_COV_fault_near);
}

static void show_status(struct frontend *n) {
    struct frontend_out *o = &n->out;

    o->state = faulted(n) ? CORE_FAULTED : n->state;
    o->halted = n->halt && !n->f.valid && !n->i.valid;
    o->quiet = quiet(n);
    o->fault_cause = n->fault.cause;
    o->fault_warp = n->fault.warp;
    o->fault_pc = n->fault.pc;
    o->fault_address = n->fault.address;
    o->launch_now = (uint32_t)n->now;
    o->launch_bound = n->reg[BOUND];
}

/* --- an edge -------------------------------------------------------------- */

static void choose_warps(struct frontend *n, struct edge *e) {
    e->pop_next = NOBODY;
    for (int w = n->l.WARPS - 1; w >= 0; w--) {
        const struct warp *p = &n->warp[w];
        bool drains = p->state == WARP_DRAIN;
        e->zero |= (uint64_t)(p->count == 0) << w;
        e->drained |= (uint64_t)(drains && p->count == 0) << w;
        e->ready |= (uint64_t)(p->state == WARP_READY) << w;
        e->barrier |= (uint64_t)(p->state == WARP_BARRIER) << w;
        e->open |= (uint64_t)p->open << w;
        e->live |= (uint64_t)p->live << w;
        e->slots |= (uint64_t)p->live << p->slot;
        if (p->state == WARP_POP)
            e->pop_next = w;
        hit_if(n, drains && p->mask == 0 && p->count > 0,
               FRONTEND_COV_exit_waits);
    }
}

static void edge(struct golden *g, const void *ports) {
    struct frontend *n = (struct frontend *)g;
    const struct frontend_in *in = ports;
    struct edge e = {0};
    struct packet p = {0};
    struct isa_word word = {0};
    enum check c = GOES;
    enum cause control = FINE;
    bool was_running = running(n), was_faulted = faulted(n);

    choose_command(n, in, &e);
    if (e.obeys[CLEAR]) {
        hit_if(n, was_faulted, FRONTEND_COV_clear);
        clear(n);
        return;
    }
    e.taken = n->i.valid && in->issue_ready >> n->i.warp & 1;
    e.f_moves = (!n->i.valid || e.taken) && !was_faulted;
    if (n->f.valid)
        c = frontend_check(n, &p, &word);
    if (n->x.valid && !n->warp[n->x.warp].fresh)
        control = frontend_wrong_control(n, &n->warp[n->x.warp], n->x.lanes);
    choose_warps(n, &e);
    choose_select(n, in, &e);
    choose_barrier(n, &e);
    frontend_choose_cta(n, &e);
    choose_faults(n, in, c, &e, control);
    e.done = was_running && !n->d.more && n->d.state == LOOKS && !e.live;

    edge_drains(n, &e);
    edge_commit(n, in, &e);
    edge_taken(n, &e);
    bool pushed = frontend_edge_x(n, in, control != FINE);
    frontend_edge_pop(n, &e, pushed);
    frontend_edge_dispatch(n, in, &e);
    edge_front(n, &e, c, &p, &word);
    if (was_running)
        n->now++;
    if (e.obeys[START])
        n->now = 0;
    edge_commands(n, in, &e);
    if (e.done)
        n->state = CORE_DONE;
    if (!was_faulted)
        n->fault = e.fault;
    show_status(n);
}

/* What moves while nothing happens, and no launch runs. */
static void slept(struct golden *g, uint64_t edges) {
    struct frontend *n = (struct frontend *)g;
    uint64_t slots = (uint64_t)n->l.CTAS;

    n->barrier_slot =
        (int)(((uint64_t)n->barrier_slot + edges % slots) % slots);
}

static uint64_t rest(const struct golden *g, const void *in) {
    (void)in;
    return running((const struct frontend *)g) ? 0 : UINT64_MAX;
}

const struct golden_class frontend_golden = {
    .iface = &frontend_iface,
    MODEL_STRUCT(struct frontend),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
    .still = true,
};
