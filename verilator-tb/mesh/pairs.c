/* pairs.c - the messages of the paper's two scenarios (pairs.h). */
#include "pairs.h"

#include "emn/emn.h"

#include <inttypes.h>

enum { REQUEST, ANSWER, CONTROL = 1, DATA = 5 }; /* classes; flits */

/* Section 3, Figure 3, by coordinates with the same distances: the core, the
 * memory nodes of a, b and c when they are three, and the one of all three. */
struct spot {
    int x, y;
};
static const struct spot core = {7, 1}, three[] = {{0, 2}, {5, 4}, {2, 4}},
                         one[] = {{0, 2}, {0, 2}, {0, 2}};

static const struct {
    const char *name;
    const struct spot *memory; /* of a, b, c */
    bool offloads;
    uint64_t hops, flit_hops; /* of the paper */
} pair[PAIRS] = {
    {"three_memories", three, false, 42, 126},
    {"three_memories_offloaded", three, true, 30, 78},
    {"one_memory", one, false, 48, 144},
    {"one_memory_offloaded", one, true, 16, 16},
};

bool pairs_open(struct pairs *p, int width, int height, struct diag *d) {
    p->width = width;
    p->now = -1;
    p->counted = true;
    if (width > core.x && height > three[1].y && width * height <= PAIRS_NODES)
        return true;
    diag_error(d, (struct place){0},
               "the stimulus 'pairs' has nodes of 8 columns and 5 rows, "
               "expected a mesh with these and with %d nodes at most",
               PAIRS_NODES);
    return false;
}

/* A message, unless it stays where it is; its number, or that of the one which
 * it would have followed from. */
static int say(struct pairs *p, int from, int to, int class, int flits,
               int after, int other) {
    if (from == to)
        return after;
    p->message[p->n] = (struct pairs_message){
        from, to, class, flits, {after, other}, false, false};
    return p->n++;
}

/* c[i] = a[i] + b[i] by the core: both loads, then the store. */
static void say_alone(struct pairs *p, int at, const int *mem) {
    int a = say(p, at, mem[0], REQUEST, CONTROL, -1, -1);
    a = say(p, mem[0], at, ANSWER, DATA, a, -1);
    int b = say(p, at, mem[1], REQUEST, CONTROL, a, -1);
    b = say(p, mem[1], at, ANSWER, DATA, b, -1);
    int c = say(p, at, mem[2], REQUEST, DATA, a, b);
    say(p, mem[2], at, ANSWER, CONTROL, c, -1);
}

/* By the meet node: it gets the chain, and says at last that c is stored. */
static void say_offloaded(struct pairs *p, int at, int meet, const int *mem) {
    int go = say(p, at, meet, REQUEST, CONTROL, -1, -1);
    int a = say(p, meet, mem[0], REQUEST, CONTROL, go, -1);
    a = say(p, mem[0], meet, ANSWER, DATA, a, -1);
    int b = say(p, meet, mem[1], REQUEST, CONTROL, go, -1);
    b = say(p, mem[1], meet, ANSWER, DATA, b, -1);
    int c = say(p, meet, mem[2], REQUEST, DATA, a, b);
    c = say(p, mem[2], meet, ANSWER, CONTROL, c, b);
    say(p, meet, at, ANSWER, CONTROL, c, -1);
}

static int node_of(const struct pairs *p, struct spot s) {
    return s.y * p->width + s.x;
}

void pairs_begin(struct pairs *p) {
    int at = node_of(p, core), mem[3];
    if (p->counted)
        p->now++;
    p->counted = false;
    p->n = 0;
    if (pairs_over(p))
        return;
    p->hops[p->now] = p->flit_hops[p->now] = 0;
    for (int i = 0; i < 3; i++)
        mem[i] = node_of(p, pair[p->now].memory[i]);
    if (pair[p->now].offloads) {
        struct emn_meet meet = emn_find(p->width, at, mem[0], mem[1]);
        say_offloaded(p, at, meet.node, mem);
    } else {
        say_alone(p, at, mem);
    }
}

static bool may_go(const struct pairs *p, const struct pairs_message *m) {
    for (int i = 0; i < 2; i++)
        if (m->after[i] >= 0 && !p->message[m->after[i]].arrived)
            return false;
    return !m->sent;
}

bool pairs_next(struct pairs *p, int from, int class, int *to, int *flits) {
    for (int i = 0; i < p->n; i++) {
        struct pairs_message *m = &p->message[i];
        if (m->from != from || m->class != class || !may_go(p, m))
            continue;
        m->sent = true;
        *to = m->to;
        *flits = m->flits;
        return true;
    }
    return false;
}

/* Of two between the same nodes the one that was sent first: they have one
 * number of flits. */
void pairs_arrived(struct pairs *p, int from, int to, int class) {
    for (int i = 0; i < p->n; i++) {
        struct pairs_message *m = &p->message[i];
        if (m->from == from && m->to == to && m->class == class && m->sent &&
            !m->arrived) {
            m->arrived = true;
            return;
        }
    }
}

bool pairs_all_arrived(const struct pairs *p) {
    for (int i = 0; i < p->n; i++)
        if (!p->message[i].arrived)
            return false;
    return true;
}

void pairs_hop(struct pairs *p, uint64_t valid, uint64_t last) {
    if (pairs_over(p))
        return;
    p->flit_hops[p->now] += valid;
    p->hops[p->now] += valid & last;
}

const char *pairs_count(struct pairs *p) {
    if (p->counted || pairs_over(p))
        return NULL;
    p->counted = true;
    uint64_t hops = p->hops[p->now], flit_hops = p->flit_hops[p->now];
    if (hops == pair[p->now].hops && flit_hops == pair[p->now].flit_hops)
        return NULL;
    snprintf(p->wrong, sizeof p->wrong,
             "%s: %" PRIu64 " hops and %" PRIu64
             " flit-hops went over the wires, in the paper %" PRIu64
             " and %" PRIu64,
             pair[p->now].name, hops, flit_hops, pair[p->now].hops,
             pair[p->now].flit_hops);
    return p->wrong;
}

bool pairs_counted(const struct pairs *p) {
    return p->counted;
}

bool pairs_over(const struct pairs *p) {
    return p->now >= PAIRS;
}

void pairs_report(const struct pairs *p, struct text *t) {
    for (int i = 0; i < PAIRS && i < p->now; i++)
        text_printf(t, "%s_hops\t%" PRIu64 "\n%s_flit_hops\t%" PRIu64 "\n",
                    pair[i].name, p->hops[i], pair[i].name, p->flit_hops[i]);
}
