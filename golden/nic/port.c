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
    memset(p->credits, p->depth, sizeof p->credits);
    memset(p->ring, 0, sizeof p->ring);
    p->waiting = 0;
    p->reading = -1;
    p->ans_up = p->ans_down = false;
    for (int i = 0; i < 2; i++)
        p->shown[i].up = p->shown[i].credit = false;
}

static bool sends(const struct nic_port *p) {
    return p->send[0].out_valid | p->send[1].out_valid | p->send[0].count |
           p->send[1].count;
}

static bool takes(const struct nic_port *p) {
    return p->waiting || p->reading >= 0 || p->held[0] || p->held[1];
}

bool port_rests(const struct nic_port *p) {
    const struct port_shown *s = p->shown;
    return !(s[0].up | s[0].credit | s[1].up | s[1].credit) && !sends(p) &&
           !takes(p);
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

static void send(struct nic_port *p, const struct port_heard *in,
                 struct port_shown *out) {
    bool waits[NOC_CLASSES], able[NOC_CLASSES];
    int vc[NOC_CLASSES];

    for (int c = 0; c < NOC_CLASSES; c++) {
        waits[c] = p->send[c].out_valid;
        vc[c] = waits[c] ? channel_of(p, c) : 0;
        able[c] = waits[c] && p->credits[vc[c]] > 0;
        cover(p, waits[c] && !able[c], NIC_COV_no_credit);
        cover(p,
              waits[c] && !able[c] && p->send[!c].out_valid &&
                  p->credits[channel_of(p, !c)] > 0,
              NIC_COV_passed);
    }
    cover(p, able[0] && able[1], NIC_COV_both_send);
    int class = choose_class(able[0], able[1], &p->ans_up);
    out->up = class >= 0;
    if (class >= 0) {
        out->flit = p->sending[class][p->send[class].out];
        out->flit->vc = (uint8_t)vc[class];
        p->credits[vc[class]]--;
        if (out->flit->last)
            p->lane[class] = (p->lane[class] + 1) % p->lanes;
        queue_pop(&p->send[class]);
    }
    p->credits[in->credit_vc] += in->credit;
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
static void fill_queues(struct nic_port *p, const struct port_heard *in,
                        bool left[NOC_CLASSES]) {
    for (int c = 0; c < NOC_CLASSES; c++) {
        left[c] = p->take[c].out_valid && in->ready[c];
        if (p->reading == c)
            p->taking[c][queue_push(&p->take[c])] = p->read;
        if (left[c]) {
            flit_drop(p->pool, p->taking[c][p->take[c].out]);
            queue_pop(&p->take[c]);
        }
        queue_edge(&p->take[c]);
    }
}

static void take(struct nic_port *p, const struct port_heard *in,
                 struct port_shown *out) {
    bool able[NOC_CLASSES], left[NOC_CLASSES];
    int kind[NOC_CLASSES];

    for (int c = 0; c < NOC_CLASSES; c++) {
        kind[c] = choose_channel(p, c);
        able[c] = kind[c] >= 0 && p->held[c] < ROOM;
        cover(p, kind[c] >= 0 && !able[c], NIC_COV_held);
    }
    for (int c = 0; c < NOC_CLASSES; c++)
        cover(p, able[c] && kind[!c] >= 0 && !able[!c], NIC_COV_passed_held);
    cover(p, able[0] && able[1], NIC_COV_both_come);
    int class = choose_class(able[0], able[1], &p->ans_down);
    fill_queues(p, in, left);
    p->reading = -1;
    out->credit = class >= 0;
    if (class >= 0) {
        out->credit_vc = (uint8_t)(class * p->kinds + kind[class]);
        cover(p, p->held[class] == 0 && p->ring[out->credit_vc].count == 1,
              NIC_COV_single);
        read_flit(p, class, kind[class]);
    }
    for (int c = 0; c < NOC_CLASSES; c++)
        p->held[c] -= left[c];
    if (in->down)
        put_down(p, in->down);
}

void port_edge(struct nic_port *p, const struct port_heard *in, int parity) {
    struct port_shown *out = &p->shown[!parity];

    out->up = out->credit = false;
    if (in->credit || in->send[0] || in->send[1] || sends(p))
        send(p, in, out);
    if (in->down || takes(p))
        take(p, in, out);
}
