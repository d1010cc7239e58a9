/* junction.c - golden model of a network interface for two users.
 *
 * Written from docs/blocks/junction.md.
 */
#include "junction.h"

#include "base/bits.h"
#include "blocks/junction.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum { CHAIN, SHARE, USERS };
enum { REQ, ANS, CLASSES };
enum { DEPTH = 2, DATA = 256 / 64 };
enum { MARK = 14 }; /* of a packet of shared memory, in its lowest bits */

struct flit {
    uint64_t last, order, x, y, data[DATA];
    int user; /* of one that has come */
};

/* A class in both directions. */
struct class {
    struct queue send, take;
    struct flit sending[DEPTH + 1], taking[DEPTH + 1];
    int owner;
    bool open; /* a packet of the owner's goes */
    int last;  /* whose packet was begun last, -1 */
    int whose; /* the packet that comes, -1: none is begun */
};

struct junction {
    struct golden base;
    struct junction_local l;
    struct class class[CLASSES];
    struct junction_out out;
};

/* A channel of a user or of the interface; what goes out is written through
 * them, too. */
struct port {
    uint64_t *valid, *ready, *last, *order, *x, *y, *data;
};

#define SIDE(p) ((uint64_t *)(uintptr_t) & (p))
#define COMES(c)                                                               \
    {                                                                          \
        SIDE(in->c##_valid), SIDE(n->out.c##_ready), SIDE(in->c##_last), NULL, \
            NULL, NULL, SIDE(in->c##_data[0])                                  \
    }
#define COMES_PLACED(c)                                                        \
    {                                                                          \
        SIDE(in->c##_valid), SIDE(n->out.c##_ready), SIDE(in->c##_last),       \
            SIDE(in->c##_order), SIDE(in->c##_x), SIDE(in->c##_y),             \
            SIDE(in->c##_data[0])                                              \
    }
#define GOES(c)                                                                \
    {                                                                          \
        SIDE(n->out.c##_valid), SIDE(in->c##_ready), SIDE(n->out.c##_last),    \
            NULL, NULL, NULL, SIDE(n->out.c##_data[0])                         \
    }
#define GOES_PLACED(c)                                                         \
    {                                                                          \
        SIDE(n->out.c##_valid), SIDE(in->c##_ready), SIDE(n->out.c##_last),    \
            SIDE(n->out.c##_order), SIDE(n->out.c##_x), SIDE(n->out.c##_y),    \
            SIDE(n->out.c##_data[0])                                           \
    }

/* All channels of a class. */
struct ports {
    struct port from[USERS], send, take, to[USERS];
};

static struct ports ports_of(struct junction *n, const struct junction_in *in,
                             int class) {
    if (class == REQ)
        return (struct ports){
            {COMES_PLACED(chain_ask), COMES_PLACED(share_ask)},
            GOES_PLACED(send_req),
            COMES(take_req),
            {GOES(chain_asked), GOES(share_asked)}};
    return (struct ports){
        {COMES_PLACED(chain_reply), COMES_PLACED(share_reply)},
        GOES_PLACED(send_ans),
        COMES(take_ans),
        {GOES(chain_replied), GOES(share_replied)}};
}

static void open(struct golden *g, const struct config *c) {
    ((struct junction *)g)->l = junction_local(c);
}

/* --- what is shown -------------------------------------------------------- */

static void show_flit(struct port *p, const struct flit *f) {
    static const struct flit none;

    *p->valid = f != NULL;
    if (!f)
        f = &none;
    *p->last = f->last;
    memcpy(p->data, f->data, sizeof f->data);
    if (!p->order)
        return;
    *p->order = f->order;
    *p->x = f->x;
    *p->y = f->y;
}

static void show(struct junction *n, const struct junction_in *in, int c) {
    struct class *k = &n->class[c];
    struct ports p = ports_of(n, in, c);
    const struct flit *goes =
        k->send.out_valid ? &k->sending[k->send.out] : NULL;
    const struct flit *come =
        k->take.out_valid ? &k->taking[k->take.out] : NULL;

    show_flit(&p.send, goes);
    for (int u = 0; u < USERS; u++) {
        show_flit(&p.to[u], come && come->user == u ? come : NULL);
        *p.from[u].ready = k->owner == u && queue_can_push(&k->send);
    }
    *p.take.ready = queue_can_push(&k->take);
}

static void reset(struct golden *g) {
    static const struct junction_in none;
    struct junction *n = (struct junction *)g;

    for (int c = 0; c < CLASSES; c++) {
        struct class *k = &n->class[c];
        queue_reset(&k->send, DEPTH);
        queue_reset(&k->take, DEPTH);
        k->owner = CHAIN;
        k->open = false;
        k->last = k->whose = -1;
        show(n, &none, c);
    }
}

/* --- an edge -------------------------------------------------------------- */

static void keep(const struct junction *n, struct flit *f,
                 const struct port *p) {
    int bits = n->l.FLIT_W;

    *f = (struct flit){.last = *p->last & 1};
    for (int i = 0; i < DATA && bits > 0; i++, bits -= 64)
        f->data[i] = p->data[i] & ones(bits < 64 ? bits : 64);
    if (!p->order)
        return;
    f->order = *p->order & 1;
    f->x = *p->x & ones(n->l.X_W);
    f->y = *p->y & ones(n->l.Y_W);
}

/* The cover points of a class follow each other in the same order. */
#define COV(c, name)                                                           \
    ((c) == REQ ? JUNCTION_COV_req_##name : JUNCTION_COV_ans_##name)

static void send(struct junction *n, const struct ports *p, int c) {
    struct class *k = &n->class[c];
    const struct port *mine = &p->from[k->owner];
    bool wants = *mine->valid & 1, others = *p->from[!k->owner].valid & 1;
    bool take = wants && *mine->ready;

    hit_if(n, others && (wants || k->open), COV(c, waits));
    hit_if(n, others && !wants && k->open, COV(c, pauses));
    if (take) {
        struct flit *f = &k->sending[queue_push(&k->send)];
        keep(n, f, mine);
        if (!k->open) {
            hit_if(n, k->last == !k->owner, COV(c, turn));
            hit_if(n, k->last == k->owner && !others, COV(c, again));
            k->last = k->owner;
        }
        k->open = !f->last;
    }
    if ((take || !wants) && !k->open && others)
        k->owner = !k->owner;
}

static void take(struct junction *n, const struct ports *p, int c) {
    struct class *k = &n->class[c];

    if (!(*p->take.valid & *p->take.ready))
        return;
    struct flit *f = &k->taking[queue_push(&k->take)];
    keep(n, f, &p->take);
    if (k->whose < 0)
        k->whose = (f->data[0] & 15) == MARK ? SHARE : CHAIN;
    f->user = k->whose;
    if (f->last)
        k->whose = -1;
}

/* What leaves; does a flit leave for the interface? */
static bool leave(struct junction *n, const struct ports *p, int c) {
    struct class *k = &n->class[c];
    bool sent = *p->send.valid && *p->send.ready & 1;

    hit_if(n, *p->send.valid && !sent, COV(c, held));
    if (sent)
        queue_pop(&k->send);
    if (!k->take.out_valid)
        return sent;
    int user = k->taking[k->take.out].user;
    if (*p->to[user].ready & 1) {
        queue_pop(&k->take);
        return sent;
    }
    hit_if(n, true, COV(c, refused));
    hit_if(n, k->take.count > 0 && k->taking[k->take.head].user != user,
           COV(c, behind));
    return sent;
}

static void edge(struct golden *g, const void *ports) {
    struct junction *n = (struct junction *)g;
    const struct junction_in *in = ports;
    bool sent[CLASSES], waits[CLASSES];

    for (int c = 0; c < CLASSES; c++) {
        struct ports p = ports_of(n, in, c);
        waits[c] = *p.send.valid;
        sent[c] = leave(n, &p, c);
        send(n, &p, c);
        take(n, &p, c);
        queue_edge(&n->class[c].send);
        queue_edge(&n->class[c].take);
    }
    for (int c = 0; c < CLASSES; c++)
        show(n, in, c);
    hit_if(n, sent[REQ] && sent[ANS], JUNCTION_COV_both_leave);
    hit_if(n,
           (sent[REQ] && waits[ANS] && !sent[ANS]) ||
               (sent[ANS] && waits[REQ] && !sent[REQ]),
           JUNCTION_COV_passed);
}

const struct golden_class junction_golden = {
    .iface = &junction_iface,
    MODEL_STRUCT(struct junction),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
