/* engine.c - golden near-bank unit: where each instruction runs.
 *
 * The offload engine and the register track table of MPU, section IV-B1: slots,
 * pick, lookup, decide, act, and the updates that completions and finished
 * moves make.  Written from docs/blocks/nbu.md; state.h says how an edge
 * is evaluated.
 */
#include "state.h"

/* Slots ------------------------------------------------------------------ */

void nbu_choose_accept(const struct nbu *n, struct edge *e) {
    const struct nbu_in *in = e->in;
    int warp = (int)(in->issue_warp & (bit(n->l.WARP_W) - 1));

    e->accept = -1;
    if (in->issue_valid & 1 && n->out.issue_ready >> warp & 1)
        e->accept = warp;
    event_if(e, e->accept >= 0, NBU_CNT_accepted);

    e->far_sent = e->near_sent = -1;
    if (n->out.far_exec_valid && in->far_exec_ready & 1)
        e->far_sent = (int)n->out.far_exec_warp;
    if (n->out.near_exec_valid && in->near_exec_ready & 1)
        e->near_sent = (int)n->out.near_exec_warp;
}

void nbu_choose_pick(const struct nbu *n, struct edge *e) {
    uint64_t pickable = n->held & n->ask & ~n->look & ~n->waiting;

    e->pick = pickable ? first_after(pickable, n->last_pick) : -1;
}

static void take_operand(const struct nbu *n, struct slot *s,
                         enum operand_place place, uint64_t wires) {
    struct operand *o = &s->operand[place];

    struct nbu_operand_fields f;

    record_unpack(&n->base.design->record[NBU_REC_operand], &wires, &f);
    o->wires = (uint16_t)(wires & n->operand_mask);
    o->reg = (uint8_t)f.reg;
    o->kind = (uint8_t)f.kind;
    s->valid |= (uint8_t)(f.valid << place);
}

static void fill_slot(struct nbu *n, struct slot *s, const struct nbu_in *in) {
    s->tag = (uint16_t)(in->issue_tag & n->tag_mask);
    s->op = in->issue_op & ones(OPCLASS_BITS);
    s->hint = in->issue_hint & 3;
    s->mask = (uint32_t)in->issue_mask & n->lane_mask;
    s->valid = 0;
    take_operand(n, s, SRC0, in->issue_src0);
    take_operand(n, s, SRC1, in->issue_src1);
    take_operand(n, s, SRC2, in->issue_src2);
    take_operand(n, s, GUARD, in->issue_guard);
    take_operand(n, s, DST, in->issue_dst);
    s->partial = s->mask != n->lane_mask || s->valid >> GUARD & 1;
}

/* The flags of all warps.  What sets a flag stands last: it wins. */
void nbu_move_slots(struct nbu *n, const struct edge *e) {
    uint64_t accept = e->accept >= 0 ? bit(e->accept) : 0;
    uint64_t pick = e->pick >= 0 ? bit(e->pick) : 0;
    uint64_t wake = e->update.writes ? bit(e->update.warp) : 0;
    uint64_t sent = 0;

    if (e->far_sent >= 0)
        sent |= bit(e->far_sent);
    if (e->near_told >= 0)
        sent |= bit(e->near_told);

    n->busy = (n->busy & ~sent) | accept;
    n->held |= accept;
    n->ask = (n->ask & ~pick) | wake | accept;
    n->look |= pick;
    n->stage1 = e->pick;
    if (pick)
        n->last_pick = (uint8_t)e->pick;
    if (accept)
        fill_slot(n, &n->slot[e->accept], e->in);
}

/* Lookup pipeline -------------------------------------------------------- */

/* Stage 1 to 2.  The update of this edge is already in the table. */
void nbu_move_lookup(struct nbu *n, const struct edge *e) {
    struct lookup *s2 = &n->stage2;
    const struct slot *s;

    s2->valid = n->stage1 >= 0;
    if (!s2->valid)
        return;
    s2->warp = (uint8_t)n->stage1;
    s2->far = s2->near = s2->retired = s2->issued = 0;
    s = &n->slot[s2->warp];
    for (int i = 0; i < N_OPERANDS; i++) {
        int entry = s2->warp * n->l.REGS + s->operand[i].reg;
        unsigned track = n->track[entry];
        s2->far |= (uint8_t)((track & TRACK_FAR) / TRACK_FAR << i);
        s2->near |= (uint8_t)((track & TRACK_NEAR) / TRACK_NEAR << i);
        s2->retired |= (uint8_t)((track & TRACK_RETIRED) / TRACK_RETIRED << i);
        s2->issued |= (uint8_t)(n->issued[entry] << i);
        hit_if(n,
               e->update.writes && e->update.entry == entry &&
                   s->valid >> i & 1,
               NBU_COV_forward);
    }
}

static enum rule where_it_runs(const struct nbu *n, const struct slot *s,
                               uint8_t near) {
    uint32_t policy = n->base.regs.setting[NBU_SET_policy];
    uint8_t sources = s->valid & INPUTS;

    if (n->near_set >> s->op & 1)
        return RULE_NEAR_SET;
    if (policy == FAR)
        return RULE_POLICY_FAR;
    if (n->far_set >> s->op & 1)
        return RULE_FAR_SET;
    if (policy == NEAR)
        return RULE_POLICY_NEAR;
    if (policy == ANNOTATED && s->hint == 1)
        return RULE_HINT_FAR;
    if (policy == ANNOTATED && s->hint == 2)
        return RULE_HINT_NEAR;
    if (!sources)
        return RULE_NO_SOURCES;
    return sources & ~near ? RULE_NOT_ALL_NEAR : RULE_ALL_NEAR;
}

/* The operands that must be on the near side. */
static uint8_t where_operands(const struct nbu *n, const struct slot *s,
                              bool near) {
    uint8_t guard = near ? 1 << GUARD : 0;

    if (!n->l.NEAR_SIDE)
        return 0;
    switch (s->op) {
    case OPC_ld_global:
    case OPC_st_global:
        return 1 << SRC1 | 1 << SRC2 | 1 << DST | guard;
    case OPC_ld_shared:
    case OPC_st_shared:
        return SOURCES | 1 << DST | guard;
    default:
        return near ? ALL : 0;
    }
}

/* Drop operands that name the register of an earlier one. */
static uint8_t without_equals(const struct slot *s, uint8_t missing) {
    uint8_t moves = missing;

    for (int i = 1; i < N_OPERANDS; i++)
        for (int j = 0; j < i; j++)
            if (missing >> i & missing >> j & 1 &&
                s->operand[i].reg == s->operand[j].reg)
                moves &= (uint8_t) ~(1 << i);
    return moves;
}

/* Stage 2 to 3. */
void nbu_move_decide(struct nbu *n) {
    const struct lookup *s2 = &n->stage2;
    struct decision *d = &n->stage3;
    const struct slot *s = &n->slot[s2->warp];
    uint8_t wanted;

    d->valid = s2->valid;
    if (!d->valid)
        return;
    d->warp = s2->warp;
    d->policy = (uint8_t)n->base.regs.setting[NBU_SET_policy];
    d->rule = (uint8_t)where_it_runs(n, s, s2->near);
    d->near = d->rule == RULE_NEAR_SET || d->rule == RULE_POLICY_NEAR ||
              d->rule == RULE_HINT_NEAR || d->rule == RULE_ALL_NEAR;
    d->need_near = where_operands(n, s, d->near);
    d->pending = s->valid & (s2->issued ^ s2->retired);
    d->retired = s2->retired;

    wanted = s->valid & (s->partial ? ALL : INPUTS);
    d->missing = wanted & ((d->need_near & ~s2->near) |
                           (~d->need_near & ~s2->far & ALL));
    d->moves = d->missing ? without_equals(s, d->missing) : 0;
}

/* Act -------------------------------------------------------------------- */

static void act_hold(struct nbu *n, struct edge *e) {
    uint8_t pending = n->stage3.pending;

    event_if(e, true, NBU_CNT_held);
    hit_if(n, pending & SOURCES, NBU_COV_hazard_source);
    hit_if(n, pending == 1 << DST, NBU_COV_hazard_dst);
    hit_if(n, pending == 1 << GUARD, NBU_COV_hazard_guard);
}

static void act_move(struct nbu *n) {
    const struct decision *d = &n->stage3;
    const struct slot *s = &n->slot[d->warp];
    struct move_list *list = &n->far_moves_list[queue_push(&n->far_moves)];

    *list = (struct move_list){
        .warp = d->warp,
        .needed = d->moves,
        .up = d->moves & ~d->need_near & ALL,
        .epoch = d->retired,
    };
    for (int i = 0; i < N_OPERANDS; i++)
        list->operand[i] = s->operand[i];
    n->left[d->warp] = (uint8_t)__builtin_popcount(d->moves);
    n->waiting |= bit(d->warp);
    hit_if(n, d->missing >> DST & 1, NBU_COV_merge_dst);
    hit_if(n, d->missing != d->moves, NBU_COV_move_shared);
    hit_if(n, list->up && list->up != list->needed, NBU_COV_move_both_ways);
}

/* Why an instruction went where it did. */
static void cover_go(struct nbu *n, const struct decision *d) {
    hit_if(n, d->policy == ANNOTATED, NBU_COV_policy_annotated);
    hit_if(n, d->policy == DEFAULT, NBU_COV_policy_default);
    hit_if(n, d->policy == NEAR, NBU_COV_policy_near);
    hit_if(n, d->policy == FAR, NBU_COV_policy_far);
    hit_if(n, d->rule == RULE_FAR_SET, NBU_COV_by_far_set);
    hit_if(n, d->rule == RULE_HINT_FAR, NBU_COV_by_hint_far);
    hit_if(n, d->rule == RULE_HINT_NEAR, NBU_COV_by_hint_near);
    hit_if(n, d->rule == RULE_ALL_NEAR, NBU_COV_by_default_near);
    hit_if(n, d->rule == RULE_NOT_ALL_NEAR, NBU_COV_by_default_far);
    hit_if(n, d->rule == RULE_NO_SOURCES, NBU_COV_no_sources);
}

static void act_go(struct nbu *n, struct edge *e) {
    const struct decision *d = &n->stage3;
    struct slot *s = &n->slot[d->warp];

    n->held &= ~bit(d->warp);
    s->ticket = 0;
    if (s->valid >> DST & 1) {
        int reg = s->operand[DST].reg;
        const struct nbu_ticket_fields f = {
            .reg = (uint64_t)reg,
            .epoch = n->issued[d->warp * n->l.REGS + reg] ^= 1,
            .near = d->need_near >> DST & 1,
            .written = 1,
        };
        uint64_t ticket;
        record_pack(&n->base.design->record[NBU_REC_ticket], &f, &ticket);
        s->ticket = (uint16_t)ticket;
    }
    if (d->near)
        n->near_send_warp[queue_push(&n->near_send)] = d->warp;
    else
        n->far_queue_warp[queue_push(&n->far_queue)] = d->warp;
    event_if(e, d->near, NBU_CNT_went_near);
    event_if(e, !d->near, NBU_CNT_went_far);
    cover_go(n, d);
}

/* The edge that ends stage 3. */
void nbu_move_act(struct nbu *n, struct edge *e) {
    const struct decision *d = &n->stage3;

    if (!d->valid)
        return;
    n->look &= ~bit(d->warp);
    if (d->pending)
        act_hold(n, e);
    else if (d->moves)
        act_move(n);
    else
        act_go(n, e);
}

/* Updates of the track table --------------------------------------------- */

static void choose_completion(const struct nbu *n, struct update *u,
                              const struct done *done) {
    uint64_t ticket = done->ticket;
    struct nbu_ticket_fields f;

    record_unpack(&n->base.design->record[NBU_REC_ticket], &ticket, &f);
    u->warp = done->warp;
    u->tag = done->tag;
    u->reg = (uint8_t)f.reg;
    u->track = (uint8_t)((f.near ? TRACK_NEAR : TRACK_FAR) |
                         (f.epoch ? TRACK_RETIRED : 0));
    /* Only a broken environment completes for a warp that does not exist:
     * the table has no such entry. */
    u->writes = f.written && u->warp < n->l.WARPS;
}

static void choose_finished(struct update *u, const struct landing *landing) {
    const struct header *h = &landing->header;

    u->warp = h->warp;
    u->reg = h->kind == NBU_PAIR ? h->reg & 0xfe : h->reg;
    u->track =
        (uint8_t)(TRACK_FAR | TRACK_NEAR | (h->epoch ? TRACK_RETIRED : 0));
    u->writes = true;
}

static enum update_source first_update(const struct nbu *n) {
    if (!n->init_done)
        return UPDATE_INIT;
    if (n->nd_valid)
        return UPDATE_NEAR_DONE;
    if (n->landing[UP].finished)
        return UPDATE_UP;
    if (n->landing[DOWN].finished)
        return UPDATE_DOWN;
    return n->far_done.out_valid ? UPDATE_FAR_DONE : UPDATE_NONE;
}

void nbu_choose_update(const struct nbu *n, struct edge *e) {
    struct update *u = &e->update;

    u->source = first_update(n);
    switch (u->source) {
    case UPDATE_INIT:
        u->writes = true;
        u->warp = (uint8_t)(n->init_entry >> n->l.REG_W);
        u->reg = (uint8_t)(n->init_entry & (n->l.REGS - 1));
        u->track = TRACK_FAR;
        break;
    case UPDATE_NEAR_DONE:
        choose_completion(n, u, &n->nd);
        break;
    case UPDATE_UP:
        choose_finished(u, &n->landing[UP]);
        break;
    case UPDATE_DOWN:
        choose_finished(u, &n->landing[DOWN]);
        break;
    case UPDATE_FAR_DONE:
        choose_completion(n, u, &n->far_done_word[n->far_done.out]);
        break;
    case UPDATE_NONE:
        u->writes = false;
        break;
    }
    u->entry = u->warp * n->l.REGS + u->reg;
    event_if(e, u->source == UPDATE_NEAR_DONE || u->source == UPDATE_FAR_DONE,
             NBU_CNT_committed);
    event_if(e, u->source == UPDATE_DOWN, NBU_CNT_moved_down);
    event_if(e, u->source == UPDATE_UP, NBU_CNT_moved_up);
}

static void move_init(struct nbu *n) {
    n->issued[n->init_entry] = 0;
    n->init_entry++;
    n->init_done = n->init_entry == n->l.WARPS * n->l.REGS;
}

static void finish_move(struct nbu *n, enum direction d, int warp) {
    n->landing[d].finished = false;
    n->bus.busy[d] = false;
    n->left[warp]--;
    if (!n->left[warp])
        n->waiting &= ~bit(warp);
}

static void show_commit(struct nbu *n, const struct update *u) {
    bool near = u->source == UPDATE_NEAR_DONE;
    bool valid = near || u->source == UPDATE_FAR_DONE;

    n->out.commit_valid = valid;
    n->out.commit_near = near;
    n->out.commit_warp = valid ? u->warp : 0;
    n->out.commit_tag = valid ? u->tag : 0;
}

void nbu_move_update(struct nbu *n, const struct edge *e) {
    const struct update *u = &e->update;

    if (u->writes)
        n->track[u->entry] = u->track;
    show_commit(n, u);
    switch (u->source) {
    case UPDATE_INIT:
        move_init(n);
        break;
    case UPDATE_NEAR_DONE:
        n->nd_valid = false;
        break;
    case UPDATE_UP:
        finish_move(n, UP, u->warp);
        break;
    case UPDATE_DOWN:
        finish_move(n, DOWN, u->warp);
        break;
    case UPDATE_FAR_DONE:
        queue_pop(&n->far_done);
        break;
    case UPDATE_NONE:
        break;
    }
}
