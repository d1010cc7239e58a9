/* image_prefetch.c - the prefetchers of an SM behind one interface. */
#include "image_prefetch.h"

#include "cache.h"
#include "pws.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_QUEUE = 64,
    MAX_OVER = 256, /* prefetches that are over and not told yet */
    SETTLE = 64     /* edges without demands before the table is loaded */
};

struct prefetch_unit {
    struct prefetch_unit_config config;
    struct prefetch_unit_stats stats;
    /* PWS */
    uint64_t queue[MAX_QUEUE];
    uint32_t head, n;
    struct pws *pws;
    int64_t stride; /* of the instruction whose lines are coming */
    /* pattern */
    struct golden *block;
    struct prefetch_in in; /* of this cycle */
    const struct prefetch_out *out;
    uint64_t over[MAX_OVER]; /* lines */
    uint32_t over_head, n_over;
};

struct prefetch_unit *
prefetch_unit_create(const struct prefetch_unit_config *config) {
    struct prefetch_unit *u = xcalloc(1, sizeof *u);
    struct config c;
    u->config = *config;
    if (!config->queue || config->queue > MAX_QUEUE)
        BUG("a prefetch queue of %u", config->queue);
    if (config->kind == PREFETCH_PWS)
        u->pws = pws_create(config->entries);
    if (config->kind == PREFETCH_PATTERN) {
        image_driver_config(&c);
        u->block = golden_create(&prefetch_golden, &c);
        u->out = golden_cycle(u->block, true, NULL);
    }
    return u;
}

void prefetch_unit_free(struct prefetch_unit *u) {
    if (!u)
        return;
    pws_free(u->pws);
    golden_free(u->block);
    free(u);
}

static void edge(struct prefetch_unit *u) {
    u->out = golden_cycle(u->block, false, &u->in);
    u->in.demand_valid = u->in.mem_ready = u->in.fill_valid = 0;
    u->in.load_valid = 0;
}

/* The driver's part: as the note's contract wants it, with no demands for a
 * while before. */
static void load_table(struct prefetch_unit *u, const struct image_table *t) {
    for (int i = 0; i < SETTLE; i++)
        edge(u);
    for (uint32_t i = 0; i < t->n; i++) {
        u->in.load_valid = 1;
        u->in.load_index = i;
        memcpy(u->in.load_entry, t->entry[i], sizeof t->entry[i]);
        edge(u);
    }
}

void prefetch_unit_reset(struct prefetch_unit *u,
                         const struct image_table *table) {
    u->n = 0;
    u->stride = 0;
    if (u->pws)
        pws_reset(u->pws);
    if (u->block && table)
        load_table(u, table);
}

void prefetch_unit_step(struct prefetch_unit *u) {
    if (!u->block)
        return;
    if (u->n_over) {
        u->in.fill_valid = 1;
        u->in.fill_line = u->over[u->over_head];
        u->over_head = (u->over_head + 1) % MAX_OVER;
        u->n_over--;
    } else if (!u->in.demand_valid && prefetch_is_idle(u->block)) {
        return;
    }
    edge(u);
}

bool prefetch_unit_idle(const struct prefetch_unit *u) {
    return u->n == 0 &&
           (!u->block || (u->n_over == 0 && prefetch_is_idle(u->block)));
}

struct prefetch_unit_stats prefetch_unit_statistics(struct prefetch_unit *u) {
    const struct golden *b = u->block;
    if (!b)
        return u->stats;
    uint64_t duplicate = golden_counter(b, PREFETCH_CNT_duplicate);
    uint64_t full = golden_counter(b, PREFETCH_CNT_full) +
                    golden_counter(b, PREFETCH_CNT_no_room);
    return (struct prefetch_unit_stats){
        .demands = golden_counter(b, PREFETCH_CNT_demands),
        .known = golden_counter(b, PREFETCH_CNT_known),
        .requests = golden_counter(b, PREFETCH_CNT_issued) + duplicate + full,
        .duplicate = duplicate,
        .full = full,
        .outside = golden_counter(b, PREFETCH_CNT_outside),
        .ended = golden_counter(b, PREFETCH_CNT_ended),
        .over = golden_counter(b, PREFETCH_CNT_fills)};
}

/* ------------------------------------------------------------ beside: PWS */

static void push(struct prefetch_unit *u, uint64_t address) {
    u->stats.requests++;
    for (uint32_t i = 0; i < u->n; i++)
        if (u->queue[(u->head + i) % MAX_QUEUE] / CACHE_LINE ==
            address / CACHE_LINE) {
            u->stats.duplicate++;
            return;
        }
    if (u->n == u->config.queue) {
        u->stats.full++;
        return;
    }
    u->queue[(u->head + u->n++) % MAX_QUEUE] = address;
}

void prefetch_unit_demand(struct prefetch_unit *u, uint32_t warp, uint64_t pc,
                          uint64_t address, bool first) {
    u->stats.demands++;
    if (!u->pws)
        return;
    if (first)
        u->stride = pws_load(u->pws, warp, pc, address);
    if (u->stride && stream_is_address(address + (uint64_t)u->stride))
        push(u, address + (uint64_t)u->stride);
}

bool prefetch_unit_request(const struct prefetch_unit *u, uint64_t *address) {
    if (u->n)
        *address = u->queue[u->head];
    return u->n != 0;
}

void prefetch_unit_pop(struct prefetch_unit *u) {
    u->head = (u->head + 1) % MAX_QUEUE;
    u->n--;
}

/* ------------------------------------------------------ in the path: pattern
 */

bool prefetch_unit_in_path(const struct prefetch_unit *u) {
    return u->block != NULL;
}

bool prefetch_unit_offer(struct prefetch_unit *u, uint32_t id,
                         uint64_t address) {
    u->in.demand_valid = 1;
    u->in.demand_id = id;
    u->in.demand_address = address;
    return u->out->demand_ready;
}

bool prefetch_unit_at_cache(const struct prefetch_unit *u, bool *prefetch,
                            uint32_t *id, uint64_t *address) {
    *prefetch = u->out->mem_prefetch;
    *id = (uint32_t)u->out->mem_id;
    *address = u->out->mem_address;
    return u->out->mem_valid;
}

void prefetch_unit_take(struct prefetch_unit *u) {
    u->in.mem_ready = 1;
}

void prefetch_unit_over(struct prefetch_unit *u, uint64_t address) {
    if (u->n_over == MAX_OVER)
        BUG("more prefetches over than can be in flight");
    u->over[(u->over_head + u->n_over++) % MAX_OVER] = address / CACHE_LINE;
}
