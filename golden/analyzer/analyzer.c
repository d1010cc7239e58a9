/* analyzer.c - golden model of the memory map analyzer: one instance, one edge.
 *
 * TOM, sections 3.2 and 4.3, as docs/blocks/analyzer.md settles it.  Bitmaps
 * and scores are in score.c, the allocation table in range.c;
 * here stand reset, the order of evaluation, events, queries and registers.
 */
#include "base/bits.h"
#include "analyzer.h"

#include "state.h"

#include <string.h>

/* The instance ----------------------------------------------------------- */

/* All state but what the configuration fixes and the memories. */
static void reset(struct golden *g) {
    struct analyzer *n = (struct analyzer *)g;

    n->init_done = false;
    n->init_entry = 0;
    forget_scores(n);
    memset(&n->search, 0, sizeof n->search);
    memset(&n->rhythm, 0, sizeof n->rhythm);
}

static void open(struct golden *g, const struct config *c) {
    struct analyzer *n = (struct analyzer *)g;

    n->l = analyzer_local(c);
    if (n->l.WARPS > MAX_WARPS || n->l.MAPS > MAX_MAPS || n->l.STACKS > 16 ||
        n->l.SLOTS > MAX_SLOTS || n->l.RANGE_EDGES >= DELAY)
        BUG("memory map analyzer larger than the model holds");
    n->address_mask = ones(n->l.ADDR_W);
    n->query_mask = ones(n->l.QUERY_W);
    n->warp_mask = ones(n->l.WARP_W);
    n->stack_mask = (uint32_t)ones(n->l.STACK_W);
    n->init_edges = n->l.WARPS > n->l.SLOTS ? n->l.WARPS : n->l.SLOTS;
}

uint32_t analyzer_bitmap(const struct golden *g, int warp, int map) {
    const struct analyzer *n = (const struct analyzer *)g;

    if (warp < 0 || warp >= n->l.WARPS || map < 0 || map >= n->l.MAPS)
        return 0;
    return n->bitmap[warp].stacks[map];
}

uint64_t analyzer_instances(const struct golden *g) {
    return ((const struct analyzer *)g)->instances;
}

/* Events ----------------------------------------------------------------- */

/* The event of this edge and the one before it. */
static void cover_rhythm(struct analyzer *n) {
    const struct event *e = &n->e, *last = &n->rhythm.last;
    bool follows = e->valid && last->valid;
    bool same = follows && e->warp == last->warp;
    bool access = e->valid && e->op == OP_ACCESS;

    hit_if(n, same && access && last->op == OP_ACCESS, ANALYZER_COV_same_warp);
    hit_if(n, same && access && last->op == OP_BEGIN,
           ANALYZER_COV_begin_access);
    hit_if(n, same && e->op == OP_END && last->op == OP_ACCESS,
           ANALYZER_COV_access_end);
    hit_if(n, follows && e->op == OP_END && last->op == OP_END,
           ANALYZER_COV_two_ends);
    n->rhythm.accesses = access ? n->rhythm.accesses + 1 : 0;
    hit_if(n, n->rhythm.accesses == STREAK, ANALYZER_COV_streak);
    n->rhythm.last = *e;
}

static void enter(struct analyzer *n, struct edge *e) {
    const struct analyzer_in *in = e->in;

    n->e = (struct event){
        .valid = true,
        .op = (uint8_t)(in->ev_op & 3),
        .warp = (uint8_t)(in->ev_warp & n->warp_mask),
        .address = in->ev_address & n->address_mask,
    };
    event_if(e, n->e.op == OP_BEGIN, ANALYZER_CNT_begins);
    if (n->e.op != OP_ACCESS)
        return;
    event_if(e, true, ANALYZER_CNT_accesses);
    search_later(n, n->e.address);
}

static void move_events(struct analyzer *n, struct edge *e) {
    bool offered = e->in->ev_valid & 1;
    bool taken = offered && n->out.ev_ready;

    n->b = n->e;
    n->e.valid = false;
    if (taken && e->learning)
        enter(n, e);
    event_if(e, taken && !e->learning, ANALYZER_CNT_ignored);
    event_if(e, offered && !taken, ANALYZER_CNT_ev_blocked);
    hit_if(n, taken && !e->enable, ANALYZER_COV_ignored_off);
    hit_if(n, taken && e->enable && !e->learning, ANALYZER_COV_ignored_done);
    hit_if(n, offered && !taken, ANALYZER_COV_blocked);
    cover_rhythm(n);
}

/* Queries ---------------------------------------------------------------- */

static void move_query(struct analyzer *n, const struct analyzer_in *in) {
    static const struct tally none;
    int q = (int)(in->query_index & n->query_mask);
    bool asked = in->query_valid & 1;
    const struct tally *t = asked && q < n->l.MAPS ? &n->tally[q] : &none;

    n->out.query_done = asked;
    n->out.query_score = t->score;
    n->out.query_sum = t->sum;
    n->out.query_touched =
        asked && n->init_done && q < n->l.SLOTS && n->range[q].touched;
    hit_if(n, asked, ANALYZER_COV_query);
    hit_if(n, n->out.query_touched, ANALYZER_COV_query_touched);
}

/* Registers -------------------------------------------------------------- */

static void written(struct golden *g, int setting, uint32_t before) {
    struct analyzer *n = (struct analyzer *)g;

    if (setting == ANALYZER_SET_enable && !before && g->regs.setting[setting])
        hit_if(n, ++n->rhythm.starts > 1, ANALYZER_COV_again);
}

/* One edge --------------------------------------------------------------- */

static void edge(struct golden *g, const void *in) {
    struct analyzer *n = (struct analyzer *)g;
    struct edge e = {.in = in};

    e.enable = g->regs.setting[ANALYZER_SET_enable];
    e.learning = e.enable && !n->done;
    /* Last stage first: each still finds what stood before the edge. */
    move_query(n, in);
    move_search(n, &e);
    move_scan(n);
    if (e.enable) {
        move_score(n, &e);
        move_bitmap(n);
    }
    move_events(n, &e);
    if (!e.enable)
        forget_scores(n);
    move_ranges(n, &e);
    n->out.ev_ready = n->out.load_ready = n->init_done;
    g->events = e.events;
}

const struct golden_class analyzer_golden = {
    .iface = &analyzer_iface,
    MODEL_STRUCT(struct analyzer),
    .open = open,
    .reset = reset,
    .edge = edge,
    .written = written,
};
