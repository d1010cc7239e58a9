/* fma.c - golden model of the fused multiply-add unit.
 *
 * Written from docs/blocks/fma.md: when things happen.  What a result is says
 * arith.c.
 */
#include "fma.h"

#include "arith.h"
#include "frame/model.h"

#include <string.h>

enum { MOST = 64 }; /* more edges than LATENCY */

struct fma {
    struct golden base;
    struct fma_local l;
    struct fma_out
        stage[MOST]; /* a ring: results by the edge they come after */
    uint64_t now;    /* edges */
    uint64_t free;   /* the first edge that takes an operation */
    struct fma_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct fma *n = (struct fma *)g;

    n->l = fma_local(c);
}

static void reset(struct golden *g) {
    struct fma *n = (struct fma *)g;

    memset(n->stage, 0, sizeof n->stage);
    n->free = n->now;
    n->out.op_ready = 1;
}

static void take(struct fma *n, const struct fma_in *in) {
    struct fma_op op = {.a = (uint32_t)in->op_a,
                        .b = (uint32_t)in->op_b,
                        .c = (uint32_t)in->op_c,
                        .kind = in->op_kind & 3,
                        .rounding = in->op_rounding & 3,
                        .ftz = in->op_ftz & 1,
                        .sat = in->op_sat & 1};
    struct fma_out *to =
        &n->stage[(n->now + (uint64_t)n->l.LATENCY - 1) % MOST];
    uint32_t classes;

    to->res_valid = 1;
    to->res_id = in->op_id;
    to->res_value = fma_value(&op);
    classes = fma_classes(&op, (uint32_t)to->res_value);
    for (int i = 0; classes >> i; i++)
        hit_if(n, classes >> i & 1, i);
    hit_if(n, n->free == n->now && n->now > 0, FMA_COV_back_to_back);
    n->free = n->now + (uint64_t)(n->l.ITERATIVE ? n->l.LATENCY : 1);
}

static void edge(struct golden *g, const void *ports) {
    struct fma *n = (struct fma *)g;
    const struct fma_in *in = ports;
    struct fma_out *due = &n->stage[n->now % MOST];

    if (in->op_valid & 1 && n->free <= n->now)
        take(n, in);
    n->out = *due;
    memset(due, 0, sizeof *due);
    n->now++;
    n->out.op_ready = n->free <= n->now;
}

const struct golden_class fma_golden = {
    .iface = &fma_iface,
    MODEL_STRUCT(struct fma),
    .open = open,
    .reset = reset,
    .edge = edge,
};
