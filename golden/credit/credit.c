/* credit.c - golden model of the end of a link with credits.
 *
 * Written from docs/blocks/credit.md.
 */
#include "credit.h"

#include "blocks/credit.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_WORDS = 1024 / 64 };

struct credit {
    struct golden base;
    struct credit_local l;
    struct queue queue;
    uint64_t word[MAX_DEPTH][MAX_WORDS]; /* of the queue */
    size_t size;                         /* of a word, bytes */
    int held;
    bool fresh; /* the output was empty before it took this word */
    struct credit_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct credit *n = (struct credit *)g;

    n->l = credit_local(c);
    n->size = (size_t)ceil_div(n->l.WIDTH, 64) * sizeof(uint64_t);
}

static void reset(struct golden *g) {
    struct credit *n = (struct credit *)g;

    queue_reset(&n->queue, n->l.DEPTH - 1);
    n->held = 0;
    n->fresh = false;
}

static void show(struct credit *n, bool left) {
    bool valid = n->queue.out_valid;

    n->out.credit_valid = left;
    n->out.pop_valid = valid;
    if (valid)
        memcpy(n->out.pop_data, n->word[n->queue.out], n->size);
    else
        memset(n->out.pop_data, 0, n->size);
}

static void edge(struct golden *g, const void *ports) {
    struct credit *n = (struct credit *)g;
    const struct credit_in *in = ports;
    bool push = in->push_valid & 1, empty = !n->queue.out_valid;
    bool left = n->queue.out_valid && in->pop_ready & 1;

    hit_if(n, push && n->held + 1 - left == n->l.DEPTH, CREDIT_COV_full);
    hit_if(n, push && left && n->queue.count > 0, CREDIT_COV_flow);
    hit_if(n, left && n->fresh, CREDIT_COV_straight);
    hit_if(n, n->queue.out_valid && !left, CREDIT_COV_held);
    hit_if(n, left && n->held == 1 && !push, CREDIT_COV_drained);
    n->held += push - left;
    if (push)
        memcpy(n->word[queue_push(&n->queue)], in->push_data, n->size);
    if (left)
        queue_pop(&n->queue);
    queue_edge(&n->queue);
    n->fresh = empty && n->queue.out_valid;
    show(n, left);
}

const struct golden_class credit_golden = {
    .iface = &credit_iface,
    MODEL_STRUCT(struct credit),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
