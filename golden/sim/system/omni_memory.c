/* omni_memory.c - a memory node: a partition of the L2 in front of DRAM, which
 * is a latency and a bandwidth.
 *
 * One request a cycle looks into the L2.  Stores go through it, as in the L1's
 * model (cache.h).  A request that can go no further stays, and those behind it
 * wait, too.
 */
#include "omni_state.h"

#include "base/arena.h"

#include <stdlib.h>

enum { WAYS = 16, MSHRS = 64, TARGETS = 64, LONG_ANSWERS = 32 };

struct omni_memory {
    struct omni_machine *m;
    int node;
    struct cache *l2;
    struct pipe *dram, *hits;
    struct omni_queue waiting;
    uint64_t tokens[TARGETS];
};

struct omni_memory *omni_memory_create(struct omni_machine *m, int node) {
    const struct omni_settings *s = m->settings;
    struct omni_memory *k = xcalloc(1, sizeof *k);
    struct cache_config cache = {.size = s->l2,
                                 .ways = WAYS,
                                 .mshrs = MSHRS,
                                 .targets = TARGETS,
                                 .hashed = true};
    struct pipe_config dram = {
        .rate = pipe_bytes((double)s->bandwidth / m->memories, s->clock),
        .latency = OMNI_LATENCY_DRAM,
        .depth = 4096,
        .backlog = 64 * CACHE_LINE};
    struct pipe_config hits = {.rate = {.amount = 1, .time = 1, .ticks = 1},
                               .latency = OMNI_LATENCY_L2};
    k->m = m;
    k->node = node;
    k->l2 = cache_create(&cache);
    k->dram = pipe_create(&dram);
    k->hits = pipe_create(&hits);
    return k;
}

void omni_memory_free(struct omni_memory *k) {
    if (!k)
        return;
    free(k->waiting.v);
    cache_free(k->l2);
    pipe_free(k->dram);
    pipe_free(k->hits);
    free(k);
}

bool omni_memory_room(const struct omni_memory *k) {
    return k->waiting.n < OMNI_WAITING;
}

void omni_memory_take(struct omni_memory *k, const struct omni_message *msg) {
    struct omni_message *own = omni_new_message(k->m);
    *own = *msg;
    omni_push(&k->waiting, own);
}

/* The answer to a request leaves for whoever asked; the request is freed. */
static void answer(struct omni_memory *k, uint64_t token) {
    static const enum omni_kind kinds[] = {[OMNI_LOAD] = OMNI_LINE,
                                           [OMNI_STORE] = OMNI_STORED,
                                           [OMNI_ATOMIC] = OMNI_RESULT};
    struct omni_message *asked = (struct omni_message *)(uintptr_t)token;
    struct omni_message msg = *asked;

    msg.kind = kinds[asked->kind];
    msg.from = k->node;
    msg.to = asked->back;
    omni_send(k->m, &msg);
    omni_drop_message(k->m, asked);
}

static uint32_t bytes_of(const struct omni_message *m) {
    uint32_t sectors = (uint32_t)__builtin_popcount(m->sectors);
    return m->kind == OMNI_LOAD    ? CACHE_LINE
           : m->kind == OMNI_STORE ? 32 * sectors
                                   : 2 * 32 * sectors;
}

/* The oldest request looks into the L2; false: it has to wait. */
static bool look(struct omni_memory *k, struct omni_message *msg) {
    static const enum cache_kind kinds[] = {[OMNI_LOAD] = CACHE_LOAD,
                                            [OMNI_STORE] = CACHE_STORE,
                                            [OMNI_ATOMIC] = CACHE_ATOMIC};
    uint64_t cycle = k->m->cycle, token = (uint64_t)(uintptr_t)msg;
    struct pipe_packet hit = {.amount = 1, .token = token};
    struct pipe_packet dram = {.amount = bytes_of(msg), .token = token};

    if (!pipe_ready(k->dram, cycle))
        return false;
    switch (cache_access(k->l2, cycle, msg->address, kinds[msg->kind], token)) {
    case CACHE_BLOCKED:
        return false;
    case CACHE_HIT:
        pipe_send(k->hits, cycle, &hit);
        break;
    case CACHE_MERGED:
        break;
    case CACHE_MISS:
        pipe_send(k->dram, cycle, &dram);
        break;
    case CACHE_WRITTEN:
        if (msg->kind == OMNI_STORE) {
            pipe_send(k->hits, cycle, &hit); /* acknowledged by the L2 */
            dram.token = PIPE_NOBODY;
        }
        pipe_send(k->dram, cycle, &dram);
    }
    return true;
}

void omni_memory_step(struct omni_memory *k) {
    uint64_t cycle = k->m->cycle, token;

    while (pipe_receive(k->dram, cycle, &token)) {
        struct omni_message *msg = (struct omni_message *)(uintptr_t)token;
        if (msg->kind != OMNI_LOAD) {
            answer(k, token);
            continue;
        }
        uint32_t n = cache_fill(k->l2, cycle, msg->address, k->tokens);
        for (uint32_t i = 0; i < n; i++)
            answer(k, k->tokens[i]);
    }
    while (pipe_receive(k->hits, cycle, &token))
        answer(k, token);
    if (k->waiting.n &&
        omni_waiting(k->m, k->node, NOC_ANSWER) < LONG_ANSWERS &&
        look(k, omni_oldest(&k->waiting)))
        omni_pop(&k->waiting);
}

void omni_memory_kernel(struct omni_memory *k) {
    cache_invalidate_all(k->l2);
}

void omni_memory_collect(struct omni_memory *k) {
    cache_stats_add(&k->m->result->l2, cache_statistics(k->l2));
    k->m->result->dram_bytes += pipe_amount(pipe_statistics(k->dram));
}
