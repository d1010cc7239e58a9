/* prefetch.c - golden model of the pattern-aware prefetcher: one edge.
 *
 * IP-NDP, section 3.3 and Figure 9, as docs/blocks/prefetch.md settles it.  An
 * analysis has a fixed number of edges from its accept to each step, so the
 * steps are short rows of registers and one list of demands that are being
 * divided, each with the edge on which its decision is due.  Every step reads
 * the state before the edge: later steps are evaluated before earlier ones.
 */
#include "prefetch.h"

#include "base/arena.h"
#include "base/bits.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
    MAX_IMAGES = 8,
    MAX_QUEUE = 64,
    MAX_FLIGHT = 64,
    MAX_DIVIDING = 64, /* a power of two; 34 are possible */
    DEMAND_QUEUE = 4,
    STREAK = 16
};

/* An entry of the information table, unpacked. */
struct image {
    bool valid, along_y;
    uint64_t start, size;
    int64_t base, modified;
    uint64_t y_lo, y_hi, y_turn;
    uint64_t x_lo, x_hi, x_turn; /* encoded */
    uint64_t last;
    uint64_t m; /* reciprocal: m; iterative: the pitch */
    unsigned s;
};

struct demand {
    uint64_t id, address;
};

/* A demand between match and decide. */
struct dividing {
    uint64_t due; /* edge */
    uint64_t address, position;
    int image;
};

struct candidate {
    bool valid;
    bool duplicate;   /* known after the look */
    uint64_t address; /* of the demand, until the look */
    uint64_t target;
};

struct prefetcher {
    struct golden base;
    struct prefetch_local l;
    uint64_t address_mask, id_mask, line_mask;
    uint64_t now; /* number of the edge */

    struct image image[MAX_IMAGES];
    struct queue demands, prefetches;
    struct demand demand[DEMAND_QUEUE + 1];
    uint64_t prefetch[MAX_QUEUE + 1];

    bool accepted; /* an analysis began on the last edge */
    uint64_t accepted_address;
    bool has_begun;
    uint64_t begun; /* edge of the last analysis' begin */
    struct dividing dividing[MAX_DIVIDING];
    uint32_t head, n_dividing;
    struct candidate look, filter;

    uint64_t places, taken; /* sets of places for lines in flight */
    uint64_t line[MAX_FLIGHT];

    uint32_t streak;
    struct prefetch_out out;
};

/* What happens on one edge. */
struct edge {
    const struct prefetch_in *in;
    uint64_t events;  /* bit i: counter i */
    bool takes_place; /* a line goes in flight */
    int place;
    uint64_t taken_line;
};

static void count(struct edge *e, enum prefetch_counter c) {
    e->events |= bit(c);
}

/* ---------------------------------------------------------------- instance */

static void reset(struct golden *g) {
    struct prefetcher *p = (struct prefetcher *)g;

    memset(p->image, 0, sizeof p->image);
    queue_reset(&p->demands, DEMAND_QUEUE);
    queue_reset(&p->prefetches, p->l.QUEUE);
    p->accepted = p->has_begun = false;
    p->head = p->n_dividing = 0;
    p->look.valid = p->filter.valid = false;
    p->taken = 0;
    p->streak = 0;
    p->out.demand_ready = 1;
}

static void open(struct golden *g, const struct config *c) {
    struct prefetcher *p = (struct prefetcher *)g;

    p->l = prefetch_local(c);
    if (p->l.IMAGES > MAX_IMAGES || p->l.QUEUE > MAX_QUEUE ||
        p->l.FLIGHT > MAX_FLIGHT || p->l.DIV_EDGES + 2 > MAX_DIVIDING)
        BUG("prefetcher larger than the model holds");
    p->address_mask = ones(p->l.ADDR_W);
    p->id_mask = ones(p->l.ID_W);
    p->line_mask = ones(p->l.LINE_W);
    p->places = ones(p->l.FLIGHT);
}

bool prefetch_is_idle(const struct golden *g) {
    const struct prefetcher *p = (const struct prefetcher *)g;

    return !p->accepted && !p->n_dividing && !p->look.valid &&
           !p->filter.valid && !p->out.mem_valid && !p->demands.count &&
           !p->demands.out_valid && !p->prefetches.count &&
           !p->prefetches.out_valid;
}

/* ------------------------------------------------------- information table */

static int64_t signed_of(uint64_t v, int width) {
    return v >> (width - 1) ? (int64_t)(v | ~ones(width)) : (int64_t)v;
}

static struct image unpack(const struct prefetcher *p, const uint64_t *words) {
    const struct prefetch_local *l = &p->l;
    struct prefetch_entry_fields f;

    record_unpack(&p->base.design->record[PREFETCH_REC_entry], words, &f);
    return (struct image){
        .valid = f.valid,
        .along_y = f.axis,
        .start = f.start,
        .size = f.size,
        .base = signed_of(f.base, l->STRIDE_W),
        .modified = signed_of(f.modified, l->STRIDE_W),
        .y_lo = f.y_lo,
        .y_hi = f.y_hi,
        .y_turn = f.y_turn,
        .x_lo = f.x_lo,
        .x_hi = f.x_hi,
        .x_turn = f.x_turn,
        .last = f.last,
        .m = l->RECIPROCAL  ? f.mult
             : l->ITERATIVE ? f.pitch
                            : 1,
        .s = (unsigned)f.shift,
    };
}

static void move_load(struct prefetcher *p, const struct edge *e) {
    uint64_t index = e->in->load_index & ones(p->l.IMAGE_W);

    if (!(e->in->load_valid & 1) || index >= (uint64_t)p->l.IMAGES)
        return;
    hit_if(p, p->image[index].valid, PREFETCH_COV_reloaded);
    p->image[index] = unpack(p, e->in->load_entry);
}

/* ---------------------------------------------------------------- analysis */

/* Row, and the number that comparisons along x are made with. */
struct position {
    uint64_t y, x;
};

static struct position divide(const struct prefetcher *p, const struct image *i,
                              uint64_t at) {
    if (p->l.RECIPROCAL) {
        wide product = (wide)at * i->m;
        int k = p->l.SIZE_W + (int)i->s;
        return (struct position){(uint64_t)(product >> k),
                                 (uint64_t)product & ones(k)};
    }
    if (!p->l.ITERATIVE)
        return (struct position){at >> i->s, at & ones((int)i->s)};
    if (i->m == 0)
        return (struct position){ones(p->l.SIZE_W), at};
    return (struct position){at / i->m, at % i->m};
}

/* The stride from here to the walk's next block; false: it ends here. */
static bool stride_of(struct prefetcher *p, const struct image *i,
                      struct position at, int64_t *stride) {
    bool before_x = at.x < i->x_turn, before_y = at.y < i->y_turn;
    bool early = (i->along_y ? at.y : at.x) < i->last;

    if (i->along_y ? before_y : before_x) {
        *stride = i->base;
        hit_if(p, true, i->along_y ? PREFETCH_COV_base_y : PREFETCH_COV_base_x);
        return true;
    }
    if (!(i->along_y ? before_x : before_y)) {
        hit_if(p, true, PREFETCH_COV_walk_end);
        return false;
    }
    *stride = i->modified + (early ? i->base : 0);
    if (early)
        hit_if(p, true,
               i->along_y ? PREFETCH_COV_short_y : PREFETCH_COV_short_x);
    else
        hit_if(p, true,
               i->along_y ? PREFETCH_COV_modified_y : PREFETCH_COV_modified_x);
    return true;
}

static void decide(struct prefetcher *p, struct edge *e) {
    const struct dividing *d = &p->dividing[p->head % MAX_DIVIDING];
    int64_t stride;

    p->look.valid = false;
    if (!p->n_dividing || d->due != p->now)
        return;
    p->head++;
    p->n_dividing--;
    const struct image *i = &p->image[d->image];
    struct position at = divide(p, i, d->position);
    bool out_x = at.x < i->x_lo || at.x >= i->x_hi;
    bool out_y = at.y < i->y_lo || at.y >= i->y_hi;
    hit_if(p, out_x, PREFETCH_COV_part_x);
    hit_if(p, out_y, PREFETCH_COV_part_y);
    if (out_x || out_y) {
        count(e, PREFETCH_CNT_outside);
        return;
    }
    if (!stride_of(p, i, at, &stride)) {
        count(e, PREFETCH_CNT_ended);
        return;
    }
    hit_if(p, stride < 0, PREFETCH_COV_negative);
    p->look.valid = true;
    p->look.address = d->address;
    p->look.target = (d->address + (uint64_t)stride) & p->address_mask;
}

static void match(struct prefetcher *p, struct edge *e) {
    int first = -1, n = 0;

    if (!p->accepted)
        return;
    for (int i = p->l.IMAGES - 1; i >= 0; i--) {
        uint64_t at =
            (p->accepted_address - p->image[i].start) & p->address_mask;
        if (!p->image[i].valid || at >= p->image[i].size)
            continue;
        first = i;
        n++;
    }
    hit_if(p, n == 0, PREFETCH_COV_no_image);
    hit_if(p, n > 1, PREFETCH_COV_two_images);
    if (first < 0)
        return;
    uint64_t at =
        (p->accepted_address - p->image[first].start) & p->address_mask;
    count(e, PREFETCH_CNT_known);
    hit_if(p, first == p->l.IMAGES - 1, PREFETCH_COV_image_last);
    hit_if(p, at == 0, PREFETCH_COV_first_byte);
    hit_if(p, at == p->image[first].size - 1, PREFETCH_COV_last_byte);
    p->dividing[(p->head + p->n_dividing++) % MAX_DIVIDING] =
        (struct dividing){.due = p->now + 1 + (uint64_t)p->l.DIV_EDGES,
                          .address = p->accepted_address,
                          .position = at,
                          .image = first};
}

/* ------------------------------------------------------- lines in flight */

/* The places that hold a line. */
static uint64_t places_of(const struct prefetcher *p, uint64_t line) {
    uint64_t found = 0;

    for (uint64_t left = p->taken; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (p->line[i] == line)
            found |= bit(i);
    }
    return found;
}

static void filter(struct prefetcher *p, struct edge *e) {
    const struct candidate *c = &p->filter;
    uint64_t free_places = p->places & ~p->taken;

    e->takes_place = false;
    if (!c->valid)
        return;
    if (c->duplicate) {
        count(e, PREFETCH_CNT_duplicate);
    } else if (!free_places) {
        count(e, PREFETCH_CNT_full);
        hit_if(p, true, PREFETCH_COV_flight_full);
    } else if (!queue_can_push(&p->prefetches)) {
        count(e, PREFETCH_CNT_no_room);
        hit_if(p, true, PREFETCH_COV_queue_full);
    } else {
        count(e, PREFETCH_CNT_issued);
        e->takes_place = true;
        e->place = __builtin_ctzll(free_places);
        e->taken_line = c->target >> p->l.BYTE_W;
        p->prefetch[queue_push(&p->prefetches)] = c->target;
    }
}

static void look(struct prefetcher *p, const struct edge *e) {
    struct candidate c = p->look;
    uint64_t line = c.target >> p->l.BYTE_W;

    p->filter.valid = c.valid;
    if (!c.valid)
        return;
    bool own = line == c.address >> p->l.BYTE_W;
    bool there = places_of(p, line) != 0;
    bool next = e->takes_place && e->taken_line == line;
    hit_if(p, own, PREFETCH_COV_own_line);
    hit_if(p, there, PREFETCH_COV_in_flight);
    hit_if(p, next, PREFETCH_COV_in_flight_next);
    hit_if(p,
           there && (e->in->fill_valid & 1) &&
               (e->in->fill_line & p->line_mask) == line,
           PREFETCH_COV_fill_while_checked);
    c.duplicate = own || there || next;
    p->filter = c;
}

static void move_flight(struct prefetcher *p, struct edge *e) {
    if (e->in->fill_valid & 1) {
        uint64_t over = places_of(p, e->in->fill_line & p->line_mask);
        count(e, PREFETCH_CNT_fills);
        hit_if(p, over != 0, PREFETCH_COV_fill_hit);
        hit_if(p, over == 0, PREFETCH_COV_fill_miss);
        p->taken &= ~over;
    }
    if (e->takes_place) {
        p->taken |= bit(e->place);
        p->line[e->place] = e->taken_line;
    }
}

/* ------------------------------------------------------- demands and cache */

static void show(struct prefetcher *p, bool valid, bool prefetch, uint64_t id,
                 uint64_t address) {
    p->out.mem_valid = valid;
    p->out.mem_prefetch = prefetch;
    p->out.mem_id = id;
    p->out.mem_address = address;
}

static void to_cache(struct prefetcher *p, const struct edge *e) {
    bool ready = e->in->mem_ready & 1;

    hit_if(p, p->out.mem_valid && !ready, PREFETCH_COV_mem_blocked);
    if (p->out.mem_valid && !ready)
        return;
    if (p->demands.out_valid) {
        const struct demand *d = &p->demand[p->demands.out];
        show(p, true, false, d->id, d->address);
        queue_pop(&p->demands);
        hit_if(p, p->prefetches.out_valid, PREFETCH_COV_demand_passes);
    } else if (p->prefetches.out_valid) {
        show(p, true, true, 0, p->prefetch[p->prefetches.out]);
        queue_pop(&p->prefetches);
        hit_if(p, true, PREFETCH_COV_prefetch_goes);
    } else if (p->out.mem_valid) {
        show(p, false, false, 0, 0);
    }
}

/* An analysis begins with this demand, unless it must not. */
static void begin(struct prefetcher *p, struct edge *e, uint64_t address) {
    if (!p->base.regs.setting[PREFETCH_SET_enable]) {
        hit_if(p, true, PREFETCH_COV_disabled);
        return;
    }
    if (p->l.ITERATIVE && p->has_begun &&
        p->now - p->begun < (uint64_t)p->l.SIZE_W) {
        count(e, PREFETCH_CNT_skipped);
        return;
    }
    p->has_begun = p->accepted = true;
    p->begun = p->now;
    p->accepted_address = address;
}

static void accept(struct prefetcher *p, struct edge *e) {
    const struct prefetch_in *in = e->in;
    bool valid = in->demand_valid & 1;

    p->accepted = false;
    if (valid && !p->out.demand_ready) {
        count(e, PREFETCH_CNT_demand_blocked);
        hit_if(p, true, PREFETCH_COV_demand_full);
    }
    if (!valid || !p->out.demand_ready) {
        p->streak = 0;
        return;
    }
    uint64_t address = in->demand_address & p->address_mask;
    p->demand[queue_push(&p->demands)] =
        (struct demand){in->demand_id & p->id_mask, address};
    count(e, PREFETCH_CNT_demands);
    hit_if(p, ++p->streak % STREAK == 0, PREFETCH_COV_streak);
    begin(p, e, address);
}

/* ---------------------------------------------------------------- the edge */

static void edge(struct golden *g, const void *in) {
    struct prefetcher *p = (struct prefetcher *)g;
    struct edge e = {.in = in};

    p->now++;
    /* Each reads the state before the edge: the last step first. */
    filter(p, &e);
    look(p, &e);
    decide(p, &e);
    match(p, &e);
    accept(p, &e);
    to_cache(p, &e);
    move_flight(p, &e);
    queue_edge(&p->demands);
    queue_edge(&p->prefetches);
    p->out.demand_ready = queue_can_push(&p->demands);
    move_load(p, &e);
    g->events = e.events;
}

const struct golden_class prefetch_golden = {
    .iface = &prefetch_iface,
    MODEL_STRUCT(struct prefetcher),
    .open = open,
    .reset = reset,
    .edge = edge,
};
