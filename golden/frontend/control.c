/* control.c - golden front end: X and pop. */
#include "state.h"

static bool at_join(const struct warp *w) {
    return w->depth > 0 && w->pc == w->join;
}

void frontend_settle(struct warp *w) {
    if (w->depth > 0 && (w->mask == 0 || at_join(w)))
        w->state = WARP_POP;
    else if (w->mask == 0)
        w->state = WARP_DRAIN; /* to end */
    else
        w->state = WARP_READY;
}

enum cause frontend_wrong_control(const struct frontend *n,
                                  const struct warp *w, uint64_t t) {
    const struct isa_word *i = &w->word;
    bool splits = t != 0 && (w->mask & ~t) != 0;
    bool around = w->depth > 0 && i->join == w->join;
    bool short_way = i->target == i->join || next_pc(n, w->pc) == i->join;

    if (i->op == ISA_bra && splits) {
        if (i->join == ISA_NO_JOIN)
            return NO_JOIN;
        if (!(around && short_way) && w->depth == n->l.STACK)
            return STACK_FULL;
    }
    if (i->op == ISA_bar &&
        ((w->mask | w->gone) != all_lanes(n) || (w->mask & ~t) != 0))
        return BAD_BARRIER;
    if (i->op == ISA_trap && t != 0)
        return TRAPPED;
    return FINE;
}

/* Returns whether an entry is pushed. */
static bool diverge(struct frontend *n, struct warp *w, uint64_t t) {
    const struct isa_word *i = &w->word;
    uint64_t next = next_pc(n, w->pc), stay = w->mask & ~t;
    bool to_join = i->target == i->join, by_join = next == i->join;
    bool plain = w->depth > 0 && i->join == w->join && (to_join || by_join);
    bool both = !to_join && !by_join;
    struct entry entry = {.else_pc = both ? next : 0,
                          .join = w->join,
                          .else_mask = both ? stay : 0,
                          .mask = w->mask};

    w->mask = to_join ? stay : t;
    w->pc = to_join ? next : i->target;
    n->out.count_diverged = 1;
    hit_if(n, to_join, FRONTEND_COV_if_only);
    hit_if(n, plain, FRONTEND_COV_same_join);
    if (plain)
        return false;
    w->join = i->join;
    n->stack[(w - n->warp) * n->l.STACK + w->depth++] = entry;
    hit_if(n, w->depth == 2, FRONTEND_COV_nested);
    hit_if(n, w->depth == n->l.STACK, FRONTEND_COV_deep);
    return true;
}

bool frontend_edge_x(struct frontend *n, const struct frontend_in *in,
                     bool wrong) {
    struct warp *w = &n->warp[n->x.warp];
    uint64_t t = n->x.lanes;
    bool pushes = false, was = n->x.valid;

    n->out.count_diverged = 0;
    if (n->x.valid && w->fresh) {
        w->fresh = false;
        w->state = WARP_READY;
    } else if (n->x.valid && !wrong) {
        int op = w->word.op;
        uint64_t stay = w->mask & ~t;
        if (op == ISA_bra && t != 0 && stay != 0)
            pushes = diverge(n, w, t);
        else if (op == ISA_bra && t != 0)
            w->pc = w->word.target;
        else
            w->pc = next_pc(n, w->pc);
        if (op == ISA_exit) {
            w->gone |= t;
            hit_if(n, t != 0 && stay != 0, FRONTEND_COV_exit_some);
            w->mask = stay;
        }
        frontend_settle(w);
        if (op == ISA_bar)
            w->state = WARP_BARRIER;
        else if (op == ISA_membar)
            w->state = WARP_DRAIN;
        hit_if(n, op == ISA_membar, FRONTEND_COV_membar_wait);
    }
    n->x.valid = in->resolve_valid & 1;
    if (n->x.valid) {
        n->x.warp = in->resolve_warp & ones(n->l.WARP_W);
        n->x.lanes = in->resolve_lanes & all_lanes(n);
    }
    hit_if(n, was && n->x.valid, FRONTEND_COV_resolved_behind);
    return pushes;
}

/* --- pop ------------------------------------------------------------------ */

static void pop(struct frontend *n, int which) {
    struct warp *w = &n->warp[which];
    struct entry *top = &n->stack[which * n->l.STACK + w->depth - 1];
    uint64_t others = top->else_mask & ~w->gone;

    if (others) {
        w->mask = others;
        w->pc = top->else_pc;
        top->else_mask = 0;
        hit_if(n, true, FRONTEND_COV_if_else);
    } else {
        w->mask = top->mask & ~w->gone;
        w->pc = w->join;
        w->join = top->join;
        w->depth--;
    }
    frontend_settle(w);
    hit_if(n, w->state == WARP_POP, FRONTEND_COV_pop_again);
}

void frontend_edge_pop(struct frontend *n, const struct edge *e, bool pushed) {
    if (n->popping == NOBODY) {
        n->popping = e->pop_next;
        return;
    }
    hit_if(n, pushed, FRONTEND_COV_pop_held);
    if (pushed)
        return;
    pop(n, n->popping);
    n->popping = NOBODY;
}
