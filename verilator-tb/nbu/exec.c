/* exec.c - front end and pipelines: instructions from offer to commit.
 *
 * Every accepted instruction is tracked until it commits: it must be delivered
 * once, unaltered, on a lawful side, with the right operands; its completion
 * carries the ticket back; it must commit exactly once.  One that does not get
 * on is reported with what it waits for.
 */
#include "env.h"

#include <string.h>

static struct flight *free_flight(struct nbu_stim *s, struct warp *w) {
    for (int n = 0; n < s->flights; n++)
        if (w->flight[n].state == FREE)
            return &w->flight[n];
    return NULL;
}

static bool in_flight(const struct flight *f) {
    return f->state != FREE;
}

/* Warps with a place left are kept as a mask. */
static void update_room(struct nbu_stim *s, int warp) {
    if (free_flight(s, &s->warp[warp]))
        bits_set(&s->room, warp);
    else
        bits_clear(&s->room, warp);
}

void exec_reset(struct nbu_stim *s) {
    for (int w = 0; w < s->size.WARPS; w++) {
        for (int n = 0; n < IN_FLIGHT; n++)
            s->warp[w].flight[n].state = FREE;
        s->warp[w].waiting = NULL;
    }
    for (int side = FAR; side <= NEAR; side++) {
        s->pipe[side].count = 0;
        s->pipe[side].offered = NULL;
    }
    s->room = all_warps(s);
    s->ready = 0;
    s->offering = s->unlawful = false;
}

bool exec_idle(const struct nbu_stim *s) {
    for (int w = 0; w < s->size.WARPS; w++)
        for (int n = 0; n < s->flights; n++)
            if (in_flight(&s->warp[w].flight[n]))
                return false;
    return !s->offering;
}

/* --- front end ------------------------------------------------------------ */

static uint64_t encode(const struct nbu_stim *s, const struct operand *o) {
    const struct nbu_operand_fields f = {o->reg, o->kind, o->valid};
    uint64_t word;
    record_pack(&s->base.design->record[NBU_REC_operand], &f, &word);
    return word;
}

/* A tag that no instruction of the warp in flight has. */
static uint32_t draw_tag(struct nbu_stim *s, const struct warp *w) {
    for (;;) {
        uint32_t tag = (uint32_t)(rng_next(&s->base.rng) & ones(s->size.TAG_W));
        int n = 0;
        while (n < s->flights &&
               !(in_flight(&w->flight[n]) && w->flight[n].instr.tag == tag))
            n++;
        if (n == s->flights)
            return tag;
    }
}

/* A warp number that does not exist is never ready.  Such an offer can only be
 * taken back by a reset, so it comes shortly before one. */
static bool offer_unlawful(struct nbu_stim *s) {
    int numbers = 1 << s->size.WARP_W;
    if (!s->unlawful || s->size.WARPS == numbers)
        return false;
    s->offer.warp = rng_range(&s->base.rng, s->size.WARPS, numbers - 1);
    return true;
}

static void present(struct nbu_stim *s, struct nbu_in *in) {
    const struct instr *i = &s->offer;
    in->issue_valid = 1;
    in->issue_warp = (uint64_t)i->warp;
    in->issue_tag = i->tag;
    in->issue_op = i->op;
    in->issue_hint = i->hint;
    in->issue_mask = i->mask;
    in->issue_dst = encode(s, &i->operand[DST]);
    in->issue_src0 = encode(s, &i->operand[SRC0]);
    in->issue_src1 = encode(s, &i->operand[SRC1]);
    in->issue_src2 = encode(s, &i->operand[SRC2]);
    in->issue_guard = encode(s, &i->operand[GUARD]);
}

static void drive_issue(struct nbu_stim *s, struct nbu_in *in) {
    if (s->offering)
        return; /* stable until it is taken */
    in->issue_valid = 0;
    if (!rng_percent(&s->base.rng, s->tune.issue))
        return;
    if (!((const struct nbu_mode *)s->base.mode)->next(s, &s->offer))
        return;
    s->offer.tag = draw_tag(s, &s->warp[s->offer.warp]);
    s->offering = true;
    offer_unlawful(s);
    present(s, in);
}

static void watch_issue(struct nbu_stim *s, const struct nbu_in *in,
                        const struct nbu_out *before) {
    if (!in->issue_valid || !(before->issue_ready >> in->issue_warp & 1))
        return;
    struct warp *w = &s->warp[s->offer.warp];
    struct flight *f = free_flight(s, w);
    f->state = ACCEPTED;
    f->instr = s->offer;
    f->since = s->base.now;
    f->policy = (int)s->base.master.setting[NBU_SET_policy];
    w->waiting = f;
    s->offering = false;
    s->accepts++;
    counters_accept(s, f);
    s->last_move = s->base.now;
    oracle_accept(s, w, f);
    update_room(s, s->offer.warp);
}

/* --- delivery ------------------------------------------------------------- */

/* The fields of one of the two ports that deliver. */
struct delivery {
    uint64_t warp, tag, op, mask, operand[N_SLOTS], ticket;
};

#define DELIVERY(o, port)                                                      \
    {                                                                          \
        (o)->port##_warp, (o)->port##_tag, (o)->port##_op, (o)->port##_mask,   \
            {(o)->port##_dst, (o)->port##_src0, (o)->port##_src1,              \
             (o)->port##_src2, (o)->port##_guard},                             \
            (o)->port##_ticket                                                 \
    }

static const char *side_name(enum side side) {
    return side == FAR ? "far" : "near";
}

static bool altered(const struct nbu_stim *s, const struct instr *i,
                    const struct delivery *d) {
    bool same = d->tag == i->tag && d->op == i->op && d->mask == i->mask;
    for (int slot = DST; slot < N_SLOTS; slot++)
        same = same && d->operand[slot] == encode(s, &i->operand[slot]);
    return !same;
}

/* The policy allows this side; what depends on the track table is left to the
 * comparison with the model. */
static bool lawful(const struct nbu_stim *s, const struct flight *f) {
    if (s->near_set >> f->instr.op & 1)
        return f->side == NEAR;
    if (f->policy < 0)
        return true;
    if (f->policy == POLICY_FAR || (s->far_set >> f->instr.op & 1))
        return f->side == FAR;
    if (f->policy == POLICY_NEAR)
        return f->side == NEAR;
    if (f->policy == POLICY_ANNOTATED && f->instr.hint == 1)
        return f->side == FAR;
    if (f->policy == POLICY_ANNOTATED && f->instr.hint == 2)
        return f->side == NEAR;
    return true;
}

static bool ticket_fits(const struct nbu_stim *s, const struct flight *f) {
    const struct operand *dst = &f->instr.operand[DST];
    const uint64_t word = f->ticket;
    struct nbu_ticket_fields t;
    record_unpack(&s->base.design->record[NBU_REC_ticket], &word, &t);
    return t.written && t.reg == dst->reg &&
           t.near == (uint64_t)required_side(s, f, DST);
}

static bool is_shared(int op) {
    return op == OPC_ld_shared || op == OPC_st_shared;
}

static void enter_pipe(struct nbu_stim *s, struct flight *f) {
    struct pipeline *p = &s->pipe[f->side];
    f->state = EXECUTING;
    f->due =
        s->base.now +
        rng_below(&s->base.rng, (uint32_t)s->tune.exec_latency[f->side] + 1);
    if (p->count == 0 || f->due < p->earliest)
        p->earliest = f->due;
    p->list[p->count++] = f;
}

static const char *deliver(struct nbu_stim *s, enum side side,
                           const struct delivery *d) {
    struct warp *w =
        d->warp < (uint64_t)s->size.WARPS ? &s->warp[d->warp] : NULL;
    struct flight *f = w ? w->waiting : NULL;
    s->last_move = s->base.now;
    if (!f)
        return stim_complain(&s->base,
                             "warp %u tag %u delivered %s, but no instruction "
                             "of it waits",
                             (unsigned)d->warp, (unsigned)d->tag,
                             side_name(side));
    if (altered(s, &f->instr, d))
        return stim_complain(&s->base,
                             "warp %u: instruction with tag %u delivered %s "
                             "with other fields than accepted",
                             (unsigned)d->warp, (unsigned)f->instr.tag,
                             side_name(side));
    f->side = side;
    f->ticket = (uint32_t)d->ticket;
    if (!lawful(s, f))
        return stim_complain(
            &s->base, "warp %u tag %u: delivered %s against the policy",
            (unsigned)d->warp, (unsigned)d->tag, side_name(side));
    if (f->instr.operand[DST].valid ? !ticket_fits(s, f) : f->ticket != 0)
        return stim_complain(&s->base,
                             "warp %u tag %u: ticket %x does not fit its "
                             "destination",
                             (unsigned)d->warp, (unsigned)d->tag,
                             (unsigned)f->ticket);
    w->waiting = NULL;
    s->went[side]++;
    counters_deliver(s, f);
    s->far_shared += side == FAR && is_shared(f->instr.op);
    enter_pipe(s, f);
    return oracle_deliver(s, w, f);
}

static const char *watch_deliveries(struct nbu_stim *s, const struct nbu_in *in,
                                    const struct nbu_out *before) {
    const char *wrong = NULL;
    if (before->far_exec_valid && in->far_exec_ready) {
        const struct delivery d = DELIVERY(before, far_exec);
        wrong = deliver(s, FAR, &d);
    }
    if (!wrong && before->near_exec_valid && in->near_exec_ready) {
        const struct delivery d = DELIVERY(before, near_exec);
        wrong = deliver(s, NEAR, &d);
    }
    return wrong;
}

/* --- completion ----------------------------------------------------------- */

/* Take a finished instruction out of the pipeline, any of those due. */
static struct flight *finished(struct nbu_stim *s, struct pipeline *p) {
    if (p->count == 0 || s->base.now < p->earliest)
        return NULL;
    int start = (int)rng_below(&s->base.rng, (uint32_t)p->count), found = -1;
    uint64_t earliest = UINT64_MAX;
    for (int k = 0; k < p->count; k++) {
        int n = start + k < p->count ? start + k : start + k - p->count;
        if (found < 0 && p->list[n]->due <= s->base.now)
            found = n;
        else if (p->list[n]->due < earliest)
            earliest = p->list[n]->due;
    }
    p->earliest = earliest;
    if (found < 0)
        return NULL;
    struct flight *f = p->list[found];
    p->list[found] = p->list[--p->count];
    return f;
}

/* The completion to show on a side's port; NULL: none now. */
static const struct flight *offer_done(struct nbu_stim *s, enum side side) {
    struct pipeline *p = &s->pipe[side];
    bool open = port_ready(s, side == FAR ? FAR_DONE : NEAR_DONE);
    if (!p->offered && open && p->count && s->base.now >= p->earliest) {
        p->offered = finished(s, p);
        if (p->offered)
            p->offered->state = OFFERED;
    }
    return p->offered;
}

static void drive_done(struct nbu_stim *s, struct nbu_in *in) {
    const struct flight *f = offer_done(s, FAR);
    in->far_done_valid = f != NULL;
    if (f) {
        in->far_done_warp = (uint64_t)f->instr.warp;
        in->far_done_tag = f->instr.tag;
        in->far_done_ticket = f->ticket;
    }
    f = offer_done(s, NEAR);
    in->near_done_valid = f != NULL;
    if (f) {
        in->near_done_warp = (uint64_t)f->instr.warp;
        in->near_done_tag = f->instr.tag;
        in->near_done_ticket = f->ticket;
    }
}

/* The result is written at the last moment that the contract allows. */
static void take_done(struct nbu_stim *s, enum side side) {
    struct flight *f = s->pipe[side].offered;
    s->pipe[side].offered = NULL;
    f->state = DONE;
    s->last_move = s->base.now;
    oracle_complete(s, f);
}

static const char *watch_commit(struct nbu_stim *s,
                                const struct nbu_out *after) {
    if (!after->commit_valid)
        return NULL;
    s->last_move = s->base.now;
    s->commits++;
    int warp = (int)after->commit_warp;
    for (int n = 0; warp < s->size.WARPS && n < s->flights; n++) {
        struct flight *f = &s->warp[warp].flight[n];
        if (f->state != DONE || f->instr.tag != after->commit_tag)
            continue;
        if ((enum side)after->commit_near != f->side)
            break;
        f->state = FREE;
        counters_commit(s, f);
        update_room(s, warp);
        return NULL;
    }
    return stim_complain(&s->base,
                         "warp %d tag %u commits %s, but no such instruction "
                         "completed there",
                         warp, (unsigned)after->commit_tag,
                         side_name((enum side)after->commit_near));
}

/* --- progress ------------------------------------------------------------- */

static const char *waits_for(const struct flight *f) {
    switch (f->state) {
    case ACCEPTED:
        return "its delivery";
    case EXECUTING:
        return "its pipeline";
    case OFFERED:
        return "its completion to be taken";
    default:
        return "its commit";
    }
}

/* Everything that is under way, the first few by name. */
static const char *complain_stuck(struct nbu_stim *s,
                                  const struct flight *one) {
    int others = -1;
    for (int w = 0; w < s->size.WARPS; w++)
        for (int n = 0; n < s->flights; n++)
            others += in_flight(&s->warp[w].flight[n]);
    return stim_complain(
        &s->base,
        "warp %d tag %u op %s waits for %s since %llu cycles, "
        "with %d other instructions under way",
        one->instr.warp, (unsigned)one->instr.tag, opclass_name(one->instr.op),
        waits_for(one), (unsigned long long)(s->base.now - one->since), others);
}

const char *exec_stuck(struct nbu_stim *s, uint64_t cycles) {
    for (int w = 0; w < s->size.WARPS; w++)
        for (int n = 0; n < s->flights; n++)
            if (in_flight(&s->warp[w].flight[n]) &&
                s->base.now - s->warp[w].flight[n].since >= cycles)
                return complain_stuck(s, &s->warp[w].flight[n]);
    return NULL;
}

/* One flight an edge is asked for its age: cheap, and none is forgotten. */
static const char *watch_age(struct nbu_stim *s) {
    s->oldest = (s->oldest + 1) % (s->size.WARPS * IN_FLIGHT);
    const struct flight *f =
        &s->warp[s->oldest / IN_FLIGHT].flight[s->oldest % IN_FLIGHT];
    if (in_flight(f) && s->base.now - f->since > s->patience)
        return complain_stuck(s, f);
    return NULL;
}

void exec_drive(struct nbu_stim *s, struct nbu_in *in) {
    drive_issue(s, in);
    drive_done(s, in);
}

const char *exec_watch(struct nbu_stim *s, const struct nbu_in *in,
                       const struct nbu_out *before,
                       const struct nbu_out *after) {
    watch_issue(s, in, before);
    const char *wrong = watch_deliveries(s, in, before);
    if (in->far_done_valid && before->far_done_ready)
        take_done(s, FAR);
    if (in->near_done_valid && before->near_done_ready)
        take_done(s, NEAR);
    if (!wrong)
        wrong = watch_commit(s, after);
    if (!wrong)
        wrong = watch_age(s);
    s->ready = after->issue_ready;
    return wrong;
}
