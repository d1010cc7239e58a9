/* directed.c - a script that brings about each cover point on purpose.
 *
 * Each scene says in a line what it wants to see.  A step issues an
 * instruction, waits until all are committed, changes a setting, or holds a
 * port.  Registers are named by kind and number (ROW(2): the third register
 * that is a row); they are taken modulo what the configuration has.  The script
 * starts again at its end, so that a long run repeats it with other latencies.
 */
#include "env.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum verb {
    SCENE,  /* a new scene begins: everything back to normal */
    ISSUE,  /* an instruction to warp a */
    EACH,   /* the instruction to every warp */
    IDLE,   /* wait until nothing is under way */
    CYCLES, /* let a cycles pass */
    POLICY, /* write a */
    CLEAR,  /* the counters */
    HOLD,   /* port a is not ready */
    LET,    /* port a is ready again */
    DELAY,  /* pipelines take a cycles */
    KEEP,   /* completions are kept back for a cycles, then come at once */
    SWEEP,  /* pipelines take as many cycles as the script has run times */
    LSU,    /* messages of b beats from side a, with pauses in c of 100 beats */
    STORM,  /* random instructions for a cycles */
    RESET   /* in the middle of everything */
};

struct ref {
    bool valid;
    uint8_t kind, number;
};

#define NONE                                                                   \
    { 0, 0, 0 }
#define ROW(n)                                                                 \
    { 1, NBU_ROW, n }
#define PAIR(n)                                                                \
    { 1, NBU_PAIR, n }
#define PRED(n)                                                                \
    { 1, NBU_PRED, n }

struct step {
    enum verb verb;
    int a, b, c;
    uint8_t op, hint;
    bool partial;
    struct ref operand[N_SLOTS]; /* dst, three sources, guard */
};

enum { ANY, HFAR, HNEAR };

/* Issue to warp w: class, hint, destination, sources and guard. */
#define INSTRUCTION(verb_, w, class, hint_, partial_, ...)                     \
    {                                                                          \
        .verb = verb_, .a = w, .op = OPC_##class, .hint = hint_,               \
        .partial = partial_, .operand = {                                      \
            __VA_ARGS__                                                        \
        }                                                                      \
    }
#define I(w, class, hint, ...)                                                 \
    INSTRUCTION(ISSUE, w, class, hint, false, __VA_ARGS__)
#define I_PARTIAL(w, class, hint, ...)                                         \
    INSTRUCTION(ISSUE, w, class, hint, true, __VA_ARGS__)
#define I_EACH(class, hint, ...)                                               \
    INSTRUCTION(EACH, 0, class, hint, false, __VA_ARGS__)
#define DO(verb_, a_)                                                          \
    { .verb = verb_, .a = a_ }
#define MESSAGES(side, beats, pauses)                                          \
    { .verb = LSU, .a = side, .b = beats, .c = pauses }

static const struct step script[] = {
    /* the policies, and the rule that decides */
    DO(SCENE, 0),
    DO(CLEAR, 0),
    DO(POLICY, POLICY_FAR),
    I(0, fp, HNEAR, ROW(0), ROW(1)),
    DO(IDLE, 0),
    DO(POLICY, POLICY_NEAR),
    I(0, fp, HFAR, ROW(2), ROW(1)),
    I(0, branch, HNEAR, NONE, ROW(1)),
    DO(IDLE, 0),
    DO(POLICY, POLICY_DEFAULT),
    I(0, mov, ANY, ROW(3)),
    I(0, fp, ANY, ROW(0), ROW(2)),
    I(0, fp, ANY, ROW(0), ROW(2), ROW(3)),
    DO(IDLE, 0),
    DO(POLICY, POLICY_ANNOTATED),
    I(1, fp, HFAR, ROW(0), ROW(1)),
    I(1, fp, HNEAR, ROW(0), ROW(1)),
    I(1, barrier, HNEAR, NONE),
    I(1, fp, ANY, ROW(2), ROW(0)),
    I(1, mov, 3, ROW(2)),
    DO(IDLE, 0),

    /* hazards: a source, only the destination, only the guard */
    DO(SCENE, 0),
    DO(DELAY, 60),
    I(0, fp, HNEAR, ROW(0), ROW(1)),
    I(0, fp, HNEAR, ROW(2), ROW(0)),
    I(0, mov, HFAR, ROW(2)),
    I(0, setp, HFAR, PRED(0), ROW(1)),
    I(0, mov, HFAR, ROW(3), NONE, NONE, NONE, PRED(0)),
    DO(IDLE, 0),

    /* moves: old value for a partial write, one for two, both ways */
    DO(SCENE, 0),
    I_PARTIAL(0, mov, HNEAR, ROW(4)),
    I_PARTIAL(0, mov, HFAR, ROW(4)),
    I(0, mov, HNEAR, ROW(4), NONE, NONE, NONE, PRED(1)),
    I(0, fp, HNEAR, ROW(5), ROW(6), ROW(6), ROW(6)),
    I(0, fp, HNEAR, ROW(0)),
    I(0, fp, HFAR, ROW(1)),
    I(0, st_global, ANY, NONE, ROW(0), ROW(1)),
    I(0, ld_global, HNEAR, ROW(2), ROW(0)),
    I(0, st_shared, HFAR, NONE, ROW(7), ROW(8)),
    I(0, ld_shared, HFAR, PAIR(2), ROW(2)),
    DO(IDLE, 0),
    I(1, fp, HNEAR, PAIR(0), PAIR(1)),
    I(1, fp, HFAR, PAIR(1), PAIR(0), PAIR(1), PAIR(0)),
    I(1, setp, HNEAR, PRED(0), ROW(0), NONE, NONE, PRED(1)),
    I(1, mov, HFAR, ROW(1), NONE, NONE, NONE, PRED(0)),
    I_PARTIAL(1, setp, HNEAR, PRED(2), PRED(3)),
    I_PARTIAL(1, setp, HFAR, PRED(2), PRED(0)),
    DO(IDLE, 0),

    /* a table update on the very edge of a lookup: the latency is swept */
    DO(SCENE, 0),
    DO(SWEEP, 0),
    I(0, fp, HFAR, ROW(0), ROW(1)),
    I(0, fp, HFAR, ROW(1), ROW(0)),
    I(1, fp, HNEAR, ROW(0), ROW(1)),
    I(1, fp, HNEAR, ROW(1), ROW(0), ROW(1)),
    I(0, fp, HNEAR, ROW(0), ROW(1), ROW(0)),
    I(0, fp, HFAR, ROW(0), ROW(1), ROW(2)),
    I(1, fp, HFAR, ROW(3), ROW(1), ROW(0)),
    I(1, fp, HFAR, ROW(3)),
    DO(IDLE, 0),

    /* no room on the DRAM die */
    DO(SCENE, 0),
    DO(HOLD, NEAR_EXEC),
    I_EACH(mov, HNEAR, ROW(0)),
    DO(CYCLES, 400),
    DO(LET, NEAR_EXEC),
    DO(IDLE, 0),
    DO(HOLD, NEAR_READ),
    I_EACH(fp, HFAR, ROW(1), ROW(0)),
    DO(CYCLES, 400),
    DO(LET, NEAR_READ),
    DO(IDLE, 0),

    /* ports that refuse, with every warp waiting */
    DO(SCENE, 0),
    DO(HOLD, FAR_EXEC),
    I_EACH(mov, HFAR, ROW(0)),
    DO(CYCLES, 300),
    DO(LET, FAR_EXEC),
    DO(IDLE, 0),
    DO(HOLD, NEAR_WRITE),
    I_EACH(fp, HNEAR, ROW(1), ROW(0)),
    DO(CYCLES, 300),
    DO(LET, NEAR_WRITE),
    DO(IDLE, 0),
    DO(HOLD, FAR_WRITE),
    I_EACH(fp, HFAR, ROW(0), ROW(1)),
    DO(CYCLES, 300),
    DO(LET, FAR_WRITE),
    DO(IDLE, 0),
    DO(HOLD, FAR_READ),
    I_EACH(fp, HNEAR, ROW(2), ROW(0)),
    DO(CYCLES, 100),
    DO(LET, FAR_READ),
    DO(IDLE, 0),

    /* a crowd of completions: their queues refuse */
    DO(SCENE, 0),
    DO(KEEP, 700),
    I_EACH(mov, HFAR, ROW(0)),
    I_EACH(mov, HFAR, ROW(1)),
    I_EACH(mov, HFAR, ROW(2)),
    I_EACH(mov, HNEAR, ROW(3)),
    I_EACH(mov, HNEAR, ROW(4)),
    MESSAGES(FAR, 40, 0),
    MESSAGES(NEAR, 40, 0),
    DO(IDLE, 0),

    /* the same with the bus to themselves, so that those of the base die wait */
    DO(SCENE, 0),
    DO(KEEP, 500),
    I_EACH(mov, HFAR, ROW(0)),
    I_EACH(mov, HFAR, ROW(1)),
    I_EACH(mov, HFAR, ROW(2)),
    I_EACH(mov, HNEAR, ROW(3)),
    DO(IDLE, 0),

    /* load-store traffic: past the burst limit, with pauses, against moves */
    DO(SCENE, 0),
    MESSAGES(FAR, 300, 0),
    DO(CYCLES, 400),
    MESSAGES(NEAR, 60, 30),
    DO(CYCLES, 400),
    MESSAGES(FAR, 400, 10),
    MESSAGES(NEAR, 400, 10),
    DO(STORM, 500),
    I_EACH(fp, HNEAR, PAIR(0), PAIR(1), ROW(3)),
    DO(IDLE, 0),
    DO(STORM, 1000),
    DO(IDLE, 0),

    /* software, and a reset in the middle of everything */
    DO(SCENE, 0),
    DO(CLEAR, 0),
    DO(STORM, 300),
    DO(IDLE, 0),
    DO(POLICY, POLICY_DEFAULT),
    DO(STORM, 800),
    DO(RESET, 0),
    I(0, fp, HNEAR, ROW(0), ROW(1)),
    DO(IDLE, 0),
};

enum { N_STEPS = sizeof script / sizeof script[0], SWEEP_MAX = 64 };

struct director {
    int at;     /* step */
    int warp;   /* EACH: next warp; also the warp of a step that waits */
    int left;   /* cycles that a step still lasts */
    int quiet;  /* edges without anything under way */
    bool begun; /* the step that lasts has started */
    int kept;   /* cycles that completions are still kept back */
    int round;  /* times the script was run */
    struct tune normal;
};

static const struct tune normal = {.name = "script",
                                   .issue = 100,
                                   .high = {8, 8, 8, 8, 8, 8},
                                   .exec_latency = {2, 2},
                                   .lsu_length = 1,
                                   .dst = 80,
                                   .src = 60,
                                   .guard = 25,
                                   .pair = 20,
                                   .pred = 20,
                                   .partial = 20,
                                   .repeat = 15,
                                   .hint = {30, 35, 35},
                                   .far_class = 15};

static void set_delay(struct nbu_stim *s, int cycles) {
    s->tune.exec_latency[FAR] = s->tune.exec_latency[NEAR] = cycles;
}

static void hold(struct nbu_stim *s, int port, bool ready) {
    s->tune.high[port] = ready ? 8 : 0;
    s->tune.low[port] = ready ? 0 : 8;
    s->toggle[port].left = 0;
}

static void hold_completions(struct nbu_stim *s, bool ready) {
    hold(s, FAR_DONE, ready);
    hold(s, NEAR_DONE, ready);
}

static void set_lsu(struct nbu_stim *s, const struct step *p) {
    s->tune.lsu[p->a] = 100;
    s->tune.lsu_length = p->b;
    s->tune.lsu_gap = p->c;
}

/* A step that lasts: true on the edge that ends it. */
static bool lasts(struct director *d, int cycles) {
    if (!d->begun)
        d->left = cycles;
    d->begun = true;
    return d->left-- <= 0;
}

/* Nothing under way, some edges long: moves and updates are over too. */
static bool settled(struct nbu_stim *s, struct director *d) {
    d->quiet = exec_idle(s) ? d->quiet + 1 : 0;
    return d->quiet > 8;
}

static void set_policy(struct nbu_stim *s, int policy) {
    master_set(&s->base.master, NBU_SET_policy, (uint32_t)policy);
}

/* Carry out a step that issues nothing; true when it is over. */
static bool act(struct nbu_stim *s, const struct step *p) {
    struct director *d = s->base.script;
    switch (p->verb) {
    case SCENE:
        s->tune = d->normal;
        for (int port = 0; port < N_READY; port++)
            hold(s, port, true);
        set_policy(s, POLICY_ANNOTATED);
        return true;
    case IDLE:
        return settled(s, d);
    case CYCLES:
    case STORM:
        return lasts(d, p->a);
    case POLICY:
        set_policy(s, p->a);
        return true;
    case CLEAR:
        master_clear(&s->base.master);
        return true;
    case HOLD:
    case LET:
        hold(s, p->a, p->verb == LET);
        return true;
    case KEEP:
        d->kept = p->a;
        hold_completions(s, false);
        return true;
    case DELAY:
    case SWEEP:
        set_delay(s, p->verb == DELAY ? p->a : d->round % SWEEP_MAX);
        return true;
    case LSU:
        set_lsu(s, p);
        return true;
    case RESET:
        stim_reset(&s->base, 2);
        return true;
    default:
        BUG("step %d issues", d->at);
    }
}

static void advance(struct director *d) {
    d->begun = false;
    d->quiet = 0;
    d->warp = 0;
    if (++d->at == N_STEPS) {
        d->at = 0;
        d->round++;
    }
}

static bool issues(const struct step *p) {
    return p->verb == ISSUE || p->verb == EACH;
}

static bool settings_pending(const struct nbu_stim *s) {
    return !master_idle(&s->base.master);
}

static void step(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct director *d = base->script;
    if (d->kept > 0 && --d->kept == 0)
        hold_completions(s, true);
    while (!issues(&script[d->at]) && !s->base.rst_left &&
           !settings_pending(s)) {
        if (!act(s, &script[d->at]))
            return;
        advance(d);
    }
}

static struct operand resolve(const struct nbu_stim *s, const struct ref *r) {
    if (!r->valid)
        return (struct operand){0};
    return (struct operand){
        .valid = true,
        .kind = r->kind,
        .reg = s->by_kind[r->kind][r->number % s->n_kind[r->kind]]};
}

static void fill(const struct nbu_stim *s, const struct step *p,
                 struct instr *i) {
    i->op = p->op;
    i->hint = p->hint;
    i->mask = p->partial ? s->lane_mask & 0x55555555u : s->lane_mask;
    for (int slot = DST; slot < N_SLOTS; slot++)
        i->operand[slot] = resolve(s, &p->operand[slot]);
}

static bool next(struct nbu_stim *s, struct instr *i) {
    struct director *d = s->base.script;
    const struct step *p = &script[d->at];
    if (p->verb == STORM && d->begun)
        return random_instr(s, i);
    if (!issues(p) || s->base.rst_left || settings_pending(s))
        return false;
    int warp = p->verb == EACH ? d->warp : p->a % s->size.WARPS;
    if (!(s->room >> warp & 1))
        return false;
    i->warp = warp;
    fill(s, p, i);
    if (p->verb == ISSUE || ++d->warp == s->size.WARPS)
        advance(d);
    return true;
}

static void report(struct stim *base, struct text *t) {
    const struct director *d = base->script;
    text_printf(t, "script_rounds\t%d\n", d->round);
    text_printf(t, "script_step\t%d of %d\n", d->at, N_STEPS);
}

static void close(struct stim *base) {
    free(base->script);
}

static bool open(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct director *d = base->script = xcalloc(1, sizeof *d);
    d->normal = normal;
    s->tune = normal;
    return true;
}

const struct nbu_mode nbu_directed = {
    .base = {.name = "directed",
             .open = open,
             .close = close,
             .step = step,
             .report = report},
    .next = next,
};
