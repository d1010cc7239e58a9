/* lsu_hybrid.c - golden model of the hybrid load-store unit.
 *
 * Written from docs/blocks/lsu_hybrid.md.  An access is cut into all of its
 * transactions when it comes; the edges then hand them out one by one.
 */
#include "lsu_hybrid.h"

#include "base/bits.h"
#include "blocks/lsu_hybrid.h"
#include "frame/model.h"

#include <string.h>

enum { MAX_LANES = 32, MAX_WORDS = 8, WORD_BYTES = 4 };

enum state { IDLE, CHECK, SEND, FETCH, ROW, SPLIT, WAIT, WRITE };

/* Where a word lies. */
struct home {
    uint64_t core, unit;
    uint64_t word; /* at its core */
};

/* All lanes that want one sector. */
struct transaction {
    int lead;
    uint64_t lanes;
    uint64_t sector; /* of the whole memory */
    bool away;
};

struct access {
    bool store;
    uint64_t warp, reg, mask;
    uint64_t word[MAX_LANES]; /* addresses */
};

struct lsu_hybrid {
    struct golden base;
    struct lsu_hybrid_local l;
    uint64_t core; /* the own one */
    enum state state;
    struct access access;
    struct transaction part[MAX_LANES];
    int parts, next; /* how many; which is the next to become the request */
    int request;     /* its number, -1: none */
    int open;
    bool answered[MAX_LANES]; /* parts, for covers */
    bool faulted;
    uint32_t row[MAX_LANES];
    struct lsu_hybrid_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct lsu_hybrid *)g)->l = lsu_hybrid_local(c);
}

static void reset(struct golden *g) {
    struct lsu_hybrid *n = (struct lsu_hybrid *)g;

    n->state = IDLE;
    n->request = -1;
    n->out.access_ready = 1;
}

/* --- addresses ------------------------------------------------------------ */

static struct home place_of(const struct lsu_hybrid *n, uint64_t word) {
    uint64_t per_chunk = (uint64_t)n->l.CHUNK / WORD_BYTES;
    uint64_t per_line = (uint64_t)n->l.LINE / WORD_BYTES;
    uint64_t chunk = word / per_chunk, cores = (uint64_t)n->l.CORES;
    struct home p = {.core = chunk % cores};

    p.word = chunk / cores * per_chunk + word % per_chunk;
    p.unit = p.word / per_line % (uint64_t)n->l.UNITS;
    return p;
}

static uint64_t sector_of(const struct lsu_hybrid *n, uint64_t word) {
    return word / (uint64_t)n->l.WORDS;
}

static int word_in_sector(const struct lsu_hybrid *n, int lane) {
    return (int)(n->access.word[lane] % (uint64_t)n->l.WORDS);
}

/* --- the decision --------------------------------------------------------- */

static uint64_t home_unit(const struct lsu_hybrid *n) {
    return n->access.warp % (uint64_t)n->l.UNITS;
}

static bool goes_near(struct lsu_hybrid *n) {
    const struct access *a = &n->access;
    bool active = true, local = true, coalesced = true, beside = true;
    bool in_one = true;
    uint64_t unit = place_of(n, a->word[0]).unit;

    for (int i = 0; i < n->l.LANES; i++) {
        struct home p = place_of(n, a->word[i]);
        active &= a->mask >> i & 1;
        local &= p.core == n->core;
        if (i > 0)
            coalesced &= ((a->word[i] - a->word[i - 1]) & ones(30)) == 1;
        beside &= p.unit == home_unit(n);
        in_one &= p.unit == unit;
    }
    hit_if(n, !active && a->mask && local && coalesced && beside,
           LSU_HYBRID_COV_short_mask);
    hit_if(n, active && !local && coalesced && beside,
           LSU_HYBRID_COV_remote_row);
    hit_if(n, active && local && !coalesced && beside,
           LSU_HYBRID_COV_scattered);
    hit_if(n, active && local && coalesced && in_one && !beside,
           LSU_HYBRID_COV_other_unit);
    hit_if(n, active && coalesced && !in_one, LSU_HYBRID_COV_two_units);
    return active && local && coalesced && beside;
}

/* All transactions, by their leads. */
static void cut_up(struct lsu_hybrid *n) {
    const struct access *a = &n->access;
    bool own = false, other = false;

    n->parts = n->next = n->open = 0;
    for (int i = 0; i < n->l.LANES; i++) {
        uint64_t sector = sector_of(n, a->word[i]);
        int k = 0;
        if (!(a->mask >> i & 1))
            continue;
        while (k < n->parts && n->part[k].sector != sector)
            k++;
        if (k == n->parts)
            n->part[n->parts++] = (struct transaction){
                .lead = i,
                .sector = sector,
                .away = place_of(n, a->word[i]).core != n->core,
            };
        n->part[k].lanes |= bit(i);
        own |= !n->part[k].away;
        other |= n->part[k].away;
    }
    hit_if(n, own && other, LSU_HYBRID_COV_split_range);
    hit_if(n, n->parts == 1 && a->mask == ones(n->l.LANES),
           LSU_HYBRID_COV_one_for_all);
    hit_if(n, n->parts == n->l.LANES, LSU_HYBRID_COV_each_alone);
}

/* --- requests ------------------------------------------------------------- */

static void show_message(struct lsu_hybrid *n) {
    const struct access *a = &n->access;

    n->out.down_valid = n->out.down_near = 1;
    n->out.down_store = a->store;
    n->out.down_unit = home_unit(n);
    n->out.down_warp = a->warp;
    n->out.down_reg = a->reg;
    n->out.down_address = place_of(n, a->word[0]).word;
}

/* What a store's transaction writes. */
static uint64_t words_of(struct lsu_hybrid *n, const struct transaction *t,
                         uint64_t data[4]) {
    uint64_t strobe = 0;

    for (int i = 0; i < n->l.LANES; i++)
        if (t->lanes >> i & 1) {
            int at = word_in_sector(n, i);
            hit_if(n, strobe >> at & 1, LSU_HYBRID_COV_same_word);
            strobe |= bit(at);
            bits_set_lane(data, at, n->row[i]);
        }
    return strobe;
}

static void show_transaction(struct lsu_hybrid *n) {
    const struct transaction *t = &n->part[n->request];
    struct home p = place_of(n, t->sector * (uint64_t)n->l.WORDS);
    uint64_t data[4] = {0}, strobe = 0;

    if (n->access.store)
        strobe = words_of(n, t, data);
    if (t->away) {
        n->out.away_valid = 1;
        n->out.away_core = p.core;
        n->out.away_store = n->access.store;
        n->out.away_id = (uint64_t)t->lead;
        n->out.away_address = sector_of(n, p.word);
        n->out.away_strobe = strobe;
        memcpy(n->out.away_data, data, sizeof n->out.away_data);
    } else {
        n->out.down_valid = 1;
        n->out.down_store = n->access.store;
        n->out.down_unit = p.unit;
        n->out.down_id = (uint64_t)t->lead;
        n->out.down_address = p.word;
        n->out.down_strobe = strobe;
        memcpy(n->out.down_data, data, sizeof n->out.down_data);
    }
}

static void show_nothing(struct lsu_hybrid *n) {
    struct lsu_hybrid_out *o = &n->out;

    o->down_valid = o->down_near = o->down_store = o->down_unit = 0;
    o->down_warp = o->down_reg = o->down_id = o->down_address = 0;
    o->down_strobe = 0;
    memset(o->down_data, 0, sizeof o->down_data);
    o->away_valid = o->away_core = o->away_store = o->away_id = 0;
    o->away_address = o->away_strobe = 0;
    memset(o->away_data, 0, sizeof o->away_data);
}

/* --- edges ---------------------------------------------------------------- */

static void take(struct lsu_hybrid *n, const struct lsu_hybrid_in *in) {
    struct access *a = &n->access;

    a->store = in->access_store & 1;
    a->warp = in->access_warp & ones(n->l.WARP_W);
    a->reg = in->access_reg & ones(n->l.REG_W);
    a->mask = in->access_mask & ones(n->l.LANES);
    for (int i = 0; i < n->l.LANES; i++)
        a->word[i] = bits_get(in->access_address, 30 * i, 30);
    n->core = in->at_core & ones(n->l.CORE_W);
}

static void end(struct lsu_hybrid *n, bool near) {
    n->state = IDLE;
    n->out.done_valid = 1;
    n->out.done_warp = n->access.warp;
    n->out.done_near = near;
    n->out.done_fault = n->faulted;
    hit_if(n, n->faulted, LSU_HYBRID_COV_fault);
}

static void decide(struct lsu_hybrid *n) {
    bool near = goes_near(n);

    memset(n->row, 0, sizeof n->row);
    memset(n->answered, 0, sizeof n->answered);
    memset(n->part, 0, sizeof n->part);
    n->faulted = false;
    hit_if(n, !n->access.mask, LSU_HYBRID_COV_nobody);
    hit_if(n, near && n->access.store, LSU_HYBRID_COV_near_store);
    hit_if(n, near && !n->access.store, LSU_HYBRID_COV_near_load);
    if (!n->access.mask) {
        end(n, false);
    } else if (near) {
        show_message(n);
        n->state = SEND;
    } else {
        cut_up(n);
        n->state = n->access.store ? FETCH : SPLIT;
    }
}

/* Of a transaction that has been taken. */
static void answer(struct lsu_hybrid *n, const struct lsu_hybrid_in *in) {
    uint64_t id = in->answer_id & ones(n->l.LANE_W);
    int k = 0;

    while (k < n->parts && (uint64_t)n->part[k].lead != id)
        k++;
    n->open--;
    n->faulted |= in->answer_fault & 1;
    if (k == n->parts) /* nobody's: the contract is broken */
        return;
    for (int older = 0; older < k; older++)
        hit_if(n, !n->answered[older], LSU_HYBRID_COV_disorder);
    n->answered[k] = true;
    for (int i = 0; i < n->l.LANES && !n->access.store; i++)
        if (n->part[k].lanes >> i & 1)
            n->row[i] = bits_lane(in->answer_data, word_in_sector(n, i));
}

static void split(struct lsu_hybrid *n, const struct lsu_hybrid_in *in,
                  bool taken) {
    if (n->request >= 0 && !taken)
        return;
    n->request = -1;
    if (n->next == n->parts) {
        n->state = WAIT;
        return;
    }
    n->request = n->next++;
    n->open++;
    show_transaction(n);
    hit_if(n, in->answer_valid & 1, LSU_HYBRID_COV_answer_meets);
}

static void show(struct lsu_hybrid *n) {
    struct lsu_hybrid_out *o = &n->out;
    const struct access none = {0};
    const struct access *f = n->state == FETCH ? &n->access : &none;
    const struct access *w = n->state == WRITE ? &n->access : &none;

    o->access_ready = n->state == IDLE;
    o->fetch_valid = n->state == FETCH;
    o->fetch_warp = f->warp;
    o->fetch_reg = f->reg;
    o->write_valid = n->state == WRITE;
    o->write_warp = w->warp;
    o->write_reg = w->reg;
    o->write_mask = w->mask;
    memset(o->write_data, 0, sizeof o->write_data);
    for (int i = 0; i < n->l.LANES && n->state == WRITE; i++)
        bits_set_lane(o->write_data, i, n->row[i]);
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_hybrid *n = (struct lsu_hybrid *)g;
    const struct lsu_hybrid_in *in = ports;
    bool down = n->out.down_valid && in->down_ready & 1;
    bool away = n->out.away_valid && in->away_ready & 1;
    bool none_open = n->open == 0;
    enum state before = n->state;

    hit_if(n, n->out.down_valid && !down, LSU_HYBRID_COV_down_held);
    hit_if(n, n->out.away_valid && !away, LSU_HYBRID_COV_away_held);
    hit_if(n, before == FETCH && !(in->fetch_ready & 1),
           LSU_HYBRID_COV_fetch_held);
    hit_if(n, before == WRITE && !(in->write_ready & 1),
           LSU_HYBRID_COV_write_held);
    n->out.done_valid = n->out.done_warp = 0;
    n->out.done_near = n->out.done_fault = 0;
    if (down || away)
        show_nothing(n);
    if (in->answer_valid & 1 && (before == SPLIT || before == WAIT))
        answer(n, in);
    switch (before) {
    case IDLE:
        if (in->access_valid & 1) {
            take(n, in);
            n->state = CHECK;
        }
        break;
    case CHECK:
        decide(n);
        break;
    case SEND:
        if (down)
            end(n, true);
        break;
    case FETCH:
        if (in->fetch_ready & 1)
            n->state = ROW;
        break;
    case ROW:
        if (in->fetched_valid & 1) {
            for (int i = 0; i < n->l.LANES; i++)
                n->row[i] = bits_lane(in->fetched_data, i);
            n->state = SPLIT;
        }
        break;
    case SPLIT:
        split(n, in, down || away);
        break;
    case WAIT:
        if (none_open && n->access.store)
            end(n, false);
        else if (none_open)
            n->state = WRITE;
        break;
    case WRITE:
        if (in->write_ready & 1)
            end(n, false);
        break;
    }
    show(n);
}

const struct golden_class lsu_hybrid_golden = {
    .iface = &lsu_hybrid_iface,
    MODEL_STRUCT(struct lsu_hybrid),
    .open = open,
    .reset = reset,
    .edge = edge,
};
