/* moves.c - with blocks moved: warps that come from other cores and their ends,
 * registers of warps that stand. */
#include "state.h"

/* A warp that is at its end, and nothing of it is under way. */
void simt_choose_moves(const struct simt *n, struct edge *e) {
    uint64_t over = n->s.taken & n->s.in[WARP_CHAIN] & ~n->s.owes;
    e->over = over ? __builtin_ctzll(over) : -1;
}

static void move_over(struct simt *n, const struct edge *e) {
    struct simt_out *o = &n->out;
    int w = (int)o->over_warp;

    if (!o->over_valid) {
        o->over_valid = e->over >= 0;
        o->over_warp = e->over >= 0 ? (uint64_t)e->over : 0;
        return;
    }
    hit_if(n, !(e->in->over_ready & 1), SIMT_COV_over_held);
    if (!(e->in->over_ready & 1))
        return;
    hit_if(n, true, SIMT_COV_came_over);
    n->s.taken &= ~bit(w);
    simt_move_warp(n, w, WARP_IDLE);
    o->over_valid = o->over_warp = 0;
}

static void spawn(struct simt *n, const struct simt_in *in) {
    int w = (int)(in->spawn_warp & ones(n->l.WARP_W));
    uint32_t mask = (uint32_t)in->spawn_mask & n->lanes;
    struct warp *p = &n->s.warp[w];

    simt_move_warp(n, w, WARP_READY);
    p->depth = 0;
    p->join = 0;
    p->pc = (uint32_t)(in->spawn_pc & ones(n->l.PC_W));
    p->mask = mask;
    p->gone = n->lanes & ~mask;
    n->s.end[w] = (uint32_t)(in->spawn_end & ones(n->l.PC_W));
    n->s.taken |= bit(w);
    n->s.alone &= ~bit(w);
    hit_if(n, true, SIMT_COV_came);
}

static void move_look(struct simt *n, const struct simt_in *in) {
    if (n->out.look_ready && in->look_valid & 1) {
        n->s.look.there = true;
        n->s.look.warp = (uint8_t)(in->look_warp & ones(n->l.WARP_W));
        n->s.look.pred = in->look_pred & 1;
        n->s.look.reg =
            (uint8_t)(in->look_reg &
                      (n->s.look.pred ? 7 : (uint64_t)n->l.REGS - 1));
    }
}

void simt_move_moves(struct simt *n, const struct edge *e) {
    move_over(n, e);
    if (e->in->spawn_valid & 1)
        spawn(n, e->in);
    move_look(n, e->in);
}
