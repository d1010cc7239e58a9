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

    s->width = l.WIDTH;
    s->depth = l.DEPTH;
    s->order_lanes = l.LANES;
    s->order = l.BOTH ? -1 : l.COLUMNS_FIRST ? NOC_XY : NOC_YX;
    s->flits =
        xcalloc((size_t)(8 * NOC_SIDES * l.DEPTH), sizeof(struct flit *));
}

void switch_close(struct router_switch *s) {
    free(s->flits);
}

void switch_reset(struct router_switch *s) {
    memset(s->ring, 0, sizeof s->ring);
    s->waiting = s->owns = s->fresh = s->busy = 0;
    s->credit = ~(uint64_t)0;
    memset(s->credits, s->depth, sizeof s->credits);
    memset(s->above_owner, 0, sizeof s->above_owner);
    memset(s->above_turn, 0, sizeof s->above_turn);
    memset(s->above_side, 0, sizeof s->above_side);
    s->crossing = 0;
    for (int p = 0; p < 2; p++)
        s->shown[p].valid = s->shown[p].credits = 0;
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
    return &s->flits[channel * s->depth + at];
}

static enum noc_side route(const struct router_switch *s,
                           const struct flit *f) {
    int order = s->order >= 0 ? s->order : f->vc / s->order_lanes & 1;
    int dx = f->x - s->x, dy = f->y - s->y;
    if (dy != 0 && (order == NOC_YX || dx == 0))
        return dy < 0 ? NOC_NORTH : NOC_SOUTH;
    return dx == 0 ? NOC_LOCAL : dx < 0 ? NOC_WEST : NOC_EAST;
}

static void push(struct router_switch *s, int i, struct flit *f) {
    int channel = 8 * i + f->vc;
    struct router_ring *r = &s->ring[channel];

    if (r->count == s->depth)
        BUG("a router got a flit without a credit");
    *slot(s, channel, r->count) = f;
    f->side = (uint8_t)route(s, f);
    if (r->count++ == 0) {
        s->waiting |= ONE << channel;
        s->side[channel] = f->side;
    }
}

/* The oldest flit leaves. */
static struct flit *pop(struct router_switch *s, int channel) {
    struct router_ring *r = &s->ring[channel];
    struct flit *f = *slot(s, channel, 0);

    r->head = (uint8_t)((r->head + 1) & (s->depth - 1));
    if (--r->count == 0)
        s->waiting &= ~(ONE << channel);
    else
        s->side[channel] = (*slot(s, channel, 0))->side;
    return f;
}

/* --- the choices ---------------------------------------------------------- */

struct choices {
    uint8_t turn[NOC_SIDES];   /* by input: the virtual channel it chose */
    uint8_t winner[NOC_SIDES]; /* by side that is crossed to: the input */
    uint8_t crossed;           /* sides */
    uint64_t given;            /* input channels that get a side's */
    uint64_t taken;            /* side channels that are given */
};

/* The side's channel that an input channel's oldest flit leaves in. */
static int goal_of(const struct router_switch *s, int channel) {
    return 8 * s->side[channel] + channel % 8;
}

/* Packets without a channel ask for it. */
static void choose_owners(struct router_switch *s, struct choices *c) {
    uint64_t asked = 0;
    uint8_t inputs[8 * NOC_SIDES]; /* by side channel that is asked for */

    for (uint64_t left = s->waiting & ~s->owns; left; left &= left - 1) {
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
        int i = choose(inputs[goal], s->above_owner[goal]);
        took(&s->above_owner[goal], i);
        c->given |= ONE << (8 * i + goal % 8);
        c->taken |= ONE << goal;
        if (s->covers)
            cover(s, several(inputs[goal]), ROUTER_COV_owner_contest);
    }
}

/* Each input chooses a virtual channel, each side an input. */
static void choose_turns(struct router_switch *s, struct choices *c) {
    uint64_t able = 0, ready = s->owns & s->waiting;
    uint8_t tries[NOC_SIDES] = {0}; /* by side: inputs */

    for (uint64_t left = ready; left; left &= left - 1) {
        int channel = __builtin_ctzll(left);
        able |= (s->credit >> goal_of(s, channel) & 1) << channel;
    }
    if (s->covers)
        cover(s, able != ready, ROUTER_COV_no_credit);
    for (uint64_t left = able; left;) {
        int i = __builtin_ctzll(left) / 8;
        unsigned set = (unsigned)(able >> 8 * i) & 0xff;
        int v = choose(set, s->above_turn[i]), o = s->side[8 * i + v];
        left &= ~((uint64_t)0xff << 8 * i);
        c->turn[i] = (uint8_t)v;
        c->crossed |= (uint8_t)(1u << o);
        tries[o] |= (uint8_t)(1u << i);
        if (s->covers)
            cover(s, several(set), ROUTER_COV_lost_turn);
    }
    for (unsigned left = c->crossed; left; left &= left - 1) {
        int o = __builtin_ctz(left);
        c->winner[o] = (uint8_t)choose(tries[o], s->above_side[o]);
        if (s->covers)
            cover(s, several(tries[o]), ROUTER_COV_lost_side);
    }
}

/* --- an edge -------------------------------------------------------------- */

/* What crossed goes out. */
static void show(struct router_switch *s, struct router_shown *out) {
    out->valid = s->crossing;
    out->credits = 0;
    for (unsigned left = s->crossing; left; left &= left - 1) {
        int o = __builtin_ctz(left);
        out->flit[o] = s->from[o];
    }
    s->crossing = 0;
}

static void cover_cross(struct router_switch *s, int i, int o, int channel) {
    bool is_row = o == NOC_EAST || o == NOC_WEST;
    bool was_row = i == NOC_EAST || i == NOC_WEST;
    cover(s, s->fresh >> channel & 1, ROUTER_COV_straight);
    cover(s, o != NOC_LOCAL && i != NOC_LOCAL && is_row != was_row,
          ROUTER_COV_turns);
    cover(s, o == NOC_LOCAL, ROUTER_COV_to_node);
}

static void cross(struct router_switch *s, struct router_shown *out, int i,
                  int o, int v) {
    int channel = 8 * i + v, side = 8 * o + v;
    if (s->covers)
        cover_cross(s, i, o, channel);
    struct flit *f = pop(s, channel);

    took(&s->above_turn[i], v);
    took(&s->above_side[o], i);
    s->from[o] = f;
    s->crossing |= (uint8_t)(1u << o);
    if (--s->credits[side] == 0)
        s->credit &= ~(ONE << side);
    if (f->last) {
        s->owns &= ~(ONE << channel);
        s->busy &= ~(ONE << side);
    }
    out->credits |= (uint8_t)(1u << i);
    out->credit_vc[i] = (uint8_t)v;
}

static void cover_edge(struct router_switch *s, const struct choices *c,
                       const struct router_heard *in) {
    cover(s, c->crossed == 0x1f, ROUTER_COV_all_sides);
    cover(s, s->owns & ~s->waiting, ROUTER_COV_gap);
    for (int i = 0; i < NOC_SIDES; i++)
        if (in->valid >> i & 1) {
            int channel = 8 * i + in->flit[i]->vc;
            cover(s, s->ring[channel].count + 1 == s->depth, ROUTER_COV_full);
        }
}

void switch_edge(struct router_switch *s, const struct router_heard *in,
                 int parity) {
    struct router_shown *out = &s->shown[!parity];
    struct choices c = {0};

    show(s, out);
    if (s->waiting) {
        choose_turns(s, &c);
        choose_owners(s, &c);
    }
    if (s->covers)
        cover_edge(s, &c, in);
    for (unsigned left = c.crossed; left; left &= left - 1) {
        int o = __builtin_ctz(left), i = c.winner[o];
        cross(s, out, i, o, c.turn[i]);
    }
    s->owns |= c.given;
    s->busy |= c.taken;
    s->fresh = c.given;
    for (unsigned left = in->credits; left; left &= left - 1) {
        int o = __builtin_ctz(left), side = 8 * o + in->credit_vc[o];
        s->credits[side]++;
        s->credit |= ONE << side;
    }
    for (unsigned left = in->valid; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        push(s, i, in->flit[i]);
    }
}
