/* lsu_ext.c - golden model of the load-store extension.
 *
 * Written from docs/blocks/lsu_ext.md.  A message keeps its lanes as words and
 * finds by arithmetic which sector has which of them; how many sectors it wants
 * is known when it comes.
 */
#include "lsu_ext.h"

#include "base/bits.h"
#include "blocks/lsu_ext.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "gather.h"

#include <string.h>

enum {
    MAX_LANES = 32,
    MAX_WORDS = 8,
    MAX_UNITS = 16,
    MAX_ROWS = 8,
    MAX_SPAN = 17,
    MAX_ANSWERS = 32,
    DATA_WORDS = 4, /* of 64 bits, for a sector */
    NOBODY = -1
};

/* What went down. */
struct request {
    bool valid, near, store;
    bool strided;     /* a strided message, or a sector of one */
    int unit, offset; /* first word in its sector */
    uint64_t warp, reg, id, sector, strobe;
    uint64_t data[DATA_WORDS];
    struct strided gather; /* of a strided message */
    int place, part;       /* of a sector of one */
};

/* A message under way. */
struct row_place {
    struct request of;
    int asked;           /* sectors that were taken at mem */
    bool came[MAX_SPAN]; /* and answered */
    bool fault;
    uint32_t lane[MAX_LANES];
};

struct answer {
    bool strided;
    int place; /* of a strided message; its part is the id */
    uint64_t id, fault, data[DATA_WORDS];
};

struct unit {
    struct request work;
    bool has_row;
    uint32_t row[MAX_LANES]; /* of a store */
    int asked;               /* sectors of the work that were taken */
    struct row_place place[MAX_ROWS];
    int oldest, used; /* places */
    int open;         /* transactions */
    struct queue queue;
    struct answer answer[MAX_ANSWERS + 1];
    bool behind; /* a message's last sector was taken on the edge before */
};

struct lsu_ext {
    struct golden base;
    struct lsu_ext_local l;
    struct request entry;
    struct unit unit[MAX_UNITS];
    int fetching; /* unit whose row is waited for, NOBODY */
    int asker;    /* unit at fetch */
    struct gatherer gather;
    bool turn; /* the gatherer's, if the entry wants the same unit */
    int fetch_last, answer_last, gather_last, end_last;
    struct row_place ending; /* at load, or done */
    uint64_t ending_mask;
    int ending_gather; /* place of a strided message at load, NOBODY */
    struct lsu_ext_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct lsu_ext *)g)->l = lsu_ext_local(c);
}

static void reset(struct golden *g) {
    struct lsu_ext *n = (struct lsu_ext *)g;

    memset(&n->entry, 0, sizeof n->entry);
    memset(n->unit, 0, sizeof n->unit);
    for (int u = 0; u < n->l.UNITS; u++)
        queue_reset(&n->unit[u].queue, n->l.ANSWERS);
    n->fetching = NOBODY;
    gather_reset(&n->gather, &n->l);
    n->turn = false;
    n->fetch_last = n->answer_last = n->gather_last = n->l.UNITS - 1;
    n->end_last = n->l.UNITS; /* the gatherer */
    n->ending_gather = NOBODY;
    n->out.down_ready = 1;
}

/* --- addresses and words -------------------------------------------------- */

/* Sectors that a request wants. */
static int sectors_of(const struct lsu_ext *n, const struct request *r) {
    return r->near ? (r->offset + n->l.LANES - 1) / n->l.WORDS + 1 : 1;
}

/* The lane that word w of sector k of a message is; NOBODY's if none. */
static int lane_at(const struct lsu_ext *n, const struct request *r, int k,
                   int w) {
    int lane = k * n->l.WORDS + w - r->offset;

    return lane >= 0 && lane < n->l.LANES ? lane : NOBODY;
}

static uint64_t own_word(const struct lsu_ext *n, uint64_t at_core) {
    uint64_t line = (uint64_t)n->l.LINE / 4;

    return at_core / line / (uint64_t)n->l.UNITS * line + at_core % line;
}

/* --- mem ------------------------------------------------------------------ */

static bool may_ask(const struct lsu_ext *n, const struct unit *u) {
    if (!u->work.valid)
        return false;
    if (!u->work.near)
        return u->open < n->l.ANSWERS;
    return u->used < n->l.ROWS && (!u->work.store || u->has_row);
}

static struct row_place *next_place(struct lsu_ext *n, struct unit *u) {
    return &u->place[(u->oldest + u->used) % n->l.ROWS];
}

static const struct design_record *tag_of(const struct lsu_ext *n) {
    return &n->base.design->record[LSU_EXT_REC_tag];
}

static uint64_t own_tag(struct lsu_ext *n, struct unit *u) {
    struct lsu_ext_tag_fields tag = {.near = u->work.near,
                                     .strided = u->work.strided};
    uint64_t packed = 0;

    tag.part = u->work.near      ? (uint64_t)u->asked
               : u->work.strided ? (uint64_t)u->work.part
                                 : u->work.id;
    tag.place = u->work.near ? (uint64_t)(next_place(n, u) - u->place)
                             : (uint64_t)u->work.place;
    record_pack(tag_of(n), &tag, &packed);
    return packed;
}

static void show_mem(struct lsu_ext *n, int number) {
    struct unit *u = &n->unit[number];
    struct lsu_ext_out *o = &n->out;
    const struct request *w = &u->work;
    uint64_t strobe = w->strobe;
    int first = number * n->l.WORDS;

    if (!may_ask(n, u))
        return;
    o->mem_valid |= bit(number);
    bits_or(o->mem_id, number * n->l.TAG_W, n->l.TAG_W, own_tag(n, u));
    bits_or(o->mem_address, number * n->l.OWN_W, n->l.OWN_W,
            w->sector + (uint64_t)u->asked);
    if (!w->store)
        return;
    o->mem_store |= bit(number);
    for (int i = 0; i < n->l.WORDS; i++) {
        int lane = lane_at(n, w, u->asked, i);
        uint32_t word = bits_lane(w->data, i);
        if (w->near) {
            strobe &= ~bit(i);
            strobe |= (uint64_t)(lane != NOBODY) << i;
            word = lane != NOBODY ? u->row[lane] : 0;
        }
        bits_set_lane(o->mem_data, first + i, word);
    }
    bits_or(o->mem_strobe, first, n->l.WORDS, strobe);
}

/* The unit's sector has been taken; whether the work is over. */
static bool asked(struct lsu_ext *n, struct unit *u) {
    struct row_place *p = next_place(n, u);
    bool last = u->asked + 1 == sectors_of(n, &u->work), behind = u->behind;

    u->behind = last && u->work.near;
    if (!u->work.near) {
        u->open++;
    } else {
        if (u->asked == 0) {
            memset(p, 0, sizeof *p);
            p->of = u->work;
            hit_if(n, u->used, LSU_EXT_COV_behind);
            hit_if(n, behind, LSU_EXT_COV_no_gap);
        }
        p->asked++;
        u->used += last;
    }
    u->asked++;
    if (last)
        u->work.valid = false;
    return last;
}

/* --- responses ------------------------------------------------------------ */

static void respond(struct lsu_ext *n, struct unit *u, uint64_t id, bool fault,
                    const uint64_t data[DATA_WORDS]) {
    struct lsu_ext_tag_fields tag;

    record_unpack(tag_of(n), &id, &tag);
    if (!tag.near) {
        struct answer *a;
        if (!queue_can_push(&u->queue)) /* the contract is broken */
            return;
        a = &u->answer[queue_push(&u->queue)];
        a->strided = tag.strided;
        a->place = (int)tag.place;
        a->id = tag.part & ones(n->l.LANE_W);
        a->fault = fault;
        memcpy(a->data, data, sizeof a->data);
        return;
    }
    struct row_place *p = &u->place[tag.place];
    int k = (int)(tag.part & ones(n->l.SPAN_W));
    if (k >= n->l.SPAN) /* likewise */
        return;
    for (int older = 0; older < k; older++)
        hit_if(n, !p->came[older], LSU_EXT_COV_disorder);
    p->came[k] = true;
    p->fault |= fault;
    for (int i = 0; i < n->l.WORDS; i++) {
        int lane = lane_at(n, &p->of, k, i);
        if (lane != NOBODY)
            p->lane[lane] = bits_lane(data, i);
    }
}

static bool is_whole(const struct lsu_ext *n, const struct unit *u, int nth) {
    const struct row_place *p = &u->place[(u->oldest + nth) % n->l.ROWS];
    bool all = nth < u->used;

    for (int k = 0; all && k < p->asked; k++)
        all &= p->came[k];
    return all;
}

/* --- turns ---------------------------------------------------------------- */

/* The first member after the last one chosen, NOBODY; meets: two of them. */
static int in_turn(int many, uint64_t members, int last) {
    for (int i = 1; i <= many; i++)
        if (members >> (last + i) % many & 1)
            return (last + i) % many;
    return NOBODY;
}

static bool several(uint64_t members) {
    return members & (members - 1);
}

/* --- an edge, part by part ------------------------------------------------ */

/* What was so before the edge, by unit. */
struct before {
    uint64_t full;   /* there is work */
    uint64_t wants;  /* a store's message without its row */
    uint64_t whole;  /* the oldest place is; UNITS: one of a strided message */
    uint64_t answer; /* the queue shows one to a transaction */
    uint64_t sector; /* ... for a strided message */
    int gathered, room; /* places of strided messages: whole, free; NOBODY */
};

static struct before look(const struct lsu_ext *n) {
    struct before b = {0};

    for (int i = 0; i < n->l.UNITS; i++) {
        const struct unit *u = &n->unit[i];
        const struct request *w = &u->work;
        b.full |= (uint64_t)w->valid << i;
        b.wants |= (uint64_t)(w->valid && w->near && w->store && !u->has_row)
                   << i;
        b.whole |= (uint64_t)is_whole(n, u, 0) << i;
        if (u->queue.out_valid && u->answer[u->queue.out].strided)
            b.sector |= bit(i);
        else if (u->queue.out_valid)
            b.answer |= bit(i);
    }
    b.gathered = gather_whole(&n->gather, &n->l);
    b.room = gather_room(&n->gather, &n->l);
    if (b.gathered != NOBODY)
        b.whole |= bit(n->l.UNITS);
    return b;
}

static void edge_fetch(struct lsu_ext *n, const struct before *b,
                       const struct lsu_ext_in *in) {
    struct lsu_ext_out *o = &n->out;
    int who;

    hit_if(n, several(b->wants), LSU_EXT_COV_fetch_meets);
    if (o->fetch_valid) {
        hit_if(n, !(in->fetch_ready & 1), LSU_EXT_COV_fetch_held);
        if (!(in->fetch_ready & 1))
            return;
        o->fetch_valid = o->fetch_warp = o->fetch_reg = 0;
        n->fetching = n->asker;
    } else if (n->fetching != NOBODY) {
        struct unit *u = &n->unit[n->fetching];
        if (!(in->fetched_valid & 1))
            return;
        for (int i = 0; i < n->l.LANES; i++)
            u->row[i] = bits_lane(in->fetched_data, i);
        u->has_row = true;
        n->fetching = NOBODY;
    } else if ((who = in_turn(n->l.UNITS, b->wants, n->fetch_last)) != NOBODY) {
        n->asker = n->fetch_last = who;
        o->fetch_valid = 1;
        o->fetch_warp = n->unit[who].work.warp;
        o->fetch_reg = n->unit[who].work.reg;
    }
}

static void edge_answer(struct lsu_ext *n, const struct before *b,
                        const struct lsu_ext_in *in) {
    struct lsu_ext_out *o = &n->out;
    int who;

    hit_if(n, several(b->answer), LSU_EXT_COV_answers_meet);
    hit_if(n, o->answer_valid && !(in->answer_ready & 1),
           LSU_EXT_COV_answer_held);
    if (o->answer_valid && !(in->answer_ready & 1))
        return;
    o->answer_valid = o->answer_id = o->answer_fault = 0;
    memset(o->answer_data, 0, sizeof o->answer_data);
    who = in_turn(n->l.UNITS, b->answer, n->answer_last);
    if (who == NOBODY)
        return;
    struct unit *u = &n->unit[who];
    const struct answer *a = &u->answer[u->queue.out];
    n->answer_last = who;
    o->answer_valid = 1;
    o->answer_id = a->id;
    o->answer_fault = a->fault;
    memcpy(o->answer_data, a->data, sizeof a->data);
    hit_if(n, a->fault, LSU_EXT_COV_fault);
    queue_pop(&u->queue);
    u->open--;
}

/* The sector of a strided message that comes first goes to its place. */
static void edge_sectors(struct lsu_ext *n, const struct before *b) {
    int who = in_turn(n->l.UNITS, b->sector, n->gather_last);

    hit_if(n, several(b->sector), LSU_EXT_COV_gathers_meet);
    if (who == NOBODY)
        return;
    struct unit *u = &n->unit[who];
    const struct answer *a = &u->answer[u->queue.out];
    n->gather_last = who;
    gather_sector(&n->gather, &n->l, a->place, (int)a->id, a->fault, a->data);
    queue_pop(&u->queue);
    u->open--;
}

static void show_end(struct lsu_ext *n, bool load, bool done) {
    struct lsu_ext_out *o = &n->out;
    const struct row_place *p = &n->ending;

    o->load_valid = load;
    o->load_warp = load ? p->of.warp : 0;
    o->load_reg = load ? p->of.reg : 0;
    o->load_mask = load ? n->ending_mask : 0;
    memset(o->load_data, 0, sizeof o->load_data);
    for (int i = 0; load && i < n->l.LANES; i++)
        bits_set_lane(o->load_data, i, p->lane[i]);
    o->done_valid = done;
    o->done_warp = done ? p->of.warp : 0;
    o->done_reg = done ? p->of.reg : 0;
    o->done_store = done && p->of.store;
    o->done_fault = done && p->fault;
    hit_if(n, done && p->fault, LSU_EXT_COV_row_fault);
}

static void end_strided(struct lsu_ext *n, int place) {
    struct gatherer *g = &n->gather;
    const struct gather_place *p;

    g->told = n->ending_gather = place;
    p = &g->place[g->told];
    memset(&n->ending, 0, sizeof n->ending);
    n->ending.of.warp = p->warp;
    n->ending.of.reg = p->reg;
    n->ending.fault = p->fault;
    memcpy(n->ending.lane, p->lane, sizeof n->ending.lane);
    n->ending_mask = p->mask;
    show_end(n, true, false);
}

static void edge_ends(struct lsu_ext *n, const struct before *b,
                      const struct lsu_ext_in *in) {
    struct lsu_ext_out *o = &n->out;
    int who;

    hit_if(n, several(b->whole), LSU_EXT_COV_ends_meet);
    hit_if(n, o->load_valid && !(in->load_ready & 1), LSU_EXT_COV_load_held);
    hit_if(n, o->done_valid && !(in->done_ready & 1), LSU_EXT_COV_done_held);
    if (o->load_valid) {
        if (!(in->load_ready & 1))
            return;
        if (n->ending_gather != NOBODY)
            n->gather.place[n->ending_gather].taken = false;
        n->ending_gather = NOBODY;
        show_end(n, false, true);
        return;
    }
    if (o->done_valid && !(in->done_ready & 1))
        return;
    who = in_turn(n->l.UNITS + 1, b->whole, n->end_last);
    if (who == NOBODY) {
        show_end(n, false, false);
        return;
    }
    n->end_last = who;
    if (who == n->l.UNITS) {
        end_strided(n, b->gathered);
        return;
    }
    struct unit *u = &n->unit[who];
    n->ending = u->place[u->oldest];
    n->ending_mask = ones(n->l.LANES);
    u->oldest = (u->oldest + 1) % n->l.ROWS;
    u->used--;
    show_end(n, !n->ending.of.store, n->ending.of.store);
}

static void take(struct lsu_ext *n, const struct lsu_ext_in *in) {
    struct request *e = &n->entry;
    uint64_t word = own_word(n, in->down_address & ones(n->l.AT_W));
    uint64_t words = (uint64_t)n->l.WORDS;

    memset(e, 0, sizeof *e);
    e->valid = true;
    e->near = in->down_near & 1;
    e->strided = e->near && in->down_strided & 1;
    e->gather = (struct strided){
        .warp = in->down_warp & ones(n->l.WARP_W),
        .reg = in->down_reg & ones(n->l.REG_W),
        .mask = in->down_mask & ones(n->l.LANES),
        .word = in->down_address & ones(n->l.AT_W),
        .step = in->down_step & ones(n->l.STEP_W),
    };
    e->store = in->down_store & 1;
    e->unit = (int)(in->down_unit & ones(n->l.UNIT_W));
    e->warp = in->down_warp & ones(n->l.WARP_W);
    e->reg = in->down_reg & ones(n->l.REG_W);
    e->id = in->down_id & ones(n->l.LANE_W);
    e->sector = word / words;
    e->offset = (int)(word % words);
    e->strobe = in->down_strobe & ones(n->l.WORDS);
    for (int i = 0; i < DATA_WORDS; i++)
        e->data[i] = i < ceil_div(n->l.DATA_W, 64) ? in->down_data[i] : 0;
    hit_if(n, e->strided, LSU_EXT_COV_strided);
    hit_if(n, e->near && !e->store && !e->strided, LSU_EXT_COV_near_load);
    hit_if(n, e->near && e->store, LSU_EXT_COV_near_store);
    hit_if(n, !e->near && !e->store, LSU_EXT_COV_load);
    hit_if(n, !e->near && e->store, LSU_EXT_COV_store);
}

static void begin(struct unit *u, const struct request *r) {
    u->work = *r;
    u->has_row = false;
    u->asked = 0;
}

/* free: units that have no work, or are through with it on this edge. */
static void edge_entry(struct lsu_ext *n, const struct before *b,
                       const struct lsu_ext_in *in, uint64_t free) {
    struct request *e = &n->entry;
    struct gatherer *g = &n->gather;
    bool strided = e->valid && e->strided;
    bool goes = e->valid && !e->strided && free >> e->unit & 1;
    bool asks = g->asks && free >> g->unit & 1;
    bool takes = strided && g->state == GATHER_IDLE;

    hit_if(n, e->valid && !strided && !(free >> e->unit & 1),
           LSU_EXT_COV_unit_held);
    hit_if(n, strided && !takes, LSU_EXT_COV_strided_held);
    if (goes && asks && e->unit == g->unit) {
        hit_if(n, true, LSU_EXT_COV_strided_meet);
        goes = !n->turn;
        asks = n->turn;
        n->turn = !n->turn;
    }
    if (asks)
        begin(&n->unit[g->unit], &(struct request){.valid = true,
                                                   .strided = true,
                                                   .unit = g->unit,
                                                   .sector = g->sector,
                                                   .place = g->here,
                                                   .part = g->lead});
    if (goes)
        begin(&n->unit[e->unit], e);
    struct gather_events happened = gather_edge(g, &n->l, b->room, asks);
    hit_if(n, happened.no_place, LSU_EXT_COV_strided_place);
    hit_if(n, happened.units, LSU_EXT_COV_strided_units);
    hit_if(n, happened.behind, LSU_EXT_COV_strided_behind);
    if (takes)
        gather_take(g, &e->gather);
    if (goes || takes)
        e->valid = false;
    if (n->out.down_ready && in->down_valid & 1)
        take(n, in);
}

/* The entry is empty, or what it holds leaves on the next edge. */
static bool entry_ready(const struct lsu_ext *n) {
    const struct request *e = &n->entry;
    const struct gatherer *g = &n->gather;

    if (!e->valid)
        return true;
    if (e->strided)
        return g->state == GATHER_IDLE;
    return !n->unit[e->unit].work.valid &&
           !(g->asks && g->unit == e->unit && n->turn);
}

static void edge_responses(struct lsu_ext *n, const struct lsu_ext_in *in) {
    uint64_t all = ones(n->l.UNITS);

    hit_if(n, (in->rsp_valid & all) == all, LSU_EXT_COV_all_come);
    for (int i = 0; i < n->l.UNITS; i++) {
        uint64_t data[DATA_WORDS] = {0};
        for (int w = 0; w < n->l.WORDS; w++)
            bits_set_lane(data, w, bits_lane(in->rsp_data, i * n->l.WORDS + w));
        if (in->rsp_valid >> i & 1)
            respond(n, &n->unit[i],
                    bits_get(in->rsp_id, i * n->l.TAG_W, n->l.TAG_W),
                    in->rsp_fault >> i & 1, data);
    }
}

static void cover_waits(struct lsu_ext *n, const struct lsu_ext_in *in) {
    const struct lsu_ext_out *o = &n->out;

    hit_if(n, o->mem_valid & ~in->mem_ready, LSU_EXT_COV_mem_held);
    hit_if(n, o->mem_valid == ones(n->l.UNITS), LSU_EXT_COV_all_units);
    for (int i = 0; i < n->l.UNITS; i++) {
        const struct unit *u = &n->unit[i];
        bool waits = u->work.valid && !may_ask(n, u);
        hit_if(n, waits && u->work.near && u->used == n->l.ROWS,
               LSU_EXT_COV_rows_full);
        hit_if(n, waits && !u->work.near, LSU_EXT_COV_answers_full);
        hit_if(n, !is_whole(n, u, 0) && is_whole(n, u, 1),
               LSU_EXT_COV_load_first);
    }
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_ext *n = (struct lsu_ext *)g;
    const struct lsu_ext_in *in = ports;
    struct lsu_ext_out *o = &n->out;
    struct before b = look(n);
    uint64_t free = ~b.full, taken = o->mem_valid & in->mem_ready;

    cover_waits(n, in);
    for (int i = 0; i < n->l.UNITS; i++) {
        struct unit *u = &n->unit[i];
        if (taken >> i & 1)
            free |= (uint64_t)asked(n, u) << i;
        else
            u->behind = false;
    }
    edge_responses(n, in);
    edge_fetch(n, &b, in);
    edge_answer(n, &b, in);
    edge_sectors(n, &b);
    edge_ends(n, &b, in);
    edge_entry(n, &b, in, free);
    for (int i = 0; i < n->l.UNITS; i++)
        queue_edge(&n->unit[i].queue);

    o->down_ready = entry_ready(n);
    o->mem_valid = o->mem_store = 0;
    memset(o->mem_id, 0, sizeof o->mem_id);
    memset(o->mem_address, 0, sizeof o->mem_address);
    memset(o->mem_strobe, 0, sizeof o->mem_strobe);
    memset(o->mem_data, 0, sizeof o->mem_data);
    for (int i = 0; i < n->l.UNITS; i++)
        show_mem(n, i);
}

const struct golden_class lsu_ext_golden = {
    .iface = &lsu_ext_iface,
    MODEL_STRUCT(struct lsu_ext),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
