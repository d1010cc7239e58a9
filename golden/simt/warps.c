/* warps.c - warps that pop, wait at barriers or for their requests; CTAs that
 * are taken, and their warps' first threads. */
#include "state.h"

/* --- choose --------------------------------------------------------------- */

static bool looks_for_cta(const struct simt *n) {
    const struct core *s = &n->s;
    return simt_running(n) && s->dispatcher.more &&
           s->dispatcher.state == HANDS_FREE;
}

static int choose_slot(const struct simt *n) {
    const struct core *s = &n->s;
    if (!looks_for_cta(n) || s->dispatcher.skip)
        return -1;
    int resident = (int)n->launch[REG_RESIDENT];
    for (int i = 0; i < resident && i < n->l.CTAS; i++)
        if (!s->slot[i].live && !(simt_slot_warps(n, i) & s->owes))
            return i;
    return -1;
}

/* Warps that the barrier lets go on. */
static uint64_t choose_barrier(const struct simt *n) {
    const struct core *s = &n->s;
    int slot = s->barrier_slot, live = s->slot[slot].live;
    if (!live || !s->in[WARP_BARRIER])
        return 0;
    uint64_t there = simt_slot_warps(n, slot) & s->in[WARP_BARRIER];
    if (__builtin_popcountll(there) != live || there & s->waits_memory)
        return 0;
    return there;
}

static bool none_live(const struct simt *n) {
    for (int i = 0; i < n->l.CTAS; i++)
        if (n->s.slot[i].live)
            return false;
    return true;
}

static bool choose_done(const struct simt *n) {
    const struct core *s = &n->s;
    return simt_running(n) && !s->dispatcher.more &&
           s->dispatcher.state == HANDS_FREE && !s->owes && !s->tickets &&
           s->f.item == NOTHING && s->d.item == NOTHING && !s->in_ring &&
           none_live(n);
}

void simt_choose_warps(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    e->take = choose_slot(n);
    e->passes_over = looks_for_cta(n) && s->dispatcher.skip;
    e->done = choose_done(n);
    e->passes_barrier = choose_barrier(n);
    e->passes_membar = s->in[WARP_MEMBAR] & ~s->waits_memory;
    e->pop_pick = -1;
    if (s->popping < 0 && s->in[WARP_POP])
        e->pop_pick = __builtin_ctzll(s->in[WARP_POP]);
}

/* --- pop ------------------------------------------------------------------ */

static bool at_join(const struct warp *w) {
    return w->depth > 0 && w->pc == w->join;
}

void simt_settle(struct simt *n, int w, enum warp_state otherwise) {
    struct warp *p = &n->s.warp[w];
    if (p->mask && simt_at_end(n, w)) {
        simt_move_warp(n, w, WARP_CHAIN);
    } else if (p->mask && !at_join(p)) {
        simt_move_warp(n, w, otherwise);
    } else if (p->depth) {
        simt_move_warp(n, w, WARP_POP);
    } else {
        simt_move_warp(n, w, WARP_IDLE);
        if (!(n->s.taken >> w & 1))
            n->s.slot[p->slot].live--;
    }
}

static void pop(struct simt *n, int w) {
    struct warp *p = &n->s.warp[w];
    struct entry *top = &n->stack[w][p->depth - 1];
    uint32_t others = top->else_mask & ~p->gone;
    if (others) {
        p->mask = others;
        p->pc = top->else_pc;
        top->else_mask = 0;
        hit_if(n, true, SIMT_COV_if_else);
    } else {
        p->mask = top->mask & ~p->gone;
        p->pc = p->join;
        p->join = top->join;
        p->depth--;
    }
    simt_settle(n, w, WARP_READY);
    hit_if(n, p->state == WARP_POP, SIMT_COV_pop_again);
}

void simt_move_pop(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    if (e->pop_pick >= 0) {
        s->popping = e->pop_pick;
    } else if (s->popping >= 0) {
        hit_if(n, e->pushed, SIMT_COV_pop_held);
        if (e->pushed)
            return;
        pop(n, s->popping);
        s->popping = -1;
    }
}

/* --- barrier, membar, wait ------------------------------------------------ */

/* A barrier or membar is behind the warp. */
static void pass_on(struct simt *n, uint64_t warps) {
    for (; warps; warps &= warps - 1) {
        int w = __builtin_ctzll(warps);
        bool pops = at_join(&n->s.warp[w]);
        simt_move_warp(n, w, pops ? WARP_POP : WARP_READY);
        n->s.asks &= ~bit(w);
    }
}

static void cover_barriers(struct simt *n, const struct edge *e) {
    const struct core *s = &n->s;
    int slot = s->barrier_slot, live = s->slot[slot].live;
    uint64_t there = simt_slot_warps(n, slot) & s->in[WARP_BARRIER];
    hit_if(n,
           live && __builtin_popcountll(there) == live &&
               there & s->waits_memory,
           SIMT_COV_barrier_wait);
    hit_if(n, e->passes_barrier && (uint32_t)live < n->launch[REG_CTA_WARPS],
           SIMT_COV_barrier_exit);
    hit_if(n, s->in[WARP_MEMBAR] & s->waits_memory, SIMT_COV_membar_wait);
}

void simt_move_barriers(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    cover_barriers(n, e);
    if (e->passes_barrier) {
        n->out.count_barrier = 1;
        pass_on(n, e->passes_barrier);
    }
    n->out.fenced = n->l.FENCES && e->passes_membar & ~s->asks;
    pass_on(n, e->passes_membar);
    s->barrier_slot =
        (uint8_t)(s->barrier_slot + 1 == n->l.CTAS ? 0 : s->barrier_slot + 1);
}

/* --- dispatch ------------------------------------------------------------- */

static bool step_place(uint32_t *at, const uint32_t *size) {
    for (int i = 0; i < 3; i++) {
        if (++at[i] < size[i])
            return true;
        at[i] = 0;
    }
    return false;
}

/* Of the core's CTAs, with dispatch by area: the first place in x and y, and the
 * one behind the last. */
static const uint32_t *first_cta(const struct simt *n) {
    static const uint32_t none[2];
    return n->l.AREAS ? n->launch + REG_AREA : none;
}

static const uint32_t *end_cta(const struct simt *n) {
    return n->launch + (n->l.AREAS ? REG_AREA_END : REG_GRID);
}

void simt_start_dispatch(struct simt *n) {
    struct dispatcher *d = &n->s.dispatcher;
    const uint32_t *first = first_cta(n), *end = end_cta(n);
    memcpy(d->next, first, 2 * sizeof *first);
    d->next[2] = 0;
    d->more =
        end[0] && end[1] && n->launch[REG_GRID + 2] &&
        !(n->l.MOVES && n->l.STEPS && !(n->launch[REG_CTA_STEP] & ones(8)));
    d->skip = n->l.STEPS ? (uint8_t)n->launch[REG_FIRST_CTA] : 0;
}

/* False behind the last one. */
static bool next_cta(struct simt *n) {
    struct dispatcher *d = &n->s.dispatcher;
    const uint32_t *first = first_cta(n), *end = end_cta(n);
    int fast = n->l.AREAS && n->launch[REG_BY_COLUMN] & 1;
    for (int k = 0; k < 2; k++) {
        int i = k ? !fast : fast;
        if (++d->next[i] < end[i])
            return true;
        d->next[i] = first[i];
    }
    return ++d->next[2] < n->launch[REG_GRID + 2];
}

static void take_cta(struct simt *n, int slot) {
    struct dispatcher *d = &n->s.dispatcher;
    struct slot *c = &n->s.slot[slot];
    c->live = (uint8_t)n->launch[REG_CTA_WARPS];
    memcpy(c->at, d->next, sizeof c->at);
    d->more = next_cta(n);
    if (n->l.STEPS)
        d->skip = (uint8_t)(n->launch[REG_CTA_STEP] - 1);
    d->state = THREADS;
    d->slot = (uint8_t)slot;
    d->warp = d->lane = 0;
    d->lanes = 0;
    d->left = n->launch[REG_THREADS];
    memset(d->thread, 0, sizeof d->thread);
    n->out.count_cta = 1;
}

static void next_thread(struct simt *n) {
    struct dispatcher *d = &n->s.dispatcher;
    uint32_t size[3];
    for (int i = 0; i < 3; i++)
        size[i] = n->launch[REG_BLOCK + i] & (uint32_t)ones(11);
    d->packed[d->lane] = (d->thread[0] & 1023) | (d->thread[1] & 1023) << 10 |
                         (d->thread[2] & 1023) << 20;
    d->lanes |= 1u << d->lane;
    d->lane++;
    d->left--;
    (void)step_place(d->thread, size);
    if (d->lane < n->l.LANES && d->left)
        return;
    hit_if(n, d->lane < n->l.LANES, SIMT_COV_partial);
    d->state = OFFERS;
}

static void cover_waits(struct simt *n, const struct edge *e) {
    const struct core *s = &n->s;
    if (!looks_for_cta(n) || e->take >= 0 || e->passes_over)
        return;
    for (uint32_t i = 0; i < n->launch[REG_RESIDENT]; i++)
        hit_if(n, !s->slot[i].live, SIMT_COV_cta_waits);
}

void simt_move_dispatch(struct simt *n, const struct edge *e) {
    cover_waits(n, e);
    if (e->take >= 0) {
        take_cta(n, e->take);
    } else if (e->passes_over) {
        struct dispatcher *d = &n->s.dispatcher;
        d->more = next_cta(n);
        d->skip--;
    } else if (n->s.dispatcher.state == THREADS) {
        next_thread(n);
    }
}

void simt_start_warp(struct simt *n, int w) {
    struct dispatcher *d = &n->s.dispatcher;
    struct warp *p = &n->s.warp[w];
    simt_move_warp(n, w, WARP_READY);
    *p = (struct warp){.state = WARP_READY,
                       .slot = d->slot,
                       .pc = n->launch[REG_ENTRY] & (uint32_t)ones(n->l.PC_W),
                       .mask = d->lanes,
                       .gone = n->lanes & ~d->lanes};
    simt_owes(n, w);
    n->s.alone &= ~bit(w);
    d->warp++;
    d->lane = 0;
    d->lanes = 0;
    d->state = d->warp < n->launch[REG_CTA_WARPS] ? THREADS : HANDS_FREE;
}
