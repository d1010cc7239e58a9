/* image_sm.c - a core's hooks for what is behind it and for the prefetchers. */
#include "image_sm.h"

#include "base/arena.h"

#include <stdlib.h>

/* What an answer of the memory is for. */
enum sm_answer_for {
    TO_LINE = 0, /* a line of the cache */
    TO_ATOMIC = 1,
    TO_NOBODY = 2,
    TO_PREFETCH = 3 /* a line that the prefetcher in the path asked for */
};

struct sm {
    uint32_t index;
    uint64_t cycle; /* of the step */
    struct image_memory *memory;
    struct core *core;
    struct prefetch_unit *prefetch;
    bool comes; /* something has come through the path in this cycle */
};

/* ---------------------------------------------------------- towards memory */

/* A line's number has seven bits less than an address. */
_Static_assert(STREAM_ADDRESS_BITS - 7 <= 46, "a line's number in a token");

static uint64_t token_of(const struct sm *s, enum sm_answer_for what,
                         uint64_t number) {
    return (uint64_t)s->index << 48 | (uint64_t)what << 46 | number;
}

uint32_t sm_token_index(uint64_t token) {
    return (uint32_t)(token >> 48);
}

static bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct sm *s = ctx;
    (void)what;
    (void)address;
    return image_memory_ready(s->memory, s->cycle);
}

static void ask_line(struct sm *s, enum image_traffic kind,
                     enum sm_answer_for what, uint64_t number) {
    struct image_request r = {.kind = kind,
                              .address = number * CACHE_LINE,
                              .bytes = CACHE_LINE,
                              .token = token_of(s, what, number)};
    image_memory_send(s->memory, s->cycle, &r);
}

static void send(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number) {
    struct sm *s = ctx;
    uint32_t bytes = 32 * (uint32_t)__builtin_popcount(sectors);
    struct image_request store = {.kind = IMAGE_STORE,
                                  .address = address,
                                  .bytes = bytes,
                                  .token = token_of(s, TO_NOBODY, 0)};
    struct image_request atomic = {.kind = IMAGE_ATOMIC,
                                   .address = address,
                                   .bytes = 2 * bytes, /* there and back */
                                   .token = token_of(s, TO_ATOMIC, number)};
    if (what == STREAM_LOAD)
        ask_line(s, IMAGE_DEMAND, TO_LINE, number);
    else
        image_memory_send(s->memory, s->cycle,
                          what == STREAM_STORE ? &store : &atomic);
}

void sm_answer(struct sm *s, uint64_t cycle, uint64_t token) {
    enum sm_answer_for what = (enum sm_answer_for)(token >> 46 & 3);
    uint64_t number = token & ((UINT64_C(1) << 46) - 1);
    if (what == TO_NOBODY)
        return;
    if (what == TO_ATOMIC) {
        core_atomic(s->core, cycle, number);
        return;
    }
    if (what == TO_PREFETCH)
        prefetch_unit_over(s->prefetch, number * CACHE_LINE);
    core_line(s->core, cycle, number);
}

/* -------------------------------------------------------------- prefetchers
 */

/* A prefetch to the L1; what became of it. */
static enum cache_result prefetch_line(struct sm *s, uint64_t address,
                                       enum sm_answer_for what) {
    if (!image_memory_ready(s->memory, s->cycle))
        return CACHE_BLOCKED;
    enum cache_result r =
        cache_access(core_cache(s->core), s->cycle, address, CACHE_PREFETCH, 0);
    if (r == CACHE_MISS)
        ask_line(s, IMAGE_PREFETCH, what, address / CACHE_LINE);
    return r;
}

/* Beside the path: a load's line has gone to the L1. */
static void watch(void *ctx, uint32_t slot, const struct stream_insn *insn,
                  uint64_t address, bool first) {
    struct sm *s = ctx;
    prefetch_unit_demand(s->prefetch, slot,
                         (uint64_t)insn->function << 32 ^ insn->pc, address,
                         first);
}

static void from_queue(void *ctx) {
    struct sm *s = ctx;
    uint64_t address;
    if (prefetch_unit_request(s->prefetch, &address) &&
        prefetch_line(s, address, TO_LINE) != CACHE_BLOCKED)
        prefetch_unit_pop(s->prefetch);
}

/* In the path. */
static bool offer(void *ctx, uint32_t load, uint64_t address) {
    struct sm *s = ctx;
    return prefetch_unit_offer(s->prefetch, load, address);
}

static bool deliver(void *ctx) {
    struct sm *s = ctx;
    bool prefetch;
    uint32_t load;
    uint64_t address;
    s->comes = prefetch_unit_at_cache(s->prefetch, &prefetch, &load, &address);
    if (!s->comes || prefetch)
        return false;
    if (core_load(s->core, s->cycle, load, address))
        prefetch_unit_take(s->prefetch);
    return true;
}

/* A prefetch at the path's end goes to the cache at once or not at all: it must
 * not hold the demands behind it. */
static void from_path(void *ctx) {
    struct sm *s = ctx;
    bool prefetch;
    uint32_t load;
    uint64_t address;
    if (!s->comes)
        return;
    prefetch_unit_at_cache(s->prefetch, &prefetch, &load, &address);
    prefetch_unit_take(s->prefetch);
    if (prefetch_line(s, address, TO_PREFETCH) != CACHE_MISS)
        prefetch_unit_over(s->prefetch, address);
}

/* ---------------------------------------------------------------------- SM */

struct sm *sm_create(const struct sm_config *config, uint32_t index,
                     struct image_memory *memory,
                     const struct cta_reader *reader) {
    struct sm *s = xcalloc(1, sizeof *s);
    struct core_config core = {.slots = config->warps,
                               .interval = CORE_CYCLE,
                               .latency = config->latency,
                               .cache = config->cache};
    bool asks = config->prefetch.kind != PREFETCH_NONE;
    struct core_hooks beside = {.ctx = s,
                                .ready = ready,
                                .send = send,
                                .watch = watch,
                                .spare = asks ? from_queue : NULL};
    struct core_hooks in_path = {.ctx = s,
                                 .ready = ready,
                                 .send = send,
                                 .offer = offer,
                                 .deliver = deliver,
                                 .spare = from_path};
    s->index = index;
    s->memory = memory;
    s->prefetch = prefetch_unit_create(&config->prefetch);
    bool path = prefetch_unit_in_path(s->prefetch);
    s->core = core_create(&core, path ? &in_path : &beside, reader);
    if (s->core)
        return s;
    sm_free(s);
    return NULL;
}

void sm_free(struct sm *s) {
    struct cta *c;
    if (!s)
        return;
    while (s->core && (c = core_evict(s->core)))
        cta_free(c);
    core_free(s->core);
    prefetch_unit_free(s->prefetch);
    free(s);
}

const struct core_stats *sm_statistics(const struct sm *s) {
    return core_statistics(s->core);
}

const struct cache_stats *sm_cache(const struct sm *s) {
    return cache_statistics(core_cache(s->core));
}

struct prefetch_unit *sm_prefetch(struct sm *s) {
    return s->prefetch;
}

bool sm_fits(const struct sm *s, uint32_t warps) {
    return warps <= core_room(s->core);
}

void sm_launch(struct sm *s, struct cta *c) {
    core_launch(s->core, c, c->warps, c->n_warps);
}

void sm_kernel(struct sm *s, const struct image_table *table) {
    cache_invalidate_all(core_cache(s->core));
    prefetch_unit_reset(s->prefetch, table);
}

bool sm_idle(const struct sm *s) {
    return core_empty(s->core) && cache_outstanding(core_cache(s->core)) == 0 &&
           prefetch_unit_idle(s->prefetch);
}

uint64_t sm_wakes(const struct sm *s) {
    uint64_t at = core_wakes(s->core);
    return at && !prefetch_unit_idle(s->prefetch) ? 0 : at;
}

void sm_step(struct sm *s, uint64_t cycle) {
    struct cta *c;
    s->cycle = cycle;
    core_step(s->core, cycle);
    prefetch_unit_step(s->prefetch);
    while ((c = core_leave(s->core)))
        cta_free(c);
}
