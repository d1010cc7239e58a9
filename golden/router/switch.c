/* switch.c - see switch.h.
 *
 * Written from docs/blocks/router.md.  Sets of channels are words, so that what
 * does not wait costs nothing.
 */
#include "switch.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define ONE ((uint64_t)1)

void switch_open(struct router_switch *s, const struct config *c) {
    struct router_local l = router_local(c);

    s->depth = (uint8_t)l.DEPTH;
    s->order_lanes = (uint8_t)l.LANES;
    s->order = l.BOTH ? -1 : l.COLUMNS_FIRST ? (int8_t)NOC_XY : (int8_t)NOC_YX;
    s->flits =
        xcalloc((size_t)(8 * NOC_SIDES * l.DEPTH), sizeof(struct flit *));
}

void switch_close(struct router_switch *s) {
    free(s->flits);
}

void switch_reset(struct router_switch *s) {
    memset(s->ring, 0, sizeof s->ring);
    s->waiting = s->owns = s->fresh = s->busy = 0;
    for (int e = 0; e < EDGES; e++)
        forget(&s->heard[e]);
    memset(s->credits, s->depth, sizeof s->credits);
    memset(s->above_owner, 0, sizeof s->above_owner);
    memset(s->above_turn, 0, sizeof s->above_turn);
    memset(s->above_side, 0, sizeof s->above_side);
}

static void cover(struct router_switch *s, bool happens, int point) {
    s->covers[point] += happens;
}

static bool several(uint64_t set) {
    return (set & (set - 1)) != 0;
}

/* The first of a set that is not empty after the one taken last. */
static int choose(unsigned set, uint8_t above) {
    unsigned later = set & above;
    return __builtin_ctz(later ? later : set);
}

static void took(uint8_t *above, int chosen) {
    *above = (uint8_t)(0xfeu << chosen);
}

/* --- buffers -------------------------------------------------------------- */

static struct flit **slot(struct router_switch *s, int channel, int n) {
    int at = (s->ring[channel].head + n) & (s->depth - 1);
    return &s->flits[8 * NOC_SIDES * at + channel];
}

/* Where a flit leaves: a jump by its way would be guessed wrong too often. */
static uint8_t route(const struct router_switch *s, const struct flit *f) {
    /* by order, row (north, here, south) and column (west, here, east) */
    static const uint8_t sides[2][3][3] = {
        [NOC_XY] = {{NOC_WEST, NOC_NORTH, NOC_EAST},
                    {NOC_WEST, NOC_LOCAL, NOC_EAST},
                    {NOC_WEST, NOC_SOUTH, NOC_EAST}},
        [NOC_YX] = {{NOC_NORTH, NOC_NORTH, NOC_NORTH},
                    {NOC_WEST, NOC_LOCAL, NOC_EAST},
                    {NOC_SOUTH, NOC_SOUTH, NOC_SOUTH}}};
    int order = s->order >= 0 ? s->order : f->vc / s->order_lanes & 1;
    int column = 1 + (f->x > s->x) - (f->x < s->x);
    int row = 1 + (f->y > s->y) - (f->y < s->y);
    return sides[order][row][column];
}

static void push(struct router_switch *s, int i, struct flit *f) {
    int channel = 8 * i + f->vc;
    struct router_ring *r = &s->ring[channel];

    if (r->count == s->depth)
        BUG("a router got a flit without a credit");
    *slot(s, channel, r->count) = f;
    f->side = route(s, f);
    if (r->count++ == 0) {
        s->waiting |= ONE << channel;
        s->side[channel] = f->side;
    }
}

/* The oldest flit leaves. */
static struct flit *pop(struct router_switch *s, int channel) {
    struct router_ring *r = &s->ring[channel];
    struct flit *f = *slot(s, channel, 0);

    if (--r->count == 0) {
        r->head = 0;
        s->waiting &= ~(ONE << channel);
    } else {
        r->head = (uint8_t)((r->head + 1) & (s->depth - 1));
        s->side[channel] = (*slot(s, channel, 0))->side;
    }
    return f;
}

/* --- the choices ---------------------------------------------------------- */

struct owners {
    uint64_t given; /* input channels that get a side's */
    uint64_t taken; /* side channels that are given */
};

/* The side's channel that an input channel's oldest flit leaves in. */
static int goal_of(const struct router_switch *s, int channel) {
    return 8 * s->side[channel] + channel % 8;
}

/* Its side has a credit for it. */
static bool may_leave(const struct router_switch *s, int channel) {
    uint64_t of_channel = 0xff * switch_credit(channel % 8);
    return (s->credits[s->side[channel]] & of_channel) != 0;
}

/* Input i of those that asked for a side's channel gets it. */
static void give(struct router_switch *s, struct owners *c, int goal, int i) {
    took(&s->above_owner[goal], i);
    c->given |= ONE << (8 * i + goal % 8);
    c->taken |= ONE << goal;
}

/* Several packets without a channel ask for one, each for its own or for the
 * same. */
static void choose_owners(struct router_switch *s, uint64_t channels,
                          struct owners *c) {
    uint64_t asked = 0;
    uint8_t inputs[8 * NOC_SIDES]; /* by side channel that is asked for */

    for (uint64_t left = channels; left; left &= left - 1) {
        int channel = __builtin_ctzll(left), goal = goal_of(s, channel);
        if (!(asked >> goal & 1))
            inputs[goal] = 0;
        asked |= ONE << goal;
        inputs[goal] |= (uint8_t)(1u << channel / 8);
    }
    if (s->covers)
        cover(s, asked & s->busy, ROUTER_COV_owner_waits);
    for (uint64_t left = asked & ~s->busy; left; left &= left - 1) {
        int goal = __builtin_ctzll(left);
        give(s, c, goal, choose(inputs[goal], s->above_owner[goal]));
        if (s->covers)
            cover(s, several(inputs[goal]), ROUTER_COV_owner_contest);
    }
}

/* So mostly: one packet asks. */
static void choose_owner(struct router_switch *s, uint64_t channels,
                         struct owners *c) {
    int channel = __builtin_ctzll(channels), goal = goal_of(s, channel);

    if (!(s->busy >> goal & 1))
        give(s, c, goal, channel / 8);
    else if (s->covers)
        cover(s, true, ROUTER_COV_owner_waits);
}

static void cover_cross(struct router_switch *s, int i, int o, int channel) {
    bool is_row = o == NOC_EAST || o == NOC_WEST;
    bool was_row = i == NOC_EAST || i == NOC_WEST;
    cover(s, s->fresh >> channel & 1, ROUTER_COV_straight);
    cover(s, o != NOC_LOCAL && i != NOC_LOCAL && is_row != was_row,
          ROUTER_COV_turns);
    cover(s, o == NOC_LOCAL, ROUTER_COV_to_node);
}

static void cross(struct router_switch *s, struct router_edges edges, int i,
                  int o, int v) {
    int channel = 8 * i + v, side = 8 * o + v;
    if (s->covers)
        cover_cross(s, i, o, channel);
    struct flit *f = pop(s, channel);

    took(&s->above_turn[i], v);
    took(&s->above_side[o], i);
    s->credits[o] -= switch_credit(v);
    if (f->last) {
        s->owns &= ~(ONE << channel);
        s->busy &= ~(ONE << side);
    }
    s->load[o]++;
    tell_flit(&s->to[o][edges.later], switch_opposite(o), f);
    tell_credit(&s->to[i][edges.next], switch_opposite(i), v);
}

/* Each input chooses one of its virtual channels, each side an input. */
static void cross_some(struct router_switch *s, uint64_t ready,
                       struct router_edges edges) {
    uint64_t able = 0;
    unsigned crossed = 0;           /* sides */
    uint8_t turn[NOC_SIDES];        /* by input: its virtual channel */
    uint8_t tries[NOC_SIDES] = {0}; /* by side: inputs */

    for (uint64_t left = ready; left; left &= left - 1) {
        int channel = __builtin_ctzll(left);
        able |= (uint64_t)may_leave(s, channel) << channel;
    }
    if (s->covers)
        cover(s, able != ready, ROUTER_COV_no_credit);
    for (uint64_t left = able; left;) {
        int i = __builtin_ctzll(left) / 8;
        unsigned set = (unsigned)(able >> 8 * i) & 0xff;
        int v = choose(set, s->above_turn[i]), o = s->side[8 * i + v];
        left &= ~((uint64_t)0xff << 8 * i);
        turn[i] = (uint8_t)v;
        crossed |= 1u << o;
        tries[o] |= (uint8_t)(1u << i);
        if (s->covers)
            cover(s, several(set), ROUTER_COV_lost_turn);
    }
    if (s->covers)
        cover(s, crossed == 0x1f, ROUTER_COV_all_sides);
    for (unsigned left = crossed; left; left &= left - 1) {
        int o = __builtin_ctz(left), i = choose(tries[o], s->above_side[o]);
        if (s->covers)
            cover(s, several(tries[o]), ROUTER_COV_lost_side);
        cross(s, edges, i, o, turn[i]);
    }
}

/* So mostly: one channel is ready, and has input and side to itself. */
static void cross_one(struct router_switch *s, uint64_t ready,
                      struct router_edges edges) {
    int channel = __builtin_ctzll(ready);

    if (may_leave(s, channel))
        cross(s, edges, channel / 8, s->side[channel], channel % 8);
    else if (s->covers)
        cover(s, true, ROUTER_COV_no_credit);
}

static void cover_edge(struct router_switch *s, const struct router_heard *in) {
    cover(s, s->owns & ~s->waiting, ROUTER_COV_gap);
    for (int i = 0; i < NOC_SIDES; i++)
        if (in->valid >> i & 1) {
            int channel = 8 * i + in->flit[i]->vc;
            cover(s, s->ring[channel].count + 1 == s->depth, ROUTER_COV_full);
        }
}

void switch_edge(struct router_switch *s, struct router_edges edges) {
    struct router_heard *in = &s->heard[edges.now];
    uint64_t ready = s->owns & s->waiting, asks = s->waiting & ~s->owns;
    struct owners c = {0};

    if (s->covers)
        cover_edge(s, in);
    if (several(asks))
        choose_owners(s, asks, &c);
    else if (asks)
        choose_owner(s, asks, &c);
    if (several(ready))
        cross_some(s, ready, edges);
    else if (ready)
        cross_one(s, ready, edges);
    s->owns |= c.given;
    s->busy |= c.taken;
    s->fresh = c.given;
    for (int o = 0; o < NOC_SIDES; o++)
        s->credits[o] += in->credits[o];
    for (unsigned left = in->valid; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        push(s, i, in->flit[i]);
    }
    forget(in);
}
