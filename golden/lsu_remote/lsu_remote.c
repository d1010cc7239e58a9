/* lsu_remote.c - golden model of LSU-Remote: what cores want of each other's
 * memory.
 *
 * Written from docs/blocks/lsu_remote.md, whose names it has.  A step of an
 * edge looks at the state before it: what others of its steps change as well
 * is looked at before they come.
 */
#include "lsu_remote.h"

#include "base/bits.h"
#include "blocks/lsu_remote.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "memory/word.h"

#include <string.h>

enum {
    MAX_LANES = 32,
    MAX_PLACES = 32,
    DATA = 4, /* words of 64 bits of a sector */
    WORD_BYTES = 4
};
enum { LOAD_OP, STORE_OP, CAS_OP = 11 };

enum state { IDLE, LOAD, COME, STORE, KEPT };
enum who { NOBODY, OWN, OTHER, CHANGE };

/* A request for the own banks. */
struct down {
    bool near, store;
    uint64_t unit, warp, reg, id, address, strobe;
    uint64_t data[DATA];
};

/* A request of another core, or for one. */
struct request {
    int op;
    uint64_t id, address, strobe;
    uint32_t compare;
    uint64_t data[DATA];
};

struct answer {
    uint64_t id;
    bool fault;
    uint64_t data[DATA];
};

struct slot {
    enum who who;
    uint64_t id;
};

struct lsu_remote {
    struct golden base;
    struct lsu_remote_local l;
    bool t_has, t_held, r_has, other_turn;
    struct down t;
    struct request r;
    enum state state;
    uint64_t sector[DATA]; /* what was loaded for the change */
    struct slot slot[MAX_LANES];
    int owed;
    struct queue come;
    struct answer came[MAX_PLACES + 1];
    struct lsu_remote_out out;
};

static void show_ready(struct lsu_remote *n) {
    struct lsu_remote_out *o = &n->out;

    o->tx_ready = !n->t_has;
    o->req_ready = !n->r_has;
    o->part_ready = o->away_ready = !o->send_valid && n->owed < n->l.PLACES;
}

static void open(struct golden *g, const struct config *c) {
    ((struct lsu_remote *)g)->l = lsu_remote_local(c);
}

static void reset(struct golden *g) {
    struct lsu_remote *n = (struct lsu_remote *)g;

    n->t_has = n->t_held = n->r_has = n->other_turn = false;
    n->state = IDLE;
    memset(n->slot, 0, sizeof n->slot);
    n->owed = 0;
    queue_reset(&n->come, n->l.PLACES);
    show_ready(n);
}

static void copy(const struct lsu_remote *n, uint64_t *to,
                 const uint64_t *from) {
    memset(to, 0, DATA * sizeof *to);
    for (int i = 0; i < n->l.WORDS; i++)
        bits_set_lane(to, i, bits_lane(from, i));
}

static struct answer answer_of(const struct lsu_remote *n, uint64_t id,
                               uint64_t fault, const uint64_t *data) {
    struct answer a = {.id = id & ones(n->l.LANE_W), .fault = fault & 1};

    copy(n, a.data, data);
    return a;
}

/* --- requests of other cores ---------------------------------------------- */

/* The strobes of a word's bytes. */
static uint64_t bytes_of(uint64_t strobe, int word) {
    return strobe >> (WORD_BYTES * word) & ones(WORD_BYTES);
}

/* Words of which a request has a byte. */
static uint64_t words_of(const struct lsu_remote *n, uint64_t strobe) {
    uint64_t words = 0;

    for (int i = 0; i < n->l.WORDS; i++)
        if (bytes_of(strobe, i))
            words |= bit(i);
    return words;
}

static bool is_direct(const struct lsu_remote *n, const struct request *r) {
    if (r->op != STORE_OP)
        return r->op == LOAD_OP;
    for (int i = 0; i < n->l.WORDS; i++)
        if (bytes_of(r->strobe, i) &&
            bytes_of(r->strobe, i) != ones(WORD_BYTES))
            return false;
    return true;
}

/* Where in its sector the word of an atomic is. */
static int word_of(const struct request *r) {
    int i = 0;

    while (i < MAX_LANES / WORD_BYTES - 1 && !bytes_of(r->strobe, i))
        i++;
    return i;
}

/* A word with those of its bytes that are stored. */
static uint32_t merged(uint32_t old, uint32_t data, uint64_t bytes) {
    for (int i = 0; i < WORD_BYTES; i++)
        if (bytes >> i & 1) {
            uint32_t mask = (uint32_t)0xff << (8 * i);
            old = (old & ~mask) | (data & mask);
        }
    return old;
}

/* What the words of the request's sector become; others are zero. */
static void make(struct lsu_remote *n, uint64_t *to) {
    const struct request *r = &n->r;

    for (int i = 0; i < n->l.WORDS; i++) {
        uint32_t old = bits_lane(n->sector, i), data = bits_lane(r->data, i);
        if (!bytes_of(r->strobe, i))
            continue;
        if (r->op == STORE_OP) {
            data = merged(old, data, bytes_of(r->strobe, i));
        } else {
            data = memory_word(r->op, old, data, r->compare);
            hit_if(n, data != old, LSU_REMOTE_COV_atomic);
            hit_if(n, r->op >= CAS_OP && old != r->compare,
                   LSU_REMOTE_COV_cas_other);
        }
        bits_set_lane(to, i, data);
    }
}

/* --- down ----------------------------------------------------------------- */

static int free_slot(const struct lsu_remote *n) {
    for (int i = 0; i < n->l.LANES; i++)
        if (n->slot[i].who == NOBODY)
            return i;
    return -1;
}

static uint64_t use_slot(struct lsu_remote *n, enum who who, uint64_t id) {
    int i = free_slot(n);

    n->slot[i] = (struct slot){who, id};
    return (uint64_t)i;
}

static void show_down(struct lsu_remote *n, const struct down *d) {
    struct lsu_remote_out *o = &n->out;

    o->down_valid = 1;
    o->down_near = d->near;
    o->down_store = d->store;
    o->down_unit = d->unit;
    o->down_warp = d->warp;
    o->down_reg = d->reg;
    o->down_id = d->id;
    o->down_address = d->address;
    o->down_strobe = d->strobe;
    memcpy(o->down_data, d->data, sizeof o->down_data);
}

static void show_no_down(struct lsu_remote_out *o) {
    o->down_valid = o->down_near = o->down_store = o->down_unit = 0;
    o->down_warp = o->down_reg = o->down_id = o->down_address = 0;
    o->down_strobe = 0;
    memset(o->down_data, 0, sizeof o->down_data);
}

/* A transaction for the sector of R. */
static struct down down_of_r(struct lsu_remote *n, enum who who) {
    uint64_t word = n->r.address * (uint64_t)n->l.WORDS;
    uint64_t line_words = (uint64_t)n->l.LINE / WORD_BYTES;

    return (struct down){
        .unit = word / line_words % (uint64_t)n->l.UNITS,
        .id = use_slot(n, who, n->r.id),
        .address = word,
    };
}

static void send_t(struct lsu_remote *n) {
    struct down d = n->t;

    d.id = d.near ? 0 : use_slot(n, OWN, n->t.id);
    show_down(n, &d);
    n->t_has = false;
    hit_if(n, d.near, LSU_REMOTE_COV_message);
    hit_if(n, !d.near && !d.store, LSU_REMOTE_COV_own_load);
    hit_if(n, !d.near && d.store, LSU_REMOTE_COV_own_store);
}

static void send_r(struct lsu_remote *n, bool held) {
    const struct request *r = &n->r;

    hit_if(n, r->op == LOAD_OP, LSU_REMOTE_COV_load);
    hit_if(n, r->op == LOAD_OP && held, LSU_REMOTE_COV_held_load);
    if (!is_direct(n, r)) {
        hit_if(n, r->op == STORE_OP, LSU_REMOTE_COV_part);
        n->state = LOAD;
        return;
    }
    struct down d = down_of_r(n, OTHER);
    d.store = r->op == STORE_OP;
    if (d.store) {
        d.strobe = words_of(n, r->strobe);
        memcpy(d.data, r->data, sizeof d.data);
        hit_if(n, true, LSU_REMOTE_COV_store);
    }
    show_down(n, &d);
    n->r_has = false;
}

static void send_change(struct lsu_remote *n) {
    struct down d = down_of_r(n, CHANGE);

    if (n->state == STORE) {
        d.store = true;
        d.strobe = words_of(n, n->r.strobe);
        make(n, d.data);
    }
    show_down(n, &d);
    n->state = n->state == LOAD ? COME : KEPT;
}

/* Step 2 of the note, with nothing at down and no change between load and
 * store. */
static void choose(struct lsu_remote *n, const struct lsu_remote_in *in) {
    bool slot = free_slot(n) >= 0, direct = is_direct(n, &n->r);
    bool held = in->hold_stores & 1 || (n->t_has && n->t_held);
    bool waits = n->r_has && held && n->state == IDLE && n->r.op != LOAD_OP;
    bool r_could = n->r_has && n->state == IDLE && !waits;
    bool t = n->t_has && (n->t.near || slot);
    bool r = r_could && (!direct || slot);

    hit_if(n, n->t_has && !t, LSU_REMOTE_COV_no_slot);
    hit_if(n, r_could && !r, LSU_REMOTE_COV_no_slot);
    hit_if(n, waits && direct, LSU_REMOTE_COV_held_store);
    hit_if(n, waits && !direct, LSU_REMOTE_COV_held_change);
    hit_if(n, t && r, LSU_REMOTE_COV_both);
    if (r && (!t || n->other_turn)) {
        n->other_turn = false;
        send_r(n, held);
    } else if (t) {
        n->other_turn = true;
        send_t(n);
    }
}

static void go_down(struct lsu_remote *n, const struct lsu_remote_in *in) {
    bool between = n->state == LOAD || n->state == COME || n->state == STORE;

    hit_if(n, n->t_has && between, LSU_REMOTE_COV_tx_waits);
    if (n->out.down_valid) {
        hit_if(n, !(in->down_ready & 1), LSU_REMOTE_COV_down_held);
        if (in->down_ready & 1)
            show_no_down(&n->out);
    } else if (!between) {
        choose(n, in);
    } else if (n->state != COME) {
        if (free_slot(n) >= 0)
            send_change(n);
        else
            hit_if(n, true, LSU_REMOTE_COV_change_no_slot);
    }
}

/* --- answers -------------------------------------------------------------- */

static void show_back(struct lsu_remote *n, const struct answer *a) {
    n->out.back_valid = a != NULL;
    n->out.back_id = a ? a->id : 0;
    n->out.back_fault = a && a->fault;
    memset(n->out.back_data, 0, sizeof n->out.back_data);
    if (a)
        memcpy(n->out.back_data, a->data, sizeof n->out.back_data);
}

static void show_rsp(struct lsu_remote *n, const struct answer *a) {
    n->out.rsp_valid = a != NULL;
    n->out.rsp_id = a ? a->id : 0;
    n->out.rsp_fault = a && a->fault;
    memset(n->out.rsp_data, 0, sizeof n->out.rsp_data);
    if (a)
        memcpy(n->out.rsp_data, a->data, sizeof n->out.rsp_data);
}

/* Steps 7 and 9. */
static void change_answered(struct lsu_remote *n, struct answer *a,
                            enum state before) {
    bool atomic = n->r.op != STORE_OP;
    int word = word_of(&n->r);

    if (before == COME && !a->fault) {
        memcpy(n->sector, a->data, sizeof n->sector);
        n->state = STORE;
        return;
    }
    hit_if(n, before == COME, LSU_REMOTE_COV_load_fault);
    hit_if(n, before == KEPT && a->fault, LSU_REMOTE_COV_store_fault);
    memset(a->data, 0, sizeof a->data);
    if (before == KEPT && atomic && !a->fault)
        bits_set_lane(a->data, word, bits_lane(n->sector, word));
    show_rsp(n, a);
    n->state = IDLE;
    n->r_has = false;
}

/* An answer of the own banks; true if it is for the own core. */
static bool answered(struct lsu_remote *n, const struct lsu_remote_in *in,
                     enum state before) {
    struct answer a =
        answer_of(n, in->answer_id, in->answer_fault, in->answer_data);
    struct slot *s = &n->slot[a.id];
    enum who who = s->who;

    a.id = s->id;
    s->who = NOBODY;
    if (who == OWN) {
        show_back(n, &a);
        return true;
    }
    if (who == OTHER) {
        show_rsp(n, &a);
        hit_if(n, a.fault, LSU_REMOTE_COV_direct_fault);
    } else if (who == CHANGE) {
        change_answered(n, &a, before);
    }
    return false;
}

static void answers(struct lsu_remote *n, const struct lsu_remote_in *in,
                    enum state before) {
    bool own = false;

    show_rsp(n, NULL);
    if (in->answer_valid & 1)
        own = answered(n, in, before);
    hit_if(n, own && n->come.out_valid, LSU_REMOTE_COV_got_waits);
    if (!own && n->come.out_valid) {
        show_back(n, &n->came[n->come.out]);
        queue_pop(&n->come);
        n->owed--;
    } else if (!own) {
        show_back(n, NULL);
    }
    if (in->got_valid & 1) {
        struct answer *a = &n->came[queue_push(&n->come)];
        *a = answer_of(n, in->got_id, in->got_fault, in->got_data);
        hit_if(n, a->fault, LSU_REMOTE_COV_got_fault);
    }
    queue_edge(&n->come);
}

/* --- to other cores ------------------------------------------------------- */

static void show_send(struct lsu_remote *n, const struct request *r) {
    struct lsu_remote_out *o = &n->out;

    o->send_valid = 1;
    o->send_op = (uint64_t)r->op;
    o->send_id = r->id;
    o->send_address = r->address;
    o->send_strobe = r->strobe;
    o->send_compare = r->compare;
    memcpy(o->send_data, r->data, sizeof o->send_data);
}

static void show_no_send(struct lsu_remote_out *o) {
    o->send_valid = o->send_op = o->send_id = o->send_address = 0;
    o->send_strobe = o->send_compare = 0;
    memset(o->send_data, 0, sizeof o->send_data);
}

/* The sector of the whole memory that is that one at its core. */
static uint64_t whole(const struct lsu_remote *n, uint64_t sector,
                      uint64_t core) {
    uint64_t chunk = (uint64_t)(n->l.CHUNK / n->l.SECTOR);

    return (sector / chunk * (uint64_t)n->l.CORES + core) * chunk +
           sector % chunk;
}

static struct request away_of(const struct lsu_remote *n,
                              const struct lsu_remote_in *in) {
    struct request r = {
        .op = in->away_store & 1 ? STORE_OP : LOAD_OP,
        .id = in->away_id & ones(n->l.LANE_W),
        .address = whole(n, in->away_address & ones(n->l.SECTOR_W),
                         in->away_core & ones(n->l.CORE_W)),
    };

    for (int i = 0; i < n->l.WORDS; i++)
        if (in->away_strobe >> i & 1)
            r.strobe |= ones(WORD_BYTES) << (WORD_BYTES * i);
    copy(n, r.data, in->away_data);
    return r;
}

static struct request part_of(const struct lsu_remote *n,
                              const struct lsu_remote_in *in) {
    struct request r = {
        .op = (int)(in->part_op & 15),
        .id = in->part_id & ones(n->l.LANE_W),
        .address = in->part_address & ones(n->l.WHOLE_W),
        .strobe = in->part_strobe & ones(n->l.SECTOR),
        .compare = (uint32_t)in->part_compare,
    };

    copy(n, r.data, in->part_data);
    return r;
}

static void send(struct lsu_remote *n, const struct lsu_remote_in *in,
                 bool full) {
    struct lsu_remote_out *o = &n->out;
    bool part = in->part_valid & 1, away = in->away_valid & 1;
    struct request r;

    hit_if(n, !o->send_valid && full && (part || away),
           LSU_REMOTE_COV_places_full);
    hit_if(n, o->send_valid && !(in->send_ready & 1), LSU_REMOTE_COV_send_held);
    if (o->send_valid) {
        if (in->send_ready & 1)
            show_no_send(o);
        return;
    }
    if (full || !(part || away))
        return;
    r = part ? part_of(n, in) : away_of(n, in);
    show_send(n, &r);
    n->owed++;
    hit_if(n, part, LSU_REMOTE_COV_away_part);
    hit_if(n, !part && r.op == LOAD_OP, LSU_REMOTE_COV_away_load);
    hit_if(n, !part && r.op == STORE_OP, LSU_REMOTE_COV_away_store);
}

/* --- an edge -------------------------------------------------------------- */

static void take_tx(struct lsu_remote *n, const struct lsu_remote_in *in) {
    n->t = (struct down){
        .near = in->tx_near & 1,
        .store = in->tx_store & 1,
        .unit = in->tx_unit & ones(n->l.UNIT_W),
        .warp = in->tx_warp & ones(n->l.WARP_W),
        .reg = in->tx_reg & ones(n->l.REG_W),
        .id = in->tx_id & ones(n->l.LANE_W),
        .address = in->tx_address & ones(n->l.AT_W),
        .strobe = in->tx_strobe & ones(n->l.WORDS),
    };
    copy(n, n->t.data, in->tx_data);
    n->t_held = in->hold_stores & 1;
    n->t_has = true;
}

static void take_req(struct lsu_remote *n, const struct lsu_remote_in *in) {
    n->r = (struct request){
        .op = (int)(in->req_op & 15),
        .id = in->req_id & ones(n->l.TAG_W),
        .address = in->req_address & ones(n->l.SECTOR_W),
        .strobe = in->req_strobe & ones(n->l.SECTOR),
        .compare = (uint32_t)in->req_compare,
    };
    copy(n, n->r.data, in->req_data);
    n->r_has = true;
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_remote *n = (struct lsu_remote *)g;
    const struct lsu_remote_in *in = ports;
    enum state before = n->state;
    bool tx = in->tx_valid & n->out.tx_ready & 1;
    bool req = in->req_valid & n->out.req_ready & 1;
    bool full = n->owed == n->l.PLACES;

    go_down(n, in);
    answers(n, in, before);
    send(n, in, full);
    if (tx)
        take_tx(n, in);
    if (req)
        take_req(n, in);
    show_ready(n);
}

const struct golden_class lsu_remote_golden = {
    .iface = &lsu_remote_iface,
    MODEL_STRUCT(struct lsu_remote),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
