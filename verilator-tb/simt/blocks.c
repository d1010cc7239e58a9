/* blocks.c - who takes warps away at marks and sends others, at random.
 *
 * A marked word is taken off the port.  Its warp then stays, and executes the
 * block itself; or it leaves: registers and predicates are written as if another
 * core had executed the block, others are looked at, and after a while the warp
 * continues behind the block.  Blocks are the pieces of the launch; a warp at any
 * other mark stays.
 *
 * A guest comes to a warp that no CTA can have.  All its registers and predicates
 * are written, it is spawned at the first word of a piece, and at the piece's end
 * it must be over, with everything done.  Its registers are then looked at.
 */
#include "env.h"

#include <string.h>

enum { WAITS_IN = 6000 }; /* edges in which the core must have done its part */

/* Registers by convention, see random.c and directed.c. */
enum { R_GLOBAL = 1, R_SHARED, R_LANE, R_LOOP, R_SHFL = 7 };

void simt_broker_open(struct simt_stim *s) {
    rng_seed(&s->broker.rng, s->base.options->seed + 15);
}

void simt_broker_reset(struct simt_stim *s) {
    struct broker *b = &s->broker;
    memset(b->block, 0, sizeof b->block);
    b->put.warp = -1;
    b->put_stands = b->look_stands = false;
    b->asks = b->pass = 0;
    b->goes = b->comes = -1;
    b->faulted = false;
    b->selected = 1 << 20;
}

static bool is_guest(enum block_state state) {
    return state >= OPENS && state <= VISITS;
}

bool simt_broker_away(const struct simt_stim *s) {
    for (int w = 0; w < s->l.WARPS; w++) {
        enum block_state state = s->broker.block[w].state;
        if (state >= CHOOSES && state <= RETURNS)
            return true;
    }
    return false;
}

static bool guests(const struct simt_stim *s) {
    for (int w = 0; w < s->l.WARPS; w++)
        if (is_guest(s->broker.block[w].state))
            return true;
    return false;
}

bool simt_broker_busy(const struct simt_stim *s) {
    for (int w = 0; w < s->l.WARPS; w++)
        if (s->broker.block[w].state != AT_HOME)
            return true;
    return s->broker.put.warp >= 0 || s->broker.asks || s->broker.look_stands;
}

static int some_time(struct simt_stim *s) {
    struct rng *r = &s->broker.rng;
    return rng_percent(r, 60)   ? 0
           : rng_percent(r, 80) ? rng_range(r, 1, 20)
                                : rng_range(r, 20, 400);
}

static void turn(struct simt_stim *s, struct block *k, enum block_state to) {
    k->state = to;
    k->delay = some_time(s);
    k->waits = 0;
}

/* --- what is put ---------------------------------------------------------- */

static void deliver(struct simt_stim *s, int warp, bool pred, int d,
                    uint32_t mask) {
    struct rng *r = &s->broker.rng;
    struct delivery *put = &s->broker.put;
    *put = (struct delivery){.warp = warp, .pred = pred, .d = d, .mask = mask};
    put->pc = (int)rng_below(r, (uint32_t)s->launch.code.n);
    for (int i = 0; i < s->l.LANES; i++)
        put->value[i] = (uint32_t)rng_next(r) & (pred ? 1 : UINT32_MAX);
}

/* A register or predicate of a warp that is away, which its program does not
 * count on. */
static void deliver_any(struct simt_stim *s, int warp) {
    struct rng *r = &s->broker.rng;
    bool pred = rng_percent(r, 30);
    int first = R_SHFL + 1;
    int d =
        pred ? (int)rng_below(r, ISA_TRUE) : rng_range(r, first, s->l.REGS - 1);
    uint32_t all = (uint32_t)ones(s->l.LANES);
    uint32_t mask = rng_percent(r, 60) ? all : (uint32_t)rng_next(r) & all;
    deliver(s, warp, pred, d, mask);
}

/* Those of a guest, one after the other. */
static void deliver_next(struct simt_stim *s, int warp) {
    struct block *k = &s->broker.block[warp];
    struct delivery *put = &s->broker.put;
    int n = k->puts++;
    bool pred = n >= s->l.REGS;
    const struct launch *l = &s->launch;
    deliver(s, warp, pred, pred ? n - s->l.REGS : n,
            (uint32_t)ones(s->l.LANES));
    for (int i = 0; i < s->l.LANES && !pred; i++) {
        uint32_t *v = &put->value[i];
        if (n == R_GLOBAL)
            *v = l->guests + (uint32_t)warp * l->guest_region +
                 (uint32_t)i * l->guest_lane;
        else if (n == R_LANE)
            *v = (uint32_t)i;
        else if (n == R_SHARED || n == R_LOOP || n == R_LOOP + 1)
            *v = 0;
        else if (n == R_SHFL)
            *v = (uint32_t)s->l.LANES - 1;
    }
}

static void choose_put(struct simt_stim *s) {
    struct broker *b = &s->broker;
    int first = (int)rng_below(&b->rng, (uint32_t)s->l.WARPS);
    for (int n = 0; n < s->l.WARPS && b->put.warp < 0; n++) {
        int w = (first + n) % s->l.WARPS;
        struct block *k = &b->block[w];
        if (k->delay)
            continue;
        if (k->state == FILLS)
            deliver_next(s, w);
        else if (k->state == LEFT && k->puts && !k->looking) {
            k->puts--;
            deliver_any(s, w);
        }
    }
}

static void put_noise(struct simt_stim *s, struct simt_in *in) {
    uint64_t x = rng_next(&s->broker.rng);
    in->put_last = x & 1;
    in->put_pred = x >> 1 & 1;
    in->put_d = x >> 2 & 63;
    in->put_warp = x >> 8 & ones(s->l.WARP_W);
    in->put_pc = x >> 16 & ones(s->l.PC_W);
    in->put_mask = x >> 32 & ones(s->l.LANES);
    for (int i = 0; i < s->l.ALUS; i++)
        bits_set_lane(in->put_data, i, (uint32_t)rng_next(&s->broker.rng));
}

static void put_pass(struct simt_stim *s, struct simt_in *in) {
    const struct delivery *put = &s->broker.put;
    in->put_valid = 1;
    in->put_last = put->pass == s->l.PASSES - 1;
    if (put->pass == 0) { /* behind it these are noise */
        in->put_warp = (uint64_t)put->warp;
        in->put_pc = (uint64_t)put->pc;
        in->put_pred = put->pred;
        in->put_d = (uint64_t)put->d;
        in->put_mask = put->mask;
    }
    for (int i = 0; i < s->l.ALUS; i++) {
        int lane = put->pass * s->l.ALUS + i;
        uint32_t noise = (uint32_t)rng_next(&s->broker.rng);
        uint32_t got = !(put->mask >> lane & 1) ? noise
                       : put->pred ? (noise & ~1u) | put->value[lane]
                                   : put->value[lane];
        bits_set_lane(in->put_data, i, got);
    }
}

static void drive_put(struct simt_stim *s, struct simt_in *in) {
    struct broker *b = &s->broker;
    if (b->put_stands)
        return;
    in->put_valid = 0;
    put_noise(s, in);
    if (b->put.warp < 0)
        choose_put(s);
    if (b->put.warp >= 0 && rng_percent(&b->rng, 80))
        put_pass(s, in);
}

/* --- looks ---------------------------------------------------------------- */

/* Something of a warp that stands, which is known in all its lanes. */
static bool choose_look(struct simt_stim *s, struct look *l) {
    struct broker *b = &s->broker;
    int w = (int)rng_below(&b->rng, (uint32_t)s->l.WARPS);
    struct block *k = &b->block[w];
    bool stands = k->state == LEFT || k->state == STAYED;
    if (!stands || !k->looks || k->settles || k->delay || b->put.warp == w)
        return false;
    k->looks--;
    l->warp = w;
    l->pred = rng_percent(&b->rng, 40);
    l->n = (int)rng_below(&b->rng, l->pred ? 8 : (uint32_t)s->l.REGS);
    k->mask = k->state == LEFT ? simt_oracle_value(s, w, 0, 65) : k->mask;
    return !(k->mask & ~simt_oracle_lanes(s, l));
}

static void drive_look(struct simt_stim *s, struct simt_in *in) {
    struct broker *b = &s->broker;
    uint64_t x = rng_next(&b->rng);
    struct look *l = &b->asked[b->asks];
    if (b->look_stands)
        return;
    in->look_valid = 0;
    in->look_warp = x & ones(s->l.WARP_W);
    in->look_pred = x >> 8 & 1;
    in->look_reg = x >> 16 & 63;
    if (b->asks == ENV_LOOKS || !choose_look(s, l))
        return;
    in->look_valid = 1;
    in->look_warp = (uint64_t)l->warp;
    in->look_pred = l->pred;
    /* bits beyond a number are passed over */
    in->look_reg = (uint64_t)l->n |
                   (x >> 16 & 63 & ~(l->pred ? 7u : (uint32_t)s->l.REGS - 1));
    b->block[l->warp].looking++;
}

/* --- warps that leave and come -------------------------------------------- */

static const struct piece *piece_at(const struct simt_stim *s, int pc) {
    for (int i = 0; i < s->launch.pieces; i++)
        if (s->launch.piece[i].mark == pc)
            return &s->launch.piece[i];
    return NULL;
}

static void choose(struct simt_stim *s, struct block *k) {
    struct rng *r = &s->broker.rng;
    k->alone = k->piece.to < 0 || rng_percent(r, 40);
    if (k->alone) {
        s->broker.stayed++;
        turn(s, k, RETURNS);
        return;
    }
    s->broker.left++;
    k->puts = (int)rng_below(r, 5);
    k->looks = (int)rng_below(r, 5);
    turn(s, k, LEFT);
}

/* Warps that no CTA of the launch can have. */
static int first_free(const struct simt_stim *s) {
    const uint32_t *reg = s->launch.reg;
    if (s->l.STEPS && !reg[AT_CTA_STEP])
        return 0;
    return (int)(reg[AT_WARPS] * reg[AT_RESIDENT]);
}

static void open_guest(struct simt_stim *s) {
    struct broker *b = &s->broker;
    const struct launch *l = &s->launch;
    int first = first_free(s);
    if (b->faulted || !simt_host_invites(s) || !l->pieces ||
        first >= s->l.WARPS || (int)rng_below(&b->rng, 1000) >= l->tune.guests)
        return;
    int w = rng_range(&b->rng, first, s->l.WARPS - 1);
    struct block *k = &b->block[w];
    if (k->state != AT_HOME)
        return;
    *k = (struct block){.state = OPENS};
    k->piece = l->piece[rng_below(&b->rng, (uint32_t)l->pieces)];
    k->delay = 1 + some_time(s);
    simt_oracle_opens(s, w);
}

/* The core is faulted: a guest that is not there yet does not come. */
static void give_up(struct block *k) {
    if (is_guest(k->state) && k->state != VISITS)
        k->state = AT_HOME;
}

static bool quiet(const struct simt_stim *s, int w) {
    const struct block *k = &s->broker.block[w];
    return !k->looking && !k->settles && s->broker.put.warp != w;
}

static void step_warp(struct simt_stim *s, int w) {
    struct broker *b = &s->broker;
    struct block *k = &b->block[w];
    if (b->faulted)
        give_up(k);
    if (k->delay > 0) {
        k->delay--;
        return;
    }
    switch (k->state) {
    case CHOOSES:
        choose(s, k);
        break;
    case LEFT:
        if (!k->puts && !k->looks && quiet(s, w))
            turn(s, k, RETURNS);
        break;
    case RETURNS:
        if (b->goes < 0)
            b->goes = w;
        break;
    case OPENS:
        k->puts = 0;
        turn(s, k, FILLS);
        break;
    case FILLS:
        if (k->puts == s->l.REGS + ISA_TRUE && b->put.warp != w)
            turn(s, k, COMES);
        break;
    case COMES:
        if (b->comes < 0 && quiet(s, w))
            b->comes = w;
        break;
    case STAYED:
        if (!k->looks && quiet(s, w))
            k->state = AT_HOME;
        break;
    default:
        break;
    }
}

static void drive_go(struct simt_stim *s, struct simt_in *in) {
    const struct broker *b = &s->broker;
    uint64_t x = rng_next(&s->broker.rng);
    in->go_valid = b->goes >= 0 || (x >> 40 & 7) == 0;
    in->go_moves = b->goes >= 0 || (!in->go_valid && (x & 1));
    in->go_frees = x >> 1 & 1; /* nothing is built */
    in->go_alone = x >> 2 & 1;
    in->go_warp = x >> 3 & ones(s->l.WARP_W);
    in->go_pc = x >> 16 & ones(s->l.PC_W);
    if (b->goes < 0)
        return;
    const struct block *k = &b->block[b->goes];
    in->go_warp = (uint64_t)b->goes;
    in->go_alone = k->alone;
    if (!k->alone)
        in->go_pc = (uint64_t)k->piece.to;
}

static void drive_spawn(struct simt_stim *s, struct simt_in *in) {
    struct broker *b = &s->broker;
    uint64_t x = rng_next(&b->rng);
    in->spawn_valid = b->comes >= 0;
    in->spawn_warp = x & ones(s->l.WARP_W);
    in->spawn_pc = x >> 8 & ones(s->l.PC_W);
    in->spawn_end = x >> 24 & ones(s->l.PC_W);
    in->spawn_mask = x >> 32 & ones(s->l.LANES);
    if (b->comes < 0)
        return;
    struct block *k = &b->block[b->comes];
    k->mask = (uint32_t)in->spawn_mask;
    if (!k->mask || x >> 62 == 0)
        k->mask = (uint32_t)ones(s->l.LANES);
    in->spawn_warp = (uint64_t)b->comes;
    in->spawn_pc = (uint64_t)k->piece.from;
    in->spawn_end = (uint64_t)k->piece.to;
    in->spawn_mask = k->mask;
}

/* --- an edge -------------------------------------------------------------- */

void simt_drive_broker(struct simt_stim *s, struct simt_in *in) {
    struct broker *b = &s->broker;
    if (s->base.rst_left) {
        in->put_valid = in->look_valid = in->spawn_valid = in->go_valid = 0;
        return;
    }
    b->goes = b->comes = -1;
    open_guest(s);
    for (int w = 0; w < s->l.WARPS; w++)
        step_warp(s, w);
    in->offer_ready = toggle_step(&b->ready, &b->rng, 8, 6);
    in->over_ready = toggle_step(&b->over, &b->rng, 8, 12);
    in->chain_busy = simt_broker_away(s) || (!b->faulted && guests(s));
    drive_go(s, in);
    drive_spawn(s, in);
    drive_put(s, in);
    drive_look(s, in);
}

/* --- what has happened ---------------------------------------------------- */

static const char *take_offer(struct simt_stim *s, const struct simt_out *o) {
    int w = (int)o->offer_warp;
    struct block *k = &s->broker.block[w];
    const struct piece *p = piece_at(s, (int)o->offer_pc);
    if (k->state != AT_HOME)
        return stim_complain(&s->base, "blocks: warp %d asks twice", w);
    *k = (struct block){.piece = {.to = -1}};
    if (p)
        k->piece = *p;
    turn(s, k, CHOOSES);
    return NULL;
}

static const char *watch_go(struct simt_stim *s) {
    int w = s->broker.goes;
    struct block *k = &s->broker.block[w];
    if (w < 0)
        return NULL;
    s->host.stood_for = 0;
    k->state = AT_HOME;
    return simt_oracle_goes(s, w, k->piece.to, k->alone);
}

static void watch_spawn(struct simt_stim *s) {
    int w = s->broker.comes;
    struct block *k = &s->broker.block[w];
    if (w < 0)
        return;
    s->host.stood_for = 0;
    s->broker.came++;
    k->state = VISITS;
    k->waits = 0;
    simt_oracle_spawns(s, w, k->piece.from, k->piece.to, k->mask);
}

static const char *watch_over(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after) {
    int w = (int)before->over_warp;
    struct block *k = &s->broker.block[w];
    bool taken = before->over_valid && in->over_ready;
    if (taken) {
        s->host.stood_for = 0;
        s->oracle.warp[w].n = 0;
        k->looks = (int)rng_below(&s->broker.rng, 6);
        turn(s, k, STAYED);
    }
    if (!after->over_valid || (before->over_valid && !taken))
        return NULL;
    w = (int)after->over_warp;
    if (w >= s->l.WARPS || s->broker.block[w].state != VISITS)
        return stim_complain(&s->base,
                             "blocks: warp %d is over, and is no guest", w);
    return simt_oracle_over(s, w);
}

static void watch_put(struct simt_stim *s, const struct simt_in *in,
                      const struct simt_out *before,
                      const struct simt_out *after) {
    struct broker *b = &s->broker;
    struct delivery *put = &b->put;
    if (after->put_ready)
        for (int w = 0; w < s->l.WARPS; w++)
            b->block[w].settles = false;
    b->put_stands = in->put_valid && !before->put_ready;
    if (!in->put_valid || b->put_stands)
        return;
    if (put->pass++ == 0 && !b->faulted)
        simt_oracle_delivers(s, put);
    if (!in->put_last)
        return;
    b->block[put->warp].settles = !b->faulted;
    put->warp = -1;
}

static const char *watch_seen(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after) {
    struct broker *b = &s->broker;
    b->look_stands = in->look_valid && !before->look_ready;
    if (in->look_valid && before->look_ready)
        b->asks++;
    if (!after->seen_valid)
        return NULL;
    if (!b->asks)
        return stim_complain(&s->base, "blocks: values that nobody looks at");
    if (after->seen_last != (b->pass == s->l.PASSES - 1))
        return stim_complain(&s->base, "blocks: 'seen_last' is wrong");
    const char *bad =
        simt_oracle_seen(s, &b->asked[0], b->block[b->asked[0].warp].mask,
                         b->pass, after->seen_data);
    b->pass = after->seen_last ? 0 : b->pass + 1;
    if (!after->seen_last)
        return bad;
    struct block *k = &b->block[b->asked[0].warp];
    b->looked++;
    k->looking--;
    k->waits = 0;
    b->asks--;
    /* with the one that was not taken yet */
    memmove(b->asked, b->asked + 1, (size_t)(b->asks + 1) * sizeof *b->asked);
    return bad;
}

/* What the core owes: values, a place for others, the end of a guest. */
static const char *watch_waits(struct simt_stim *s,
                               const struct simt_out *after) {
    struct broker *b = &s->broker;
    for (int w = 0; w < s->l.WARPS; w++) {
        struct block *k = &b->block[w];
        bool runs = k->state == VISITS && !b->faulted && !s->host.halt;
        bool waits = k->looking || k->settles || b->put.warp == w;
        if ((runs || (waits && !after->halted)) && k->waits++ > WAITS_IN)
            return stim_complain(&s->base, "blocks: warp %d %s", w,
                                 runs         ? "is not over"
                                 : k->looking ? "is not seen"
                                              : "does not get its registers");
    }
    return NULL;
}

/* With as many lanes as there are in a pass, an instruction leaves F on the edge
 * behind that of its selection, else so many edges later at most. */
static const char *watch_pace(struct simt_stim *s,
                              const struct simt_out *after) {
    struct broker *b = &s->broker;
    int pace = (int)(s->launch.reg[AT_PACE] & 255);
    b->selected++;
    if (!after->count_issued && !after->count_blocked)
        return NULL;
    int since = b->selected;
    b->selected = 0;
    return since < pace - s->l.PASSES + 1
               ? stim_complain(&s->base, "blocks: %d edges between two words",
                               since)
               : NULL;
}

const char *simt_watch_broker(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after) {
    bool taken = before->offer_valid && in->offer_ready;
    const char *bad = watch_pace(s, after);
    if (!bad && after->offer_valid && (taken || !before->offer_valid))
        bad = simt_oracle_offer(s, after);
    if (!bad && taken)
        bad = take_offer(s, before);
    if (!bad)
        bad = watch_go(s);
    if (!bad)
        bad = watch_over(s, in, before, after);
    watch_spawn(s);
    watch_put(s, in, before, after);
    if (!bad)
        bad = watch_seen(s, in, before, after);
    s->broker.goes = s->broker.comes = -1;
    s->broker.faulted = after->state == FAULTED;
    return bad ? bad : watch_waits(s, after);
}
