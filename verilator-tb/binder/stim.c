/* stim.c - stimulus of a binder: a core with chains, an offload queue and a
 * gate.
 *
 * Chains are made with what must become of each word (chains.h).  The core
 * offers them word by word, whatever becomes of them; behind one that fits
 * nothing words come that nobody may look at.  The queue answers as it likes,
 * within its contract; what leaves ends in any order and time.
 *
 * random        phases with other shares of everything
 * directed      the following, one after the other
 * patterns      chains that leave
 * misfits       words that fit nothing
 * faults        the core is at fault now and then
 * full_queue    the queue takes few chains, and keeps them long
 * loads_back    loads come back
 * slow_core     results are taken late
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/binder.h"
#include "chains.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ENTRIES = 64, MOST_WAVES = 64, MOST_PASSES = 32, DATA = 16 };
enum { PATIENCE = 4000, FAULTED = 3 };

/* What the surroundings are like for a while; shares in percent. */
struct tune {
    const char *name;
    int give;      /* edges with an offer, if it may come */
    int misfits;   /* chains with a word that fits nothing */
    int faults;    /* in a thousand edges, if none is there */
    int normal;    /* first words that are not wanted */
    int single;    /* chains that meet nowhere */
    int back;      /* loads come back */
    int answers;   /* edges with a result or an end */
    int slow;      /* longest time that the core takes for a result */
    int high, low; /* longest times that something is taken, and not */
};

static const struct tune named[] = {
    {"patterns", 100, 2, 0, 2, 5, 10, 90, 3, 1, 0},
    {"misfits", 90, 85, 0, 5, 10, 20, 80, 4, 4, 2},
    {"faults", 90, 20, 15, 5, 10, 30, 60, 6, 3, 3},
    {"full_queue", 100, 10, 0, 60, 30, 20, 4, 3, 2, 6},
    {"loads_back", 100, 5, 0, 2, 2, 95, 95, 3, 4, 1},
    {"slow_core", 100, 5, 0, 2, 2, 30, 100, 40, 6, 0},
};
enum { N_NAMED = sizeof named / sizeof *named };

/* A chain that has left. */
struct job {
    bool waits, busy; /* busy: its entry is not free */
    uint64_t wave, first;
    struct chain chain;
    bool back; /* its loads come back */
    int due;   /* results still to come, */
    bool second_first;
};

/* A result on its way into the core. */
struct pass {
    uint64_t last, warp, pc, pred, d, mask, data[DATA];
};

struct list {
    struct pass pass[2 * MOST_PASSES];
    int n, at;
};

struct binder_stim {
    struct stim base;
    struct binder_local size;
    struct tune tune;
    int left;
    /* the core */
    int fault; /* edges that it lasts, at least; 0: none */
    uint64_t state;
    bool building; /* a chain has begun, without its go */
    bool waiting[MOST_WAVES];
    struct chain chain;
    uint64_t warp, first;
    int at;                 /* its next word */
    struct chain_word word; /* it, */
    bool offered;           /* which stands there */
    bool last;              /* its last word was taken */
    int now;                /* its word that was taken last */
    bool taken;             /* it has no answer */
    int looked;             /* edges since */
    bool dropped;           /* words are passed over */
    /* the queue */
    bool open; /* it has an entry */
    int entry;
    bool asked;         /* an op was taken, and is not answered */
    struct chain_op op; /* it, or what is expected next */
    bool gives_up, silent;
    bool op_due; /* an op must come, or stands there */
    int answer_in;
    struct {
        bool valid;
        uint64_t warp, moves, frees, alone, pc;
    } go;      /* that must be seen after this edge */
    int loads; /* that go by themselves */
    bool load_stands;
    struct toggle op_ready;
    struct job job[MOST_ENTRIES];
    /* the gate */
    struct {
        bool there, stands, back, second; /* stands: a pass */
        int entry, beat;
        uint64_t data[4];
    } result;
    /* ends */
    bool done_stands;
    struct job shown; /* whose end it is */
    struct {
        uint64_t wave, entry, how, mask, bits;
    } done;
    bool ending; /* taken, without its go */
    struct job ended;
    uint64_t ended_how;
    int bits_left; /* passes of them that were not taken */
    bool written;
    struct list results, bits; /* passes that must be at put */
    enum { NO_PACKET, OF_RESULTS, OF_BITS } packet;
    /* the core's port for results */
    int put_wait;  /* edges until it is ready */
    int under_way; /* chains that wait */
    int still;
    uint64_t chains, left_n, ends;
};

static uint64_t pc_at(const struct binder_stim *s, uint64_t pc) {
    return pc & ones(s->size.PC_W);
}

/* --- phases --------------------------------------------------------------- */

static void use(struct binder_stim *s, const struct tune *t, int edges) {
    s->tune = *t;
    s->left = edges;
}

static void step_directed(struct stim *base) {
    struct binder_stim *s = (struct binder_stim *)base;
    if (s->left-- <= 0)
        use(s, &named[base->now / 400 % N_NAMED], 399);
}

static void step_named(struct stim *base) {
    struct binder_stim *s = (struct binder_stim *)base;
    if (s->left-- > 0)
        return;
    for (int i = 0; i < N_NAMED; i++)
        if (strcmp(named[i].name, base->mode->name) == 0)
            use(s, &named[i], 400);
}

static void step_random(struct stim *base) {
    static const int shares[] = {0, 5, 20, 50, 95, 100};
    struct binder_stim *s = (struct binder_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    struct tune t = {.give = shares[rng_range(r, 2, 5)],
                     .misfits = shares[rng_range(r, 0, 4)],
                     .faults = rng_percent(r, 30) ? rng_range(r, 1, 20) : 0,
                     .normal = shares[rng_range(r, 0, 3)],
                     .single = shares[rng_range(r, 0, 3)],
                     .back = shares[rng_below(r, 6)],
                     .answers = shares[rng_range(r, 1, 5)],
                     .slow = rng_percent(r, 30) ? 40 : rng_range(r, 1, 8),
                     .high = rng_range(r, 1, 6),
                     .low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8)};
    use(s, &t, rng_range(r, 50, 400));
}

/* --- frame ---------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct binder_stim *s = (struct binder_stim *)base;
    s->size = binder_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct binder_stim *s = (struct binder_stim *)base;
    s->fault = s->at = s->loads = s->put_wait = s->under_way = s->still = 0;
    s->building = s->offered = s->taken = s->open = s->asked = false;
    s->dropped = false;
    s->gives_up = s->silent = s->op_due = s->load_stands = false;
    s->go.valid = s->done_stands = s->ending = s->written = false;
    s->results.n = s->results.at = s->bits.n = s->bits.at = 0;
    s->result.there = s->result.stands = false;
    s->packet = NO_PACKET;
    memset(s->waiting, 0, sizeof s->waiting);
    memset(s->job, 0, sizeof s->job);
}

/* --- an edge: the core ---------------------------------------------------- */

static void begin_chain(struct binder_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t warp = rng_below(r, (uint32_t)s->size.WAVES);
    if (s->waiting[warp])
        return;
    chain_make(&s->chain, &s->size, r, s->tune.misfits);
    s->warp = warp;
    s->first = rng_percent(r, 10) ? pc_at(s, UINT64_MAX - rng_below(r, 4))
                                  : rng_next(r) & ones(s->size.PC_W);
    s->building = true;
    s->last = false;
    s->at = 0;
    s->chains++;
}

static bool continues(const struct chain_word *w) {
    uint64_t tag = w->code >> 27 & 15;
    return tag == 1 || tag == 2;
}

/* The next word, behind the chain's any one. */
static void begin_word(struct binder_stim *s) {
    struct rng *r = &s->base.rng;
    const uint64_t tag = (uint64_t)15 << 27;
    s->offered = true;
    if (s->at < s->chain.n) {
        s->word = s->chain.word[s->at];
        return;
    }
    s->word = (struct chain_word){.code = rng_next(r),
                                  .mask = s->chain.mask,
                                  .a = rng_next(r) & ones(32),
                                  .b = rng_next(r) & ones(32),
                                  .in_row = 1};
    if (rng_percent(r, 50))
        s->word.code = (s->word.code & ~tag) | (uint64_t)rng_range(r, 1, 2)
                                                   << 27;
}

static void drive_core(struct binder_stim *s, struct binder_in *in) {
    struct rng *r = &s->base.rng;
    bool quiet = !s->under_way && !s->building && !s->open && !s->op_due &&
                 !s->asked && !s->go.valid;
    /* a word may come with the fault itself */
    bool may = s->base.rst_left == 0 && !s->offered && !s->fault &&
               !(s->building && s->last) && rng_percent(r, s->tune.give);
    if (s->fault > 1 || (s->fault && quiet))
        s->fault--;
    else if (!s->fault && (int)rng_below(r, 1000) < s->tune.faults)
        s->fault = rng_range(r, 2, 40);
    in->core_state = s->fault ? FAULTED : rng_below(r, 3);
    if (may && !s->building)
        begin_chain(s);
    if (may && s->building)
        begin_word(s);
    const struct chain_word none = {0};
    const struct chain_word *w = s->offered ? &s->word : &none;
    in->offer_valid = s->offered;
    in->offer_warp = s->offered ? s->warp : 0;
    in->offer_pc = s->offered ? pc_at(s, s->first + (uint64_t)s->at) : 0;
    in->offer_code = w->code;
    in->offer_mask = w->mask;
    in->offer_a = w->a;
    in->offer_b = w->b;
    in->offer_in_row = w->in_row;
    in->offer_same_a = w->same_a;
    in->offer_same_b = w->same_b;
}

/* --- an edge: the queue --------------------------------------------------- */

static int free_entry(struct binder_stim *s) {
    int at = (int)rng_below(&s->base.rng, (uint32_t)s->size.ENTRIES);
    if (rng_percent(&s->base.rng, 60))
        at = 0; /* the lowest, as the queue does */
    for (int i = 0; i < s->size.ENTRIES; i++, at = (at + 1) % s->size.ENTRIES)
        if (!s->job[at].busy)
            return at;
    return -1;
}

/* The chain is freed: the core carries it out by itself, or it waits. */
static void expect_go(struct binder_stim *s, bool alone) {
    s->go.valid = true;
    s->go.warp = s->warp;
    s->go.moves = s->go.alone = alone;
    s->go.frees = true;
    s->go.pc = alone ? s->first : 0;
    s->building = false;
}

/* The core carries the chain out, once it has offered all of it. */
static void refuse(struct binder_stim *s) {
    s->dropped = !s->last;
    if (s->last)
        expect_go(s, true);
}

static void leave(struct binder_stim *s) {
    struct job *j = &s->job[s->entry];
    j->waits = true;
    j->wave = s->warp;
    j->first = s->first;
    j->chain = s->chain;
    j->back = rng_percent(&s->base.rng, s->tune.back);
    j->second_first = rng_below(&s->base.rng, 2);
    bool data = s->chain.pattern == 2 || s->chain.pattern == 8;
    j->due = j->back ? s->chain.loads : data;
    s->waiting[s->warp] = true;
    s->under_way++;
    s->left_n++;
}

/* The answer to the op that was taken, and what the core must be told. */
static uint64_t answer(struct binder_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t what = BINDER_TAKEN;
    if (s->gives_up) {
        what = BINDER_NORMAL;
        s->loads = s->chain.loads;
    } else if (s->op.tag == 1) {
        s->entry = free_entry(s);
        if (s->entry < 0 || rng_percent(r, s->tune.normal))
            what = BINDER_NORMAL;
        else
            s->open = s->job[s->entry].busy = true;
    } else if (s->op.tag == 3) {
        what = !s->chain.pattern || rng_percent(r, s->tune.single)
                   ? BINDER_SINGLE
                   : BINDER_WAITS;
        if (what == BINDER_SINGLE)
            s->loads = s->chain.loads;
    }
    s->taken = false;
    if (what == BINDER_TAKEN)
        return what;
    if (what == BINDER_WAITS) {
        expect_go(s, false);
        leave(s);
    } else if (s->open) {
        s->job[s->entry].busy = false;
    }
    if (s->silent)
        s->building = false;
    else if (what != BINDER_WAITS)
        refuse(s);
    s->open = s->gives_up = s->silent = false;
    return what;
}

static void drive_queue(struct binder_stim *s, struct binder_in *in) {
    struct rng *r = &s->base.rng;
    int high = s->tune.high, low = s->tune.low;
    bool ready = toggle_step(&s->op_ready, r, high, low);
    in->op_ready = ready && !s->asked && !s->loads;
    in->said_valid = in->said_wave = in->said_entry = in->said_what = 0;
    if (s->asked && s->answer_in-- <= 0) {
        s->asked = false;
        in->said_valid = 1;
        in->said_wave = s->warp;
        in->said_what = answer(s);
        in->said_entry = in->said_what == BINDER_WAITS ? (uint64_t)s->entry : 0;
    }
    bool new = s->loads && !s->load_stands &&rng_percent(r, 70);
    if (!s->load_stands) {
        in->load_valid = new;
        in->load_second = new && s->loads == 1 && rng_below(r, 2);
        in->load_wave = new ? rng_below(r, (uint32_t)s->size.WAVES) : 0;
        in->load_address = new ? rng_next(r) & ones(s->size.ADDR_W) : 0;
        in->load_mem = new ? rng_below(r, (uint32_t)s->size.MEMS) : 0;
        in->load_mask = new ? rng_next(r) & ones(s->size.MASK_W) : 0;
        s->load_stands = new;
    }
}

/* --- an edge: gate and ends ----------------------------------------------- */

static struct job *any_job(struct binder_stim *s, int *entry) {
    *entry = (int)rng_below(&s->base.rng, (uint32_t)s->size.ENTRIES);
    return &s->job[*entry];
}

static void drive_result(struct binder_stim *s, struct binder_in *in) {
    struct rng *r = &s->base.rng;
    int entry;
    if (s->result.stands)
        return;
    if (!s->result.there) {
        const struct job *j = any_job(s, &entry);
        if (j->waits && j->due && rng_percent(r, s->tune.answers)) {
            bool last = j->due == 1 || j->chain.loads == 1;
            s->result.there = true;
            s->result.entry = entry;
            s->result.back = j->back;
            s->result.beat = 0;
            s->result.second = j->back && j->chain.loads == 2 &&
                               (last ? !j->second_first : j->second_first);
        }
    }
    bool now = s->result.there &&
               (s->result.beat == 0 || rng_percent(r, s->tune.answers));
    s->result.stands = now;
    memset(in->result_data, 0, sizeof in->result_data);
    for (int i = 0; now && i < s->size.ALUS; i++)
        bits_set_lane(in->result_data, i, (uint32_t)rng_next(r));
    in->result_valid = now;
    in->result_last = now && s->result.beat + 1 == s->size.PASSES;
    in->result_entry = now ? (uint64_t)s->result.entry : 0;
    in->result_loaded = now && s->result.back;
    in->result_second = now && s->result.second;
}

/* The queue shows an end, and with it the entry is free. */
static void drive_done(struct binder_stim *s, struct binder_in *in) {
    struct rng *r = &s->base.rng;
    int entry;
    if (!s->done_stands) {
        struct job *j = any_job(s, &entry);
        int p = j->chain.pattern;
        if (j->waits && !j->due && rng_percent(r, s->tune.answers)) {
            s->done_stands = true;
            s->shown = *j;
            s->done.wave = j->wave;
            s->done.entry = (uint64_t)entry;
            s->done.mask = j->chain.mask;
            s->done.how = j->back            ? BINDER_LOADED
                          : p == 2 || p == 8 ? BINDER_DATA
                          : p == 5 || p == 6 ? BINDER_BITMAP
                                             : BINDER_ACK;
            s->done.bits =
                s->done.how == BINDER_BITMAP ? rng_next(r) & j->chain.mask : 0;
            j->waits = j->busy = false;
        }
    }
    bool on = s->done_stands;
    in->done_valid = on;
    in->done_wave = on ? s->done.wave : 0;
    in->done_entry = on ? s->done.entry : 0;
    in->done_how = on ? s->done.how : 0;
    in->done_mask = on ? s->done.mask : 0;
    in->done_bits = on ? s->done.bits : 0;
}

static void drive(struct stim *base, void *ports) {
    struct binder_stim *s = (struct binder_stim *)base;
    struct binder_in *in = ports;
    s->go.valid = false;
    drive_core(s, in);
    if (base->rst_left) {
        in->said_valid = in->load_valid = in->done_valid = 0;
        in->result_valid = in->op_ready = in->put_ready = 0;
        return;
    }
    drive_done(s, in); /* of a chain that leaves on this edge neither */
    drive_result(s, in);
    drive_queue(s, in);
    s->put_wait -= s->put_wait > 0;
    in->put_ready = s->put_wait == 0;
}

/* --- an edge: what must come of it ---------------------------------------- */

static void expect_op(struct binder_stim *s, bool gives_up, bool silent) {
    s->op_due = true;
    s->gives_up = gives_up;
    s->silent = silent;
    if (!gives_up)
        s->op = s->chain.word[s->now].op;
    else
        s->op = (struct chain_op){.tag = 3};
}

/* A word was looked at on this edge. */
static void look(struct binder_stim *s) {
    bool fits = s->chain.word[s->now].fits;
    if (fits || s->open) {
        expect_op(s, !fits, false);
        return;
    }
    s->taken = false;
    refuse(s);
}

static const char *watch_op(struct binder_stim *s, const struct binder_out *o) {
    const struct chain_op *p = &s->op;
    if (o->op_valid != s->op_due)
        return stim_complain(&s->base, "an instruction is %sgiven",
                             s->op_due ? "not " : "");
    if (!s->op_due)
        return NULL;
    const struct {
        const char *name;
        uint64_t got, expected;
    } f[] = {
        {"tag", o->op_tag, p->tag},
        {"kind", o->op_kind, p->kind},
        {"wave", o->op_wave, s->warp},
        {"mask", o->op_mask, s->chain.mask},
        {"hit", o->op_hit, s->gives_up},
        {"address", o->op_address, p->address},
        {"mem", o->op_mem, p->mem},
        {"code", o->op_code, p->code},
        {"type", o->op_type, p->type},
        {"reversed", o->op_reversed, p->reversed},
        {"fused", o->op_fused, p->fused},
        {"has_imm", o->op_has_imm, p->has_imm},
        {"imm", o->op_imm, p->imm},
    };
    for (size_t i = 0; i < sizeof f / sizeof *f; i++)
        if (f[i].got != f[i].expected)
            return stim_complain(&s->base,
                                 "word %d is given with %s %" PRIx64
                                 ", expected %" PRIx64,
                                 s->now, f[i].name, f[i].got, f[i].expected);
    return NULL;
}

/* An end that may be told now: its passes are in the core. */
static bool may_end(const struct binder_stim *s) {
    for (int i = s->results.at; i < s->results.n; i++)
        if (s->results.pass[i].warp == s->ended.wave)
            return false;
    return s->ending &&
           (s->ended_how != BINDER_BITMAP || (!s->bits_left && s->written));
}

static const char *end_chain(struct binder_stim *s,
                             const struct binder_out *o) {
    const struct job *j = &s->ended;
    bool back = s->ended_how == BINDER_LOADED;
    uint64_t past = (uint64_t)(back ? j->chain.loads : j->chain.n);
    if (!may_end(s))
        return stim_complain(&s->base, "warp %u goes on before its time",
                             (unsigned)o->go_warp);
    if (o->go_warp != j->wave || !o->go_moves || o->go_frees ||
        o->go_alone != back || o->go_pc != pc_at(s, j->first + past))
        return stim_complain(
            &s->base, "warp %u goes on at %u, expected warp %u at %u",
            (unsigned)o->go_warp, (unsigned)o->go_pc, (unsigned)j->wave,
            (unsigned)pc_at(s, j->first + past));
    s->ending = false;
    s->waiting[j->wave] = false;
    s->under_way--;
    s->ends++;
    return NULL;
}

static const char *watch_go(struct binder_stim *s, const struct binder_out *o) {
    if (!s->go.valid)
        return o->go_valid ? end_chain(s, o) : NULL;
    if (!o->go_valid)
        return stim_complain(&s->base, "warp %u is not told how it goes on",
                             (unsigned)s->go.warp);
    if (o->go_warp != s->go.warp || o->go_moves != s->go.moves ||
        o->go_frees != s->go.frees || o->go_alone != s->go.alone ||
        o->go_pc != s->go.pc)
        return stim_complain(
            &s->base,
            "warp %u is told moves %u frees %u alone %u pc %u, expected warp "
            "%u moves %u frees %u alone %u pc %u",
            (unsigned)o->go_warp, (unsigned)o->go_moves, (unsigned)o->go_frees,
            (unsigned)o->go_alone, (unsigned)o->go_pc, (unsigned)s->go.warp,
            (unsigned)s->go.moves, (unsigned)s->go.frees, (unsigned)s->go.alone,
            (unsigned)s->go.pc);
    return NULL;
}

static void add_pass(struct list *l, const struct pass *p) {
    if (l->at == l->n)
        l->at = l->n = 0;
    l->pass[l->n++] = *p;
}

static void take_result(struct binder_stim *s, const struct binder_in *in) {
    struct job *j = &s->job[s->result.entry];
    int second = s->result.second;
    uint64_t k = s->result.back ? (uint64_t)second : (uint64_t)j->chain.n - 1;
    struct pass p = {.last = in->result_last,
                     .warp = j->wave,
                     .pc = pc_at(s, j->first + k),
                     .d = s->result.back ? j->chain.load[second]
                                         : j->chain.result,
                     .mask = j->chain.mask};
    memcpy(p.data, in->result_data, sizeof in->result_data);
    add_pass(&s->results, &p);
    s->result.beat++;
    s->result.stands = false;
    if (in->result_last) {
        s->result.there = false;
        j->due--;
    }
}

static void take_done(struct binder_stim *s) {
    const struct job *j = &s->shown;
    s->ended = *j;
    s->done_stands = false;
    s->ending = true;
    s->written = false;
    s->ended_how = s->done.how;
    s->bits_left = 0;
    for (int k = 0; s->done.how == BINDER_BITMAP && k < s->size.PASSES; k++) {
        struct pass p = {.last = k + 1 == s->size.PASSES,
                         .warp = j->wave,
                         .pc = pc_at(s, j->first + (uint64_t)j->chain.n - 1),
                         .pred = 1,
                         .d = j->chain.result,
                         .mask = j->chain.mask};
        for (int i = 0; i < s->size.ALUS; i++)
            bits_set_lane(p.data, i,
                          s->done.bits >> (k * s->size.ALUS + i) & 1);
        add_pass(&s->bits, &p);
        s->bits_left++;
    }
}

static const char *take_put(struct binder_stim *s, const struct binder_out *o) {
    struct list *l = o->put_pred ? &s->bits : &s->results;
    int packet = o->put_pred ? OF_BITS : OF_RESULTS;
    const struct pass *p = &l->pass[l->at];
    if (s->packet != NO_PACKET && (int)s->packet != packet)
        return stim_complain(&s->base, "bits and a result are mixed");
    if (l->at == l->n)
        return stim_complain(&s->base, "a pass comes of nothing");
    if (o->put_last != p->last || o->put_warp != p->warp ||
        o->put_pc != p->pc || o->put_d != p->d || o->put_mask != p->mask)
        return stim_complain(
            &s->base,
            "a pass is for register %u of warp %u at %u, expected %u of warp "
            "%u at %u",
            (unsigned)o->put_d, (unsigned)o->put_warp, (unsigned)o->put_pc,
            (unsigned)p->d, (unsigned)p->warp, (unsigned)p->pc);
    if (memcmp(o->put_data, p->data, sizeof p->data) != 0)
        return stim_complain(&s->base,
                             "a pass has other values, %08x, expected %08x",
                             (unsigned)o->put_data[0], (unsigned)p->data[0]);
    l->at++;
    s->packet = o->put_last ? NO_PACKET : packet;
    s->bits_left -= o->put_pred;
    s->put_wait = 2 + (int)rng_below(&s->base.rng, (uint32_t)s->tune.slow);
    return NULL;
}

static const char *watch_busy(struct binder_stim *s,
                              const struct binder_out *o) {
    bool busy = s->taken || s->dropped || s->open || s->under_way ||
                s->op_due || s->asked || s->go.valid || o->go_valid;
    s->still = busy && !o->go_valid ? s->still + 1 : 0;
    if (o->chain_busy != busy)
        return stim_complain(&s->base, "chain_busy is %u",
                             (unsigned)o->chain_busy);
    if (s->still > PATIENCE)
        return stim_complain(&s->base, "nothing goes on");
    return NULL;
}

static void take_word(struct binder_stim *s) {
    s->offered = false;
    s->last = !continues(&s->word);
    s->now = s->at++;
    if (!s->dropped) {
        s->taken = true;
        s->looked = 0;
    } else if (s->last) {
        s->dropped = false;
        expect_go(s, true);
    }
}

/* The core is at fault between two words of a chain. */
static void forsake(struct binder_stim *s) {
    if (s->open)
        expect_op(s, true, true);
    else if (s->dropped)
        s->dropped = s->building = false;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct binder_stim *s = (struct binder_stim *)base;
    const struct binder_in *in = in_ports;
    const struct binder_out *before = before_ports, *after = after_ports;
    bool op = before->op_valid && in->op_ready;
    const char *wrong = NULL;
    if (op) {
        s->op_due = false;
        s->asked = true;
        s->answer_in = (int)rng_below(&base->rng, 6);
    }
    if (s->taken && ++s->looked == 1)
        look(s);
    if (in->offer_valid && before->offer_ready)
        take_word(s);
    else if (before->offer_ready && in->core_state == FAULTED)
        forsake(s);
    if (in->load_valid && before->load_ready) {
        s->load_stands = false;
        s->loads--;
    }
    if (s->ending && s->ended_how == BINDER_BITMAP && !s->bits_left)
        s->written |= in->put_ready;
    if (before->put_valid && in->put_ready)
        wrong = take_put(s, before);
    if (in->result_valid && before->result_ready)
        take_result(s, in);
    if (in->done_valid && before->done_ready)
        take_done(s);
    if (!wrong)
        wrong = watch_op(s, after);
    if (!wrong)
        wrong = watch_go(s, after);
    if (!wrong)
        wrong = watch_busy(s, after);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct binder_stim *s = (const struct binder_stim *)base;
    text_printf(t, "chains\t%" PRIu64 "\n", s->chains);
    text_printf(t, "left\t%" PRIu64 "\n", s->left_n);
    text_printf(t, "ends\t%" PRIu64 "\n", s->ends);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
#define NAMED(id)                                                              \
    static const struct stim_mode id##_mode = {.name = #id, .step = step_named}
NAMED(patterns);
NAMED(misfits);
NAMED(faults);
NAMED(full_queue);
NAMED(loads_back);
NAMED(slow_core);
static const struct stim_mode *const modes[] = {
    &random_mode,     &directed_mode,  &patterns_mode,
    &misfits_mode,    &faults_mode,    &full_queue_mode,
    &loads_back_mode, &slow_core_mode, NULL};

const struct stim_class binder_stim = {
    .size = sizeof(struct binder_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
