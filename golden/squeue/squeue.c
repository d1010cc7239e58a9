/* squeue.c - golden model of the service queue of a node.
 *
 * Written from docs/blocks/squeue.md.
 */
#include "squeue.h"

#include "base/bits.h"
#include "blocks/squeue.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "lanes.h"
#include "packet/flits.h"

#include <string.h>

enum { MOST_PLACES = 128, MOST_SLOTS = 8, MOST_LANES = 32 };

/* Edges from a beat's leaving for the ALU to its result. */
enum { EDGES = 7 };

enum fetching { NOTHING, FIRST, SECOND };
enum pass { NONE, G, F };

struct held {
    bool taken, two, there[2]; /* loads that are there */
    uint64_t age;              /* chains that were kept before it */
    struct squeue_packet_fields chain;
    uint64_t mask;
};

struct slot {
    int place;
    bool two;
    uint32_t operand[2][MOST_LANES], result[MOST_LANES];
    uint64_t bits;
};

/* A beat in the ALU. */
struct beat {
    bool valid, g;
    int slot, beat;
};

struct squeue {
    struct golden base;
    struct squeue_local l;
    struct flits_size size;
    /* the packet that comes */
    struct flits coming;
    bool whole;
    /* the chain that is admitted: its second load is due; where it went */
    bool second, kept;
    int at;
    struct held place[MOST_PLACES];
    uint64_t age, newest; /* chains kept; age of the last one that was ready */
    struct queue ready;
    int ready_place[MOST_PLACES + 1];
    /* the operand buffer, a ring */
    struct slot slot[MOST_SLOTS];
    int oldest, used, full; /* slot; slots that are taken, that are full */
    enum fetching fetching;
    bool filling_second;
    int beats; /* of the operand that comes */
    /* looking: full slots that have been started, the newest of them */
    int started, looked;
    bool look; /* a pass of it has to begin */
    /* the pass under way; behind_g: of f, and takes g's results */
    enum pass pass;
    bool behind_g;
    int passing, left;       /* slot; beats that have left for the ALU */
    struct beat pipe[EDGES]; /* [i]: left i + 1 edges ago */
    int g_computed;          /* beats of g's results */
    uint32_t g_result[MOST_LANES];
    /* giving: slots that are computed, but for the one that is given */
    int done;
    bool giving, storing; /* storing: the store, else the answer */
    int beat;
    struct squeue_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct squeue *n = (struct squeue *)g;

    n->l = squeue_local(c);
    n->size = (struct flits_size){.flit = n->l.FLIT_W,
                                  .head = n->l.HEAD_FLITS,
                                  .mask = n->l.MASK_FLITS,
                                  .bits = n->l.PACKET_W,
                                  .lanes = n->l.MASK_W};
}

static void reset(struct golden *g) {
    struct squeue *n = (struct squeue *)g;

    n->coming = (struct flits){0};
    n->whole = n->second = n->filling_second = false;
    n->look = n->behind_g = n->giving = n->storing = false;
    for (int i = 0; i < MOST_PLACES; i++)
        n->place[i].taken = false;
    queue_reset(&n->ready, n->l.PLACES);
    n->oldest = n->used = n->full = n->beats = n->started = n->looked = 0;
    n->left = n->g_computed = n->done = n->beat = n->passing = 0;
    n->fetching = NOTHING;
    n->pass = NONE;
    memset(n->pipe, 0, sizeof n->pipe);
    n->out.come_ready = 1;
}

static void count(struct squeue *n, bool happens, int counter) {
    event_if(&n->base, happens, counter);
}

/* --- admitting ------------------------------------------------------------ */

static bool two_loads(const struct squeue_packet_fields *c) {
    return flits_use(c->pattern).b || (c->pattern == 4 && !lanes_unary(c->f));
}

static bool compares(const struct squeue_packet_fields *c) {
    return c->pattern == 5 || c->pattern == 6;
}

static bool able(const struct squeue_packet_fields *c) {
    struct flits_use use = flits_use(c->pattern);
    bool fused = use.g && c->fused;

    if (!use.known || c->type > SQUEUE_U8)
        return false;
    if (compares(c))
        return lanes_has_compare(c->f);
    return fused ||
           ((!use.f || lanes_has_op(c->f)) && (!use.g || lanes_has_op(c->g)));
}

/* Whether the chain is kept, and in which place. */
static void decide(struct squeue *n, const struct squeue_packet_fields *c) {
    uint64_t limit = n->base.regs.setting[SQUEUE_SET_places];
    uint64_t taken = 0;
    bool can = able(c), full;

    n->at = 0;
    for (int i = n->l.PLACES - 1; i >= 0; i--) {
        taken += n->place[i].taken;
        if (!n->place[i].taken)
            n->at = i;
    }
    full = taken >= limit || taken == (uint64_t)n->l.PLACES;
    n->kept = can && !full;
    if (!n->kept)
        n->at = 0;
    count(n, true, SQUEUE_CNT_packets);
    count(n, !can, SQUEUE_CNT_unable);
    count(n, can && full, SQUEUE_CNT_full);
    hit_if(n, !can, SQUEUE_COV_unable);
    hit_if(n, can && taken == (uint64_t)n->l.PLACES, SQUEUE_COV_no_place);
    hit_if(n, can && taken < (uint64_t)n->l.PLACES && full && limit,
           SQUEUE_COV_limited);
    hit_if(n, can && !limit, SQUEUE_COV_off);
    hit_if(n, n->kept && taken + 1 == (uint64_t)n->l.PLACES,
           SQUEUE_COV_last_place);
}

static void show_load(struct squeue *n, const struct squeue_packet_fields *c,
                      uint64_t mask, bool second) {
    struct squeue_out *o = &n->out;

    o->load_valid = 1;
    o->load_away = !n->kept;
    o->load_core = n->kept ? 0 : c->core;
    o->load_entry = n->kept ? 0 : c->entry;
    o->load_place = (uint64_t)n->at;
    o->load_second = second;
    o->load_address = !second ? c->a : c->pattern == 4 ? c->c : c->b;
    o->load_type = c->type;
    o->load_mask = mask;
}

/* True if a place was taken. */
static bool admit(struct squeue *n, const struct squeue_in *in) {
    struct squeue_packet_fields c = {0};
    uint64_t words[FLITS_DATA] = {0}, mask = 0;
    bool first = !n->second, took = false;

    hit_if(n, n->out.load_valid && !(in->load_ready & 1), SQUEUE_COV_load_held);
    if (n->out.load_valid && !(in->load_ready & 1))
        return false;
    n->out.load_valid = n->out.load_away = n->out.load_core = 0;
    n->out.load_entry = n->out.load_place = n->out.load_second = 0;
    n->out.load_address = n->out.load_type = n->out.load_mask = 0;
    if (!n->whole)
        return false;
    flits_part(&n->size, &n->coming, words, &mask);
    record_unpack(&n->base.design->record[SQUEUE_REC_packet], words, &c);
    if (first)
        decide(n, &c);
    took = first && n->kept;
    if (took)
        n->place[n->at] = (struct held){.taken = true,
                                        .two = two_loads(&c),
                                        .age = ++n->age,
                                        .chain = c,
                                        .mask = mask};
    show_load(n, &c, mask, !first);
    hit_if(n, !first && !n->kept, SQUEUE_COV_away_two);
    n->second = first && two_loads(&c);
    if (!n->second) {
        n->whole = false;
        n->coming = (struct flits){0};
    }
    return took;
}

static void come(struct squeue *n, const struct squeue_in *in) {
    if (!(in->come_valid & n->out.come_ready & 1))
        return;
    flits_set(&n->size, &n->coming, n->coming.n++, in->come_data);
    n->whole = in->come_last & 1;
}

/* --- marks and operands --------------------------------------------------- */

static void mark(struct squeue *n, const struct squeue_in *in) {
    struct held *p = &n->place[in->mark_place];
    int second = in->mark_second & 1;

    if (!(in->mark_valid & 1))
        return;
    if (in->mark_place >= (uint64_t)n->l.PLACES || !p->taken ||
        p->there[second] || (second && !p->two)) {
        count(n, true, SQUEUE_CNT_strays);
        hit_if(n, true, SQUEUE_COV_stray);
        return;
    }
    p->there[second] = true;
    hit_if(n, second && !p->there[0], SQUEUE_COV_second_first);
    if (p->two && !p->there[!second])
        return;
    n->ready_place[queue_push(&n->ready)] = (int)in->mark_place;
    hit_if(n, p->age < n->newest, SQUEUE_COV_out_of_order);
    if (p->age > n->newest)
        n->newest = p->age;
}

static struct slot *newest_slot(struct squeue *n) {
    return &n->slot[(n->oldest + n->used - 1) % n->l.SLOTS];
}

static void fetch(struct squeue *n, const struct squeue_in *in) {
    bool taken = in->fetch_ready & 1;

    hit_if(n, n->fetching != NOTHING && !taken, SQUEUE_COV_fetch_held);
    hit_if(n, n->ready.out_valid && n->used == n->l.SLOTS,
           SQUEUE_COV_buffer_full);
    if (n->fetching == FIRST && taken && newest_slot(n)->two) {
        n->fetching = SECOND;
        return;
    }
    if (taken)
        n->fetching = NOTHING;
    if (n->fetching == NOTHING && n->ready.out_valid && n->used < n->l.SLOTS) {
        int place = n->ready_place[n->ready.out];
        queue_pop(&n->ready);
        n->used++;
        newest_slot(n)->place = place;
        newest_slot(n)->two = n->place[place].two;
        n->fetching = FIRST;
    }
}

static void show_fetch(struct squeue *n) {
    bool valid = n->fetching != NOTHING, second = n->fetching == SECOND;
    int place = valid ? newest_slot(n)->place : 0;
    const struct squeue_packet_fields *c = &n->place[place].chain;

    n->out.fetch_valid = valid;
    n->out.fetch_place = (uint64_t)place;
    n->out.fetch_second = second;
    n->out.fetch_address = !valid    ? 0
                           : !second ? c->a
                                     : (c->pattern == 4 ? c->c : c->b);
    n->out.fetch_type = valid ? c->type : 0;
}

/* A beat goes to the oldest slot that is not full. */
static void data(struct squeue *n, const struct squeue_in *in) {
    struct slot *s = &n->slot[(n->oldest + n->full) % n->l.SLOTS];

    if (!(in->data_valid & 1))
        return;
    for (int i = 0; i < n->l.ALUS; i++)
        s->operand[n->filling_second][n->beats * n->l.ALUS + i] =
            bits_lane(in->data_data, i);
    if (++n->beats < n->l.BEATS)
        return;
    n->beats = 0;
    n->filling_second = s->two && !n->filling_second;
    n->full += !n->filling_second;
}

/* --- computing ------------------------------------------------------------ */

/* Reversed operands; an operation of one has nothing to reverse. */
static void swap(bool reversed, uint32_t *x, uint32_t *y) {
    uint32_t was = *x;

    if (reversed) {
        *x = *y;
        *y = was;
    }
}

/* A lane of a beat of g or f. */
static void compute(struct squeue *n, const struct beat *b, int lane) {
    struct slot *s = &n->slot[b->slot];
    const struct held *p = &n->place[s->place];
    const struct squeue_packet_fields *c = &p->chain;
    struct flits_use use = flits_use(c->pattern);
    uint32_t first = lanes_widen(c->type, s->operand[0][lane]);
    uint32_t other = lanes_widen(c->type, s->operand[1][lane]);
    uint32_t x = first, y = p->two ? other : (uint32_t)c->imm;

    if (b->g) {
        y = (uint32_t)c->imm;
        swap(c->g_reversed && !lanes_unary(c->g), &x, &y);
        n->g_result[lane] = lanes_value(c->g, c->type, x, y);
        return;
    }
    if (use.g && c->fused) {
        s->result[lane] = lanes_fused(c->type, first, (uint32_t)c->imm, other);
        return;
    }
    if (use.g) {
        x = other;
        y = n->g_result[lane];
    }
    swap(c->f_reversed && (compares(c) || !lanes_unary(c->f)), &x, &y);
    if (compares(c))
        s->bits = (s->bits & ~bit(lane)) |
                  (uint64_t)lanes_truth(c->f, c->type, x, y) << lane;
    else
        s->result[lane] = use.f ? lanes_value(c->f, c->type, x, y) : first;
}

static void cover_chain(struct squeue *n, int slot) {
    static const int covers[] = {0,
                                 SQUEUE_COV_pattern_1,
                                 SQUEUE_COV_pattern_2,
                                 SQUEUE_COV_pattern_3,
                                 SQUEUE_COV_pattern_4,
                                 SQUEUE_COV_pattern_5,
                                 SQUEUE_COV_pattern_6,
                                 SQUEUE_COV_pattern_7,
                                 SQUEUE_COV_pattern_8,
                                 SQUEUE_COV_pattern_9};
    const struct held *p = &n->place[n->slot[slot].place];
    const struct squeue_packet_fields *c = &p->chain;
    bool fused = flits_use(c->pattern).g && c->fused;
    bool one = c->pattern == 4 && !p->two, f32 = c->type == SQUEUE_F32;

    hit_if(n, true, one ? SQUEUE_COV_pattern_4_one : covers[c->pattern]);
    hit_if(n, p->mask != ones(n->l.MASK_W), SQUEUE_COV_diverged);
    hit_if(n, fused && f32, SQUEUE_COV_fused_f32);
    hit_if(n, fused && !f32, SQUEUE_COV_fused_int);
    hit_if(n, c->type >= SQUEUE_S16, SQUEUE_COV_narrow);
}

/* The chain in look has its next pass under way after this edge. */
static void start_pass(struct squeue *n) {
    const struct squeue_packet_fields *c =
        &n->place[n->slot[n->looked].place].chain;
    bool g = flits_use(c->pattern).g && !c->fused && n->pass != G;

    if (n->pass != G)
        cover_chain(n, n->looked);
    n->behind_g = n->pass == G && !g;
    n->pass = g ? G : F;
    n->passing = n->looked;
    n->left = 0;
    if (g)
        n->g_computed = 0;
    else
        n->look = false;
}

/* A beat of the pass under way leaves for the ALU, if it may.  True: its last
 * one did. */
static bool leave(struct squeue *n, bool busy) {
    bool early = n->behind_g && n->left >= n->g_computed;

    if (n->pass == NONE)
        return false;
    hit_if(n, busy, SQUEUE_COV_core_first);
    if (busy || early)
        return false;
    n->pipe[0] = (struct beat){
        .valid = true, .g = n->pass == G, .slot = n->passing, .beat = n->left};
    return ++n->left == n->l.BEATS;
}

/* A beat's results are there. */
static void land(struct squeue *n, const struct beat *b) {
    const struct held *p = &n->place[n->slot[b->slot].place];

    if (!b->valid)
        return;
    for (int i = 0; i < n->l.ALUS; i++)
        compute(n, b, b->beat * n->l.ALUS + i);
    if (b->g) {
        n->g_computed++;
        return;
    }
    if (b->beat + 1 < n->l.BEATS)
        return;
    n->done++;
    if (compares(&p->chain) || p->chain.type != SQUEUE_F32)
        return;
    for (int i = 0; i < n->l.MASK_W; i++)
        hit_if(n, (n->slot[b->slot].result[i] & 0x7fffffff) > 0x7f800000,
               SQUEUE_COV_nan_result);
}

/* An edge of looking and computing. */
static void work(struct squeue *n, bool busy) {
    struct beat landed = n->pipe[EDGES - 1];
    bool waiting = n->full > n->started, look = n->look;

    memmove(&n->pipe[1], &n->pipe[0], (EDGES - 1) * sizeof n->pipe[0]);
    n->pipe[0] = (struct beat){0};
    bool last = leave(n, busy);
    land(n, &landed);
    if (look && (n->pass == NONE || last))
        start_pass(n);
    else if (last)
        n->pass = NONE;
    if (waiting && !n->look) {
        n->looked = (n->oldest + n->started++) % n->l.SLOTS;
        n->look = true;
        hit_if(n, n->started > 1, SQUEUE_COV_overlap);
    }
}

static bool is_data(const struct squeue_packet_fields *c) {
    return c->pattern == 2 || c->pattern == 8;
}

/* An edge of what is given.  True: the last beat of an answer was taken. */
static bool give(struct squeue *n, const struct squeue_in *in) {
    const struct held *p = &n->place[n->slot[n->oldest].place];
    bool store = n->giving && n->storing;
    bool taken = (store ? in->store_ready : in->ans_ready) & 1;
    int beats = store || is_data(&p->chain) ? n->l.BEATS : 1;

    hit_if(n, n->giving && store && !taken, SQUEUE_COV_store_held);
    hit_if(n, n->giving && !store && !taken, SQUEUE_COV_answer_held);
    if (!n->giving || !taken || ++n->beat < beats)
        return false;
    n->beat = 0;
    n->giving = store;
    n->storing = false;
    return !store;
}

/* The oldest slot's result is given from this edge on, if it is computed. */
static void start_giving(struct squeue *n, int done) {
    if (n->giving || !done)
        return;
    n->done--;
    n->giving = true;
    n->storing = flits_use(n->place[n->slot[n->oldest].place].chain.pattern).c;
}

static void free_oldest(struct squeue *n) {
    n->place[n->slot[n->oldest].place].taken = false;
    n->oldest = (n->oldest + 1) % n->l.SLOTS;
    n->used--;
    n->full--;
    n->started--;
    count(n, true, SQUEUE_CNT_answers);
}

/* The lanes of the beat that take part. */
static void show_lanes(const struct squeue *n, uint64_t mask, uint64_t *data) {
    const uint32_t *result = n->slot[n->oldest].result;

    for (int i = 0; i < n->l.ALUS; i++)
        if (mask >> i & 1)
            bits_set_lane(data, i, result[n->beat * n->l.ALUS + i]);
}

static void show_result(struct squeue *n) {
    struct squeue_out *o = &n->out;
    const struct held *p = &n->place[n->slot[n->oldest].place];
    const struct squeue_packet_fields *c = &p->chain;
    bool store = n->giving && n->storing, ans = n->giving && !n->storing;
    bool last = n->beat + 1 == n->l.BEATS;
    uint64_t mask = p->mask >> (n->beat * n->l.ALUS) & ones(n->l.ALUS);

    memset(o->store_data, 0, sizeof o->store_data);
    memset(o->ans_data, 0, sizeof o->ans_data);
    o->store_valid = store;
    o->store_last = store && last;
    o->store_address = store ? c->c : 0;
    o->store_type = store ? c->type : 0;
    o->store_mask = store ? mask : 0;
    if (store)
        show_lanes(n, mask, o->store_data);
    o->ans_valid = ans;
    o->ans_last = ans && (last || !is_data(c));
    o->ans_core = ans ? c->core : 0;
    o->ans_entry = ans ? c->entry : 0;
    o->ans_kind = !ans          ? 0
                  : is_data(c)  ? SQUEUE_DATA
                  : compares(c) ? SQUEUE_BITMAP
                                : SQUEUE_ACK;
    o->ans_bits = ans && compares(c) ? n->slot[n->oldest].bits & p->mask : 0;
    if (ans && is_data(c))
        show_lanes(n, mask, o->ans_data);
}

/* All units look at the state before the edge: who changes what another one
 * looks at comes behind it.  Which slots are the newest, the first that is not
 * full and the next to be started does not change when the oldest one becomes
 * free. */
static void edge(struct golden *g, const void *ports) {
    struct squeue *n = (struct squeue *)g;
    const struct squeue_in *in = ports;

    mark(n, in);
    bool took = admit(n, in);
    come(n, in);
    fetch(n, in);
    bool freed = give(n, in);
    int done = n->done;
    work(n, in->core_busy & 1);
    if (freed)
        free_oldest(n);
    start_giving(n, done);
    data(n, in);
    hit_if(n, took && freed, SQUEUE_COV_taken_and_freed);
    queue_edge(&n->ready);
    n->out.come_ready = !n->whole;
    show_fetch(n);
    show_result(n);
}

const struct golden_class squeue_golden = {
    .iface = &squeue_iface,
    MODEL_STRUCT(struct squeue),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
