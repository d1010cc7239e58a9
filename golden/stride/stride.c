/* stride.c - golden model of the per-warp stride prefetcher.
 *
 * Written from docs/blocks/stride.md.
 */
#include "stride.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/stride.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <stdlib.h>
#include <string.h>

enum { LOAD = 0, RUNNING = 1, MAX_QUEUE = 64 };

struct entry {
    bool valid;
    uint64_t warp, pc;
    uint32_t last, stride;
};

struct seen {
    bool valid;
    uint64_t line;
};

struct stride {
    struct golden base;
    struct stride_local l;
    struct entry *table;
    bool running; /* on the edge before */
    bool looks;   /* a load was taken on the edge before: */
    uint64_t warp, pc;
    uint32_t address;
    uint32_t stride;      /* of the load whose requests come; 0: none */
    struct seen one, two; /* requests, one and two edges ago */
    struct queue prefetches;
    uint64_t line[MAX_QUEUE + 1];
    struct stride_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct stride *n = (struct stride *)g;

    n->l = stride_local(c);
    n->table = xcalloc((size_t)n->l.ENTRIES, sizeof *n->table);
}

static void close(struct golden *g) {
    free(((struct stride *)g)->table);
}

/* --- history -------------------------------------------------------------- */

static struct entry *entry_of(struct stride *n) {
    uint64_t key = n->pc << n->l.WARP_W | n->warp, index = 0;

    for (; key; key >>= n->l.INDEX_W)
        index ^= key;
    return &n->table[index & ones(n->l.INDEX_W)];
}

/* The load that was taken on the edge before. */
static void look(struct stride *n) {
    if (!n->looks)
        return;
    struct entry *e = entry_of(n);
    bool hit = e->valid && e->warp == n->warp && e->pc == n->pc;
    uint32_t stride = hit ? n->address - e->last : 0;
    bool again = hit && stride && stride == e->stride;

    hit_if(n, !e->valid, STRIDE_COV_first);
    hit_if(n, e->valid && !hit, STRIDE_COV_replaced);
    hit_if(n, again, STRIDE_COV_again);
    hit_if(n, again && stride >> 31, STRIDE_COV_negative);
    hit_if(n, hit && stride && !again, STRIDE_COV_other);
    hit_if(n, hit && !stride, STRIDE_COV_zero);
    event_if(&n->base, true, STRIDE_CNT_loads);
    event_if(&n->base, again, STRIDE_CNT_predicted);
    event_if(&n->base, e->valid && !hit, STRIDE_CNT_replaced);
    *e = (struct entry){true, n->warp, n->pc, n->address, stride};
    n->stride = again ? stride : 0;
    n->looks = false;
}

static void take(struct stride *n, const struct stride_in *in) {
    if (!(in->offer_valid & 1) || !n->out.offer_ready)
        return;
    n->looks = true;
    n->warp = in->offer_warp & ones(n->l.WARP_W);
    n->pc = in->offer_pc & ones(n->l.PC_W);
    n->address = (uint32_t)in->offer_a;
}

static void forget(struct stride *n, const struct stride_in *in) {
    bool running = (in->core_state & 3) == RUNNING;
    bool begins = running && !n->running, any = false;

    n->running = running;
    for (int i = 0; i < n->l.ENTRIES && begins; i++) {
        any |= n->table[i].valid;
        n->table[i].valid = false;
    }
    hit_if(n, any, STRIDE_COV_launch);
}

/* --- prefetches ----------------------------------------------------------- */

/* The request of two edges ago, by the stride as it stands before the edge. */
static void predict(struct stride *n, uint32_t stride) {
    uint32_t from = (uint32_t)(n->two.line << n->l.BYTE_W);
    uint64_t line = (uint32_t)(from + stride) >> n->l.BYTE_W;
    bool enable = n->base.regs.setting[STRIDE_SET_enable] & 1;
    bool asks = n->two.valid && stride, own = line == n->two.line;
    bool wants = asks && !own && enable, room = queue_can_push(&n->prefetches);

    hit_if(n, asks && own, STRIDE_COV_own_line);
    hit_if(n, asks && !enable, STRIDE_COV_disabled);
    hit_if(n, wants && room, STRIDE_COV_issued);
    hit_if(n, wants && !room, STRIDE_COV_dropped);
    event_if(&n->base, wants && room, STRIDE_CNT_issued);
    event_if(&n->base, wants && !room, STRIDE_CNT_dropped);
    if (wants && room)
        n->line[queue_push(&n->prefetches)] = line;
}

static void see(struct stride *n, const struct stride_in *in) {
    n->two = n->one;
    n->one.valid =
        in->seen_valid & in->seen_taken & 1 && (in->seen_op & 15) == LOAD;
    n->one.line = n->one.valid ? in->seen_address & ones(n->l.SADDR_W) : 0;
}

static void give(struct stride *n, const struct stride_in *in) {
    bool free = !n->out.pre_valid, given = in->given_valid & 1;
    bool own = n->prefetches.out_valid;

    hit_if(n, free && given, STRIDE_COV_given);
    hit_if(n, free && given && own, STRIDE_COV_both);
    if (!free && !(in->pre_ready & 1))
        return;
    bool passes = free && given;
    n->out.pre_valid = passes || own;
    n->out.pre_line = passes ? in->given_line & ones(n->l.SADDR_W)
                      : own  ? n->line[n->prefetches.out]
                             : 0;
    if (!passes && own)
        queue_pop(&n->prefetches);
}

/* --- an edge -------------------------------------------------------------- */

static void edge(struct golden *g, const void *ports) {
    struct stride *n = (struct stride *)g;
    const struct stride_in *in = ports;
    uint32_t before = n->stride;

    look(n);
    take(n, in);
    forget(n, in);
    predict(n, before);
    see(n, in);
    give(n, in);
    queue_edge(&n->prefetches);
    n->out.offer_ready = !n->looks;
    n->out.given_ready = !n->out.pre_valid;
}

static void reset(struct golden *g) {
    struct stride *n = (struct stride *)g;

    for (int i = 0; i < n->l.ENTRIES; i++)
        n->table[i].valid = false;
    n->running = n->looks = false;
    n->stride = 0;
    n->one = n->two = (struct seen){0};
    queue_reset(&n->prefetches, n->l.QUEUE);
    n->out.offer_ready = n->out.given_ready = 1;
}

const struct golden_class stride_golden = {
    .iface = &stride_iface,
    MODEL_STRUCT(struct stride),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};
