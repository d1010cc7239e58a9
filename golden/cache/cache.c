/* cache.c - golden model of the write-through data cache.
 *
 * Written from docs/blocks/cache.md.
 */
#include "cache.h"

#include "base/bits.h"
#include "blocks/cache.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOAD = 0,
    STORE = 1,
    RUNNING = 1, /* of core_state */
    WORDS = sizeof((struct cache_in *)0)->mem_data / sizeof(uint64_t),
    DEPTH = 2,
    MAX_MSHRS = 64,
    MAX_TARGETS = 16,
    MAX_ANSWERS = 2 * MAX_MSHRS
};

struct request {
    uint64_t op, id, line, strobe, compare;
    uint64_t data[WORDS];
};

struct answer {
    uint64_t id, data[WORDS];
    bool fault;
};

/* A line, or room for one. */
struct slot {
    uint64_t tag;
    int age;
    bool valid, fresh;
    uint64_t data[WORDS];
};

struct mshr {
    bool used, dead, pre, fresh;
    uint64_t line;
    uint64_t target[MAX_TARGETS];
    int targets;
};

struct cache {
    struct golden base;
    struct cache_local l;
    struct slot *slots; /* by set, WAYS of each */
    struct mshr mshr[MAX_MSHRS];
    bool has_request, has_prefetch, has_inval;
    bool running; /* on the edge before */
    struct request request;
    uint64_t prefetch; /* line */
    bool inval_all;
    uint64_t inval_line;
    struct queue asked, answers;
    struct request ask[DEPTH + 1]; /* with their ids at the memory */
    struct answer answer[MAX_ANSWERS + 1];
    int served; /* targets of the answer that is shown */
    int passes; /* in flight */
    struct cache_out out;
};

static const struct design_record *tag_record(const struct cache *n) {
    return &n->base.design->record[CACHE_REC_tag];
}

static uint64_t tag_of(const struct cache *n, uint64_t number, bool pass) {
    struct cache_tag_fields f = {.number = number, .pass = pass};
    uint64_t id;

    record_pack(tag_record(n), &f, &id);
    return id;
}

static void open(struct golden *g, const struct config *c) {
    struct cache *n = (struct cache *)g;

    n->l = cache_local(c);
    n->slots = xcalloc((size_t)n->l.LINES, sizeof *n->slots);
}

static void close(struct golden *g) {
    free(((struct cache *)g)->slots);
}

/* --- lines --------------------------------------------------------------- */

static struct slot *set_of(struct cache *n, uint64_t line) {
    uint64_t set = line;

    for (int at = n->l.SET_W; n->l.HASHED && at < n->l.SADDR_W;
         at += n->l.SET_W)
        set ^= line >> at;
    return n->slots + (set & ones(n->l.SET_W)) * (uint64_t)n->l.WAYS;
}

/* The valid slot of a line, NULL if there is none. */
static struct slot *find(struct cache *n, uint64_t line) {
    struct slot *set = set_of(n, line);

    for (int w = 0; w < n->l.WAYS; w++)
        if (set[w].valid && set[w].tag == line >> n->l.SET_W)
            return &set[w];
    return NULL;
}

static struct mshr *find_mshr(struct cache *n, uint64_t line) {
    for (int m = 0; m < n->l.MSHRS; m++)
        if (n->mshr[m].used && n->mshr[m].line == line)
            return &n->mshr[m];
    return NULL;
}

static int free_mshrs(const struct cache *n) {
    int free = 0;

    for (int m = 0; m < n->l.MSHRS; m++)
        free += !n->mshr[m].used;
    return free;
}

static void make_youngest(struct cache *n, struct slot *set, struct slot *p) {
    for (int w = 0; w < n->l.WAYS; w++)
        set[w].age += set[w].age < p->age;
    p->age = 0;
}

static struct slot *victim(struct cache *n, struct slot *set) {
    struct slot *oldest = set;

    for (int w = 0; w < n->l.WAYS; w++) {
        if (!set[w].valid)
            return &set[w];
        if (set[w].age > oldest->age)
            oldest = &set[w];
    }
    return oldest;
}

static void enter(struct cache *n, const struct mshr *m, const uint64_t *data) {
    struct slot *set = set_of(n, m->line), *p = victim(n, set);

    hit_if(n, p->valid, CACHE_COV_replaced);
    hit_if(n, p->valid && p->fresh, CACHE_COV_pre_unused);
    event_if(&n->base, p->valid && p->fresh, CACHE_CNT_unused);
    p->valid = true;
    p->fresh = m->fresh;
    p->tag = m->line >> n->l.SET_W;
    memcpy(p->data, data, sizeof p->data);
    make_youngest(n, set, p);
}

/* --- what shows ----------------------------------------------------------- */

static void respond(struct cache *n, uint64_t id, const uint64_t *data,
                    bool fault) {
    n->out.rsp_valid = 1;
    n->out.rsp_id = id;
    n->out.rsp_fault = fault;
    memcpy(n->out.rsp_data, data, sizeof n->out.rsp_data);
}

static void prefetch_over(struct cache *n, uint64_t line) {
    n->out.gone_valid = 1;
    n->out.gone_line = line;
}

static void show_req(struct cache *n) {
    static const struct request none;
    const struct request *r =
        n->asked.out_valid ? &n->ask[n->asked.out] : &none;

    n->out.req_valid = n->asked.out_valid;
    n->out.req_op = r->op;
    n->out.req_id = r->id;
    n->out.req_address = r->line;
    n->out.req_strobe = r->strobe;
    n->out.req_compare = r->compare;
    memcpy(n->out.req_data, r->data, sizeof n->out.req_data);
}

/* --- step 1 --------------------------------------------------------------- */

static void invalidate(struct cache *n) {
    bool there = false, in_flight = false;

    for (int i = 0; i < n->l.LINES && n->inval_all; i++) {
        there |= n->slots[i].valid;
        n->slots[i].valid = false;
    }
    struct slot *p = n->inval_all ? NULL : find(n, n->inval_line);
    if (p)
        p->valid = false;
    for (int m = 0; m < n->l.MSHRS; m++)
        if (n->mshr[m].used &&
            (n->inval_all || n->mshr[m].line == n->inval_line)) {
            in_flight = true;
            n->mshr[m].dead = true;
        }
    hit_if(n, p, CACHE_COV_inval_hit);
    hit_if(n, !n->inval_all && in_flight, CACHE_COV_inval_in_flight);
    hit_if(n, there && in_flight, CACHE_COV_inval_all);
    event_if(&n->base, true, CACHE_CNT_invalidated);
    n->has_inval = false;
}

/* --- step 2 --------------------------------------------------------------- */

static void line_arrived(struct cache *n, struct mshr *m,
                         const struct answer *a) {
    if (n->served < m->targets)
        respond(n, m->target[n->served++], a->data, a->fault);
    if (n->served < m->targets)
        return;
    hit_if(n, m->dead, CACHE_COV_dead_arrived);
    hit_if(n, a->fault, CACHE_COV_fault);
    if (!m->dead && !a->fault)
        enter(n, m, a->data);
    if (m->pre)
        prefetch_over(n, m->line);
    m->used = false;
    n->served = 0;
    queue_pop(&n->answers);
}

static void answered(struct cache *n) {
    const struct answer *a = &n->answer[n->answers.out];
    struct cache_tag_fields tag;

    record_unpack(tag_record(n), &a->id, &tag);
    if (!tag.pass) {
        line_arrived(n, &n->mshr[tag.number & ones(n->l.MSHR_W)], a);
        return;
    }
    respond(n, tag.number & ones(n->l.ID_W), a->data, a->fault);
    n->passes--;
    queue_pop(&n->answers);
}

/* --- step 3 --------------------------------------------------------------- */

static struct request *push_ask(struct cache *n, uint64_t id) {
    struct request *r = &n->ask[queue_push(&n->asked)];

    *r = (struct request){.id = id};
    return r;
}

/* The lowest free MSHR, from now on in use for a line. */
static struct mshr *fetch(struct cache *n, uint64_t line, bool pre) {
    int m = 0;

    while (n->mshr[m].used)
        m++;
    n->mshr[m] =
        (struct mshr){.used = true, .line = line, .pre = pre, .fresh = pre};
    push_ask(n, tag_of(n, (uint64_t)m, false))->line = line;
    return &n->mshr[m];
}

static bool load_hits(struct cache *n, struct slot *p) {
    respond(n, n->request.id, p->data, false);
    hit_if(n, true, CACHE_COV_hit);
    hit_if(n, p->fresh, CACHE_COV_pre_used);
    event_if(&n->base, true, CACHE_CNT_hits);
    event_if(&n->base, p->fresh, CACHE_CNT_used);
    p->fresh = false;
    make_youngest(n, set_of(n, n->request.line), p);
    return true;
}

static bool load_merges(struct cache *n, struct mshr *m) {
    hit_if(n, m->dead, CACHE_COV_dead_line);
    hit_if(n, !m->dead && m->targets == n->l.TARGETS, CACHE_COV_targets_full);
    if (m->dead || m->targets == n->l.TARGETS)
        return false;
    m->target[m->targets++] = n->request.id;
    hit_if(n, true, CACHE_COV_merge);
    hit_if(n, m->fresh, CACHE_COV_pre_late);
    event_if(&n->base, true, CACHE_CNT_merged);
    event_if(&n->base, m->fresh, CACHE_CNT_late);
    m->fresh = false;
    return true;
}

static bool load(struct cache *n) {
    struct slot *p = find(n, n->request.line);
    struct mshr *m = find_mshr(n, n->request.line);
    bool none = free_mshrs(n) == 0, full = !queue_can_push(&n->asked);

    if (p)
        return load_hits(n, p);
    if (m)
        return load_merges(n, m);
    hit_if(n, none, CACHE_COV_mshrs_full);
    hit_if(n, !none && full, CACHE_COV_asked_full);
    if (none || full)
        return false;
    m = fetch(n, n->request.line, false);
    m->target[m->targets++] = n->request.id;
    hit_if(n, true, CACHE_COV_miss);
    event_if(&n->base, true, CACHE_CNT_misses);
    return true;
}

static void store_to(const struct cache *n, struct slot *p) {
    const struct request *r = &n->request;

    for (int i = 0; i < n->l.LINE; i++)
        if (r->strobe >> i & 1) {
            uint64_t mask = (uint64_t)0xff << 8 * (i % 8);
            p->data[i / 8] = (p->data[i / 8] & ~mask) | (r->data[i / 8] & mask);
        }
}

static bool pass(struct cache *n) {
    struct slot *p = find(n, n->request.line);
    struct mshr *m = find_mshr(n, n->request.line);
    bool store = n->request.op == STORE;
    bool none = n->passes == n->l.PASSES, full = !queue_can_push(&n->asked);

    hit_if(n, none, CACHE_COV_passes_full);
    hit_if(n, !none && full, CACHE_COV_asked_full);
    if (none || full)
        return false;
    uint64_t id = tag_of(n, n->request.id, true);
    struct request *r = push_ask(n, id);
    *r = n->request;
    r->id = id;
    n->passes++;
    hit_if(n, store && p, CACHE_COV_store_hit);
    hit_if(n, store && !p && !m, CACHE_COV_store_miss);
    hit_if(n, store && m, CACHE_COV_store_in_flight);
    hit_if(n, !store && p, CACHE_COV_atomic_hit);
    hit_if(n, !store && m, CACHE_COV_atomic_in_flight);
    event_if(&n->base, true, CACHE_CNT_stores);
    if (p && store)
        store_to(n, p);
    else if (p)
        p->valid = false;
    if (m)
        m->dead = true;
    return true;
}

static void serve_request(struct cache *n) {
    bool is_load = n->request.op == LOAD;
    bool done = is_load ? load(n) : pass(n);

    event_if(&n->base, done && is_load, CACHE_CNT_loads);
    n->has_request = !done;
}

/* --- step 4 --------------------------------------------------------------- */

static void serve_prefetch(struct cache *n) {
    bool there = find(n, n->prefetch), in_flight = find_mshr(n, n->prefetch);
    bool crowded = free_mshrs(n) <= n->l.RESERVE;

    if (there || in_flight || crowded) {
        prefetch_over(n, n->prefetch);
        hit_if(n, there, CACHE_COV_pre_there);
        hit_if(n, in_flight, CACHE_COV_pre_in_flight);
        hit_if(n, !there && !in_flight, CACHE_COV_pre_crowded);
        event_if(&n->base, there || in_flight, CACHE_CNT_there);
        event_if(&n->base, !there && !in_flight, CACHE_CNT_crowded);
    } else if (queue_can_push(&n->asked)) {
        fetch(n, n->prefetch, true);
        hit_if(n, true, CACHE_COV_pre_fetch);
        event_if(&n->base, true, CACHE_CNT_issued);
    } else {
        return;
    }
    event_if(&n->base, true, CACHE_CNT_prefetches);
    n->has_prefetch = false;
}

/* --- an edge -------------------------------------------------------------- */

static void step(struct cache *n) {
    bool request = n->has_request;

    hit_if(n, request && n->has_prefetch, CACHE_COV_pre_waits);
    if (n->has_inval)
        invalidate(n);
    else if (n->answers.out_valid)
        answered(n);
    else if (n->has_request)
        serve_request(n);
    else if (n->has_prefetch)
        serve_prefetch(n);
    event_if(&n->base, request && n->has_request, CACHE_CNT_blocked);
}

static void take(struct cache *n, const struct cache_in *in) {
    n->has_request = true;
    n->request = (struct request){
        .op = in->mem_op & 15,
        .id = in->mem_id & ones(n->l.ID_W),
        .line = in->mem_address & ones(n->l.SADDR_W),
        .strobe = in->mem_strobe & ones(n->l.LINE),
        .compare = in->mem_compare & ones(32),
    };
    memcpy(n->request.data, in->mem_data, sizeof n->request.data);
}

static void take_inval(struct cache *n, const struct cache_in *in) {
    bool running = (in->core_state & 3) == RUNNING;
    bool begins = running && !n->running;

    n->running = running;
    if (!(in->inval_valid & 1) && !begins)
        return;
    n->has_inval = true;
    n->inval_all = (in->inval_all & 1) || begins;
    n->inval_line = in->inval_line & ones(n->l.SADDR_W);
    for (int i = 0; i < n->l.LINES && begins; i++)
        hit_if(n, n->slots[i].valid, CACHE_COV_launch);
}

static void arrive(struct cache *n, const struct cache_in *in) {
    struct answer *a = &n->answer[queue_push(&n->answers)];

    a->id = in->back_id & ones(n->l.MEM_ID_W);
    a->fault = in->back_fault & 1;
    memcpy(a->data, in->back_data, sizeof a->data);
}

/* Whether the request that R holds would wait: mem_ready is known before the
 * edge on which it is served. */
static bool would_wait(struct cache *n) {
    struct mshr *m = find_mshr(n, n->request.line);
    bool full = !queue_can_push(&n->asked);

    if (n->request.op != LOAD)
        return full || n->passes == n->l.PASSES;
    if (find(n, n->request.line))
        return false;
    if (m)
        return m->dead || m->targets == n->l.TARGETS;
    return full || free_mshrs(n) == 0;
}

static void show_ready(struct cache *n) {
    n->out.mem_ready =
        !n->has_request ||
        (!n->has_inval && !n->answers.out_valid && !would_wait(n));
    n->out.pre_ready = !n->has_prefetch;
}

static void edge(struct golden *g, const void *ports) {
    struct cache *n = (struct cache *)g;
    const struct cache_in *in = ports;
    bool request = in->mem_valid & n->out.mem_ready & 1;
    bool prefetch = in->pre_valid & n->out.pre_ready & 1;

    g->events = 0;
    n->out.rsp_valid = n->out.rsp_id = n->out.rsp_fault = 0;
    memset(n->out.rsp_data, 0, sizeof n->out.rsp_data);
    n->out.gone_valid = n->out.gone_line = 0;
    hit_if(n, n->out.req_valid && !(in->req_ready & 1), CACHE_COV_req_held);
    hit_if(n, n->answers.out_valid && n->answers.count, CACHE_COV_answer_waits);
    step(n);
    if (n->out.req_valid && in->req_ready & 1)
        queue_pop(&n->asked);
    if (in->back_valid & 1)
        arrive(n, in);
    if (request)
        take(n, in);
    if (prefetch) {
        n->has_prefetch = true;
        n->prefetch = in->pre_line & ones(n->l.SADDR_W);
    }
    take_inval(n, in);
    queue_edge(&n->answers);
    if (queue_edge(&n->asked))
        show_req(n);
    show_ready(n);
}

static void reset(struct golden *g) {
    struct cache *n = (struct cache *)g;

    for (int i = 0; i < n->l.LINES; i++)
        n->slots[i] = (struct slot){.age = i % n->l.WAYS};
    memset(n->mshr, 0, sizeof n->mshr);
    n->has_request = n->has_prefetch = n->has_inval = n->running = false;
    queue_reset(&n->asked, DEPTH);
    queue_reset(&n->answers, n->l.ANSWERS);
    n->served = n->passes = 0;
    show_ready(n);
}

/* Asleep while nothing is at hand and the outputs rest; what is in flight wakes
 * it by an answer. */
static uint64_t rest(const struct golden *g, const void *ports) {
    const struct cache *n = (const struct cache *)g;
    const struct cache_in *in = ports;
    bool comes =
        in->mem_valid | in->pre_valid | in->inval_valid | in->back_valid;
    bool running = (in->core_state & 3) == RUNNING;
    bool holds = n->has_request || n->has_prefetch || n->has_inval ||
                 running != n->running;
    bool shows = n->out.rsp_valid | n->out.gone_valid;
    bool queued = !queue_is_empty(&n->asked) || !queue_is_empty(&n->answers);

    return comes || holds || shows || queued || g->events ? 0 : UINT64_MAX;
}

const struct golden_class cache_golden = {
    .iface = &cache_iface,
    MODEL_STRUCT(struct cache),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};
