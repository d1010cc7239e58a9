/* stim.c - stimulus of the write-through data cache: a core, a prefetcher,
 * another writer that invalidates, and a memory.
 *
 * Of a few lines, which share sets, everything is known: what each load must
 * return follows from the order in which the cache took requests.  The memory
 * carries requests out when it takes them or when it answers, those to one line
 * in order, and answers in any order.  The other writer changes a line of which
 * no request is in flight, and invalidates it on the same edge.
 *
 * random    phases with other rates and ops
 * directed  loads that merge, stores behind loads, a memory that stands still,
 *           prefetches alone, everything at once
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/cache.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    POOL = 24, /* lines, of which some are not there */
    IDS = 256, /* of the core */
    WORDS = sizeof((struct cache_in *)0)->mem_data / sizeof(uint64_t),
    RING = 1024,    /* passes on their way to the memory */
    MOST = 256,     /* requests at the memory */
    PATIENCE = 2500 /* edges after which something is lost */
};

/* What the surroundings are like for a while. */
struct tune {
    int request, prefetch, inval; /* percent of the edges */
    int loads, stores;            /* percent of the requests */
    int lines;                    /* of the pool */
    int answer;                   /* percent of the edges with an answer */
    int early;                    /* percent carried out when they are taken */
    int high, low;                /* longest times of req_ready */
};

struct request {
    uint64_t op, id, strobe, compare, data[WORDS];
    int line; /* of the pool */
};

/* A request of the core that is in flight, by its id. */
struct waiting {
    bool busy, load;
    uint64_t since, expected[WORDS];
    int line;
};

/* A request that the memory has taken. */
struct taken {
    struct request r;
    bool done; /* carried out */
    uint64_t answer[WORDS];
};

struct cache_stim {
    struct stim base;
    struct cache_local size;
    struct tune tune;
    int left; /* edges of this phase */
    uint64_t memory[POOL][WORDS], truth[POOL][WORDS];
    struct waiting waiting[IDS];
    struct request offered;
    bool offers, prefetches;
    int prefetch; /* line that is offered */
    int prefetching[POOL];
    uint64_t prefetch_since[POOL];
    struct request pass[RING]; /* in order */
    uint64_t passes, passed;
    struct taken taken[MOST];
    int n_taken;
    struct toggle req_ready;
    uint64_t requests, fetches, ended;
};

/* --- lines ---------------------------------------------------------------- */

/* Lines of two sets, and for each their like; every eighth is beyond the
 * memory. */
static uint64_t address_of(const struct cache_stim *s, int line) {
    uint64_t set = (uint64_t)line % 2 * (uint64_t)(s->size.SETS - 1);
    uint64_t tag = (uint64_t)line / 2 * 0x9e3779b1u & ones(s->size.LINE_TAG_W);
    uint64_t low = set;

    for (uint64_t t = tag; s->size.HASHED && t; t >>= s->size.SET_W)
        low ^= t & ones(s->size.SET_W);
    return low | tag << s->size.SET_W;
}

static bool beyond(int line) {
    return line % 8 == 7;
}

/* -1: none of the pool. */
static int find(const struct cache_stim *s, uint64_t address) {
    for (int i = 0; i < POOL; i++)
        if (address_of(s, i) == address)
            return i;
    return -1;
}

static int any_line(struct cache_stim *s) {
    return (int)rng_below(&s->base.rng, (uint32_t)s->tune.lines);
}

static uint8_t get_byte(const uint64_t *w, int i) {
    return (uint8_t)(w[i / 8] >> 8 * (i % 8));
}

static void set_byte(uint64_t *w, int i, uint8_t b) {
    w[i / 8] &= ~((uint64_t)0xff << 8 * (i % 8));
    w[i / 8] |= (uint64_t)b << 8 * (i % 8);
}

static void random_data(struct cache_stim *s, uint64_t *w) {
    memset(w, 0, WORDS * sizeof *w);
    for (int i = 0; i < s->size.LINE; i++)
        set_byte(w, i, (uint8_t)rng_next(&s->base.rng));
}

/* What a request makes of a line, and its answer.  Atomics of any op exchange
 * the word here: what an op means is the memory's matter. */
static void carry_out(const struct cache_stim *s, const struct request *r,
                      uint64_t *line, uint64_t *answer) {
    memset(answer, 0, WORDS * sizeof *answer);
    for (int i = 0; i < s->size.LINE; i++) {
        bool strobe = r->op != 0 && r->strobe >> i & 1;
        if (beyond(r->line))
            continue;
        if (r->op == 0 || (r->op > 1 && strobe))
            set_byte(answer, i, get_byte(line, i));
        if (strobe)
            set_byte(line, i, get_byte(r->data, i));
    }
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 0, 100, 0, 3, 10, 100, 9, 0},    /* loads that merge */
        {100, 0, 0, 50, 50, 3, 20, 100, 9, 0},    /* stores behind them */
        {100, 0, 0, 20, 70, 9, 3, 0, 9, 0},       /* passes to their limit */
        {100, 50, 0, 90, 5, POOL, 20, 50, 0, 9},  /* the memory stands still */
        {100, 50, 0, 90, 5, POOL, 50, 50, 9, 0},  /* and goes on */
        {10, 100, 3, 100, 0, POOL, 30, 50, 9, 9}, /* prefetches */
        {40, 40, 0, 100, 0, POOL, 90, 50, 9, 0},  /* and loads of them */
        {80, 60, 10, 60, 30, 8, 40, 50, 9, 3},    /* all of it */
    };
    struct cache_stim *s = (struct cache_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 300 % (sizeof script / sizeof *script)];
    s->left = 299;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 2};
    struct cache_stim *s = (struct cache_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.request = rates[rng_below(r, 5)];
    s->tune.prefetch = rng_percent(r, 60) ? rates[rng_below(r, 5)] : 0;
    s->tune.inval = rng_percent(r, 40) ? rates[2 + rng_below(r, 3)] : 0;
    s->tune.loads = rng_percent(r, 30) ? 100 : rng_range(r, 0, 100);
    s->tune.stores = rng_range(r, 0, 100 - s->tune.loads);
    s->tune.lines = rng_range(r, 1, POOL);
    s->tune.answer = rates[rng_below(r, 4)];
    s->tune.early = rng_range(r, 0, 100);
    s->tune.high = rng_range(r, 1, 20);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 20);
    s->left = rng_range(r, 20, 400);
    if (rng_percent(r, 10))
        master_clear(&base->master);
}

/* --- what is offered ------------------------------------------------------ */

/* An id that is free, -1: none. */
static int free_id(struct cache_stim *s) {
    int n = 1 << s->size.ID_W, from = (int)rng_below(&s->base.rng, (uint32_t)n);

    for (int i = 0; i < n; i++)
        if (!s->waiting[(from + i) % n].busy)
            return (from + i) % n;
    return -1;
}

static void offer_request(struct cache_stim *s, struct cache_in *in) {
    struct rng *rng = &s->base.rng;
    struct request *r = &s->offered;
    int id = free_id(s), kind = (int)rng_below(rng, 100);

    if (id < 0)
        return;
    memset(r, 0, sizeof *r);
    r->id = (uint64_t)id;
    r->line = any_line(s);
    if (kind >= s->tune.loads) {
        int word = (int)rng_below(rng, (uint32_t)s->size.LINE / 4);
        bool store = kind < s->tune.loads + s->tune.stores;
        r->op = store ? 1 : (uint64_t)rng_range(rng, 2, 15);
        r->strobe = store ? rng_next(rng) & ones(s->size.LINE)
                          : (uint64_t)15 << 4 * word;
        r->compare = rng_next(rng) & ones(32);
        random_data(s, r->data);
    }
    s->offers = true;
    in->mem_valid = 1;
    in->mem_op = r->op;
    in->mem_id = r->id;
    in->mem_address = address_of(s, r->line);
    in->mem_strobe = r->strobe;
    in->mem_compare = r->compare;
    memcpy(in->mem_data, r->data, sizeof in->mem_data);
}

static bool in_flight(const struct cache_stim *s, int line) {
    for (int i = 0; i < 1 << s->size.ID_W; i++)
        if (s->waiting[i].busy && s->waiting[i].line == line)
            return true;
    return s->offers && s->offered.line == line;
}

/* Another writer, of a line that the core leaves alone; or a launch begins. */
static void invalidate(struct cache_stim *s, struct cache_in *in) {
    struct rng *r = &s->base.rng;
    int line = any_line(s);

    bool was_running = in->core_state == 1;

    in->inval_valid = in->inval_all = in->inval_line = 0;
    if (rng_percent(r, s->tune.inval))
        in->inval_valid = 1;
    if (rng_percent(r, s->tune.inval) && rng_percent(r, 10))
        in->core_state = rng_below(r, 4);
    if (!in->inval_valid && (was_running || in->core_state != 1))
        return;
    in->inval_all = in->inval_valid && rng_percent(r, 10);
    in->inval_line = in->inval_valid ? address_of(s, line) : 0;
    if (in_flight(s, line))
        return;
    random_data(s, s->memory[line]);
    memcpy(s->truth[line], s->memory[line], sizeof s->truth[line]);
}

/* Requests to the same line before it are carried out first. */
static void memory_does(struct cache_stim *s, int n) {
    for (int i = 0; i <= n; i++) {
        struct taken *t = &s->taken[i];
        if (t->done || t->r.line != s->taken[n].r.line)
            continue;
        carry_out(s, &t->r, s->memory[t->r.line], t->answer);
        t->done = true;
    }
}

static void answer(struct cache_stim *s, struct cache_in *in) {
    struct rng *r = &s->base.rng;

    in->back_valid = in->back_id = in->back_fault = 0;
    memset(in->back_data, 0, sizeof in->back_data);
    if (s->n_taken == 0 || !rng_percent(r, s->tune.answer))
        return;
    int n = (int)rng_below(r, (uint32_t)s->n_taken);
    memory_does(s, n);
    in->back_valid = 1;
    in->back_id = s->taken[n].r.id;
    in->back_fault = beyond(s->taken[n].r.line);
    memcpy(in->back_data, s->taken[n].answer, sizeof in->back_data);
    s->n_taken--;
    memmove(&s->taken[n], &s->taken[n + 1],
            (size_t)(s->n_taken - n) * sizeof *s->taken);
}

static void drive(struct stim *base, void *ports) {
    struct cache_stim *s = (struct cache_stim *)base;
    struct cache_in *in = ports;
    struct rng *r = &base->rng;

    if (base->rst_left > 0) {
        in->mem_valid = in->pre_valid = in->inval_valid = in->back_valid = 0;
        in->core_state = 0;
        return;
    }
    if (!s->offers)
        in->mem_valid = 0;
    if (!s->offers && rng_percent(r, s->tune.request))
        offer_request(s, in);
    if (!s->prefetches && rng_percent(r, s->tune.prefetch)) {
        s->prefetches = true;
        s->prefetch = any_line(s);
    }
    in->pre_valid = s->prefetches;
    in->pre_line = s->prefetches ? address_of(s, s->prefetch) : 0;
    invalidate(s, in);
    answer(s, in);
    in->req_ready = toggle_step(&s->req_ready, r, s->tune.high, s->tune.low);
}

/* --- what must come out --------------------------------------------------- */

static void take_request(struct cache_stim *s) {
    const struct request *r = &s->offered;
    struct waiting *w = &s->waiting[r->id];

    w->busy = true;
    w->load = r->op == 0;
    w->since = s->base.now;
    w->line = r->line;
    carry_out(s, r, s->truth[r->line], w->expected);
    if (r->op != 0)
        s->pass[s->passes++ % RING] = *r;
    s->offers = false;
    s->requests++;
}

static const char *check_rsp(struct cache_stim *s,
                             const struct cache_out *out) {
    struct waiting *w = &s->waiting[out->rsp_id % IDS];

    if (!out->rsp_valid)
        return NULL;
    if (!w->busy)
        return stim_complain(&s->base, "an answer with id %u for no request",
                             (unsigned)out->rsp_id);
    w->busy = false;
    if (out->rsp_fault != (uint64_t)beyond(w->line))
        return stim_complain(&s->base, "answer %u %s a fault",
                             (unsigned)out->rsp_id,
                             out->rsp_fault ? "has" : "lacks");
    for (int i = 0; i < WORDS; i++)
        if (out->rsp_data[i] != w->expected[i])
            return stim_complain(
                &s->base,
                "word %d of %s %u is %016" PRIx64 ", expected %016" PRIx64, i,
                w->load ? "load" : "answer", (unsigned)out->rsp_id,
                out->rsp_data[i], w->expected[i]);
    return NULL;
}

/* The layout of the note: number, then whether it is a pass. */
static bool is_pass(const struct cache_stim *s, uint64_t id) {
    return id >> s->size.NUMBER_W & 1;
}

static const char *check_pass(struct cache_stim *s, const struct request *r) {
    const struct request *p = &s->pass[s->passed % RING];

    if (s->passed++ == s->passes)
        return "a store or an atomic that the core did not make";
    if (r->op != p->op || (r->id & ones(s->size.NUMBER_W)) != p->id ||
        r->line != p->line || r->strobe != p->strobe ||
        r->compare != p->compare ||
        memcmp(r->data, p->data, sizeof r->data) != 0)
        return stim_complain(
            &s->base, "request %" PRIu64 " is altered on its way to the memory",
            p->id);
    return NULL;
}

static const char *check_fetch(struct cache_stim *s, const struct request *r) {
    bool wanted = s->prefetching[r->line] > 0;

    s->fetches++;
    for (int i = 0; i < 1 << s->size.ID_W; i++)
        wanted |= s->waiting[i].busy && s->waiting[i].load &&
                  s->waiting[i].line == r->line;
    if (!wanted)
        return "a line is fetched that nobody waits for";
    if (r->op != 0 || r->strobe != 0 || r->compare != 0)
        return "a fetch is no load";
    if (r->id >= (uint64_t)s->size.MSHRS)
        return "a fetch of an MSHR that there is not";
    for (int i = 0; i < s->n_taken; i++)
        if (s->taken[i].r.id == r->id ||
            (s->taken[i].r.line == r->line && !is_pass(s, s->taken[i].r.id)))
            return "a line is fetched twice at a time, or an id is used twice";
    return NULL;
}

static const char *check_req(struct cache_stim *s,
                             const struct cache_out *before) {
    struct taken *t = &s->taken[s->n_taken];
    int line = find(s, before->req_address);

    if (line < 0)
        return "a request for a line that nobody wants";
    memset(t, 0, sizeof *t);
    t->r = (struct request){.op = before->req_op,
                            .id = before->req_id,
                            .line = line,
                            .strobe = before->req_strobe,
                            .compare = before->req_compare};
    memcpy(t->r.data, before->req_data, sizeof t->r.data);
    const char *wrong =
        is_pass(s, t->r.id) ? check_pass(s, &t->r) : check_fetch(s, &t->r);
    s->n_taken++;
    if (rng_percent(&s->base.rng, s->tune.early))
        memory_does(s, s->n_taken - 1);
    return wrong;
}

static const char *check_gone(struct cache_stim *s,
                              const struct cache_out *after) {
    int line = find(s, after->gone_line);

    if (!after->gone_valid)
        return NULL;
    if (line < 0 || s->prefetching[line]-- == 0)
        return "a prefetch is over that was not taken";
    s->ended++;
    s->prefetch_since[line] = s->base.now;
    return NULL;
}

static const char *check_lost(struct cache_stim *s) {
    for (int i = 0; i < 1 << s->size.ID_W; i++)
        if (s->waiting[i].busy && s->base.now - s->waiting[i].since > PATIENCE)
            return stim_complain(&s->base, "request %d has no answer", i);
    for (int i = 0; i < POOL; i++)
        if (s->prefetching[i] > 0 &&
            s->base.now - s->prefetch_since[i] > PATIENCE)
            return "a prefetch has no end";
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct cache_stim *s = (struct cache_stim *)base;
    const struct cache_in *in = in_ports;
    const struct cache_out *before = before_ports, *after = after_ports;
    const char *wrong = check_rsp(s, after);
    const char *gone = check_gone(s, after);
    const char *req = NULL;

    if (before->req_valid && in->req_ready)
        req = check_req(s, before);
    if (in->mem_valid && before->mem_ready)
        take_request(s);
    if (in->pre_valid && before->pre_ready) {
        if (s->prefetching[s->prefetch]++ == 0)
            s->prefetch_since[s->prefetch] = base->now;
        s->prefetches = false;
    }
    if (base->now % 256 == 0 && !wrong)
        wrong = check_lost(s);
    return wrong ? wrong : gone ? gone : req;
}

/* --- begin and end -------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct cache_stim *s = (struct cache_stim *)base;

    s->size = cache_local(c);
    base->reset_every = 3000;
    base->wishbone = 100;
    base->master.passes_over = true;
}

static void reset(struct stim *base) {
    struct cache_stim *s = (struct cache_stim *)base;

    memset(s->waiting, 0, sizeof s->waiting);
    memset(s->prefetching, 0, sizeof s->prefetching);
    memcpy(s->truth, s->memory, sizeof s->truth);
    s->offers = s->prefetches = false;
    s->passed = s->passes;
    s->n_taken = 0;
}

static void report(struct stim *base, struct text *t) {
    const struct cache_stim *s = (const struct cache_stim *)base;

    text_printf(t, "requests\t%" PRIu64 "\nfetches\t%" PRIu64 "\n", s->requests,
                s->fetches);
    text_printf(t, "prefetches\t%" PRIu64 "\n", s->ended);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class cache_stim = {
    .size = sizeof(struct cache_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
