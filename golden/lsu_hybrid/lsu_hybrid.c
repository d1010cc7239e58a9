/* lsu_hybrid.c - golden model of the hybrid load-store unit.
 *
 * Written from docs/blocks/lsu_hybrid.md.  An access is cut into all of its
 * transactions when it gets a place; the edges then hand them out one by one.
 * What an answer is for is looked up by its id: the lanes of one place.
 */
#include "lsu_hybrid.h"

#include "base/bits.h"
#include "blocks/lsu_hybrid.h"
#include "frame/model.h"

#include <string.h>

enum { MAX_LANES = 32, MAX_WORDS = 8, MAX_PLACES = 8, WORD_BYTES = 4 };

enum state { IDLE, CHECK, SEND, WEIGH, STRIDE, FETCH, COME, SPLIT };

/* Where a word lies. */
struct home {
    uint64_t core, unit;
    uint64_t word; /* at its core */
};

/* All lanes that want one sector. */
struct transaction {
    uint64_t lanes;
    uint64_t sector; /* of the whole memory */
    bool away;
};

struct access {
    bool store, near;
    uint64_t warp, reg, mask;
    uint64_t word[MAX_LANES]; /* addresses */
};

/* What crosses as a message, as 'lsu_hybrid.messages' numbers it. */
enum messages { STRIDED, WHOLE, NONE };

/* What a strided message says of an access, if it can be one. */
struct stride {
    bool fits;
    uint64_t word, step; /* of the lowest active lane, at its core */
};

/* What has become transactions, or becomes them. */
struct slot {
    bool taken, cut, written, faulted;
    struct access access;
    int open; /* transactions without an answer */
    uint32_t row[MAX_LANES];
};

/* What an id stands for until its answer. */
struct flight {
    bool out;
    int place;
    uint64_t lanes;
    uint64_t age; /* which one it is since reset */
};

struct lsu_hybrid {
    struct golden base;
    struct lsu_hybrid_local l;
    enum messages messages;
    uint64_t core; /* the own one */

    enum state state; /* of the front */
    struct access access;
    struct stride stride;
    struct transaction part[MAX_LANES];
    int parts, next; /* how many; which is the next to become the request */
    bool request;    /* there is one */
    int here;        /* place of the access that is cut */
    uint32_t stored[MAX_LANES];

    struct slot place[MAX_PLACES];
    int shown;  /* place whose row was chosen last */
    bool ended; /* the front has ended an access on this edge */
    struct flight flight[MAX_LANES]; /* by id */
    uint64_t age;
    struct lsu_hybrid_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct lsu_hybrid *n = (struct lsu_hybrid *)g;

    n->l = lsu_hybrid_local(c);
    n->messages = (enum messages)c->lsu_hybrid_messages;
}

static void reset(struct golden *g) {
    struct lsu_hybrid *n = (struct lsu_hybrid *)g;

    n->state = IDLE;
    n->request = false;
    memset(n->place, 0, sizeof n->place);
    memset(n->flight, 0, sizeof n->flight);
    n->shown = n->l.ACCESSES - 1; /* place 0 comes first */
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

static int word_in_sector(const struct lsu_hybrid *n, const struct access *a,
                          int lane) {
    return (int)(a->word[lane] % (uint64_t)n->l.WORDS);
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

/* The active lanes are one behind the other. */
static bool is_run(uint64_t mask) {
    uint64_t low = mask & -mask;

    return (mask & (mask + low)) == 0;
}

/* Of a load that does not go near: its words are a step apart, or one word. */
static struct stride weigh(struct lsu_hybrid *n) {
    const struct access *a = &n->access;
    int lead = __builtin_ctzll(a->mask), odd = 0;
    uint64_t all = ones(n->l.AT_W), first = place_of(n, a->word[lead]).word;
    struct stride s = {.word = first};
    bool local = true, same = true, run = is_run(a->mask), fits;

    if (a->mask >> lead >> 1 & 1)
        s.step = (place_of(n, a->word[lead + 1]).word - first) & all;
    fits = s.step < bit(n->l.STEP_W - 1) ||
           s.step >= all + 1 - bit(n->l.STEP_W - 1);
    for (int i = lead; i < n->l.LANES; i++) {
        struct home p = place_of(n, a->word[i]);
        if (!(a->mask >> i & 1))
            continue;
        local &= p.core == n->core;
        same &= p.word == first;
        odd += p.word != ((first + s.step * (uint64_t)(i - lead)) & all);
    }
    if (same)
        s.step = 0;
    s.fits = local && (same || (run && odd == 0 && fits));
    s.step &= ones(n->l.STEP_W);
    hit_if(n, s.fits, LSU_HYBRID_COV_strided);
    hit_if(n, s.fits && s.step >> (n->l.STEP_W - 1),
           LSU_HYBRID_COV_strided_back);
    hit_if(n, s.fits && !run, LSU_HYBRID_COV_strided_same);
    hit_if(n, local && !same && run && odd == 0 && !fits,
           LSU_HYBRID_COV_step_long);
    hit_if(n, local && !same && run && odd == 1 && fits,
           LSU_HYBRID_COV_step_other);
    hit_if(n, local && !same && !run && odd == 0 && fits, LSU_HYBRID_COV_gaps);
    return s;
}

/* All transactions, by their lowest lanes. */
static void cut_up(struct lsu_hybrid *n) {
    const struct access *a = &n->access;
    bool own = false, other = false;

    n->parts = n->next = 0;
    for (int i = 0; i < n->l.LANES; i++) {
        uint64_t sector = sector_of(n, a->word[i]);
        int k = 0;
        if (!(a->mask >> i & 1))
            continue;
        while (k < n->parts && n->part[k].sector != sector)
            k++;
        if (k == n->parts)
            n->part[n->parts++] = (struct transaction){
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

static void show_stride(struct lsu_hybrid *n, bool valid) {
    const struct access *a = &n->access;
    struct lsu_hybrid_out *o = &n->out;

    o->strided_valid = valid;
    o->strided_warp = valid ? a->warp : 0;
    o->strided_reg = valid ? a->reg : 0;
    o->strided_mask = valid ? a->mask : 0;
    o->strided_step = valid ? n->stride.step : 0;
    o->strided_address = valid ? n->stride.word : 0;
}

/* What a store's transaction writes. */
static uint64_t words_of(struct lsu_hybrid *n, const struct transaction *t,
                         uint64_t data[4]) {
    uint64_t strobe = 0;

    for (int i = 0; i < n->l.LANES; i++)
        if (t->lanes >> i & 1) {
            int at = word_in_sector(n, &n->access, i);
            hit_if(n, strobe >> at & 1, LSU_HYBRID_COV_same_word);
            strobe |= bit(at);
            bits_set_lane(data, at, n->stored[i]);
        }
    return strobe;
}

static void show_transaction(struct lsu_hybrid *n, const struct transaction *t,
                             uint64_t id) {
    struct home p = place_of(n, t->sector * (uint64_t)n->l.WORDS);
    uint64_t data[4] = {0}, strobe = 0;

    if (n->access.store)
        strobe = words_of(n, t, data);
    if (t->away) {
        n->out.away_valid = 1;
        n->out.away_core = p.core;
        n->out.away_store = n->access.store;
        n->out.away_id = id;
        n->out.away_address = sector_of(n, p.word);
        n->out.away_strobe = strobe;
        memcpy(n->out.away_data, data, sizeof n->out.away_data);
    } else {
        n->out.down_valid = 1;
        n->out.down_store = n->access.store;
        n->out.down_unit = p.unit;
        n->out.down_id = id;
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
    a->near = n->messages != NONE && a->mask && goes_near(n);
    hit_if(n, !a->mask, LSU_HYBRID_COV_nobody);
    hit_if(n, a->near && a->store, LSU_HYBRID_COV_near_store);
    hit_if(n, a->near && !a->store, LSU_HYBRID_COV_near_load);
}

static void end(struct lsu_hybrid *n, const struct access *a, bool near,
                bool faulted) {
    n->out.done_valid = 1;
    n->out.done_warp = a->warp;
    n->out.done_near = near;
    n->out.done_fault = faulted;
    hit_if(n, faulted, LSU_HYBRID_COV_fault);
}

static void front_ends(struct lsu_hybrid *n, bool near) {
    end(n, &n->access, near, false);
    n->state = IDLE;
    n->ended = true;
}

/* The lowest free one; ACCESSES: there is none. */
static int free_place(const struct lsu_hybrid *n) {
    int k = 0;

    while (k < n->l.ACCESSES && n->place[k].taken)
        k++;
    return k;
}

/* It becomes transactions, if there is a place. */
static void claim(struct lsu_hybrid *n, int free) {
    if (free == n->l.ACCESSES) {
        hit_if(n, true, LSU_HYBRID_COV_places_full);
        return;
    }
    n->here = free;
    n->place[free] = (struct slot){.taken = true, .access = n->access};
    cut_up(n);
    n->state = n->access.store ? FETCH : SPLIT;
}

/* free: the lowest place that was free before this edge. */
static void check(struct lsu_hybrid *n, int free) {
    if (!n->access.mask) {
        front_ends(n, false);
    } else if (n->access.near) {
        show_message(n);
        n->request = true;
        n->state = SEND;
    } else if (!n->access.store && n->messages == STRIDED) {
        n->stride = weigh(n);
        n->state = WEIGH;
    } else {
        claim(n, free);
    }
}

/* id: the lowest one that was free before this edge; LANES: there was none. */
static void split(struct lsu_hybrid *n, const struct lsu_hybrid_in *in,
                  int id) {
    struct slot *p = &n->place[n->here];

    if (n->request) /* still there */
        return;
    if (n->next == n->parts) {
        p->cut = true;
        n->state = IDLE;
        return;
    }
    hit_if(n, id == n->l.LANES, LSU_HYBRID_COV_ids_out);
    if (id == n->l.LANES)
        return;
    const struct transaction *t = &n->part[n->next++];
    n->flight[id] = (struct flight){
        .out = true, .place = n->here, .lanes = t->lanes, .age = n->age++};
    p->open++;
    n->request = true;
    show_transaction(n, t, (uint64_t)id);
    hit_if(n, in->answer_valid & 1, LSU_HYBRID_COV_answer_meets);
}

static int free_id(const struct lsu_hybrid *n) {
    int id = 0;

    while (id < n->l.LANES && n->flight[id].out)
        id++;
    return id;
}

static void answer(struct lsu_hybrid *n, const struct lsu_hybrid_in *in) {
    struct flight *f = &n->flight[in->answer_id & ones(n->l.LANE_W)];
    struct slot *p = &n->place[f->place];

    if (!f->out) /* nobody's: the contract is broken */
        return;
    for (int id = 0; id < n->l.LANES; id++)
        hit_if(n, n->flight[id].out && n->flight[id].age < f->age,
               LSU_HYBRID_COV_disorder);
    f->out = false;
    p->open--;
    p->faulted |= in->answer_fault & 1;
    for (int i = 0; i < n->l.LANES && !p->access.store; i++)
        if (f->lanes >> i & 1)
            p->row[i] =
                bits_lane(in->answer_data, word_in_sector(n, &p->access, i));
}

/* --- places --------------------------------------------------------------- */

static bool complete(const struct slot *p) {
    return p->taken && p->cut && p->open == 0;
}

/* The lowest place whose access can end; ACCESSES: there is none. */
static int ending(const struct lsu_hybrid *n) {
    int k = 0;

    while (k < n->l.ACCESSES &&
           !(complete(&n->place[k]) &&
             (n->place[k].access.store || n->place[k].written)))
        k++;
    return k;
}

/* The place whose row is the next to be written; ACCESSES: there is none. */
static int writing(const struct lsu_hybrid *n) {
    for (int i = 1; i <= n->l.ACCESSES; i++) {
        int k = (n->shown + i) % n->l.ACCESSES;
        const struct slot *p = &n->place[k];
        if (complete(p) && !p->access.store && !p->written)
            return k;
    }
    return n->l.ACCESSES;
}

static void show_no_row(struct lsu_hybrid_out *o) {
    o->write_valid = o->write_warp = o->write_reg = o->write_mask = 0;
    memset(o->write_data, 0, sizeof o->write_data);
}

static void show_row(struct lsu_hybrid *n, const struct slot *p) {
    struct lsu_hybrid_out *o = &n->out;

    o->write_valid = 1;
    o->write_warp = p->access.warp;
    o->write_reg = p->access.reg;
    o->write_mask = p->access.mask;
    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(o->write_data, i, p->row[i]);
}

static void write_row(struct lsu_hybrid *n, const struct lsu_hybrid_in *in,
                      int next) {
    struct lsu_hybrid_out *o = &n->out;

    hit_if(n, o->write_valid && !(in->write_ready & 1),
           LSU_HYBRID_COV_write_held);
    if (o->write_valid && in->write_ready & 1) {
        n->place[n->shown].written = true;
        show_no_row(o);
    } else if (!o->write_valid && next < n->l.ACCESSES) {
        n->shown = next;
        show_row(n, &n->place[next]);
    }
}

/* Of the accesses with rows that are gathered. */
static void look_at_rows(struct lsu_hybrid *n) {
    int rows = 0;

    for (int k = 0; k < n->l.ACCESSES; k++)
        rows += n->place[k].taken && !n->place[k].access.store &&
                n->place[k].open > 0;
    hit_if(n, rows > 1, LSU_HYBRID_COV_rows_meet);
}

/* --- an edge -------------------------------------------------------------- */

static void front(struct lsu_hybrid *n, const struct lsu_hybrid_in *in,
                  bool taken) {
    int place = free_place(n);

    switch (n->state) {
    case IDLE:
        if (in->access_valid & 1) {
            take(n, in);
            n->state = CHECK;
        }
        break;
    case CHECK:
        check(n, place);
        break;
    case SEND:
        if (taken)
            front_ends(n, true);
        break;
    case WEIGH:
        if (n->stride.fits) {
            show_stride(n, true);
            n->state = STRIDE;
        } else {
            claim(n, place);
        }
        break;
    case STRIDE:
        hit_if(n, !(in->strided_ready & 1), LSU_HYBRID_COV_strided_held);
        if (in->strided_ready & 1) {
            show_stride(n, false);
            front_ends(n, true);
        }
        break;
    case FETCH:
        hit_if(n, !(in->fetch_ready & 1), LSU_HYBRID_COV_fetch_held);
        if (in->fetch_ready & 1)
            n->state = COME;
        break;
    case COME:
        if (in->fetched_valid & 1) {
            for (int i = 0; i < n->l.LANES; i++)
                n->stored[i] = bits_lane(in->fetched_data, i);
            n->state = SPLIT;
        }
        break;
    case SPLIT:
        split(n, in, free_id(n));
        break;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_hybrid *n = (struct lsu_hybrid *)g;
    const struct lsu_hybrid_in *in = ports;
    struct lsu_hybrid_out *o = &n->out;
    bool down = o->down_valid && in->down_ready & 1;
    bool away = o->away_valid && in->away_ready & 1;
    /* as places stand before this edge */
    int ends = ending(n), next = writing(n);

    hit_if(n, o->down_valid && !down, LSU_HYBRID_COV_down_held);
    hit_if(n, o->away_valid && !away, LSU_HYBRID_COV_away_held);
    look_at_rows(n);
    o->done_valid = o->done_warp = o->done_near = o->done_fault = 0;
    n->ended = false;
    if (down || away) {
        show_nothing(n);
        n->request = false;
    }
    front(n, in, down || away); /* ids that an answer frees are not free yet */
    if (in->answer_valid & 1)
        answer(n, in);
    write_row(n, in, next);
    hit_if(n, ends < n->l.ACCESSES && n->ended, LSU_HYBRID_COV_end_waits);
    if (ends < n->l.ACCESSES && !n->ended) {
        struct slot *p = &n->place[ends];
        end(n, &p->access, false, p->faulted);
        p->taken = false;
    }
    o->access_ready = n->state == IDLE;
    o->fetch_valid = n->state == FETCH;
    o->fetch_warp = o->fetch_valid ? n->access.warp : 0;
    o->fetch_reg = o->fetch_valid ? n->access.reg : 0;
}

const struct golden_class lsu_hybrid_golden = {
    .iface = &lsu_hybrid_iface,
    MODEL_STRUCT(struct lsu_hybrid),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
