/* chains.c - who computes offload chains, at random.
 *
 * Words are taken off the port one after the other.  Behind the last one it
 * makes up its mind: the warp does it all by itself, from the first word on, or
 * from behind the loads, whose words are brought; or the chain waits and is
 * carried out here, on the memory of the surroundings and what was offered, and
 * its result is brought.  Only chains
 * are carried out whose operands are known from the offers: words of memory in
 * a row, values that are the same in all lanes, and results of words before.
 * A chain whose next word is awaited from a faulted core is forgotten: the word
 * may be anywhere on its way to an offer that the core will not show.
 * With chains passed over all of it is noise.
 */
#include "env.h"

#include "isa/alu.h"

#include <stdio.h>
#include <string.h>

enum { TAG_NONE, TAG_FIRST, TAG_INSIDE, TAG_LAST };

enum { WAITS_IN = 4000 }; /* edges in which the core must have done its part */

#define each_lane(lane, set)                                                   \
    for (uint32_t rest_ = (set), lane;                                         \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true);               \
         rest_ &= rest_ - 1)

void simt_binder_open(struct simt_stim *s) {
    rng_seed(&s->binder.rng, s->base.options->seed + 12);
    s->binder.putting = -1;
}

void simt_binder_reset(struct simt_stim *s) {
    struct binder *b = &s->binder;
    for (int w = 0; w < s->l.WARPS; w++)
        b->chain[w].state = NO_CHAIN;
    b->news = NO_NEWS;
    b->putting = -1;
    b->faulted = b->shown = b->stands = false;
    b->bad[0] = '\0';
}

bool simt_binder_busy(const struct simt_stim *s) {
    if (s->l.MOVES)
        return simt_broker_away(s);
    for (int w = 0; w < s->l.WARPS; w++)
        if (s->binder.chain[w].state != NO_CHAIN)
            return true;
    return false;
}

static struct chain *chain_of(struct simt_stim *s, int warp) {
    return &s->binder.chain[warp];
}

/* Edges before something happens: mostly soon. */
static int some_time(struct simt_stim *s) {
    struct rng *r = &s->binder.rng;
    return rng_percent(r, 50)   ? 0
           : rng_percent(r, 80) ? rng_range(r, 1, 12)
                                : rng_range(r, 12, 150);
}

static void turn(struct simt_stim *s, struct chain *c, enum chain_state to) {
    c->state = to;
    c->delay = some_time(s);
    c->waits = 0;
}

/* --- what can be carried out here ----------------------------------------- */

static bool written(const struct chain *c, int r) {
    return c->writer[r] != 0;
}

static bool sources_known(const struct chain *c, const struct chain_word *x) {
    const struct isa_word *w = &x->w;
    int op = w->op;
    bool second =
        isa_has(op, 'b') || ((isa_has(op, 'i') || isa_has(op, 'f')) && !w->imm);
    if (isa_has(op, 'C') || (isa_has(op, 'c') && !written(c, w->c)))
        return false;
    if (isa_has(op, 'A'))
        return x->same_a && x->same_b;
    if (isa_has(op, 'a') && !written(c, w->a) && !x->same_a)
        return false;
    return !second || written(c, w->b) || x->same_b;
}

static bool continues(const struct isa_word *w) {
    return w->chain == TAG_FIRST || w->chain == TAG_INSIDE;
}

/* The newest word of a chain is one that is understood, in its place. */
static bool understood(const struct chain *c) {
    const struct chain_word *x = &c->word[c->n - 1];
    bool last = x->w.chain == TAG_LAST;
    if (c->n == 1 ? x->w.chain != TAG_FIRST : x->w.chain != TAG_INSIDE && !last)
        return false;
    if (x->mask != c->mask)
        return false;
    if (x->w.op == ISA_ldg_b32)
        return x->in_row && !written(c, x->w.a);
    if (x->w.op == ISA_stg_b32)
        return last && x->in_row && !written(c, x->w.a) && written(c, x->w.c);
    if (alu_is_test(x->w.op))
        return last && sources_known(c, x);
    return alu_is_value(x->w.op) && sources_known(c, x);
}

/* --- carrying out --------------------------------------------------------- */

static uint32_t source(const struct chain *c, int r, uint32_t same,
                       uint32_t lane) {
    return written(c, r) ? c->value[c->writer[r] - 1][lane] : same;
}

static void carry_out_lane(struct simt_stim *s, struct chain *c, int n,
                           uint32_t lane) {
    const struct chain_word *x = &c->word[n];
    const struct isa_word *w = &x->w;
    uint32_t *to = &c->value[n][lane];
    uint32_t at = x->a + 4 * (lane - (uint32_t)__builtin_ctz(c->mask));
    if (w->op == ISA_ldg_b32) {
        *to = simt_memory_load(&s->memory, at, 4);
        return;
    }
    if (w->op == ISA_stg_b32) {
        simt_memory_store(&s->memory, at, 4, source(c, w->c, 0, lane));
        return;
    }
    bool preds = isa_has(w->op, 'A');
    uint32_t a = preds ? x->a : source(c, w->a, x->a, lane);
    uint32_t b = preds || w->imm || isa_has(w->op, 'w')
                     ? x->b
                     : source(c, w->b, x->b, lane);
    if (alu_is_test(w->op))
        *to = alu_test(w, a, b);
    else
        *to = alu_value(
            w, a, b, isa_has(w->op, 'c') ? source(c, w->c, 0, lane) : 0, false);
}

/* So many words, and the oracle does the same by its own means. */
static const char *carry_out(struct simt_stim *s, int warp, int words) {
    struct chain *c = chain_of(s, warp);
    memset(c->writer, 0, sizeof c->writer);
    for (int n = 0; n < words; n++) {
        each_lane(lane, c->mask) carry_out_lane(s, c, n, lane);
        if (isa_has(c->word[n].w.op, 'd'))
            c->writer[c->word[n].w.d] = (uint8_t)(n + 1);
    }
    c->computed = words;
    return simt_oracle_away(s, warp, c->word[0].pc, words);
}

/* --- making up its mind --------------------------------------------------- */

static int behind(const struct simt_stim *s, int pc) {
    return (pc + 1) & (s->l.CODE - 1);
}

static void by_itself(struct simt_stim *s, struct chain *c) {
    c->pc = c->word[0].pc;
    c->alone = true;
    s->binder.alone++;
    turn(s, c, GOES);
}

/* Loads that the chain begins with and that are understood. */
static int first_loads(const struct chain *c, int known) {
    int n = 0;
    while (n < known && c->word[n].w.op == ISA_ldg_b32)
        n++;
    return n;
}

/* The loads are done, and what they gave is brought. */
static const char *loads_return(struct simt_stim *s, int warp, int loads) {
    struct chain *c = chain_of(s, warp);
    c->result = 0;
    c->results = loads;
    c->pc = behind(s, c->word[loads - 1].pc);
    c->alone = true;
    s->binder.back++;
    turn(s, c, BRINGS);
    return carry_out(s, warp, loads);
}

static const char *decide(struct simt_stim *s, int warp) {
    struct rng *r = &s->binder.rng;
    struct chain *c = chain_of(s, warp);
    bool gives_up = c->longer || c->known < c->n || rng_percent(r, 10);
    int loads = first_loads(c, c->known);
    if (!gives_up)
        turn(s, c, AWAY);
    else if (loads >= 1 && loads <= 2 && rng_percent(r, 40))
        return loads_return(s, warp, loads);
    else
        by_itself(s, c);
    return NULL;
}

/* A chain that waited: it is carried out, or its loads come back. */
static const char *come_back(struct simt_stim *s, int warp) {
    struct chain *c = chain_of(s, warp);
    int loads = first_loads(c, c->n), op = c->word[c->n - 1].w.op;
    if (loads >= 1 && loads <= 2 && rng_percent(&s->binder.rng, 15))
        return loads_return(s, warp, loads);
    bool result = op != ISA_stg_b32;
    c->result = c->n - 1;
    c->results = c->n;
    c->pc = behind(s, c->word[c->n - 1].pc);
    c->alone = false;
    s->binder.away++;
    turn(s, c, result ? BRINGS : GOES);
    return carry_out(s, warp, c->n);
}

/* --- news ----------------------------------------------------------------- */

/* What a warp's chain would have told on this edge. */
static const char *look_at(struct simt_stim *s, int warp, enum news *news) {
    struct chain *c = chain_of(s, warp);
    struct rng *r = &s->binder.rng;
    bool can_free =
        c->held && (c->state == AWAY || c->state == BRINGS || c->state == GOES);
    if (c->state == ASKS && s->binder.faulted && !s->binder.shown) {
        c->held = false;
        c->state = NO_CHAIN;
        return NULL;
    }
    if (can_free && rng_percent(r, 30)) {
        *news = FREES;
        return NULL;
    }
    if (c->delay > 0) {
        c->delay--;
        return NULL;
    }
    switch (c->state) {
    case DECIDES:
        return decide(s, warp);
    case AWAY:
        return come_back(s, warp);
    case GOES:
        *news = GOES_ON;
        return NULL;
    default:
        return NULL;
    }
}

static const char *choose_news(struct simt_stim *s) {
    struct binder *b = &s->binder;
    int first = (int)rng_below(&b->rng, (uint32_t)s->l.WARPS);
    b->news = NO_NEWS;
    for (int k = 0; k < s->l.WARPS; k++) {
        int warp = (first + k) % s->l.WARPS;
        enum news news = NO_NEWS;
        if (b->chain[warp].state == NO_CHAIN)
            continue;
        const char *bad = look_at(s, warp, &news);
        b->news = news;
        b->news_of = warp;
        if (bad || news)
            return bad;
    }
    return NULL;
}

static void drive_news(struct simt_stim *s, struct simt_in *in) {
    const struct binder *b = &s->binder;
    const struct chain *c = &b->chain[b->news_of];
    uint64_t x = rng_next(&s->binder.rng);
    in->go_valid = b->news != NO_NEWS;
    in->go_moves = x & 1;
    in->go_frees = x >> 1 & 1;
    in->go_alone = x >> 2 & 1;
    in->go_warp = x >> 3 & ones(s->l.WARP_W);
    in->go_pc = x >> 16 & ones(s->l.PC_W);
    if (!in->go_valid)
        return;
    in->go_warp = (uint64_t)b->news_of;
    in->go_moves = b->news != FREES;
    in->go_frees = b->news == FREES || c->held;
    if (b->news == FREES)
        return;
    in->go_alone = c->alone;
    in->go_pc = (uint64_t)c->pc;
}

/* --- results -------------------------------------------------------------- */

static void noise(struct simt_stim *s, struct simt_in *in) {
    uint64_t x = rng_next(&s->binder.rng);
    in->put_last = x & 1;
    in->put_pred = x >> 1 & 1;
    in->put_d = x >> 2 & 63;
    in->put_warp = x >> 8 & ones(s->l.WARP_W);
    in->put_pc = x >> 16 & ones(s->l.PC_W);
    in->put_mask = x >> 32 & ones(s->l.LANES);
    for (int i = 0; i < s->l.ALUS; i++)
        bits_set_lane(in->put_data, i, (uint32_t)rng_next(&s->binder.rng));
}

static void put_pass(struct simt_stim *s, struct simt_in *in) {
    const struct binder *b = &s->binder;
    const struct chain *c = &b->chain[b->putting];
    const struct chain_word *x = &c->word[c->result];
    in->put_valid = 1;
    in->put_last = c->pass == s->l.PASSES - 1;
    if (c->pass == 0) { /* behind it these are noise */
        in->put_warp = (uint64_t)b->putting;
        in->put_pc = (uint64_t)x->pc;
        in->put_pred = alu_is_test(x->w.op);
        in->put_d = x->w.d;
        in->put_mask = c->mask;
    }
    for (int i = 0; i < s->l.ALUS; i++) {
        int lane = c->pass * s->l.ALUS + i;
        uint32_t got = (uint32_t)rng_next(&s->binder.rng);
        if (c->mask >> lane & 1)
            got = alu_is_test(x->w.op) ? (got & ~1u) | c->value[c->result][lane]
                                       : c->value[c->result][lane];
        bits_set_lane(in->put_data, i, got);
    }
}

static void drive_put(struct simt_stim *s, struct simt_in *in) {
    struct binder *b = &s->binder;
    struct rng *r = &b->rng;
    if (b->stands)
        return;
    in->put_valid = 0;
    noise(s, in);
    for (int w = 0; w < s->l.WARPS && b->putting < 0; w++)
        if (b->chain[w].state == BRINGS && !b->chain[w].delay) {
            b->putting = w;
            b->chain[w].pass = 0;
        }
    if (b->putting >= 0 && rng_percent(r, 70))
        put_pass(s, in);
}

/* --- an edge -------------------------------------------------------------- */

static void drive_noise(struct simt_stim *s, struct simt_in *in) {
    struct rng *r = &s->binder.rng;
    uint64_t x = rng_next(r);
    in->offer_ready = x & 1;
    in->chain_busy = x >> 1 & 1;
    in->go_valid = x >> 2 & 1;
    in->go_moves = x >> 3 & 1;
    in->go_frees = x >> 4 & 1;
    in->go_alone = x >> 5 & 1;
    in->go_warp = x >> 8 & ones(s->l.WARP_W);
    in->go_pc = x >> 16 & ones(s->l.PC_W);
    if (in->put_valid || (x >> 40 & 15)) /* nobody takes it */
        return;
    noise(s, in);
    in->put_valid = (x >> 44 & 255) == 0;
}

void simt_drive_binder(struct simt_stim *s, struct simt_in *in) {
    struct binder *b = &s->binder;
    if (s->base.rst_left)
        in->put_valid = 0;
    if (!s->l.OFFERS) {
        drive_noise(s, in);
        return;
    }
    const char *bad = choose_news(s);
    if (bad)
        snprintf(b->bad, sizeof b->bad, "%s", bad);
    in->offer_ready = toggle_step(&b->ready, &b->rng, 8, 6);
    in->chain_busy = simt_binder_busy(s);
    drive_news(s, in);
    drive_put(s, in);
}

/* --- what has happened ---------------------------------------------------- */

static void add_word(struct chain *c, const struct chain_word *x) {
    c->word[c->n++] = *x;
    if (c->known != c->n - 1 || !understood(c))
        return;
    c->known++;
    if (isa_has(x->w.op, 'd'))
        c->writer[x->w.d] = (uint8_t)c->n;
}

static const char *take_offer(struct simt_stim *s, const struct simt_out *o) {
    int warp = (int)o->offer_warp;
    struct chain *c = chain_of(s, warp);
    struct isa_word w;
    if (isa_decode(o->offer_code, s->l.REGS, &w) != ISA_LEGAL)
        return stim_complain(&s->base, "chains: an illegal word is offered");
    if (c->state == NO_CHAIN) {
        for (int k = 0; k < s->l.WARPS; k++)
            if (s->binder.chain[k].state != NO_CHAIN && s->binder.chain[k].held)
                return stim_complain(&s->base, "chains: two at once are built");
        memset(c->writer, 0, sizeof c->writer);
        c->n = c->known = 0;
        c->longer = false;
        c->held = true;
        c->mask = (uint32_t)o->offer_mask;
    } else if (c->state != ASKS) {
        return stim_complain(&s->base, "chains: warp %d offers too much", warp);
    }
    if (c->n == ENV_CHAIN)
        c->longer = true;
    else
        add_word(c, &(struct chain_word){.w = w,
                                         .pc = (int)o->offer_pc,
                                         .mask = (uint32_t)o->offer_mask,
                                         .a = (uint32_t)o->offer_a,
                                         .b = (uint32_t)o->offer_b,
                                         .in_row = o->offer_in_row,
                                         .same_a = o->offer_same_a,
                                         .same_b = o->offer_same_b});
    turn(s, c, continues(&w) ? ASKS : DECIDES);
    return NULL;
}

static const char *given(struct simt_stim *s, const struct simt_in *in) {
    struct binder *b = &s->binder;
    struct chain *c = chain_of(s, b->news_of);
    if (b->news == FREES) {
        c->held = false;
        return NULL;
    }
    s->host.stood_for = 0;
    c->state = NO_CHAIN;
    return simt_oracle_goes(s, b->news_of, (int)in->go_pc, in->go_alone);
}

static void put_taken(struct simt_stim *s, struct simt_in const *in) {
    struct binder *b = &s->binder;
    struct chain *c = chain_of(s, b->putting);
    const struct chain_word *x = &c->word[c->result];
    if (c->pass++ == 0 && !b->faulted)
        simt_oracle_puts(s, b->putting, x->pc);
    if (!in->put_last)
        return;
    b->putting = -1;
    c->result++;
    turn(s, c,
         c->result < c->results ? BRINGS
         : alu_is_test(x->w.op) ? SETTLES
                                : GOES);
}

/* What the core owes: the next word, a place for results. */
static const char *watch_waits(struct simt_stim *s, const struct simt_in *in,
                               const struct simt_out *after) {
    struct binder *b = &s->binder;
    for (int w = 0; w < s->l.WARPS; w++) {
        struct chain *c = &b->chain[w];
        bool put = c->state == SETTLES || (b->putting == w && in->put_valid);
        if (c->state == SETTLES && after->put_ready)
            turn(s, c, GOES);
        else if ((put || c->state == ASKS) && !after->halted &&
                 c->waits++ > WAITS_IN)
            return stim_complain(&s->base, "chains: warp %d %s", w,
                                 put ? "cannot bring its result"
                                     : "does not offer its word");
    }
    return NULL;
}

/* With loads shown: a load that is new there is that of the request. */
static const char *watch_shown(struct simt_stim *s, const struct simt_in *in,
                               const struct simt_out *before,
                               const struct simt_out *after) {
    bool is_new =
        after->offer_valid && (!before->offer_valid || in->offer_ready);
    if (is_new && (!after->mem_valid || after->mem_op != 0 ||
                   after->offer_a != after->mem_address << s->l.SECTOR_W))
        return stim_complain(&s->base, "a load is shown, which is none");
    return NULL;
}

const char *simt_watch_binder(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after) {
    struct binder *b = &s->binder;
    const char *bad = NULL;
    if (s->l.SHOWS)
        return watch_shown(s, in, before, after);
    if (!s->l.OFFERS)
        return after->offer_valid || after->put_ready
                   ? stim_complain(&s->base, "chains: passed, and offered")
                   : NULL;
    if (b->bad[0])
        return stim_complain(&s->base, "%s", b->bad);
    bool taken = before->offer_valid && in->offer_ready;
    if (!bad && after->offer_valid && (taken || !before->offer_valid))
        bad = simt_oracle_offer(s, after);
    if (!bad && taken)
        bad = take_offer(s, before);
    if (!bad && b->news)
        bad = given(s, in);
    if (!bad && in->put_valid && before->put_ready)
        put_taken(s, in);
    b->stands = in->put_valid && !before->put_ready;
    b->news = NO_NEWS;
    b->faulted = after->state == FAULTED;
    b->shown = after->offer_valid;
    return bad ? bad : watch_waits(s, in, after);
}
