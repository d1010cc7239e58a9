/* row_merge.c - golden model of rows of two for one register file.
 *
 * Written from docs/blocks/row_merge.md.
 */
#include "row_merge.h"

#include "base/bits.h"
#include "blocks/row_merge.h"
#include "frame/model.h"

#include <string.h>

enum giver { INIT, LOAD, NOBODY };

struct row_merge {
    struct golden base;
    struct row_merge_local l;
    enum giver held, last; /* whose row is shown, and was last */
    struct row_merge_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct row_merge *)g)->l = row_merge_local(c);
}

static void reset(struct golden *g) {
    struct row_merge *n = (struct row_merge *)g;

    n->held = NOBODY;
    n->last = LOAD; /* init comes first */
}

static void show(struct row_merge *n, uint64_t warp, uint64_t reg,
                 uint64_t mask, const uint64_t *row) {
    struct row_merge_out *o = &n->out;

    o->row_valid = 1;
    o->row_warp = warp & ones(n->l.WARP_W);
    o->row_reg = reg & ones(n->l.REG_W);
    o->row_mask = mask & ones(n->l.LANES);
    memset(o->row_row, 0, sizeof o->row_row);
    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(o->row_row, i, bits_lane(row, i));
}

static void hide(struct row_merge *n) {
    struct row_merge_out *o = &n->out;

    o->row_valid = o->row_warp = o->row_reg = o->row_mask = 0;
    memset(o->row_row, 0, sizeof o->row_row);
}

/* Whose row is taken, of those that have one that was not told yet. */
static enum giver choose(struct row_merge *n, bool init, bool load) {
    enum giver s = init && (!load || n->last == LOAD) ? INIT
                   : load                             ? LOAD
                                                      : NOBODY;

    hit_if(n, init && load, ROW_MERGE_COV_meet);
    hit_if(n, s != NOBODY && s == n->last, ROW_MERGE_COV_again);
    hit_if(n, s != NOBODY && (n->out.init_ready || n->out.load_ready),
           ROW_MERGE_COV_at_once);
    return s;
}

static void edge(struct golden *g, const void *ports) {
    struct row_merge *n = (struct row_merge *)g;
    const struct row_merge_in *in = ports;
    struct row_merge_out *o = &n->out;
    enum giver told = NOBODY;

    if (n->held != NOBODY) {
        hit_if(n, !(in->row_ready & 1), ROW_MERGE_COV_held);
        if (in->row_ready & 1) {
            told = n->held;
            n->held = NOBODY;
            hide(n);
        }
    } else {
        n->held = choose(n, (in->init_valid & 1) && !o->init_ready,
                         (in->load_valid & 1) && !o->load_ready);
        if (n->held != NOBODY)
            n->last = n->held;
        if (n->held == INIT)
            show(n, in->init_warp, in->init_reg, in->init_mask, in->init_row);
        if (n->held == LOAD)
            show(n, in->load_warp, in->load_reg, in->load_mask, in->load_data);
    }
    o->init_ready = told == INIT;
    o->load_ready = told == LOAD;
}

const struct golden_class row_merge_golden = {
    .iface = &row_merge_iface,
    MODEL_STRUCT(struct row_merge),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
