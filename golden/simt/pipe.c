/* pipe.c - what leaves X(1): control and accesses; what leaves X(L+1): release
 * and results; W. */
#include "state.h"

/* --- control -------------------------------------------------------------- */

static void fault_at(struct edge *e, const struct pass *p, enum cause cause) {
    e->fault[BY_CONTROL] = (struct fault){
        .cause = (uint8_t)cause, .warp = p->f.warp, .pc = p->f.pc};
}

static void go(struct simt *n, struct warp *w, uint32_t mask, uint32_t pc) {
    w->mask = mask;
    w->pc = pc & (uint32_t)ones(n->l.PC_W);
}

static void push(struct simt *n, struct edge *e, const struct pass *p,
                 struct entry entry, uint32_t join) {
    struct warp *w = &n->s.warp[p->f.warp];
    n->stack[p->f.warp][w->depth++] = entry;
    w->join = join;
    e->pushed = true;
    hit_if(n, w->depth == 2, SIMT_COV_nested);
    hit_if(n, w->depth == n->l.STACK, SIMT_COV_deep);
}

/* Lanes t go, the others of the warp do not; neither set is empty. */
static void diverge(struct simt *n, struct edge *e, const struct pass *p,
                    uint32_t t) {
    struct warp *w = &n->s.warp[p->f.warp];
    const struct isa_word *i = &p->f.i.w;
    uint32_t others = w->mask & ~t, join = i->join;
    uint32_t next = (w->pc + 1) & (uint32_t)ones(n->l.PC_W);
    bool on_top = w->depth > 0 && w->join == join;
    bool one_path = i->target == join || next == join;
    if (join == ISA_NO_JOIN) {
        fault_at(e, p, FAULT_NO_JOIN);
        return;
    }
    if (!(on_top && one_path)) {
        if (w->depth == n->l.STACK) {
            fault_at(e, p, FAULT_STACK);
            return;
        }
        push(n, e, p,
             (struct entry){.else_mask = one_path ? 0 : others,
                            .else_pc = one_path ? 0 : next,
                            .join = w->join,
                            .mask = w->mask},
             join);
    }
    n->out.count_diverged = 1;
    hit_if(n, on_top && one_path, SIMT_COV_same_join);
    hit_if(n, !on_top && i->target == join, SIMT_COV_if_only);
    if (i->target == join)
        go(n, w, others, next);
    else
        go(n, w, t, i->target);
}

static void control(struct simt *n, struct edge *e, const struct pass *p,
                    uint32_t t) {
    struct warp *w = &n->s.warp[p->f.warp];
    uint32_t others = w->mask & ~t;
    switch (p->f.i.w.op) {
    case ISA_bra:
        if (t && others)
            diverge(n, e, p, t);
        else
            go(n, w, w->mask, t ? p->f.i.w.target : w->pc + 1);
        return;
    case ISA_exit:
        w->gone |= t;
        hit_if(n, t && (n->lanes & ~w->gone), SIMT_COV_exit_some);
        go(n, w, others, w->pc + 1);
        return;
    case ISA_bar:
        if (w->mask != (n->lanes & ~w->gone) || others) {
            fault_at(e, p, FAULT_BARRIER);
            return;
        }
        break;
    case ISA_trap:
        if (t) {
            fault_at(e, p, FAULT_TRAP);
            return;
        }
        break;
    default:
        break;
    }
    go(n, w, w->mask, w->pc + 1);
}

/* --- after X(1) ----------------------------------------------------------- */

static void fill_buffer(struct simt *n, const struct pass *p) {
    struct buffer *b = &n->s.buffer[p->f.buffer];
    size_t first = (size_t)p->n * (size_t)n->l.ALUS;
    size_t size = (size_t)n->l.ALUS * sizeof *p->value;
    memcpy(b->a + first, p->value, size);
    memcpy(b->b + first, p->b, size);
    memcpy(b->c + first, p->c, size);
    b->active |= p->active << first;
    b->full = p->last;
}

static void leave_x1(struct simt *n, struct edge *e) {
    struct core *s = &n->s;
    const struct pass *p = simt_pass(n, 2);
    if (!p->valid || p->f.item != AN_INSTR)
        return;
    if (p->f.i.kind == DO_CONTROL && !p->f.offer) {
        uint32_t t = (p->n ? s->control : 0) | p->active << (p->n * n->l.ALUS);
        s->control = t;
        if (p->last)
            control(n, e, p, t);
        return;
    }
    if (p->f.i.kind == DO_ACCESS || p->f.offer)
        fill_buffer(n, p);
    bool stands = p->f.offer && (n->l.MOVES || simt_continues(n, &p->f.i));
    if (p->last && !stands) {
        struct warp *w = &s->warp[p->f.warp];
        go(n, w, w->mask, w->pc + 1);
    }
}

/* --- after X(L+1) --------------------------------------------------------- */

static void release_return(struct simt *n, struct edge *e, int ticket) {
    struct core *s = &n->s;
    struct ticket *t = &s->ticket[ticket];
    if (s->state == CORE_FAULTED)
        return;
    s->tickets &= ~bit(ticket);
    t->used = false;
    if (!t->pred)
        s->warp[t->warp].pend &= ~bit(t->d);
    simt_owes(n, t->warp);
    e->freed = true;
    n->out.count_returned = 1;
    if (simt_is_port(n, ticket))
        hit_if(n, true,
               t->pred ? SIMT_COV_put_predicate : SIMT_COV_put_register);
}

static void release(struct simt *n, struct edge *e, const struct pass *p) {
    int w = p->f.warp;
    switch (p->f.item) {
    case A_RETURN:
        release_return(n, e, p->f.ticket);
        return;
    case AN_INIT:
        simt_start_warp(n, w);
        return;
    case AN_INSTR:
        break;
    default:
        return;
    }
    if (p->f.offer && simt_continues(n, &p->f.i))
        return;
    if (p->f.offer)
        simt_move_warp(n, w, WARP_CHAIN);
    else if (p->f.i.w.op == ISA_bar)
        simt_move_warp(n, w, WARP_BARRIER);
    else if (p->f.i.w.op == ISA_membar)
        simt_move_warp(n, w, WARP_MEMBAR);
    else
        simt_settle(n, w, WARP_READY);
}

static void retire(struct simt *n, const struct pass *p) {
    struct simt_out *o = &n->out;
    o->ret_valid = 1;
    o->ret_kind = p->kind;
    o->ret_warp = p->f.warp;
    o->ret_pc = p->f.pc;
    o->ret_pass = p->n;
    o->ret_mask = p->active;
    o->ret_d = p->d;
    if (!p->kind)
        return;
    for (int i = 0; i < n->l.ALUS / 2; i++)
        o->ret_value[i] = p->value[2 * i] | (uint64_t)p->value[2 * i + 1] << 32;
    if (n->l.ALUS % 2)
        o->ret_value[n->l.ALUS / 2] = p->value[n->l.ALUS - 1];
}

static void answer(struct simt *n, const struct pass *p) {
    if (p->f.lane / n->l.ALUS != p->n)
        return;
    n->out.debug_valid = 1;
    n->out.debug_value = p->value[p->f.lane % n->l.ALUS];
    hit_if(n, true, SIMT_COV_read);
}

static void see(struct simt *n, const struct pass *p) {
    struct simt_out *o = &n->out;
    o->seen_valid = 1;
    o->seen_last = p->last;
    for (int i = 0; i < n->l.ALUS; i++)
        bits_set_lane(o->seen_data, i, p->value[i]);
    hit_if(n, !p->f.pred, SIMT_COV_looked_register);
    hit_if(n, p->f.pred, SIMT_COV_looked_predicate);
}

static void clear_retirement(struct simt_out *o) {
    if (!o->ret_valid)
        return;
    if (o->ret_kind)
        memset(o->ret_value, 0, sizeof o->ret_value);
    o->ret_valid = o->ret_kind = 0;
    o->ret_warp = 0;
    o->ret_pc = 0;
    o->ret_pass = 0;
    o->ret_mask = 0;
    o->ret_d = 0;
}

/* X(L+1) -> W. */
static void leave_x(struct simt *n, struct edge *e) {
    const struct pass *p = simt_pass(n, n->l.FMA_L + 2);
    clear_retirement(&n->out);
    if (!p->valid)
        return;
    if (p->f.item == A_READ)
        answer(n, p);
    else if (p->f.item == A_LOOK)
        see(n, p);
    else
        retire(n, p);
    if (p->last)
        release(n, e, p);
}

/* --- W -------------------------------------------------------------------- */

static void write_back(struct simt *n) {
    struct pass *p = simt_pass(n, n->l.FMA_L + 3);
    if (!p->valid)
        return;
    p->valid = false;
    n->s.in_ring--;
    int first = p->n * n->l.ALUS;
    if (p->kind == 1) {
        uint32_t *r = n->registers[p->f.warp * n->l.REGS + p->d] + first;
        if (p->active == (uint32_t)ones(n->l.ALUS))
            memcpy(r, p->value, (size_t)n->l.ALUS * sizeof *r);
        else
            for (int lane = 0; lane < n->l.ALUS; lane++)
                if (p->active >> lane & 1)
                    r[lane] = p->value[lane];
    } else if (p->kind == 2 && p->d != ISA_TRUE) {
        uint32_t *r = &n->predicates[p->f.warp][p->d], set = 0;
        for (int lane = 0; lane < n->l.ALUS; lane++)
            set |= p->value[lane] << lane;
        *r = (*r & ~(p->active << first)) | set << first;
    }
}

/* O -> X(1). */
static void leave_o(struct simt *n) {
    const struct pass *p = simt_pass(n, 1);
    if (p->valid)
        n->s.hold = p->hold;
}

void simt_move_pipe(struct simt *n, struct edge *e) {
    struct core *s = &n->s;
    if (s->in_ring)
        write_back(n);
    if (s->hold) {
        s->hold--;
        clear_retirement(&n->out);
        return;
    }
    if (s->in_ring) {
        leave_x(n, e);
        leave_x1(n, e);
        leave_o(n);
    } else {
        clear_retirement(&n->out);
    }
    s->moves++;
}
