/* trace_order.c - what retires on a core whose instructions end in any order
 * (port.h), as passes in the order of each warp's program.
 *
 * An instruction retires once it and all before it of its warp are done.  One
 * whose result comes late, as simt's do, holds up none behind it: it retires
 * without a result once all before it have, and its result when it is done.
 */
#include "runtime.h"

#include "base/array.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 32, MOST_WARPS = 64, PREDICATES = 8 };

struct in_flight {
    uint32_t pc, mask; /* before the guard, until it retires */
    struct isa_word word;
    int kind; /* as in ndp_retired */
    bool late, told, done;
    uint32_t lanes[MOST_LANES];
};

struct order_warp {
    ARRAY(struct in_flight) queue;   /* in program order */
    uint32_t predicates[PREDICATES]; /* of all that have retired */
};

struct ndp_order {
    struct order_warp warp[MOST_WARPS];
};

static struct in_flight describe(ndpDevice d, uint32_t pc, uint32_t mask) {
    struct in_flight i = {.pc = pc, .mask = mask};
    isa_decode(d->trace.function->image->words[pc], ISA_REGISTERS, &i.word);
    i.late = isa_is_late(i.word.op);
    i.kind = isa_has(i.word.op, 'd') ? 1 : isa_has(i.word.op, 'D') ? 2 : 0;
    return i;
}

/* The last word of the code is the front end's own, and what is behind the image
 * may be of another one. */
static bool is_of_kernel(ndpDevice d, uint32_t pc) {
    return d->trace.in_launch &&
           pc < (uint32_t)d->trace.function->image->n_words;
}

static void tell(ndpDevice d, uint64_t edge, uint32_t warp,
                 const struct in_flight *i, int kind) {
    int alus = d->shape.alus;
    uint32_t all = (uint32_t)(((uint64_t)1 << alus) - 1), values[MOST_LANES];
    for (int pass = 0; pass < d->shape.lanes / alus; pass++) {
        for (int k = 0; k < alus; k++)
            values[k] = kind == 2 ? i->lanes[0] >> (pass * alus + k) & 1
                                  : i->lanes[pass * alus + k];
        struct ndp_retired r = {.edge = edge,
                                .warp = warp,
                                .pc = i->pc,
                                .pass = (uint32_t)pass,
                                .kind = kind,
                                .mask = i->mask >> pass * alus & all,
                                .d = i->word.d,
                                .values = values};
        d->trace.watcher.retired(d->trace.watcher.ctx, &r);
    }
}

static void retire(ndpDevice d, uint64_t edge, uint32_t warp) {
    struct order_warp *w = &d->trace.order->warp[warp];
    int kept = 0, k = 0;
    while (k < w->queue.n && w->queue.v[k].told)
        k++;
    for (; k < w->queue.n && (w->queue.v[k].done || w->queue.v[k].late); k++) {
        struct in_flight *i = &w->queue.v[k];
        uint32_t guard = w->predicates[i->word.guard];
        if (i->word.guard != ISA_TRUE)
            i->mask &= i->word.unless ? ~guard : guard;
        tell(d, edge, warp, i, i->late ? 0 : i->kind);
        if (i->kind == 2)
            w->predicates[i->word.d] = i->lanes[0];
        i->told = true;
    }
    for (k = 0; k < w->queue.n; k++) {
        struct in_flight *i = &w->queue.v[k];
        if (i->told && i->done && i->late)
            tell(d, edge, warp, i, i->kind);
        if (!i->told || !i->done)
            w->queue.v[kept++] = *i;
    }
    w->queue.n = kept;
}

void ndp_order_started(void *ctx, uint64_t edge, uint32_t warp, uint32_t mask,
                       const uint32_t *lanes) {
    ndpDevice d = ctx;
    if (!d->trace.in_launch)
        return;
    struct in_flight i = {.pc = (uint32_t)d->trace.function->kernel->entry,
                          .mask = mask};
    memcpy(i.lanes, lanes, (size_t)d->shape.lanes * sizeof *lanes);
    tell(d, edge, warp, &i, 1);
}

void ndp_order_entered(void *ctx, uint32_t warp, uint32_t pc, uint32_t mask) {
    ndpDevice d = ctx;
    if (is_of_kernel(d, pc))
        *array_push(&d->trace.order->warp[warp].queue) = describe(d, pc, mask);
}

void ndp_order_done(void *ctx, uint64_t edge, uint32_t warp, uint32_t pc,
                    bool near) {
    ndpDevice d = ctx;
    if (!is_of_kernel(d, pc))
        return;
    struct order_warp *w = &d->trace.order->warp[warp];
    struct in_flight *i = w->queue.v, *end = i + w->queue.n;
    while (i < end && (i->pc != pc || i->done))
        i++;
    if (i == end)
        return;
    /* whichever die commits it, what is loaded comes to the banks' */
    near |= i->word.op == ISA_ldg_b32;
    if (i->kind)
        d->port->class->row(
            d->port, near, warp,
            i->kind == 2 ? (uint32_t)d->shape.registers + i->word.d : i->word.d,
            i->lanes);
    i->done = true;
    retire(d, edge, warp);
}

void ndp_order_begin(ndpDevice d) {
    if (!d->trace.order)
        d->trace.order = xcalloc(1, sizeof *d->trace.order);
    for (int i = 0; i < MOST_WARPS; i++)
        d->trace.order->warp[i].queue.n = 0;
}

void ndp_order_end(ndpDevice d) {
    for (int i = 0; d->trace.order && i < MOST_WARPS; i++)
        array_free(&d->trace.order->warp[i].queue);
    free(d->trace.order);
    d->trace.order = NULL;
}
