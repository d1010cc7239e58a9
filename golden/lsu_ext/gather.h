/* gather.h - strided messages of the golden load-store extension.
 *
 * Written from docs/blocks/lsu_ext.md, Strided messages.  Private to golden/lsu_ext.
 */
#ifndef NDP_GOLDEN_LSU_EXT_GATHER_H
#define NDP_GOLDEN_LSU_EXT_GATHER_H

#include "blocks/lsu_ext.h"

#include <stdbool.h>
#include <stdint.h>

enum { GATHER_LANES = 32, GATHER_PLACES = 8 };

/* A strided message, as it came down. */
struct strided {
    uint64_t warp, reg, mask;
    uint64_t word; /* of the lowest active lane, at its core */
    uint64_t step; /* signed, in STEP_W bits */
};

/* One whose sectors are asked for, or on their way. */
struct gather_place {
    bool taken, cut, fault;
    uint64_t warp, reg, mask;
    uint64_t waits;              /* lanes whose sector has not come */
    int lead[GATHER_LANES];      /* lane that their sector is asked for by */
    int at[GATHER_LANES];        /* their word in it */
    uint32_t lane[GATHER_LANES]; /* row */
};

enum gather_state { GATHER_IDLE, GATHER_WORDS, GATHER_ASK };

struct gatherer {
    enum gather_state state;
    struct strided front;
    uint64_t left;               /* its lanes without a request */
    uint64_t word[GATHER_LANES]; /* at their core */
    int here;                    /* its place */
    bool asks;                   /* a request for a sector */
    int unit, lead;
    uint64_t sector; /* of the unit's memory */
    struct gather_place place[GATHER_PLACES];
    int told; /* place that was chosen last */
};

/* What happened to the front on an edge; covers count it. */
struct gather_events {
    bool no_place, units, behind;
};

void gather_reset(struct gatherer *g, const struct lsu_ext_local *l);

/* Take a message; the state has to be GATHER_IDLE. */
void gather_take(struct gatherer *g, const struct strided *s);

/* The front's edge, but for a message that is taken on it.  room: a place that
 * was free before it, -1; taken: the request is, by its unit. */
struct gather_events gather_edge(struct gatherer *g,
                                 const struct lsu_ext_local *l, int room,
                                 bool taken);

/* A sector has come for the lanes of a place that lead asked for. */
void gather_sector(struct gatherer *g, const struct lsu_ext_local *l, int place,
                   int lead, bool fault, const uint64_t *data);

/* The lowest free place, -1: there is none. */
int gather_room(const struct gatherer *g, const struct lsu_ext_local *l);

/* The next place with a whole row, -1: there is none. */
int gather_whole(const struct gatherer *g, const struct lsu_ext_local *l);

#endif
