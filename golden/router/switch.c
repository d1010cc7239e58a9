/* switch.c - see switch.h.
 *
 * Written from docs/blocks/router.md.  Sets of channels are words, so that the
 * choices cost a few operations for all of them together.
 */
#include "switch.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define ONE ((uint64_t)1)
#define EACH ((uint64_t)0x0101010101) /* one virtual channel of each input */

void switch_open(struct router_switch *s, const struct config *c) {
    struct router_local l = router_local(c);

    s->width = l.WIDTH;
    s->depth = l.DEPTH;
    s->order_lanes = l.LANES;
    s->order = l.BOTH ? -1 : l.COLUMNS_FIRST ? NOC_XY : NOC_YX;
    s->flits =
        xcalloc((size_t)(8 * NOC_SIDES * l.DEPTH), sizeof(struct flit));
}

void switch_close(struct router_switch *s) {
    free(s->flits);
}

void switch_reset(struct router_switch *s) {
    memset(s->ring, 0, sizeof s->ring);
    memset(s->want, 0, sizeof s->want);
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

/* Of a set of channels those of one virtual channel, as a set of inputs. */
static unsigned inputs_of(uint64_t set, int v) {
    uint64_t each = set >> v & EACH;
    return (unsigned)(each | each >> 7 | each >> 14 | each >> 21 | each >> 28) &
           0x1f;
}

/* --- buffers -------------------------------------------------------------- */

static struct flit *slot(struct router_switch *s, int channel, int n) {
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

static void push(struct router_switch *s, int i, const struct flit *f) {
    int channel = 8 * i + f->vc;
    struct router_ring *r = &s->ring[channel];
    struct flit *place = slot(s, channel, r->count);

    if (r->count == s->depth)
        BUG("a router got a flit without a credit");
    *place = *f;
    place->side = (uint8_t)route(s, f);
    if (r->count++ == 0) {
        s->waiting |= ONE << channel;
        s->want[place->side] |= ONE << channel;
    }
}

/* The oldest flit leaves; it stays in its place until the next edge. */
static const struct flit *pop(struct router_switch *s, int channel) {
    struct router_ring *r = &s->ring[channel];
    const struct flit *f = slot(s, channel, 0);

    s->want[f->side] &= ~(ONE << channel);
    r->head = (uint8_t)((r->head + 1) & (s->depth - 1));
    if (--r->count == 0)
        s->waiting &= ~(ONE << channel);
    else
        s->want[slot(s, channel, 0)->side] |= ONE << channel;
    return f;
}

/* --- the choices ---------------------------------------------------------- */

struct choices {
    uint8_t tries[NOC_SIDES];     /* by side: inputs */
    uint8_t turn[NOC_SIDES];      /* by input: the virtual channel it chose */
    uint8_t winner[NOC_SIDES];    /* by side that is crossed to: the input */
    uint8_t crossed;              /* sides */
    uint64_t given;               /* input channels that get a side's */
    uint64_t taken;               /* side channels that are given */
};

/* Packets without a channel ask for it. */
static void choose_owners(struct router_switch *s, struct choices *c) {
    uint64_t homeless = s->waiting & ~s->owns;
    for (int o = 0; o < NOC_SIDES && homeless; o++) {
        uint64_t ask = s->want[o] & homeless;
        if (!ask)
            continue;
        homeless &= ~ask;
        uint64_t any = ask | ask >> 32;
        unsigned vcs = (unsigned)(any | any >> 8 | any >> 16 | any >> 24) & 0xff;
        unsigned busy = (unsigned)(s->busy >> 8 * o) & 0xff;
        if (s->covers)
            cover(s, vcs & busy, ROUTER_COV_owner_waits);
        for (vcs &= ~busy; vcs; vcs &= vcs - 1) {
            int v = __builtin_ctz(vcs);
            unsigned inputs = inputs_of(ask, v);
            int i = choose(inputs, s->above_owner[8 * o + v]);
            took(&s->above_owner[8 * o + v], i);
            c->given |= ONE << (8 * i + v);
            c->taken |= ONE << (8 * o + v);
            if (s->covers)
                cover(s, several(inputs), ROUTER_COV_owner_contest);
        }
    }
}

/* Each input chooses a virtual channel, each side an input. */
static void choose_turns(struct router_switch *s, struct choices *c) {
    uint64_t able = 0, ready = s->owns & s->waiting;
    if (!ready)
        return;
    for (int o = 0; o < NOC_SIDES; o++)
        able |= s->want[o] & ready & (s->credit >> 8 * o & 0xff) * EACH;
    for (int i = 0; i < NOC_SIDES; i++) {
        unsigned set = (unsigned)(able >> 8 * i) & 0xff;
        if (!set)
            continue;
        int v = choose(set, s->above_turn[i]);
        c->turn[i] = (uint8_t)v;
        c->tries[slot(s, 8 * i + v, 0)->side] |= (uint8_t)(1u << i);
        if (s->covers)
            cover(s, several(set), ROUTER_COV_lost_turn);
    }
    for (int o = 0; o < NOC_SIDES; o++) {
        if (!c->tries[o])
            continue;
        c->winner[o] = (uint8_t)choose(c->tries[o], s->above_side[o]);
        c->crossed |= (uint8_t)(1u << o);
        if (s->covers)
            cover(s, several(c->tries[o]), ROUTER_COV_lost_side);
    }
    if (s->covers)
        cover(s, able != ready, ROUTER_COV_no_credit);
}

/* --- an edge -------------------------------------------------------------- */

/* What crossed goes out. */
static void show(struct router_switch *s, struct router_shown *out) {
    out->valid = s->crossing;
    out->credits = 0;
    for (unsigned left = s->crossing; left; left &= left - 1) {
        int o = __builtin_ctz(left);
        out->flit[o] = *s->from[o];
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
    const struct flit *f = pop(s, channel);

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
    choose_turns(s, &c);
    choose_owners(s, &c);
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
