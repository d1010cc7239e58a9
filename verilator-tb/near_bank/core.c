/* core.c - front end and pipeline of the base die: instructions from offer to
 * commit. */
#include "core.h"

#include "base/bits.h"
#include "iface/opclass.h"

#include <string.h>

static const char *const sides[] = {"far", "near"};

static struct flight *flight_in(struct near_bank_stim *s, int warp,
                                enum flight_state state) {
    for (int n = 0; n < FLIGHTS; n++)
        if (s->flight[warp][n].state == state)
            return &s->flight[warp][n];
    return NULL;
}

bool core_rests(struct near_bank_stim *s, int warp) {
    for (int n = 0; n < FLIGHTS; n++)
        if (s->flight[warp][n].state != FREE)
            return false;
    return !(s->offering && s->offer.warp == warp);
}

struct flight *core_waiting(struct near_bank_stim *s, uint64_t warp) {
    return warp < (uint64_t)s->size.WARPS ? flight_in(s, (int)warp, ACCEPTED)
                                          : NULL;
}

/* --- offers --------------------------------------------------------------- */

static bool tag_is_used(struct near_bank_stim *s, uint64_t tag, int warp) {
    for (int n = 0; n < FLIGHTS; n++)
        if (s->flight[warp][n].state != FREE && s->flight[warp][n].i.tag == tag)
            return true;
    return s->offering && s->offer.warp == warp && s->offer.tag == tag;
}

static bool is_in_use(struct near_bank_stim *s, uint64_t tag) {
    for (int w = 0; w < s->size.WARPS; w++)
        if (tag_is_used(s, tag, w))
            return true;
    return false;
}

static void offer(struct near_bank_stim *s) {
    struct rng *r = &s->base.rng;
    uint32_t n = (uint32_t)s->size.WARPS;
    if (s->tune.few && (uint32_t)s->tune.few < n)
        n = (uint32_t)s->tune.few;
    int warp = (int)rng_below(r, n);
    uint64_t tag = rng_next(r) & ones(s->size.TAG_W);
    bool looked_at = !s->fetch.flight && (s->fetch.offered || s->fetch.due) &&
                     s->fetch.warp == (uint64_t)warp;
    if (looked_at || s->code[tag] == 0 || tag_is_used(s, tag, warp) ||
        !flight_in(s, warp, FREE))
        return;
    if (!(s->ready >> warp & 1) && rng_percent(r, 90))
        return;
    s->offer = words_instr(s, warp, tag);
    s->offer.mask = rng_percent(r, s->tune.partial)
                        ? rng_next(r) & ones(s->size.LANES)
                        : ones(s->size.LANES);
    if (rng_percent(r, 2))
        s->offer.mask = 0;
    if (shared_is(s, s->offer.word.op) && !shared_may_offer(s, &s->offer))
        return;
    s->offering = true;
}

static uint64_t pack(const struct near_bank_stim *s, const struct instr *i,
                     enum operand o) {
    return (uint64_t)i->has[o] << (s->size.REG_W + 2) |
           i->kind[o] << s->size.REG_W | i->reg[o];
}

void core_drive_issue(struct near_bank_stim *s, struct dies_in *in) {
    const struct instr *i = &s->offer;
    if (!s->offering && rng_percent(&s->base.rng, s->tune.issue))
        offer(s);
    in->issue_valid = s->offering;
    in->issue_warp = (uint64_t)i->warp;
    in->issue_tag = i->tag;
    in->issue_op = i->op;
    in->issue_hint = i->hint;
    in->issue_mask = i->mask;
    in->issue_dst = pack(s, i, DST);
    in->issue_src0 = pack(s, i, SRC0);
    in->issue_src1 = pack(s, i, SRC1);
    in->issue_src2 = pack(s, i, SRC2);
    in->issue_guard = pack(s, i, GUARD);
}

/* Both copies of the code: ours, and that of the DRAM die. */
void core_drive_code(struct near_bank_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t tag = rng_next(r) & ones(s->size.TAG_W);
    in->code_tag = tag;
    in->code_word = 0;
    in->code_valid = (s->code[tag] == 0 || rng_percent(r, s->tune.codes)) &&
                     !is_in_use(s, tag);
    if (in->code_valid)
        s->code[tag] = in->code_word = words_random(s);
}

/* --- the pipeline of the base die ----------------------------------------- */

void core_drive_far(struct near_bank_stim *s, struct dies_in *in) {
    struct rng *r = &s->base.rng;
    const struct dies_out *o = &s->shown;
    bool store = o->far_exec_valid && o->far_exec_op == OPC_st_global;
    struct flight *f = store ? core_waiting(s, o->far_exec_warp) : NULL;
    bool takes = toggle_step(&s->takes, r, s->tune.high, s->tune.low);
    in->far_exec_ready = takes && (!store || (f && s->store == f));
    for (int n = 0; !s->completing && n < s->size.WARPS * FLIGHTS; n++) {
        s->oldest = (s->oldest + 1) % (uint64_t)(s->size.WARPS * FLIGHTS);
        f = &s->flight[s->oldest / FLIGHTS][s->oldest % FLIGHTS];
        if (f->state == EXECUTING && f->side == FAR && f->due <= s->base.now &&
            f->loaded)
            s->completing = f;
    }
    f = s->completing;
    in->far_done_valid = f != NULL;
    in->far_done_warp = f ? (uint64_t)f->i.warp : 0;
    in->far_done_tag = f ? f->i.tag : 0;
    in->far_done_ticket = f ? f->ticket : 0;
}

/* --- watching ------------------------------------------------------------- */

static void accept(struct near_bank_stim *s) {
    struct flight *f = flight_in(s, s->offer.warp, FREE);
    memset(f, 0, sizeof *f);
    f->state = ACCEPTED;
    f->i = s->offer;
    f->since = s->base.now;
    f->policy = (int)s->unit.setting[DIES_SET_policy];
    values_accept(s, f);
    s->offering = false;
}

/* The fields of one of the two ports that deliver. */
struct delivery {
    uint64_t warp, tag, op, mask, operand[OPERANDS], ticket;
};

#define DELIVERY(o, port)                                                      \
    (&(struct delivery){(o)->port##_warp,                                      \
                        (o)->port##_tag,                                       \
                        (o)->port##_op,                                        \
                        (o)->port##_mask,                                      \
                        {(o)->port##_src0, (o)->port##_src1, (o)->port##_src2, \
                         (o)->port##_guard, (o)->port##_dst},                  \
                        (o)->port##_ticket})

static bool is_altered(const struct near_bank_stim *s, const struct instr *i,
                       const struct delivery *d) {
    bool same = d->tag == i->tag && d->op == i->op && d->mask == i->mask;
    for (int o = 0; o < OPERANDS; o++)
        same = same && d->operand[o] == pack(s, i, (enum operand)o);
    return !same;
}

/* The policy allows this side. */
static bool is_lawful(const struct near_bank_stim *s, const struct flight *f) {
    enum { ANNOTATED, DEFAULT, ALL_NEAR, ALL_FAR };
    if (s->near_set >> f->i.op & 1)
        return f->side == NEAR;
    if (f->policy < 0)
        return true;
    if (f->policy == ALL_FAR || (s->far_set >> f->i.op & 1))
        return f->side == FAR;
    if (f->policy == ALL_NEAR)
        return f->side == NEAR;
    if (f->policy == ANNOTATED && f->i.hint == ISA_FAR)
        return f->side == FAR;
    if (f->policy == ANNOTATED && f->i.hint == ISA_NEAR)
        return f->side == NEAR;
    return true;
}

static void check_far_operands(struct near_bank_stim *s,
                               const struct flight *f) {
    for (int o = 0; o < OPERANDS; o++) {
        uint64_t reg = f->i.reg[o];
        bool partial = f->i.has[GUARD] || f->i.mask != ones(s->size.LANES);
        if (!f->i.has[o] || values_is_near(&f->i, (enum operand)o, FAR) ||
            (o == DST && !partial))
            continue;
        if (!values_same(s, reg, values_at(s, s->far, f->i.warp, reg),
                         &f->expected[o]))
            stim_complain(&s->base,
                          "warp %d tag %u: operand %d, register %u, is not "
                          "what program order left in it",
                          f->i.warp, (unsigned)f->i.tag, o, (unsigned)reg);
    }
}

static void deliver(struct near_bank_stim *s, const struct delivery *d,
                    enum side side) {
    struct flight *f = core_waiting(s, d->warp);
    if (!f || is_altered(s, &f->i, d)) {
        stim_complain(&s->base,
                      "warp %u tag %u is delivered %s, but was not accepted "
                      "like that",
                      (unsigned)d->warp, (unsigned)d->tag, sides[side]);
        return;
    }
    f->state = EXECUTING;
    f->side = side;
    f->ticket = d->ticket;
    f->due = s->base.now + rng_below(&s->base.rng, (uint32_t)s->tune.latency);
    f->loaded = f->i.op != OPC_ld_global || f->lanes == 0 || !f->i.has[DST];
    if (!is_lawful(s, f))
        stim_complain(&s->base, "warp %d tag %u runs %s against the policy",
                      f->i.warp, (unsigned)f->i.tag, sides[side]);
    if (side == NEAR)
        return;
    check_far_operands(s, f);
    values_far(s, f);
    s->stores += s->store == f;
    if (s->store == f)
        s->store = NULL;
}

static void near_done(struct near_bank_stim *s, const struct near_pipe_out *o) {
    for (int n = 0; n < FLIGHTS && o->done_warp < (uint64_t)s->size.WARPS;
         n++) {
        struct flight *f = &s->flight[o->done_warp][n];
        if (f->state != EXECUTING || f->side != NEAR ||
            f->i.tag != o->done_tag || f->ticket != o->done_ticket)
            continue;
        f->state = DONE;
        s->accesses += shared_is(s, f->i.word.op);
        if (f->i.has[DST])
            *core_near(s, o->done_warp, f->i.reg[DST]) = true;
        return;
    }
    stim_complain(&s->base, "warp %u tag %u completes near, but does not run",
                  (unsigned)o->done_warp, (unsigned)o->done_tag);
}

static void far_done(struct near_bank_stim *s) {
    struct flight *f = s->completing;
    f->state = DONE;
    s->completing = NULL;
    s->accesses += shared_is(s, f->i.word.op);
    values_write(s, f);
    if (f->i.has[DST])
        *core_near(s, (uint64_t)f->i.warp, f->i.reg[DST]) =
            values_is_near(&f->i, DST, FAR);
}

static void commit(struct near_bank_stim *s, const struct dies_out *o) {
    enum side side = o->commit_near ? NEAR : FAR;
    for (int n = 0; n < FLIGHTS && o->commit_warp < (uint64_t)s->size.WARPS;
         n++) {
        struct flight *f = &s->flight[o->commit_warp][n];
        if (f->state != DONE || f->i.tag != o->commit_tag || f->side != side)
            continue;
        f->state = FREE;
        s->commits[side]++;
        return;
    }
    stim_complain(&s->base, "warp %u tag %u commits, but has not completed %s",
                  (unsigned)o->commit_warp, (unsigned)o->commit_tag,
                  sides[side]);
}

static void check_age(struct near_bank_stim *s) {
    uint64_t n = s->base.now % (uint64_t)(s->size.WARPS * FLIGHTS);
    const struct flight *f = &s->flight[n / FLIGHTS][n % FLIGHTS];
    if (f->state != FREE && s->base.now - f->since > (uint64_t)s->patience)
        stim_complain(&s->base, "warp %d tag %u does not come to its commit",
                      f->i.warp, (unsigned)f->i.tag);
}

/* What the new policy means for who waits depends on the very cycle. */
static void forget_policy(struct near_bank_stim *s) {
    for (int w = 0; w < s->size.WARPS; w++) {
        struct flight *f = flight_in(s, w, ACCEPTED);
        if (f)
            f->policy = -1;
    }
}

void core_watch(struct near_bank_stim *s, const struct core_edge *e) {
    const struct dies_out *b = e->unit_before;
    if (e->unit_in->issue_valid &&
        (b->issue_ready >> e->unit_in->issue_warp & 1))
        accept(s);
    if (b->far_exec_valid && e->unit_in->far_exec_ready)
        deliver(s, DELIVERY(b, far_exec), FAR);
    if (b->near_exec_valid && e->pipes_before->exec_ready)
        deliver(s, DELIVERY(b, near_exec), NEAR);
    if (e->pipes_before->done_valid && b->near_done_ready)
        near_done(s, e->pipes_before);
    if (e->unit_in->far_done_valid && b->far_done_ready)
        far_done(s);
    if (e->pipes_after->fault_valid)
        stim_complain(&s->base, "an access to shared memory faults");
    if (e->unit_after->commit_valid)
        commit(s, e->unit_after);
    if (s->unit.changed == DIES_SET_policy)
        forget_policy(s);
    check_age(s);
    s->ready = e->unit_after->issue_ready;
    s->shown = *e->unit_after;
}
