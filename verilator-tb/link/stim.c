/* stim.c - stimulus of a slow link: a router that sends with the other one's
 * credits, the other router with its buffers, and other links before this one.
 *
 * Every flit has a number that all its bits depend on.  When it comes, the edge on
 * which it must leave is known: the one after, or at_pace edges after the last one
 * that left.  It must be at the other side then and not on any other edge.
 *
 * random    phases with other rates of all; another pace after each reset
 * directed  each pace in turn: all channels full, flits one by one, a receiver that
 *           keeps its flits
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/link.h"

#include <inttypes.h>
#include <string.h>

enum { RING = 512, MOST_VCS = 8, DATA_WORDS = 256 / 64 };

/* What the surroundings are like for a while: percent of the edges with a flit,
 * with a credit back, with a move of each other link. */
struct tune {
    int send, back, others;
};

struct flit {
    uint64_t number, vc, last, x, y;
    uint64_t due; /* the edge after which it must be there */
};

struct link_stim {
    struct stim base;
    struct link_local size;
    uint64_t interval, cross; /* the paces of a machine */
    struct tune tune;
    int left; /* edges of this phase */
    int phase;
    uint64_t edge, pace, bit;
    uint64_t next_leave;    /* the earliest edge on which a flit may leave */
    uint64_t leaves[RING];  /* edges on which flits leave, by number */
    struct flit flit[RING]; /* by number */
    uint64_t sent, arrived;
    int credits[MOST_VCS]; /* of the sender */
    int held[MOST_VCS];    /* flits in the other router's buffers */
    uint64_t to_x[MOST_VCS], to_y[MOST_VCS];
    int packet[MOST_VCS]; /* flits of it that are still to come */
};

static void data_of(const struct link_stim *s, uint64_t number, uint64_t *w) {
    memset(w, 0, DATA_WORDS * sizeof *w);
    for (int at = 0; at < s->size.FLIT_W; at += 64) {
        int width = s->size.FLIT_W - at < 64 ? s->size.FLIT_W - at : 64;
        w[at / 64] =
            rng_mix(number * DATA_WORDS + (uint64_t)at / 64) & ones(width);
    }
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 50}, /* a stream, */
        {100, 5, 0},    /* until credits are used up, */
        {0, 100, 100},  /* emptied, */
        {8, 50, 30},    /* one by one */
    };
    struct link_stim *s = (struct link_stim *)base;

    if (s->left-- > 0)
        return;
    s->tune = script[s->phase % (int)(sizeof script / sizeof *script)];
    if (s->phase % (int)(sizeof script / sizeof *script) == 0)
        stim_reset(base, 2);
    s->phase++;
    s->left = 149;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 50, 15, 2};
    struct link_stim *s = (struct link_stim *)base;
    struct rng *r = &base->rng;

    if (s->left-- > 0)
        return;
    s->tune.send = rates[rng_below(r, 5)];
    s->tune.back = rates[rng_below(r, 4)];
    s->tune.others = rng_percent(r, 50) ? 0 : rng_range(r, 1, 100);
    s->left = rng_range(r, 20, 300);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct link_stim *s = (struct link_stim *)base;

    s->size = link_local(c);
    s->interval = (uint64_t)c->link_interval;
    s->cross = (uint64_t)c->link_cross;
    base->reset_every = 1500;
}

static void reset(struct stim *base) {
    struct link_stim *s = (struct link_stim *)base;

    s->arrived = s->sent;
    s->next_leave = 0;
    for (int v = 0; v < s->size.VCS; v++) {
        s->credits[v] = s->size.DEPTH;
        s->held[v] = s->packet[v] = 0;
    }
}

/* Constants until the next reset. */
static void settle(struct link_stim *s) {
    struct rng *r = &s->base.rng;

    switch (rng_below(r, 6)) {
    case 0:
        s->pace = s->interval;
        break;
    case 1:
        s->pace = s->cross;
        break;
    case 2:
        s->pace = 1;
        break;
    case 3:
        s->pace = (uint64_t)rng_range(r, 1, 255);
        break;
    default:
        s->pace = (uint64_t)rng_range(r, 1, 9);
        break;
    }
    s->bit = rng_percent(r, 20)
                 ? 0
                 : (uint64_t)1 << rng_below(r, (uint32_t)s->size.STACKS);
}

/* Any channel that has something, -1: none has. */
static int any_of(struct link_stim *s, const int *has) {
    int first = (int)rng_below(&s->base.rng, (uint32_t)s->size.VCS);

    for (int i = 0; i < s->size.VCS; i++)
        if (has[(first + i) % s->size.VCS] > 0)
            return (first + i) % s->size.VCS;
    return -1;
}

/* The next flit of a packet, and when it must leave. */
static const struct flit *send(struct link_stim *s, int vc) {
    struct rng *r = &s->base.rng;
    uint64_t number = s->sent++;
    struct flit *f = &s->flit[number % RING];

    if (s->packet[vc] == 0) {
        s->packet[vc] = rng_range(r, 1, 5);
        s->to_x[vc] = rng_below(r, (uint32_t)s->size.WIDTH);
        s->to_y[vc] = rng_below(r, (uint32_t)s->size.HEIGHT);
    }
    s->packet[vc]--;
    s->credits[vc]--;
    uint64_t leaves = s->edge + 1;
    if (leaves < s->next_leave)
        leaves = s->next_leave;
    s->next_leave = leaves + s->pace;
    s->leaves[number % RING] = leaves;
    *f = (struct flit){.number = number,
                       .vc = (uint64_t)vc,
                       .last = s->packet[vc] == 0,
                       .x = s->to_x[vc],
                       .y = s->to_y[vc],
                       .due = leaves + (uint64_t)s->size.LATENCY - 1};
    return f;
}

static void drive(struct stim *base, void *ports) {
    struct link_stim *s = (struct link_stim *)base;
    struct link_in *in = ports;
    struct rng *r = &base->rng;
    bool resets = base->rst_left != 0;
    int vc;

    s->edge++;
    if (base->now == 0 || resets)
        settle(s);
    memset(in, 0, sizeof *in);
    in->at_pace = s->pace;
    in->at_bit = s->bit;
    for (int i = 0; i < s->size.STACKS; i++)
        in->others |= (uint64_t)rng_percent(r, s->tune.others) << i;
    if (resets)
        return;
    if (rng_percent(r, 20)) { /* noise beside a valid that is low */
        in->from_x = s->edge & ones(s->size.X_W);
        in->back_vc = s->edge % (uint64_t)s->size.VCS;
        data_of(s, s->edge, in->from_data);
    }
    if (rng_percent(r, s->tune.send) && (vc = any_of(s, s->credits)) >= 0) {
        const struct flit *f = send(s, vc);
        in->from_valid = 1;
        in->from_vc = f->vc;
        in->from_last = f->last;
        in->from_x = f->x;
        in->from_y = f->y;
        data_of(s, f->number, in->from_data);
    }
    if (rng_percent(r, s->tune.back) && (vc = any_of(s, s->held)) >= 0) {
        in->back_valid = 1;
        in->back_vc = (uint64_t)vc;
        s->held[vc]--;
    }
}

/* Does a flit leave the queue on this edge? */
static bool leaves_now(const struct link_stim *s) {
    for (uint64_t n = s->arrived; n != s->sent; n++)
        if (s->leaves[n % RING] == s->edge)
            return true;
    return false;
}

static const char *check_to(struct link_stim *s, const struct link_out *o) {
    const struct flit *f = &s->flit[s->arrived % RING];
    bool due = s->arrived != s->sent && f->due == s->edge;
    uint64_t data[DATA_WORDS];

    if (o->to_valid != due)
        return stim_complain(&s->base, "a flit is %sat the other side",
                             due ? "not " : "");
    if (!due)
        return NULL;
    s->arrived++;
    s->held[f->vc]++;
    data_of(s, f->number, data);
    if (o->to_vc != f->vc || o->to_last != f->last || o->to_x != f->x ||
        o->to_y != f->y || memcmp(data, o->to_data, sizeof data) != 0)
        return stim_complain(&s->base,
                             "flit %" PRIu64 " of channel %" PRIu64
                             " arrives altered, or another one",
                             f->number, f->vc);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct link_stim *s = (struct link_stim *)base;
    const struct link_in *in = in_ports;
    const struct link_out *after = after_ports;
    uint64_t moves = in->others | (leaves_now(s) ? s->bit : 0);
    const char *wrong = check_to(s, after);

    (void)before_ports;
    if (!wrong && after->moves != moves)
        wrong = stim_complain(
            base, "%#" PRIx64 " moves on the links, expected %#" PRIx64,
            after->moves, moves);
    if (!wrong && (after->credit_valid != in->back_valid ||
                   after->credit_vc != (in->back_valid ? in->back_vc : 0)))
        wrong = stim_complain(base, "a credit is lost, altered or invented");
    if (after->credit_valid && after->credit_vc < (uint64_t)s->size.VCS)
        s->credits[after->credit_vc]++;
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct link_stim *s = (const struct link_stim *)base;

    text_printf(t, "flits\t%" PRIu64 "\n", s->arrived);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class link_stim = {
    .size = sizeof(struct link_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
