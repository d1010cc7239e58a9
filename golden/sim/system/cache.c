/* cache.c - tags, LRU, MSHRs and the marks of prefetches.
 *
 * A set is a short row of lines with the cycle-free "age" of their last use:
 * a counter that grows with each access, so that the smallest is the least
 * recently used.  MSHRs are few and searched one by one; free ones are found by
 * keeping those in use in front.
 */
#include "cache.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

struct line {
    uint64_t number; /* address / CACHE_LINE */
    uint64_t used;   /* age of the last use; 0: the line is empty */
    uint64_t filled; /* cycle, of a prefetch that nobody has used yet */
    bool prefetched; /* by a prefetch that nobody has used yet */
};

struct mshr {
    uint64_t number;
    uint64_t wanted; /* cycle in which a demand took over a prefetch */
    uint32_t n;      /* tokens */
    bool prefetched; /* nobody has asked for it yet */
    bool late;       /* a prefetch that a demand has taken over */
};

struct cache {
    struct cache_config config;
    struct cache_stats stats;
    uint32_t sets;
    uint64_t age;
    struct line *lines; /* by set, then way */
    struct mshr *mshrs; /* those in use in front */
    uint64_t *tokens;   /* config.targets of each MSHR */
    uint32_t in_use;
};

struct cache *cache_create(const struct cache_config *config) {
    uint32_t set = config->ways * CACHE_LINE;
    if (!config->ways || !config->size || config->size % set != 0 ||
        !config->mshrs || !config->targets)
        return NULL;
    struct cache *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->sets = config->size / set;
    c->lines = xcalloc((size_t)c->sets * config->ways, sizeof *c->lines);
    c->mshrs = xcalloc(config->mshrs, sizeof *c->mshrs);
    c->tokens =
        xcalloc((size_t)config->mshrs * config->targets, sizeof *c->tokens);
    return c;
}

void cache_free(struct cache *c) {
    if (!c)
        return;
    free(c->lines);
    free(c->mshrs);
    free(c->tokens);
    free(c);
}

/* ----------------------------------------------------------------- looking */

static struct line *set_of(const struct cache *c, uint64_t number) {
    uint64_t h = number;
    if (c->config.hashed && c->sets > 1)
        for (uint64_t rest = number / c->sets; rest; rest /= c->sets)
            h ^= rest;
    return c->lines + h % c->sets * c->config.ways;
}

static struct line *find_line(const struct cache *c, uint64_t number) {
    struct line *set = set_of(c, number);
    for (uint32_t i = 0; i < c->config.ways; i++)
        if (set[i].used && set[i].number == number)
            return &set[i];
    return NULL;
}

/* Index of the line's MSHR; in_use: none. */
static uint32_t find_mshr(const struct cache *c, uint64_t number) {
    uint32_t i = 0;
    while (i < c->in_use && c->mshrs[i].number != number)
        i++;
    return i;
}

bool cache_has(const struct cache *c, uint64_t address) {
    return find_line(c, address / CACHE_LINE) != NULL;
}

bool cache_in_flight(const struct cache *c, uint64_t address) {
    return find_mshr(c, address / CACHE_LINE) < c->in_use;
}

uint32_t cache_outstanding(const struct cache *c) {
    return c->in_use;
}

const struct cache_stats *cache_statistics(const struct cache *c) {
    return &c->stats;
}

/* ----------------------------------------------------------------- access */

static void drop_line(struct cache *c, struct line *l) {
    c->stats.unused += l->prefetched;
    *l = (struct line){0};
}

/* A line on its way gets another who waits for it. */
static bool add_target(struct cache *c, uint32_t i, uint64_t token) {
    struct mshr *m = &c->mshrs[i];
    if (m->n == c->config.targets)
        return false;
    c->tokens[(size_t)i * c->config.targets + m->n++] = token;
    return true;
}

static uint32_t take_mshr(struct cache *c, uint64_t number, bool prefetch) {
    uint32_t i = c->in_use++;
    c->mshrs[i] = (struct mshr){.number = number, .prefetched = prefetch};
    return i;
}

static enum cache_result hit_load(struct cache *c, uint64_t cycle,
                                  struct line *l) {
    l->used = ++c->age;
    c->stats.loads++;
    c->stats.load_hits++;
    if (l->prefetched) {
        l->prefetched = false;
        c->stats.used++;
        c->stats.early_cycles += cycle - l->filled;
    }
    return CACHE_HIT;
}

static enum cache_result load(struct cache *c, uint64_t cycle, uint64_t number,
                              uint64_t token) {
    struct line *l = find_line(c, number);
    if (l)
        return hit_load(c, cycle, l);
    uint32_t i = find_mshr(c, number);
    bool merged = i < c->in_use;
    if (!merged && c->in_use == c->config.mshrs) {
        c->stats.blocked++;
        return CACHE_BLOCKED;
    }
    if (!merged)
        i = take_mshr(c, number, false);
    if (!add_target(c, i, token)) {
        c->stats.blocked++;
        return CACHE_BLOCKED;
    }
    c->stats.loads++;
    if (!merged) {
        c->stats.load_misses++;
        return CACHE_MISS;
    }
    c->stats.load_merged++;
    struct mshr *m = &c->mshrs[i];
    if (m->prefetched) {
        m->prefetched = false;
        m->late = true;
        m->wanted = cycle;
        c->stats.used++;
        c->stats.late++;
    }
    return CACHE_MERGED;
}

static enum cache_result prefetch(struct cache *c, uint64_t number) {
    if (find_line(c, number)) {
        c->stats.present++;
        return CACHE_HIT;
    }
    if (find_mshr(c, number) < c->in_use) {
        c->stats.in_flight++;
        return CACHE_MERGED;
    }
    if (c->in_use + c->config.reserve >= c->config.mshrs) {
        c->stats.refused++;
        return CACHE_BLOCKED;
    }
    take_mshr(c, number, true);
    c->stats.issued++;
    return CACHE_MISS;
}

enum cache_result cache_access(struct cache *c, uint64_t cycle,
                               uint64_t address, enum cache_kind kind,
                               uint64_t token) {
    uint64_t number = address / CACHE_LINE;
    if (kind == CACHE_LOAD)
        return load(c, cycle, number, token);
    if (kind == CACHE_PREFETCH)
        return prefetch(c, number);
    struct line *l = find_line(c, number);
    if (kind == CACHE_ATOMIC) {
        c->stats.atomics++;
        if (l)
            drop_line(c, l);
        return CACHE_WRITTEN;
    }
    c->stats.stores++;
    if (l) { /* the line stays, with the new data in it */
        c->stats.store_hits++;
        l->used = ++c->age;
    }
    return CACHE_WRITTEN;
}

/* ------------------------------------------------------------------- fill */

/* The place for a new line: an empty one, or the least recently used. */
static struct line *victim(struct cache *c, uint64_t number) {
    struct line *set = set_of(c, number), *v = set;
    for (uint32_t i = 1; i < c->config.ways; i++)
        if (set[i].used < v->used)
            v = &set[i];
    if (v->used) {
        c->stats.evictions++;
        drop_line(c, v);
    }
    return v;
}

uint32_t cache_fill(struct cache *c, uint64_t cycle, uint64_t address,
                    uint64_t *tokens) {
    uint64_t number = address / CACHE_LINE;
    uint32_t i = find_mshr(c, number), targets = c->config.targets;
    if (i == c->in_use)
        BUG("a fill for a line that nobody asked for");
    struct mshr m = c->mshrs[i];
    memcpy(tokens, c->tokens + (size_t)i * targets, m.n * sizeof *tokens);
    uint32_t last = --c->in_use;
    c->mshrs[i] = c->mshrs[last];
    memmove(c->tokens + (size_t)i * targets, c->tokens + (size_t)last * targets,
            c->mshrs[i].n * sizeof *tokens);
    if (m.late)
        c->stats.late_cycles += cycle - m.wanted;
    c->stats.fills++;
    *victim(c, number) = (struct line){.number = number,
                                       .used = ++c->age,
                                       .filled = cycle,
                                       .prefetched = m.prefetched};
    return m.n;
}

bool cache_invalidate(struct cache *c, uint64_t address) {
    struct line *l = find_line(c, address / CACHE_LINE);
    if (!l)
        return false;
    c->stats.invalidations++;
    drop_line(c, l);
    return true;
}

void cache_invalidate_all(struct cache *c) {
    for (size_t i = 0; i < (size_t)c->sets * c->config.ways; i++)
        if (c->lines[i].used) {
            c->stats.invalidations++;
            drop_line(c, &c->lines[i]);
        }
}

/* ---------------------------------------------------------------- figures */

void cache_stats_add(struct cache_stats *into, const struct cache_stats *from) {
    /* every member is a uint64_t */
    uint64_t *a = (uint64_t *)(void *)into;
    const uint64_t *b = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *a; i++)
        a[i] += b[i];
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

double cache_miss_rate(const struct cache_stats *s) {
    return ratio(s->load_misses, s->loads);
}

double cache_stall_rate(const struct cache_stats *s) {
    return ratio(s->load_misses + s->load_merged, s->loads);
}

double cache_accuracy(const struct cache_stats *s) {
    return ratio(s->used, s->issued);
}

double cache_coverage(const struct cache_stats *s) {
    return ratio(s->used, s->used + s->load_misses);
}

double cache_timeliness(const struct cache_stats *s) {
    return ratio(s->used - s->late, s->used);
}
