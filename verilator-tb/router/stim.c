/* stim.c - stimulus of a router: a sender and a receiver on each side.
 *
 * Every flit has a number that all its bits depend on, and the input it came
 * in at.  It must come out where its packet goes, in the order of its input and
 * virtual channel, not among the flits of another packet of that channel, when
 * the receiver has room and not too early.  Phases of other rates follow each
 * other; after each of them what has been begun is finished, and everything
 * must have left within a number of edges that the sizes give, with all credits
 * back.
 *
 * random    phases with other rates, lengths and destinations
 * directed  saturation, one side for all, single flits, long packets, no
 * credits
 */
#include "stim.h"

#include "blocks/router.h"
#include "kit/packets.h"

#include <inttypes.h>
#include <string.h>

enum { SIDES = 5, MOST_VCS = 8, LONGEST = 6, SOURCE_BITS = 3, LATENCY = 3 };

/* What the surroundings are like for a while. */
struct tune {
    int send;    /* percent of the edges with a flit, by side */
    int drain;   /* percent of the edges with a credit */
    int longest; /* flits of a packet */
    int hot;     /* percent of the packets that go to one side, */
    bool spread; /* which is another one for each input */
};

/* The packet of a virtual channel that a sender has begun. */
struct begun {
    int left; /* flits */
    int x, y;
};

struct router_stim {
    struct stim base;
    struct router_local size;
    struct tune tune;
    bool fresh; /* nothing has begun since reset */
    int left;   /* edges of this phase; below zero: all shall leave */
    int hot_side;
    int x, y; /* where it stands */
    uint64_t numbers;
    struct begun begun[SIDES][MOST_VCS];
    int credits[SIDES][MOST_VCS]; /* of the senders */
    int held[SIDES][MOST_VCS];    /* by the receivers */
    int open[SIDES][MOST_VCS];    /* input of the packet that leaves, -1 */
    struct sent_list sent[SIDES][MOST_VCS];
    int inside; /* flits */
    uint64_t flits, longest_wait;
};

/* The ports of a side, whatever its name. */
struct side_in {
    uint64_t *valid, *vc, *last, *x, *y, *data, *credit_valid, *credit_vc;
};

struct side_out {
    const uint64_t *valid, *vc, *last, *x, *y, *data, *credit_valid, *credit_vc;
};

#define EACH_SIDE(X) X(0, l) X(1, n) X(2, e) X(3, s) X(4, w)

static void ports_in(struct router_in *in, struct side_in *side) {
#define SIDE(i, s)                                                             \
    side[i] = (struct side_in){&in->s##_in_valid,                              \
                               &in->s##_in_vc,                                 \
                               &in->s##_in_last,                               \
                               &in->s##_in_x,                                  \
                               &in->s##_in_y,                                  \
                               in->s##_in_data,                                \
                               &in->s##_out_credit_valid,                      \
                               &in->s##_out_credit_vc};
    EACH_SIDE(SIDE)
#undef SIDE
}

static void ports_out(const struct router_out *out, struct side_out *side) {
#define SIDE(i, s)                                                             \
    side[i] = (struct side_out){                                               \
        &out->s##_out_valid,       &out->s##_out_vc,      &out->s##_out_last,  \
        &out->s##_out_x,           &out->s##_out_y,       out->s##_out_data,   \
        &out->s##_in_credit_valid, &out->s##_in_credit_vc};
    EACH_SIDE(SIDE)
#undef SIDE
}

/* --- phases --------------------------------------------------------------- */

/* Edges in which all must have left: each flit waits for those before it, for
 * two registers a packet, and for its side. */
static int longest_drain(const struct router_stim *s) {
    return 3 * SIDES * s->size.VCS * (s->size.DEPTH + LONGEST) + 50;
}

static bool is_quiet(const struct router_stim *s) {
    if (s->inside > 0)
        return false;
    for (int i = 0; i < SIDES; i++)
        for (int v = 0; v < s->size.VCS; v++)
            if (s->begun[i][v].left || s->credits[i][v] != s->size.DEPTH ||
                s->held[i][v])
                return false;
    return true;
}

static bool draining(const struct router_stim *s) {
    return s->left < 0;
}

/* The next phase begins when the last one has come to rest. */
static bool phase_over(struct router_stim *s) {
    bool first = s->fresh;
    s->fresh = false;
    return first || (--s->left < 0 && is_quiet(s));
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, LONGEST, 0, false},   /* saturation, */
        {100, 100, 1, 0, false},         /* by single flits, */
        {100, 100, LONGEST, 100, false}, /* to one side, */
        {100, 100, LONGEST, 95, true},   /* to all sides */
        {3, 100, 1, 0, false},           /* one by one */
        {100, 0, 2, 0, false},           /* until nothing moves */
        {40, 20, 4, 50, false},
    };
    struct router_stim *s = (struct router_stim *)base;
    if (!phase_over(s))
        return;
    s->tune = script[base->now / 500 % (sizeof script / sizeof *script)];
    s->hot_side = (int)(base->now / 100 % SIDES);
    s->left = 300;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 80, 40, 10};
    struct router_stim *s = (struct router_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    s->tune.send = rates[rng_below(r, 5)];
    s->tune.drain = rates[rng_below(r, 5)];
    s->tune.longest = rng_range(r, 1, LONGEST);
    s->tune.spread = rng_percent(r, 50);
    s->tune.hot = rng_percent(r, 50) ? rng_range(r, 0, 100) : 0;
    s->hot_side = rng_range(r, 0, SIDES - 1);
    s->left = rng_range(r, 50, 600);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct router_stim *)base)->size = router_local(c);
    base->reset_every = 5000;
}

static void close(struct stim *base) {
    struct router_stim *s = (struct router_stim *)base;
    for (int i = 0; i < SIDES; i++)
        for (int v = 0; v < MOST_VCS; v++)
            sent_free(&s->sent[i][v]);
}

static void reset(struct stim *base) {
    struct router_stim *s = (struct router_stim *)base;
    for (int i = 0; i < SIDES; i++)
        for (int v = 0; v < MOST_VCS; v++) {
            s->begun[i][v].left = s->held[i][v] = 0;
            s->credits[i][v] = s->size.DEPTH;
            s->open[i][v] = -1;
            sent_clear(&s->sent[i][v]);
        }
    s->inside = s->left = 0;
    s->fresh = true;
    bool inside =
        rng_percent(&base->rng, 60) && s->size.WIDTH > 2 && s->size.HEIGHT > 2;
    s->x = rng_range(&base->rng, inside, s->size.WIDTH - 1 - inside);
    s->y = rng_range(&base->rng, inside, s->size.HEIGHT - 1 - inside);
}

/* Somewhere; most packets of a hot phase where one side leads to, if there is
 * anything. */
static void choose_goal(struct router_stim *s, int i, struct begun *b) {
    static const int right[] = {0, 0, 1, 0, -1}, down[] = {0, -1, 0, 1, 0};
    struct rng *r = &s->base.rng;
    b->x = rng_range(r, 0, s->size.WIDTH - 1);
    b->y = rng_range(r, 0, s->size.HEIGHT - 1);
    int side = s->tune.spread ? (s->hot_side + i) % SIDES : s->hot_side;
    int x = s->x + right[side], y = s->y + down[side];
    bool there = x >= 0 && x < s->size.WIDTH && y >= 0 && y < s->size.HEIGHT;
    if (there && rng_percent(r, s->tune.hot)) {
        b->x = x;
        b->y = y;
    }
}

/* The virtual channel that a side sends in, -1: none. */
static int choose_vc(struct router_stim *s, int i) {
    int first = (int)rng_below(&s->base.rng, (uint32_t)s->size.VCS);
    for (int n = 0; n < s->size.VCS; n++) {
        int v = (first + n) % s->size.VCS;
        if (s->credits[i][v] > 0 && (!draining(s) || s->begun[i][v].left > 0))
            return v;
    }
    return -1;
}

static void send(struct router_stim *s, int i, int v, struct side_in *to) {
    struct begun *b = &s->begun[i][v];
    struct sent f = {.number = s->numbers++, .when = s->base.now, .vc = v};
    f.first = b->left == 0;
    if (f.first) {
        choose_goal(s, i, b);
        b->left = rng_range(&s->base.rng, 1, s->tune.longest);
    }
    f.last = --b->left == 0;
    f.x = b->x;
    f.y = b->y;
    s->credits[i][v]--;
    s->inside++;
    *to->valid = 1;
    *to->vc = (uint64_t)v;
    *to->last = f.last;
    *to->x = (uint64_t)f.x;
    *to->y = (uint64_t)f.y;
    sent_data(f.number, (unsigned)i, SOURCE_BITS, s->size.FLIT_W, to->data);
    sent_put(&s->sent[i][v], f);
}

static void give_credit(struct router_stim *s, int o, struct side_in *to) {
    int first = (int)rng_below(&s->base.rng, (uint32_t)s->size.VCS);
    for (int n = 0; n < s->size.VCS; n++) {
        int v = (first + n) % s->size.VCS;
        if (s->held[o][v] == 0)
            continue;
        s->held[o][v]--;
        *to->credit_valid = 1;
        *to->credit_vc = (uint64_t)v;
        return;
    }
}

static void drive(struct stim *base, void *ports) {
    struct router_stim *s = (struct router_stim *)base;
    struct router_in *in = ports;
    struct side_in side[SIDES];
    memset(in, 0, sizeof *in);
    in->at_x = (uint64_t)s->x;
    in->at_y = (uint64_t)s->y;
    ports_in(in, side);
    if (base->rst_left > 0)
        return;
    for (int i = 0; i < SIDES; i++) {
        int v = rng_percent(&base->rng, draining(s) ? 100 : s->tune.send)
                    ? choose_vc(s, i)
                    : -1;
        if (v >= 0)
            send(s, i, v, &side[i]);
        if (rng_percent(&base->rng, draining(s) ? 100 : s->tune.drain))
            give_credit(s, i, &side[i]);
    }
}

/* --- watching ------------------------------------------------------------- */

/* Where the note says that a packet leaves. */
static int goal_side(const struct router_stim *s, const struct sent *f) {
    bool columns = s->size.COLUMNS_FIRST;
    if (s->size.BOTH)
        columns = f->vc / s->size.LANES % 2 == 1;
    if (f->x != s->x && (columns || f->y == s->y))
        return f->x > s->x ? 2 : 4;
    if (f->y != s->y)
        return f->y > s->y ? 3 : 1;
    return 0;
}

static const char *judge(struct router_stim *s, int o, int v, int i,
                         const struct side_out *got) {
    uint64_t data[FLIT_DATA] = {0};
    const struct sent *f = i < SIDES ? sent_oldest(&s->sent[i][v]) : NULL;
    if (!f)
        return "a flit that nobody sent";
    sent_data(f->number, (unsigned)i, SOURCE_BITS, s->size.FLIT_W, data);
    if (memcmp(data, got->data, sizeof data) != 0)
        return "a flit with other data, or out of order";
    if ((int)*got->x != f->x || (int)*got->y != f->y || *got->last != f->last)
        return "a flit with another head";
    if (goal_side(s, f) != o)
        return "a flit on the wrong side";
    if (s->open[o][v] < 0 ? !f->first : s->open[o][v] != i)
        return "a flit among those of another packet";
    if (s->held[o][v] == s->size.DEPTH)
        return "a flit without a credit";
    if (s->base.now - f->when < LATENCY)
        return "a flit too early";
    return NULL;
}

static const char *watch_out(struct router_stim *s, int o,
                             const struct side_out *got) {
    int v = (int)*got->vc, i = (int)sent_source(got->data, SOURCE_BITS);
    const char *wrong =
        v < s->size.VCS ? judge(s, o, v, i, got) : "an unknown virtual channel";
    if (wrong)
        return stim_complain(&s->base, "side %d, virtual channel %d: %s", o, v,
                             wrong);
    const struct sent *f = sent_oldest(&s->sent[i][v]);
    uint64_t wait = s->base.now - f->when;
    if (wait > s->longest_wait)
        s->longest_wait = wait;
    s->open[o][v] = f->last ? -1 : i;
    s->held[o][v]++;
    s->inside--;
    s->flits++;
    sent_drop(&s->sent[i][v]);
    return NULL;
}

static const char *watch_credit(struct router_stim *s, int i,
                                const struct side_out *got) {
    int v = (int)*got->credit_vc;
    if (v < s->size.VCS && s->credits[i][v]++ < s->size.DEPTH)
        return NULL;
    return stim_complain(&s->base,
                         "a credit too many for input %d, virtual "
                         "channel %d",
                         i, v);
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct router_stim *s = (struct router_stim *)base;
    const char *wrong = NULL;
    struct side_out side[SIDES];
    (void)in, (void)before;
    ports_out(after, side);
    for (int n = 0; n < SIDES && !wrong; n++) {
        if (*side[n].valid)
            wrong = watch_out(s, n, &side[n]);
        if (!wrong && *side[n].credit_valid)
            wrong = watch_credit(s, n, &side[n]);
    }
    if (!wrong && s->left < -longest_drain(s))
        wrong = stim_complain(base, "%d flits or credits do not come out",
                              s->inside);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct router_stim *s = (const struct router_stim *)base;
    text_printf(t, "flits\t%" PRIu64 "\n", s->flits);
    text_printf(t, "longest_wait\t%" PRIu64 "\n", s->longest_wait);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class router_stim = {
    .size = sizeof(struct router_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
