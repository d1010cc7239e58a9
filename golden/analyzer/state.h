/* state.h - state of the golden memory map analyzer; private.
 *
 * TOM, sections 3.2 and 4.3, as docs/blocks/analyzer.md settles it.  Events are
 * taken through E, B and S in order, one an edge each; the search among the
 * ranges is done at once on the edge on which it takes effect.
 */
#ifndef NDP_GOLDEN_ANALYZER_STATE_H
#define NDP_GOLDEN_ANALYZER_STATE_H

#include "base/bits.h"
#include "blocks/analyzer.h"
#include "frame/model.h"

enum {
    MAX_WARPS = 64,
    MAX_MAPS = 16,
    MAX_SLOTS = 256,
    DELAY = 32, /* power of two above the edges that a search takes */
    STREAK = 16 /* accesses in a row that a cover point asks for */
};

enum operation { OP_BEGIN, OP_ACCESS, OP_END, OP_NOTHING };

struct event {
    bool valid;
    uint8_t op, warp;
    uint64_t address;
};

/* Stacks touched by an instance: for each mapping, bit s: stack s. */
struct bitmap {
    uint16_t stacks[MAX_MAPS];
};

struct tally {
    uint64_t score, sum;
};

struct scan {
    int next; /* mapping that is compared next; MAPS: finished */
    int best;
};

struct range {
    uint64_t start, length;
    bool touched;
};

/* Accesses on their way to their range, by the edge of effect. */
struct search {
    uint32_t now; /* number of the edge */
    bool valid[DELAY];
    uint64_t address[DELAY];
};

/* For cover points only: events that entered E, and enabling. */
struct rhythm {
    struct event last; /* of the edge before */
    int accesses;      /* in a row */
    int starts;        /* of learning, since reset */
};

struct analyzer {
    struct golden base;
    struct analyzer_local l;
    uint64_t address_mask, query_mask, warp_mask;
    uint32_t stack_mask;

    bool init_done;
    int init_entry, init_edges;
    struct event e, b;
    bool s_valid;
    struct bitmap s;
    struct bitmap bitmap[MAX_WARPS];
    struct tally tally[MAX_MAPS];
    uint64_t instances;
    bool done;
    struct scan scan;
    struct search search;
    struct range range[MAX_SLOTS];

    struct analyzer_out out;
    struct rhythm rhythm;
};

/* What happens on this edge. */
struct edge {
    const struct analyzer_in *in;
    bool enable, learning;
    uint64_t events; /* counters that count */
};

/* score.c: bitmaps, scores, the best mapping */
void move_scan(struct analyzer *n);
void move_score(struct analyzer *n, struct edge *e);
void move_bitmap(struct analyzer *n);
void forget_scores(struct analyzer *n);

/* range.c: allocation table */
void search_later(struct analyzer *n, uint64_t address);
void move_search(struct analyzer *n, struct edge *e);
void move_ranges(struct analyzer *n, const struct edge *e);

#endif
