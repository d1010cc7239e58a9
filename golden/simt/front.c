/* front.c - select, the check, passes that go from D into the pipe. */
#include "state.h"

/* --- choose --------------------------------------------------------------- */

static uint64_t complete(const struct simt *n) {
    uint64_t set = 0;
    for (uint64_t rest = n->s.tickets; rest; rest &= rest - 1) {
        const struct ticket *t = &n->s.ticket[__builtin_ctzll(rest)];
        if (t->issued && !t->out && !t->returning)
            set |= rest & -rest;
    }
    return set;
}

/* First member above x, cyclically; the set is not empty. */
static int first_after(uint64_t set, int x) {
    uint64_t above = set & ~(bit(x) | (bit(x) - 1));
    return __builtin_ctzll(above ? above : set);
}

static void choose_ready(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    uint64_t ready = s->in[WARP_READY];
    if (!simt_running(n) || (s->halted && s->step < 0))
        return;
    if (s->step >= 0)
        ready &= bit(s->step);
    if (!ready)
        return;
    int w = first_after(ready, s->last_selected);
    e->by_ready = true;
    e->selected = (struct flight){.item = AN_INSTR,
                                  .warp = (uint8_t)w,
                                  .pc = s->warp[w].pc,
                                  .i = n->code[s->warp[w].pc]};
}

static void choose_select(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    if (!e->f_open || s->state == CORE_FAULTED)
        return;
    if (s->read) {
        e->selected.item = A_READ;
        e->selected.warp = s->read_warp;
        e->selected.lane = s->read_lane;
        e->selected.reg = s->read_reg;
        return;
    }
    uint64_t returns = complete(n);
    if (returns) {
        int t = __builtin_ctzll(returns);
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

static bool buffers_used(const struct simt *n) {
    bool all = true;
    for (int i = 0; i < n->l.BUFFERS; i++)
        all = all && n->s.buffer[i].used;
    return all;
}

static bool no_ticket(const struct simt *n) {
    return n->s.tickets == ones(n->l.TICKETS);
}

static enum check choose_check(const struct simt *n) {
    const struct flight *f = &n->s.f;
    if (f->i.illegal)
        return CHECK_FAULT;
    if (f->i.regs & n->s.warp[f->warp].pend)
        return CHECK_WAITS;
    if (f->i.kind == DO_ACCESS &&
        (buffers_used(n) || (f->i.result && no_ticket(n))))
        return CHECK_WAITS;
    return CHECK_PASSES;
}

void simt_choose_front(const struct simt *n, struct edge *e) {
    const struct core *s = &n->s;
    e->d_open =
        !s->hold && (s->d.item == NOTHING || s->d_pass == n->l.PASSES - 1);
    e->f_open = s->f.item == NOTHING || e->d_open;
    if (s->f.item == AN_INSTR && e->d_open) {
        e->check = (uint8_t)choose_check(n);
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
    b->warp = f->warp;
    b->pc = f->pc;
    b->type = f->i.type;
    b->active = 0;
    b->requests = 0;
    w->acc++;
    if (f->i.result) {
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

static void cover_waits(struct simt *n) {
    const struct flight *f = &n->s.f;
    bool pending = f->i.regs & n->s.warp[f->warp].pend;
    bool access = f->i.kind == DO_ACCESS;
    hit_if(n, pending, SIMT_COV_pending);
    hit_if(n, access && buffers_used(n), SIMT_COV_no_buffer);
    hit_if(n, access && f->i.result && no_ticket(n), SIMT_COV_no_ticket);
}

/* F -> D. */
static void move_f(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    if (s->f.item == NOTHING || !e->d_open)
        return;
    if (e->check == CHECK_WAITS) {
        cover_waits(n);
        simt_move_warp(n, s->f.warp, WARP_WAIT);
        n->out.count_blocked = 1;
    } else if (e->check != CHECK_FAULT) {
        s->d = s->f;
        s->d_pass = 0;
        n->out.count_issued = s->f.item == AN_INSTR;
        if (s->f.item == AN_INSTR && s->f.i.kind == DO_ACCESS)
            take_access(n, &s->d);
    }
    s->f.item = NOTHING;
}

static void move_select(struct simt *n, const struct edge *e) {
    struct core *s = &n->s;
    n->out.count_idle = simt_running(n) && !s->halted && e->f_open &&
                        e->selected.item == NOTHING;
    switch (e->selected.item) {
    case NOTHING:
        return;
    case A_READ:
        s->read = false;
        break;
    case A_RETURN:
        s->ticket[e->selected.ticket].returning = true;
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
