/* queue.h - the queue of the golden models, as the block notes define it.
 *
 * A memory of depth words and an output register: a word pushed on one edge is
 * at the output two states later at the earliest.  The struct only keeps the
 * positions; the words lie in an array of depth + 1 that the owner declares
 * with the type it needs.  The output register is the ring's extra place, so no
 * word is ever copied from the memory into it.
 *
 * During an edge a unit reads q->out, and may call queue_pop and queue_push in
 * any order; only queue_edge, called once for each edge, makes them happen.
 */
#ifndef NDP_GOLDEN_QUEUE_H
#define NDP_GOLDEN_QUEUE_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct queue {
    uint8_t depth;  /* words of the memory */
    uint8_t head;   /* oldest word of the memory */
    uint8_t count;  /* words in the memory */
    uint8_t out;    /* place of the output register's word */
    bool out_valid; /* the output register holds a word */
    bool pop, push; /* asked for on this edge */
};

static inline void queue_reset(struct queue *q, int depth) {
    *q = (struct queue){.depth = (uint8_t)depth};
}

static inline bool queue_can_push(const struct queue *q) {
    return q->count < q->depth;
}

static inline bool queue_is_empty(const struct queue *q) {
    return !q->count && !q->out_valid;
}

/* The output's word leaves on this edge. */
static inline void queue_pop(struct queue *q) {
    q->pop = true;
}

/* A word enters on this edge: the place to store it at. */
static inline int queue_push(struct queue *q) {
    int place = q->head + q->count;

    if (q->push || !queue_can_push(q))
        BUG("queue of %d words overflows", q->depth);
    q->push = true;
    return place <= q->depth ? place : place - q->depth - 1;
}

/* The edge itself.  True when the output register changed. */
static inline bool queue_edge(struct queue *q) {
    bool load = q->count && (!q->out_valid || q->pop);
    bool changed = load || q->pop;

    if (!changed && !q->push)
        return false;
    if (load) {
        q->out = q->head;
        q->head = q->head == q->depth ? 0 : q->head + 1;
        q->count--;
        q->out_valid = true;
    } else if (q->pop) {
        q->out_valid = false;
    }
    q->count += q->push;
    q->pop = q->push = false;
    return changed;
}

#endif
