/* dram_map.c - golden model of the map of addresses into DRAM.
 *
 * Written from docs/blocks/dram_map.md; the arithmetic is that of dram/map.c.
 */
#include "dram_map.h"

#include "base/bits.h"
#include "blocks/dram_map.h"
#include "dram/map.h"
#include "frame/model.h"

struct dram_map_model {
    struct golden base;
    struct dram_map_local l;
    struct dram_map map;
    struct dram_map masks; /* the same without a partition */
    struct dram_map_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct dram_map_model *n = (struct dram_map_model *)g;

    n->l = dram_map_local(c);
    dram_map_make(c, &n->map);
    n->masks = n->map;
    n->masks.reserved = 0;
}

static void reset(struct golden *g) {
    (void)g;
}

static bool same(const struct dram_place *a, const struct dram_place *b) {
    return a->part[DRAM_BANK_BITS] == b->part[DRAM_BANK_BITS] &&
           a->part[DRAM_GROUP_BITS] == b->part[DRAM_GROUP_BITS];
}

static void answer_place(struct dram_map_model *n, uint64_t address) {
    struct dram_map_out *out = &n->out;
    struct dram_place p = dram_map_place(&n->map, address);
    struct dram_place raw = dram_map_place(&n->masks, address);

    out->place_valid = 1;
    out->place_channel = (uint64_t)p.part[DRAM_CHANNEL_BITS];
    out->place_rank = (uint64_t)p.part[DRAM_RANK_BITS];
    out->place_group = (uint64_t)p.part[DRAM_GROUP_BITS];
    out->place_bank = (uint64_t)p.part[DRAM_BANK_BITS];
    out->place_row = (uint64_t)p.part[DRAM_ROW];
    out->place_column = (uint64_t)p.part[DRAM_COLUMN];
    out->place_offset = (uint64_t)p.offset;
    out->place_shared = p.shared;
    hit_if(n, !same(&p, &raw) && !p.shared, DRAM_MAP_COV_moved_away);
    hit_if(n, !same(&p, &raw) && p.shared, DRAM_MAP_COV_moved_in);
    hit_if(n, same(&p, &raw), DRAM_MAP_COV_stays);
    hit_if(n, p.shared, DRAM_MAP_COV_shared);
}

static void answer_address(struct dram_map_model *n,
                           const struct dram_map_in *in) {
    struct dram_place p = {.part = {[DRAM_CHANNEL_BITS] = (int)in->back_channel,
                                    [DRAM_RANK_BITS] = (int)in->back_rank,
                                    [DRAM_GROUP_BITS] = (int)in->back_group,
                                    [DRAM_BANK_BITS] = (int)in->back_bank,
                                    [DRAM_ROW] = (int)in->back_row,
                                    [DRAM_COLUMN] = (int)in->back_column},
                           .offset = (int)in->back_offset};

    n->out.found_valid = 1;
    n->out.found_address = dram_map_address(&n->map, &p);
}

static void edge(struct golden *g, const void *ports) {
    struct dram_map_model *n = (struct dram_map_model *)g;
    const struct dram_map_in *in = ports;
    bool ask = in->ask_valid & 1, back = in->back_valid & 1;

    n->out = (struct dram_map_out){0};
    if (ask)
        answer_place(n, in->ask_address & ones(n->l.ADDR_W));
    if (back)
        answer_address(n, in);
    hit_if(n, ask && back, DRAM_MAP_COV_both);
}

const struct golden_class dram_map_golden = {
    .iface = &dram_map_iface,
    MODEL_STRUCT(struct dram_map_model),
    .open = open,
    .reset = reset,
    .edge = edge,
};
