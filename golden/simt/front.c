/* front.c - select, the check, passes that go from D into the pipe. */
#include "state.h"

/* --- choose --------------------------------------------------------------- */

/* First member above x, cyclically; the set is not empty. */
static int first_after(uint64_t set, int x) {
    uint64_t above = set & ~(bit(x) | (bit(x) - 1));
    return __builtin_ctzll(above ? above : set);
}

static void choose_ready(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    uint64_t ready = s->in[WARP_READY];
    if (!simt_running(n))
        ready &= s->taken;
    if ((s->halted && s->step < 0) || s->pace) {
        e->paced = s->pace && ready;
        return;
    }
    if (s->step >= 0)
        ready &= bit(s->step);
    if (!ready)
        return;
    if (s->builder != NOBODY && ready & bit(s->builder))
        ready = bit(s->builder);
    int w = first_after(ready, s->last_selected);
    e->by_ready = true;
    e->selected = (struct flight){.item = AN_INSTR,
                                  .warp = (uint8_t)w,
                                  .pc = s->warp[w].pc,
                                  .i = n->code[s->warp[w].pc]};
}

static void choose_select(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    if (!e->f_open || (s->state == CORE_FAULTED && !s->look.there))
        return;
    if (s->read && s->state != CORE_FAULTED) {
        e->selected.item = A_READ;
        e->selected.warp = s->read_warp;
        e->selected.lane = s->read_lane;
        e->selected.reg = s->read_reg;
        return;
    }
    if (s->look.there) {
        e->selected.item = A_LOOK;
        e->selected.warp = s->look.warp;
        e->selected.reg = s->look.reg;
        e->selected.pred = s->look.pred;
        return;
    }
    if (s->complete) {
        int t = __builtin_ctzll(s->complete);
        e->selected.item = A_RETURN;
        e->selected.ticket = (uint8_t)t;
        e->selected.warp = s->ticket[t].warp;
        e->selected.pc = s->ticket[t].pc;
        return;
    }
    if (s->dispatcher.state == OFFERS) {
        e->selected.item = AN_INIT;
        e->selected.warp =
            (uint8_t)(s->dispatcher.slot * n->launch[REG_CTA_WARPS] +
                      s->dispatcher.warp);
        e->selected.pc = n->launch[REG_ENTRY] & (uint32_t)ones(n->l.PC_W);
        return;
    }
    choose_ready(n, e);
}

/* A source or destination is not there yet; to offer a block, nothing may be. */
static bool pending(const struct simt *n, const struct flight *f, bool offer) {
    uint64_t regs = offer && n->l.MOVES ? UINT64_MAX : f->i.regs;
    return regs & n->s.warp[f->warp].pend;
}

static bool buffers_used(const struct simt *n) {
    bool all = true;
    for (int i = 0; i < n->l.BUFFERS; i++)
        all = all && n->s.buffer[i].used;
    return all;
}

/* The last one may be the port's. */
static bool no_ticket(const struct simt *n) {
    uint64_t all = ones(n->l.TICKETS - n->l.OFFERS);
    return (n->s.tickets & all) == all;
}

static bool is_access(const struct flight *f, bool offer) {
    return offer || f->i.kind == DO_ACCESS;
}

static bool needs_ticket(const struct flight *f, bool offer) {
    return !offer && f->i.result;
}

/* An offer, and the chain of another warp is being built. */
static bool other_builds(const struct simt *n, const struct flight *f,
                         bool offer) {
    return offer && n->s.builder != NOBODY && n->s.builder != f->warp;
}

/* An offer of a block, and its warp has requests. */
static bool settles(const struct simt *n, const struct flight *f, bool offer) {
    return offer && n->l.MOVES && n->s.waits_memory >> f->warp & 1;
}

static enum check choose_check(const struct simt *n, bool offer) {
    const struct flight *f = &n->s.f;
    if (f->i.illegal)
        return CHECK_FAULT;
    if (settles(n, f, offer))
        return CHECK_SETTLES;
    if (pending(n, f, offer))
        return CHECK_WAITS;
    if (is_access(f, offer) &&
        (buffers_used(n) || (needs_ticket(f, offer) && no_ticket(n))))
        return CHECK_WAITS;
    if (other_builds(n, f, offer))
        return CHECK_WAITS;
    return CHECK_PASSES;
}

void simt_choose_front(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    e->d_open =
        !s->hold && (s->d.item == NOTHING || s->d_pass == n->l.PASSES - 1);
    e->f_open = s->f.item == NOTHING || e->d_open;
    if (s->f.item == AN_INSTR && e->d_open) {
        e->offers = n->l.OFFERS && simt_is_offer(n, &s->f);
        e->check = (uint8_t)choose_check(n, e->offers);
        if (e->check == CHECK_FAULT)
            e->fault[BY_CHECK] = (struct fault){
                .cause = FAULT_ILLEGAL, .warp = s->f.warp, .pc = s->f.pc};
    }
    choose_select(n, e);
}

/* --- move ----------------------------------------------------------------- */

/* D -> O. */
static void move_d(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    if (s->hold)
        return;
    struct pass *p = simt_pass(n, 0);
    p->valid = false;
    if (s->d.item == NOTHING)
        return;
    simt_compute(n, &s->d, s->d_pass, p);
    s->in_ring++;
    s->d_pass++;
    if (e->d_open)
        s->d.item = NOTHING;
}

static void take_access(struct simt *n, struct flight *f) {
    struct core *s = &n->s;
    struct warp *w = &s->warp[f->warp];
    struct buffer *b = &s->buffer[s->next_buffer];
    f->buffer = s->next_buffer;
    s->next_buffer = (uint8_t)((s->next_buffer + 1) % n->l.BUFFERS);
    b->used = true;
    b->full = false;
    b->offer = f->offer;
    b->warp = f->warp;
    b->pc = f->pc;
    b->type = f->i.type;
    b->active = 0;
    b->requests = 0;
    w->acc++;
    if (needs_ticket(f, f->offer)) {
        int t = __builtin_ctzll(~s->tickets);
        f->ticket = b->ticket = (uint8_t)t;
        s->tickets |= bit(t);
        s->ticket[t] = (struct ticket){.used = true,
                                       .warp = f->warp,
                                       .d = f->i.w.d,
                                       .type = f->i.type,
                                       .pc = f->pc};
        w->pend |= bit(f->i.w.d);
    }
    simt_owes(n, f->warp);
}

static void cover_waits(struct simt *n, bool offer) {
    const struct flight *f = &n->s.f;
    bool access = is_access(f, offer);
    hit_if(n, pending(n, f, offer), SIMT_COV_pending);
    hit_if(n, access && buffers_used(n), SIMT_COV_no_buffer);
    hit_if(n, access && needs_ticket(f, offer) && no_ticket(n),
           SIMT_COV_no_ticket);
    hit_if(n, other_builds(n, f, offer), SIMT_COV_builder_taken);
}

/* Behind a word that its chain continues, the next one may be selected. */
static void continue_chain(struct simt *n, int warp) {
    struct warp *w = &n->s.warp[warp];
    w->pc = (w->pc + 1) & (uint32_t)ones(n->l.PC_W);
    simt_move_warp(n, warp, WARP_READY);
}

/* With chains offered: an instruction goes to D. */
static void begin_instr(struct simt *n, struct flight *f, bool offer) {
    bool continues = simt_continues(n, &f->i);
    f->offer = offer;
    if (n->l.MOVES) {
        if (!offer && f->i.w.mark)
            n->s.alone &= ~bit(f->warp);
        return;
    }
    if (offer) {
        hit_if(n, n->s.builder == f->warp, SIMT_COV_next_word);
        n->s.builder = f->warp;
        if (continues)
            continue_chain(n, f->warp);
    } else if (!continues) {
        n->s.alone &= ~bit(f->warp);
    }
}

/* F -> D. */
static void move_f(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    if (s->f.item == NOTHING || !e->d_open)
        return;
    if (e->check == CHECK_SETTLES) {
        hit_if(n, true, SIMT_COV_asks_waits);
        simt_move_warp(n, s->f.warp, WARP_MEMBAR);
        s->asks |= bit(s->f.warp);
        n->out.count_blocked = 1;
    } else if (e->check == CHECK_WAITS) {
        cover_waits(n, e->offers);
        simt_move_warp(n, s->f.warp, WARP_WAIT);
        n->out.count_blocked = 1;
    } else if (e->check != CHECK_FAULT) {
        s->d = s->f;
        s->d_pass = 0;
        n->out.count_issued = s->f.item == AN_INSTR;
        if (n->l.OFFERS && s->f.item == AN_INSTR)
            begin_instr(n, &s->d, e->offers);
        if (s->f.item == AN_INSTR && is_access(&s->d, s->d.offer))
            take_access(n, &s->d);
    }
    s->f.item = NOTHING;
}

static void move_select(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    n->out.count_idle = simt_running(n) && !s->halted && e->f_open &&
                        e->selected.item == NOTHING;
    hit_if(n, e->paced, SIMT_COV_paced);
    if (s->pace)
        s->pace--;
    switch (e->selected.item) {
    case NOTHING:
        return;
    case A_READ:
        s->read = false;
        break;
    case A_LOOK:
        s->look.there = false;
        break;
    case A_RETURN:
        s->complete &= ~bit(e->selected.ticket);
        hit_if(n, s->in[WARP_READY] && simt_running(n) && !s->halted,
               SIMT_COV_return_and_ready);
        break;
    case AN_INIT:
        s->dispatcher.state = IN_FLIGHT;
        simt_move_warp(n, e->selected.warp, WARP_FLIGHT);
        break;
    default:
        hit_if(n, s->step >= 0, SIMT_COV_step);
        s->step = -1;
        if (n->l.MOVES && n->launch[REG_PACE] & ones(8))
            s->pace = (uint32_t)(n->launch[REG_PACE] & ones(8)) - 1;
        s->last_selected = e->selected.warp;
        simt_move_warp(n, e->selected.warp, WARP_FLIGHT);
        break;
    }
    s->f = e->selected;
}

void simt_move_front(struct simt *n, struct edge *e) {
    move_d(n, e);
    move_f(n, e);
    move_select(n, e);
}
