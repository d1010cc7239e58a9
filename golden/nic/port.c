/* port.c - see port.h.  Written from docs/blocks/nic.md. */
#include "port.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 };

void port_open(struct nic_port *p, const struct config *c,
               struct flit_pool *pool) {
    struct nic_local l = nic_local(c);

    p->pool = pool;
    p->lanes = l.LANES;
    p->kinds = l.KINDS;
    p->depth = l.DEPTH;
    p->both = l.BOTH;
    p->flits = xcalloc((size_t)(MOST_VCS * l.DEPTH), sizeof(struct flit *));
}

void port_close(struct nic_port *p) {
    free(p->flits);
}

void port_reset(struct nic_port *p) {
    for (int c = 0; c < NOC_CLASSES; c++) {
        queue_reset(&p->send[c], SEND_DEPTH);
        queue_reset(&p->take[c], TAKE_DEPTH);
        p->lane[c] = p->held[c] = 0;
        p->inside[c] = -1;
        p->above[c] = 0;
    }
    memset(&p->credits, p->depth, sizeof p->credits);
    memset(p->ring, 0, sizeof p->ring);
    p->waiting = 0;
    p->reading = -1;
    p->ans_up = p->ans_down = false;
    for (int e = 0; e < EDGES; e++)
        forget(&p->heard[e]);
}

static bool sends(const struct nic_port *p) {
    return p->send[0].out_valid | p->send[1].out_valid | p->send[0].count |
           p->send[1].count;
}

/* Flits that have been read and not been taken. */
static bool holds(const struct nic_port *p) {
    return p->held[0] | p->held[1];
}

static bool takes(const struct nic_port *p) {
    return p->waiting | holds(p);
}

bool port_rests(const struct nic_port *p) {
    return !(sends(p) | takes(p));
}

static void cover(struct nic_port *p, bool happens, int point) {
    if (p->covers)
        p->covers[point] += happens;
}

/* --- sending -------------------------------------------------------------- */

/* The virtual channel of the class's oldest flit. */
static int channel_of(const struct nic_port *p, int class) {
    const struct flit *f = p->sending[class][p->send[class].out];
    int order = p->both ? f->vc : 0;
    return class * p->kinds + order * p->lanes + p->lane[class];
}

/* One of two classes; answers first if both could. -1: none */
static int choose_class(bool requests, bool answers, bool *answers_first) {
    if (!requests && !answers)
        return -1;
    int class =
        answers && (*answers_first || !requests) ? NOC_ANSWER : NOC_REQUEST;
    *answers_first = class == NOC_REQUEST;
    return class;
}

static bool has_credit(const struct nic_port *p, int vc) {
    return (p->credits & 0xff * switch_credit(vc)) != 0;
}

static void cover_send(struct nic_port *p, const bool waits[NOC_CLASSES],
                       const bool able[NOC_CLASSES]) {
    for (int c = 0; c < NOC_CLASSES; c++) {
        cover(p, waits[c] && !able[c], NIC_COV_no_credit);
        cover(p,
              waits[c] && !able[c] && waits[!c] &&
                  has_credit(p, channel_of(p, !c)),
              NIC_COV_passed);
    }
    cover(p, able[0] && able[1], NIC_COV_both_send);
}

/* Something is in an output register of a class. */
static void send_up(struct nic_port *p, struct router_edges edges) {
    bool waits[NOC_CLASSES], able[NOC_CLASSES];
    int vc[NOC_CLASSES];

    for (int c = 0; c < NOC_CLASSES; c++) {
        waits[c] = p->send[c].out_valid;
        vc[c] = waits[c] ? channel_of(p, c) : 0;
        able[c] = waits[c] & has_credit(p, vc[c]);
    }
    if (p->covers)
        cover_send(p, waits, able);
    int class = choose_class(able[0], able[1], &p->ans_up);
    if (class < 0)
        return;
    struct flit *f = p->sending[class][p->send[class].out];
    f->vc = (uint8_t)vc[class];
    tell_flit(&p->to[edges.next], NOC_LOCAL, f);
    p->credits -= switch_credit(vc[class]);
    if (f->last)
        p->lane[class] = (p->lane[class] + 1) % p->lanes;
    queue_pop(&p->send[class]);
}

static void send(struct nic_port *p, const struct port_asked *in,
                 struct router_edges edges) {
    if (p->send[0].out_valid | p->send[1].out_valid)
        send_up(p, edges);
    for (int c = 0; c < NOC_CLASSES; c++) {
        if (in->send[c] && queue_can_push(&p->send[c]))
            p->sending[c][queue_push(&p->send[c])] =
                flit_copy(p->pool, in->send[c]);
        queue_edge(&p->send[c]);
    }
}

/* --- taking --------------------------------------------------------------- */

static unsigned channels_of(const struct nic_port *p, int class) {
    unsigned all = (1u << p->kinds) - 1;
    return p->waiting >> class * p->kinds & all;
}

/* The channel that a class would read, of its own; -1: none. */
static int choose_channel(const struct nic_port *p, int class) {
    unsigned set = channels_of(p, class);
    if (p->inside[class] >= 0)
        set &= 1u << p->inside[class];
    if (!set)
        return -1;
    unsigned later = set & p->above[class];
    return p->inside[class] >= 0 ? p->inside[class]
                                 : __builtin_ctz(later ? later : set);
}

static void read_flit(struct nic_port *p, int class, int kind) {
    int vc = class * p->kinds + kind;
    struct router_ring *r = &p->ring[vc];

    p->read = p->flits[vc * p->depth + r->head];
    r->head = (uint8_t)((r->head + 1) & (p->depth - 1));
    if (--r->count == 0)
        p->waiting &= ~(1u << vc);
    if (p->inside[class] < 0)
        p->above[class] = (uint8_t)(0xfeu << kind);
    p->inside[class] = p->read->last ? -1 : kind;
    p->held[class]++;
    p->reading = class;
}

static void put_down(struct nic_port *p, struct flit *f) {
    struct router_ring *r = &p->ring[f->vc];

    if (r->count == p->depth)
        BUG("a network interface got a flit without a credit");
    int at = (r->head + r->count++) & (p->depth - 1);
    p->flits[f->vc * p->depth + at] = f;
    p->waiting |= 1u << f->vc;
    cover(p, r->count == p->depth, NIC_COV_full);
}

/* What was read on the last edge goes into its queue, what was taken leaves. */
static void fill_queues(struct nic_port *p, const struct port_asked *in,
                        bool left[NOC_CLASSES]) {
    for (int c = 0; c < NOC_CLASSES; c++) {
        left[c] = p->take[c].out_valid & in->ready[c];
        if (p->reading == c)
            p->taking[c][queue_push(&p->take[c])] = p->read;
        if (left[c]) {
            flit_drop(p->pool, p->taking[c][p->take[c].out]);
            queue_pop(&p->take[c]);
        }
        queue_edge(&p->take[c]);
    }
}

/* Something waits: the class that reads, -1: none can; kind: its channel. */
static int choose_read(struct nic_port *p, int kind[NOC_CLASSES]) {
    bool able[NOC_CLASSES];

    for (int c = 0; c < NOC_CLASSES; c++) {
        kind[c] = choose_channel(p, c);
        able[c] = (kind[c] >= 0) & (p->held[c] < ROOM);
    }
    if (p->covers) {
        for (int c = 0; c < NOC_CLASSES; c++) {
            cover(p, kind[c] >= 0 && !able[c], NIC_COV_held);
            cover(p, able[c] && kind[!c] >= 0 && !able[!c],
                  NIC_COV_passed_held);
        }
        cover(p, able[0] && able[1], NIC_COV_both_come);
    }
    return choose_class(able[0], able[1], &p->ans_down);
}

static void take(struct nic_port *p, const struct port_asked *in,
                 struct router_edges edges) {
    bool left[NOC_CLASSES] = {false};
    int kind[NOC_CLASSES];
    int class = p->waiting ? choose_read(p, kind) : -1;

    if (holds(p))
        fill_queues(p, in, left);
    p->reading = -1;
    if (class >= 0) {
        int vc = class * p->kinds + kind[class];
        tell_credit(&p->to[edges.next], NOC_LOCAL, vc);
        cover(p, p->held[class] == 0 && p->ring[vc].count == 1, NIC_COV_single);
        read_flit(p, class, kind[class]);
    }
    for (int c = 0; c < NOC_CLASSES; c++)
        p->held[c] -= left[c];
}

void port_edge(struct nic_port *p, const struct port_asked *in,
               struct router_edges edges) {
    struct router_heard *heard = &p->heard[edges.now];

    if ((in->send[0] != NULL) | (in->send[1] != NULL) | sends(p))
        send(p, in, edges);
    p->credits += heard->credits[NOC_LOCAL];
    if (takes(p))
        take(p, in, edges);
    if (heard->valid)
        put_down(p, heard->flit[NOC_LOCAL]);
    forget(heard);
}
