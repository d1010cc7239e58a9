/* chains.c - with chains offered or blocks moved: words that are offered, news of
 * the warps they are of, results that were computed elsewhere. */
#include "state.h"

/* --- offers --------------------------------------------------------------- */

bool simt_is_offer(const struct simt *n, const struct flight *f) {
    if (n->l.MOVES)
        return f->i.w.mark && !((n->s.alone | n->s.taken) >> f->warp & 1);
    return n->s.builder == f->warp ||
           (f->i.w.chain == CHAIN_FIRST && !(n->s.alone >> f->warp & 1));
}

void simt_move_offer(struct simt *n, const struct edge *e) {
    struct simt_out *o = &n->out;
    if (!o->offer_valid)
        return;
    if (!(e->in->offer_ready & 1)) {
        hit_if(n, true, SIMT_COV_offer_held);
        return;
    }
    o->offer_valid = 0;
    o->offer_warp = 0;
    o->offer_pc = 0;
    o->offer_code = 0;
    o->offer_mask = 0;
    o->offer_a = o->offer_b = 0;
    o->offer_in_row = o->offer_same_a = o->offer_same_b = 0;
}

/* Words that may be accessed, one behind the other by lane. */
static bool in_row(const struct simt *n, const struct buffer *b) {
    uint32_t end = n->launch[REG_UNMAPPED];
    uint32_t first = 0, lowest = 0;
    bool some = false;
    for (uint32_t i = 0; i < (uint32_t)n->l.LANES; i++) {
        if (!(b->active >> i & 1))
            continue;
        uint32_t at = b->a[i];
        if (!some) {
            some = true;
            first = at;
            lowest = i;
        }
        if (at != first + 4 * (i - lowest) || at % 4 || at < 256 ||
            (end && at >= end))
            return false;
    }
    return true;
}

static bool same(const struct buffer *b, const uint32_t *v) {
    for (uint32_t rest = b->active; rest; rest &= rest - 1)
        if (v[__builtin_ctz(rest)] != v[__builtin_ctz(b->active)])
            return false;
    return true;
}

static void show_offer(struct simt *n, const struct buffer *b) {
    struct simt_out *o = &n->out;
    o->offer_valid = 1;
    o->offer_warp = b->warp;
    o->offer_pc = b->pc;
    o->offer_code = n->words[b->pc];
    o->offer_mask = b->active;
    if (b->active) {
        o->offer_a = b->a[__builtin_ctz(b->active)];
        o->offer_b = b->b[__builtin_ctz(b->active)];
    }
    o->offer_in_row = in_row(n, b);
    o->offer_same_a = same(b, b->a);
    o->offer_same_b = same(b, b->b);
    hit_if(n, true, SIMT_COV_offered);
}

/* An edge that looks at nothing, one for each pass, and then it waits for its
 * turn; what is looked at is worked out when it is shown.  The last word of a
 * chain waits for its release, too. */
void simt_offer(struct simt *n, struct edge *e, struct buffer *b) {
    struct engine *g = &n->s.engine;
    const struct warp *w = &n->s.warp[b->warp];
    if (!g->busy) {
        g->busy = true;
        g->pass = 0;
    } else if (g->pass < n->l.PASSES) {
        g->pass++;
    } else if (!simt_continues(n, &n->code[b->pc]) && w->state != WARP_CHAIN) {
        return;
    } else if (w->out) {
        hit_if(n, true, SIMT_COV_offer_out);
    } else if (!n->out.offer_valid) {
        show_offer(n, b);
        simt_end_access(n, e, b);
    }
}

/* --- news of warps -------------------------------------------------------- */

static void move_warp(struct simt *n, const struct simt_in *in) {
    int w = (int)(in->go_warp & ones(n->l.WARP_W));
    struct warp *p = &n->s.warp[w];
    bool alone = in->go_alone & 1;
    if (!(n->l.MOVES && alone))
        p->pc = (uint32_t)(in->go_pc & ones(n->l.PC_W));
    n->s.alone = (n->s.alone & ~bit(w)) | (uint64_t)alone << w;
    simt_settle(n, w, WARP_READY);
    hit_if(n, alone, n->l.MOVES ? SIMT_COV_stays : SIMT_COV_by_itself);
    hit_if(n, !alone, SIMT_COV_chain_over);
    hit_if(n, p->state == WARP_POP, SIMT_COV_chain_pops);
}

void simt_move_go(struct simt *n, struct edge *e) {
    const struct simt_in *in = e->in;
    if (!(in->go_valid & 1))
        return;
    if (in->go_moves & 1)
        move_warp(n, in);
    if (n->l.BUILDS && in->go_frees & 1) {
        n->s.builder = NOBODY;
        e->freed = true;
    }
}

/* --- results -------------------------------------------------------------- */

static int port(const struct simt *n) {
    return n->l.TICKETS - 1;
}

void simt_choose_put(const struct simt *n, struct edge *e) {
    e->puts = n->s.put.there && !e->row_taken;
}

static void enter_row(struct simt *n) {
    struct put *p = &n->s.put;
    uint32_t *row = n->rows[port(n)] + p->pass * n->l.ALUS;
    for (int i = 0; i < n->l.ALUS; i++)
        row[i] = bits_lane(p->data, i);
    p->pass++;
    p->there = false;
    if (p->last) {
        n->s.ticket[port(n)].issued = true;
        n->s.complete |= bit(port(n));
    }
}

static void first_pass(struct simt *n, const struct simt_in *in) {
    bool pred = in->put_pred & 1;
    int w = (int)(in->put_warp & ones(n->l.WARP_W));
    uint64_t ds = pred ? ISA_TRUE : (uint64_t)n->l.REGS - 1;
    n->s.tickets |= bit(port(n));
    n->s.ticket[port(n)] =
        (struct ticket){.used = true,
                        .pred = pred,
                        .warp = (uint8_t)w,
                        .d = (uint8_t)(in->put_d & ds),
                        .pc = (uint32_t)(in->put_pc & ones(n->l.PC_W)),
                        .active = (uint32_t)in->put_mask & n->lanes};
    n->s.put.pass = 0;
    if (!pred)
        n->s.warp[w].pend |= bit((int)(in->put_d & ds));
    simt_owes(n, w);
}

void simt_move_put(struct simt *n, const struct edge *e) {
    const struct simt_in *in = e->in;
    struct put *p = &n->s.put;
    hit_if(n, p->there && e->row_taken, SIMT_COV_put_waits);
    if (e->puts)
        enter_row(n);
    if (!(in->put_valid & 1) || !n->out.put_ready || n->s.state == CORE_FAULTED)
        return;
    if (!n->s.ticket[port(n)].used)
        first_pass(n, in);
    p->there = true;
    p->last = in->put_last & 1;
    memcpy(p->data, in->put_data, sizeof p->data);
}

/* --- what is shown -------------------------------------------------------- */

void simt_show_chains(struct simt *n, bool was_shown, bool busy) {
    const struct ticket *t = &n->s.ticket[port(n)];
    bool open = !n->s.put.there && (!t->used || !t->issued);
    n->out.put_ready = open || n->s.state == CORE_FAULTED;
    if (was_shown || n->out.offer_valid || busy)
        n->out.quiet = 0;
}
