/* range.c - golden memory map analyzer: the allocation table.
 *
 * Marks the allocations that candidates use (TOM, section 4.3).  The table is
 * sorted, so the number of starts up to an address is found by bisection; it is
 * done on the edge on which docs/blocks/analyzer.md lets it take effect.
 */
#include "state.h"

/* Search ----------------------------------------------------------------- */

void search_later(struct analyzer *n, uint64_t address) {
    struct search *s = &n->search;
    uint32_t at = (s->now + (uint32_t)n->l.RANGE_EDGES) % DELAY;

    s->valid[at] = true;
    s->address[at] = address;
}

/* Number of places, of 0 to SLOTS-2, that start at or below the address. */
static int starts_up_to(const struct analyzer *n, uint64_t address) {
    int r = 0;

    for (int step = n->l.SLOTS / 2; step > 0; step /= 2)
        if (n->range[r + step - 1].start <= address)
            r += step;
    return r;
}

static void cover_outside(struct analyzer *n, int r) {
    bool above = r < n->l.SLOTS - 1 && n->range[r].length > 0;

    hit_if(n, r == 0 && above, ANALYZER_COV_before_all);
    hit_if(n, r > 0 && above, ANALYZER_COV_between);
    hit_if(n, r > 0 && !above, ANALYZER_COV_beyond);
}

static void cover_inside(struct analyzer *n, int place, uint64_t offset) {
    hit_if(n, place == 0, ANALYZER_COV_range_first);
    hit_if(n, place == n->l.RANGES - 1, ANALYZER_COV_range_last);
    hit_if(n, offset == 0, ANALYZER_COV_range_start);
    hit_if(n, offset == n->range[place].length - 1, ANALYZER_COV_range_end);
}

static void find(struct analyzer *n, struct edge *e, uint64_t address) {
    int r = starts_up_to(n, address);
    struct range *place = &n->range[r > 0 ? r - 1 : 0];

    if (r > 0 && address - place->start < place->length) {
        place->touched = true;
        event_if(e, true, ANALYZER_CNT_inside);
        cover_inside(n, r - 1, address - place->start);
        return;
    }
    n->out.outside_valid = 1;
    n->out.outside_address = address;
    event_if(e, true, ANALYZER_CNT_outside);
    cover_outside(n, r);
}

void move_search(struct analyzer *n, struct edge *e) {
    struct search *s = &n->search;
    uint32_t at = ++s->now % DELAY;

    n->out.outside_valid = n->out.outside_address = 0;
    if (!s->valid[at])
        return;
    s->valid[at] = false;
    find(n, e, s->address[at]);
}

/* Loading ---------------------------------------------------------------- */

static void initialise(struct analyzer *n) {
    int i = n->init_entry++;

    if (i < n->l.WARPS)
        n->bitmap[i] = (struct bitmap){{0}};
    if (i < n->l.SLOTS)
        n->range[i] = (struct range){.start = n->address_mask};
    n->init_done = n->init_entry == n->init_edges;
}

void move_ranges(struct analyzer *n, const struct edge *e) {
    const struct analyzer_in *in = e->in;

    if (!n->init_done) {
        initialise(n);
        return;
    }
    if (in->load_valid & 1)
        n->range[in->load_index & (uint64_t)(n->l.SLOTS - 1)] = (struct range){
            .start = in->load_start & n->address_mask,
            .length = in->load_length & n->address_mask,
        };
}
