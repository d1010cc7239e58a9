/* link.c - golden model of a slow link between two routers.
 *
 * Written from docs/blocks/link.md.
 */
#include "link.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/link.h"
#include "frame/model.h"

#include <stdlib.h>
#include <string.h>

struct flit {
    bool valid;
    uint64_t vc, last, x, y, data[256 / 64];
};

struct link {
    struct golden base;
    struct link_local l;
    struct flit *queue; /* a ring of PLACES */
    int first, count;
    struct flit way[64]; /* way[0] is the newest */
    uint64_t wait;       /* edges until the next one may leave */
    struct link_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct link *n = (struct link *)g;

    n->l = link_local(c);
    n->queue = xcalloc((size_t)n->l.PLACES, sizeof *n->queue);
}

static void close(struct golden *g) {
    free(((struct link *)g)->queue);
}

static void *state(const struct golden *g, int k, size_t *size) {
    const struct link *n = (const struct link *)g;

    *size = (size_t)n->l.PLACES * sizeof *n->queue;
    return k == 0 ? n->queue : NULL;
}

static void reset(struct golden *g) {
    struct link *n = (struct link *)g;

    n->first = n->count = 0;
    n->wait = 0;
    memset(n->way, 0, sizeof n->way);
}

static void show(struct link *n) {
    const struct flit *f = &n->way[n->l.LATENCY - 1];

    n->out.to_valid = f->valid;
    n->out.to_vc = f->vc;
    n->out.to_last = f->last;
    n->out.to_x = f->x;
    n->out.to_y = f->y;
    memcpy(n->out.to_data, f->data, sizeof n->out.to_data);
}

static void enter(struct link *n, const struct link_in *in) {
    struct flit *f = &n->queue[(n->first + n->count) % n->l.PLACES];

    *f = (struct flit){.valid = true,
                       .vc = in->from_vc & ones(n->l.VC_W),
                       .last = in->from_last & 1,
                       .x = in->from_x & ones(n->l.X_W),
                       .y = in->from_y & ones(n->l.Y_W)};
    for (int at = 0; at < n->l.FLIT_W; at += 64) {
        int left = n->l.FLIT_W - at;
        f->data[at / 64] = in->from_data[at / 64] & ones(left < 64 ? left : 64);
    }
    n->count++;
}

static void edge(struct golden *g, const void *ports) {
    struct link *n = (struct link *)g;
    const struct link_in *in = ports;
    bool leaves = n->count && !n->wait, comes = in->from_valid & 1;

    hit_if(n, n->count && n->wait, LINK_COV_waits);
    hit_if(n, leaves && n->count == 1, LINK_COV_at_once);
    hit_if(n, leaves && comes, LINK_COV_both);
    memmove(n->way + 1, n->way, (size_t)(n->l.LATENCY - 1) * sizeof *n->way);
    n->way[0] = (struct flit){0};
    if (n->wait)
        n->wait--;
    if (leaves) {
        n->way[0] = n->queue[n->first];
        n->first = (n->first + 1) % n->l.PLACES;
        n->count--;
        n->wait = (in->at_pace & 255) > 1 ? (in->at_pace & 255) - 1 : 0;
    }
    if (comes)
        enter(n, in);
    hit_if(n, 2 * n->count >= n->l.PLACES, LINK_COV_many);
    n->out.moves = (in->others | (leaves ? in->at_bit : 0)) & ones(n->l.STACKS);
    hit_if(n, leaves && in->at_bit && in->others & ~in->at_bit, LINK_COV_shown);
    n->out.credit_valid = in->back_valid & 1;
    n->out.credit_vc = in->back_valid & 1 ? in->back_vc & ones(n->l.VC_W) : 0;
    show(n);
}

const struct golden_class link_golden = {
    .iface = &link_iface,
    MODEL_STRUCT(struct link),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .state = state,
    .still = true,
};
