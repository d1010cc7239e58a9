/* bank_port.c - golden model of a core's port on the banks of near-bank units.
 *
 * Written from docs/blocks/bank_port.md.  What an edge does is decided from the
 * state before it, at its begin; only then is something changed.
 */
#include "bank_port.h"

#include "base/bits.h"
#include "blocks/bank_port.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "memory/word.h"

#include <string.h>

enum {
    DEPTH = 2,
    MAX_UNITS = 16,
    MAX_IDS = 64,
    DATA_WORDS = 4, /* of 64 bits, for a sector */
    LOAD = 0,
    STORE = 1,
    CAS = 11,
    NOBODY = -1
};

struct request {
    int op;
    uint64_t id, address, strobe;
    uint32_t compare;
    uint64_t data[DATA_WORDS];
};

struct answer {
    uint64_t id;
    bool fault;
    uint64_t data[DATA_WORDS];
};

struct unit {
    struct { /* its register */
        bool valid, store;
        uint64_t id, own, strobe;
        uint64_t data[DATA_WORDS];
    } mem;
    struct queue queue;
    struct answer answer[MAX_IDS + 1];
};

struct bank_port {
    struct golden base;
    struct bank_port_local l;
    struct queue queue;
    struct request request[DEPTH + 1];
    enum { NONE, READS, COME, WRITES } stage; /* of the change in the slot */
    struct request change;
    uint64_t read[DATA_WORDS]; /* the sector that it read */
    struct unit unit[MAX_UNITS];
    int last; /* unit whose answer was chosen */
    int gap;  /* edges until the next one can be */
    struct bank_port_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct bank_port *)g)->l = bank_port_local(c);
}

static void reset(struct golden *g) {
    struct bank_port *n = (struct bank_port *)g;

    queue_reset(&n->queue, DEPTH);
    n->stage = NONE;
    n->last = n->l.UNITS - 1;
    n->gap = 0;
    for (int i = 0; i < n->l.UNITS; i++) {
        memset(&n->unit[i].mem, 0, sizeof n->unit[i].mem);
        queue_reset(&n->unit[i].queue, n->l.IDS);
    }
    n->out.req_ready = 1;
}

/* --- words ---------------------------------------------------------------- */

static int unit_of(const struct bank_port *n, const struct request *r) {
    return (int)(r->address >> n->l.LINE_W & ones(n->l.UNIT_W));
}

static uint64_t own_of(const struct bank_port *n, const struct request *r) {
    uint64_t above = r->address >> (n->l.LINE_W + n->l.UNIT_W);

    return above << n->l.LINE_W | (r->address & ones(n->l.LINE_W));
}

static unsigned strobes_of(const struct request *r, int word) {
    return (unsigned)(r->strobe >> 4 * word & 15);
}

static bool is_atomic(const struct request *r) {
    return r->op > STORE && r->op <= CAS;
}

/* Words of which the request has a strobe, or with whole all four. */
static uint64_t words_of(const struct bank_port *n, const struct request *r,
                         bool whole) {
    uint64_t words = 0;

    for (int w = 0; w < n->l.WORDS; w++) {
        unsigned s = strobes_of(r, w);
        words |= (uint64_t)(whole ? s == 15 : s != 0) << w;
    }
    return words;
}

static bool is_change(const struct bank_port *n, const struct request *r) {
    bool parts = words_of(n, r, false) != words_of(n, r, true);

    return is_atomic(r) || (r->op == STORE && parts);
}

/* --- requests ------------------------------------------------------------- */

static void enter(struct bank_port *n, const struct bank_port_in *in) {
    struct request *r = &n->request[queue_push(&n->queue)];

    r->op = in->req_op & 15;
    r->id = in->req_id & ones(n->l.ID_W);
    r->address = in->req_address & ones(n->l.SADDR_W);
    r->strobe = in->req_strobe & ones(n->l.SECTOR);
    r->compare = (uint32_t)in->req_compare;
    memset(r->data, 0, sizeof r->data);
    for (int w = 0; w < n->l.WORDS; w++)
        bits_set_lane(r->data, w, bits_lane(in->req_data, w));
}

static void cover_plain(struct bank_port *n, const struct request *r) {
    uint64_t words = words_of(n, r, true);

    hit_if(n, r->op == LOAD, BANK_PORT_COV_load);
    hit_if(n, r->op == STORE && words == ones(n->l.WORDS), BANK_PORT_COV_store);
    hit_if(n, r->op == STORE && words && words != ones(n->l.WORDS),
           BANK_PORT_COV_some_words);
    hit_if(n, r->op > CAS, BANK_PORT_COV_other_op);
}

/* The request leaves the queue, to its unit's register. */
static void go(struct bank_port *n, const struct request *r) {
    struct unit *u = &n->unit[unit_of(n, r)];

    u->mem.valid = true;
    u->mem.id = r->id;
    u->mem.own = own_of(n, r);
    queue_pop(&n->queue);
    if (is_change(n, r)) {
        hit_if(n, r->op == STORE, BANK_PORT_COV_some_bytes);
        hit_if(n, is_atomic(r), BANK_PORT_COV_atomic);
        n->change = *r;
        n->stage = READS;
        return;
    }
    cover_plain(n, r);
    if (r->op == LOAD)
        return;
    u->mem.store = true;
    u->mem.strobe = r->op == STORE ? words_of(n, r, true) : 0;
    memcpy(u->mem.data, r->data, sizeof u->mem.data);
}

/* --- the change ----------------------------------------------------------- */

static uint32_t changed(struct bank_port *n, int word) {
    const struct request *r = &n->change;
    uint32_t old = bits_lane(n->read, word), data = bits_lane(r->data, word);
    uint32_t mask = 0;

    for (int i = 0; i < 4; i++)
        mask |= strobes_of(r, word) >> i & 1 ? (uint32_t)0xff << 8 * i : 0;
    if (!is_atomic(r))
        return (old & ~mask) | (data & mask);
    if (mask == 0)
        return old;
    hit_if(n, r->op == CAS && old == r->compare, BANK_PORT_COV_swapped);
    hit_if(n, r->op == CAS && old != r->compare, BANK_PORT_COV_kept);
    return memory_word(r->op, old, data, r->compare);
}

/* The sector is read and its unit can take: the store goes there. */
static void write_back(struct bank_port *n) {
    const struct request *r = &n->change;
    struct unit *u = &n->unit[unit_of(n, r)];

    u->mem.valid = u->mem.store = true;
    u->mem.id = r->id;
    u->mem.own = own_of(n, r);
    u->mem.strobe = words_of(n, r, false);
    for (int w = 0; w < n->l.WORDS; w++)
        bits_set_lane(u->mem.data, w, changed(n, w));
    n->stage = WRITES;
}

/* Of an atomic the old word in its place, else zero. */
static void old_word(const struct bank_port *n, uint64_t *data) {
    memset(data, 0, DATA_WORDS * sizeof *data);
    for (int w = 0; w < n->l.WORDS; w++)
        if (n->stage == WRITES && is_atomic(&n->change) &&
            strobes_of(&n->change, w))
            bits_set_lane(data, w, bits_lane(n->read, w));
}

/* --- answers -------------------------------------------------------------- */

static void answered(struct bank_port *n, int number,
                     const struct bank_port_in *in) {
    struct unit *u = &n->unit[number];
    uint64_t id = bits_get(in->back_id, number * n->l.ID_W, n->l.ID_W);
    bool fault = in->back_fault >> number & 1;
    bool changes = n->stage != NONE && unit_of(n, &n->change) == number &&
                   n->change.id == id;
    struct answer *a;
    uint64_t data[DATA_WORDS] = {0};

    for (int w = 0; w < n->l.WORDS; w++)
        bits_set_lane(data, w,
                      bits_lane(in->back_data, number * n->l.WORDS + w));
    hit_if(n, fault,
           changes ? BANK_PORT_COV_fault_change : BANK_PORT_COV_fault);
    if (changes && n->stage == READS && !fault) {
        memcpy(n->read, data, sizeof n->read);
        n->stage = COME;
        return;
    }
    a = &u->answer[queue_push(&u->queue)];
    a->id = id;
    a->fault = fault;
    if (!changes) {
        memcpy(a->data, data, sizeof a->data);
        return;
    }
    old_word(n, a->data);
    n->stage = NONE;
}

static void show_response(struct bank_port *n, const struct answer *a) {
    n->out.rsp_valid = a != NULL;
    n->out.rsp_id = a ? a->id : 0;
    n->out.rsp_fault = a && a->fault;
    memset(n->out.rsp_data, 0, sizeof n->out.rsp_data);
    for (int w = 0; a && w < n->l.WORDS; w++)
        bits_set_lane(n->out.rsp_data, w, bits_lane(a->data, w));
}

static void choose(struct bank_port *n) {
    int units = n->l.UNITS, who = NOBODY, some = 0;

    for (int i = 1; i <= units; i++) {
        int number = (n->last + i) % units;
        bool shows = n->unit[number].queue.out_valid;
        some += shows;
        if (shows && who == NOBODY)
            who = number;
    }
    hit_if(n, some > 1, BANK_PORT_COV_answers_meet);
    hit_if(n, some > 0 && n->gap > 0, BANK_PORT_COV_gap);
    if (n->gap > 0) {
        n->gap--;
        who = NOBODY;
    }
    if (who == NOBODY) {
        show_response(n, NULL);
        return;
    }
    n->last = who;
    n->gap = n->l.INTERVAL - 1;
    show_response(n, &n->unit[who].answer[n->unit[who].queue.out]);
    queue_pop(&n->unit[who].queue);
}

/* --- an edge -------------------------------------------------------------- */

static bool can_take(const struct bank_port *n, int number,
                     const struct bank_port_in *in) {
    return !n->unit[number].mem.valid || in->mem_ready >> number & 1;
}

static bool is_held(const struct bank_port *n, int number) {
    return (n->stage == READS || n->stage == COME) &&
           unit_of(n, &n->change) == number;
}

/* Does the request leave the queue on this edge? */
static bool can_go(struct bank_port *n, const struct request *r,
                   const struct bank_port_in *in) {
    int number = unit_of(n, r);
    bool held = is_held(n, number), takes = can_take(n, number, in);
    bool waits = n->stage != NONE && is_change(n, r);
    bool goes = takes && !held && !waits;

    hit_if(n, held, BANK_PORT_COV_held);
    hit_if(n, !held && takes && waits, BANK_PORT_COV_change_waits);
    hit_if(n, !held && !takes, BANK_PORT_COV_unit_full);
    hit_if(n, goes && n->stage != NONE && unit_of(n, &n->change) != number,
           BANK_PORT_COV_beside);
    return goes;
}

static void show_mem(struct bank_port *n) {
    struct bank_port_out *o = &n->out;

    o->mem_valid = o->mem_store = 0;
    memset(o->mem_id, 0, sizeof o->mem_id);
    memset(o->mem_address, 0, sizeof o->mem_address);
    memset(o->mem_strobe, 0, sizeof o->mem_strobe);
    for (int i = 0; i < n->l.UNITS; i++) {
        const struct unit *u = &n->unit[i];
        o->mem_valid |= (uint64_t)u->mem.valid << i;
        o->mem_store |= (uint64_t)u->mem.store << i;
        bits_or(o->mem_id, i * n->l.ID_W, n->l.ID_W, u->mem.id);
        bits_or(o->mem_address, i * n->l.OWN_W, n->l.OWN_W, u->mem.own);
        bits_or(o->mem_strobe, i * n->l.WORDS, n->l.WORDS, u->mem.strobe);
        for (int w = 0; w < n->l.WORDS; w++)
            bits_set_lane(o->mem_data, i * n->l.WORDS + w,
                          bits_lane(u->mem.data, w));
    }
}

static void edge(struct golden *g, const void *ports) {
    struct bank_port *n = (struct bank_port *)g;
    const struct bank_port_in *in = ports;
    const struct request *r =
        n->queue.out_valid ? &n->request[n->queue.out] : NULL;
    bool takes = in->req_valid & n->out.req_ready & 1;
    bool goes = r && can_go(n, r, in);
    bool writes = n->stage == COME && can_take(n, unit_of(n, &n->change), in);

    hit_if(n, in->req_valid && !takes, BANK_PORT_COV_queue_full);
    hit_if(n, goes && writes, BANK_PORT_COV_both);
    hit_if(n, (in->back_valid & ones(n->l.UNITS)) == ones(n->l.UNITS),
           BANK_PORT_COV_all_answer);
    for (int i = 0; i < n->l.UNITS; i++)
        if (can_take(n, i, in))
            memset(&n->unit[i].mem, 0, sizeof n->unit[i].mem);
    choose(n);
    for (int i = 0; i < n->l.UNITS; i++)
        if (in->back_valid >> i & 1)
            answered(n, i, in);
    if (writes)
        write_back(n);
    if (goes)
        go(n, r);
    if (takes)
        enter(n, in);
    queue_edge(&n->queue);
    for (int i = 0; i < n->l.UNITS; i++)
        queue_edge(&n->unit[i].queue);
    show_mem(n);
    n->out.req_ready = queue_can_push(&n->queue);
}

const struct golden_class bank_port_golden = {
    .iface = &bank_port_iface,
    MODEL_STRUCT(struct bank_port),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
