/* test_cache.c - the caches of the compositions: each rule of their header, and
 * a slow twin of the tags under a random load.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/cache.h"

#include <stdlib.h>
#include <string.h>

enum { L = CACHE_LINE };

static const struct cache_config small = {
    .size = 4 * L, .ways = 2, .mshrs = 2, .targets = 2};

static enum cache_result load(struct cache *c, uint64_t line, uint64_t token) {
    return cache_access(c, 0, line * L, CACHE_LOAD, token);
}

static void bring(struct cache *c, uint64_t line) {
    uint64_t tokens[8];
    assert_int_equal(load(c, line, 0), CACHE_MISS);
    assert_int_equal(cache_fill(c, 0, line * L, tokens), 1);
}

/* ----------------------------------------------------------------- demand */

static void misses_merge_and_fill(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    uint64_t tokens[2] = {0};
    assert_int_equal(load(c, 5, 11), CACHE_MISS);
    assert_true(cache_in_flight(c, 5 * L));
    assert_false(cache_has(c, 5 * L));
    assert_int_equal(cache_access(c, 0, 5 * L + 127, CACHE_LOAD, 12),
                     CACHE_MERGED);
    assert_int_equal(load(c, 5, 13), CACHE_BLOCKED); /* no target */
    assert_int_equal(load(c, 6, 14), CACHE_MISS);
    assert_int_equal(load(c, 7, 15), CACHE_BLOCKED); /* no MSHR */
    assert_int_equal(cache_outstanding(c), 2);
    assert_int_equal(cache_fill(c, 9, 5 * L, tokens), 2);
    assert_int_equal(tokens[0], 11);
    assert_int_equal(tokens[1], 12);
    assert_int_equal(cache_outstanding(c), 1);
    assert_int_equal(load(c, 5, 16), CACHE_HIT);
    assert_int_equal(cache_fill(c, 9, 6 * L, tokens), 1);
    assert_int_equal(tokens[0], 14);
    const struct cache_stats *s = cache_statistics(c);
    assert_int_equal(s->loads, 4);
    assert_int_equal(s->load_hits, 1);
    assert_int_equal(s->load_misses, 2);
    assert_int_equal(s->load_merged, 1);
    assert_int_equal(s->blocked, 2);
    assert_true(cache_miss_rate(s) == 0.5);
    assert_true(cache_stall_rate(s) == 0.75);
    cache_free(c);
}

static void oldest_leaves(void **state) {
    (void)state;
    struct cache *c = cache_create(&small); /* sets: even and odd lines */
    bring(c, 0);
    bring(c, 2);
    assert_int_equal(load(c, 0, 0), CACHE_HIT);
    bring(c, 4); /* 2 is the oldest now */
    assert_true(cache_has(c, 0));
    assert_false(cache_has(c, 2 * L));
    bring(c, 1);
    assert_true(cache_has(c, 4 * L));
    assert_int_equal(cache_statistics(c)->evictions, 1);
    cache_free(c);
}

static void writes_pass_through(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    assert_int_equal(cache_access(c, 0, 0, CACHE_STORE, 0), CACHE_WRITTEN);
    assert_false(cache_has(c, 0)); /* no allocation */
    bring(c, 0);
    bring(c, 2);
    assert_int_equal(cache_access(c, 0, 0, CACHE_STORE, 0), CACHE_WRITTEN);
    assert_true(cache_has(c, 0));
    bring(c, 4); /* the store has made 0 the younger one */
    assert_true(cache_has(c, 0));
    assert_int_equal(cache_access(c, 0, 0, CACHE_ATOMIC, 0), CACHE_WRITTEN);
    assert_false(cache_has(c, 0));
    const struct cache_stats *s = cache_statistics(c);
    assert_int_equal(s->stores, 2);
    assert_int_equal(s->store_hits, 1);
    assert_int_equal(s->atomics, 1);
    cache_free(c);
}

static void invalidation(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    bring(c, 3);
    assert_true(cache_invalidate(c, 3 * L + 5));
    assert_false(cache_invalidate(c, 3 * L));
    bring(c, 3);
    bring(c, 4);
    cache_invalidate_all(c);
    assert_false(cache_has(c, 3 * L) || cache_has(c, 4 * L));
    assert_int_equal(cache_statistics(c)->invalidations, 3);
    cache_free(c);
}

static void bad_configurations(void **state) {
    (void)state;
    struct cache_config bad[] = {small, small, small, small};
    bad[0].size = 5 * L;
    bad[1].ways = 0;
    bad[2].mshrs = 0;
    bad[3].targets = 0;
    for (int i = 0; i < 4; i++)
        assert_null(cache_create(&bad[i]));
}

/* Eight rows of an image, 16 lines apart, in a cache of 16 sets: all in one set
 * without the hash, each in its own with it. */
static void hashed_sets(void **state) {
    (void)state;
    struct cache_config k = {
        .size = 16 * 2 * L, .ways = 2, .mshrs = 2, .targets = 2};
    for (int hashed = 0; hashed < 2; hashed++) {
        int kept = 0;
        k.hashed = hashed;
        struct cache *c = cache_create(&k);
        for (uint64_t y = 0; y < 8; y++)
            bring(c, 16 * y);
        for (uint64_t y = 0; y < 8; y++)
            kept += cache_has(c, 16 * y * L);
        assert_int_equal(kept, hashed ? 8 : 2);
        cache_free(c);
    }
}

/* --------------------------------------------------------------- prefetch */

static enum cache_result fetch(struct cache *c, uint64_t cycle, uint64_t line) {
    return cache_access(c, cycle, line * L, CACHE_PREFETCH, 0);
}

static void prefetch_in_time(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    const struct cache_stats *s = cache_statistics(c);
    uint64_t tokens[2];
    assert_int_equal(fetch(c, 10, 1), CACHE_MISS);
    assert_int_equal(fetch(c, 11, 1), CACHE_MERGED);
    assert_int_equal(cache_fill(c, 30, 1 * L, tokens), 0);
    assert_int_equal(fetch(c, 31, 1), CACHE_HIT);
    assert_int_equal(cache_access(c, 45, L, CACHE_LOAD, 0), CACHE_HIT);
    assert_int_equal(cache_access(c, 46, L, CACHE_LOAD, 0), CACHE_HIT);
    assert_int_equal(s->issued, 1);
    assert_int_equal(s->in_flight, 1);
    assert_int_equal(s->present, 1);
    assert_int_equal(s->used, 1); /* once, not twice */
    assert_int_equal(s->late, 0);
    assert_int_equal(s->early_cycles, 15);
    cache_free(c);
}

static void prefetch_late(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    const struct cache_stats *s = cache_statistics(c);
    uint64_t tokens[2];
    fetch(c, 10, 1);
    assert_int_equal(cache_access(c, 20, L, CACHE_LOAD, 7), CACHE_MERGED);
    assert_int_equal(cache_access(c, 21, L, CACHE_LOAD, 8), CACHE_MERGED);
    assert_int_equal(cache_fill(c, 32, L, tokens), 2);
    assert_int_equal(tokens[0], 7);
    assert_int_equal(s->used, 1);
    assert_int_equal(s->late, 1);
    assert_int_equal(s->late_cycles, 12);
    assert_int_equal(s->load_misses, 0);
    assert_int_equal(cache_access(c, 40, L, CACHE_LOAD, 0), CACHE_HIT);
    assert_int_equal(s->used, 1);
    cache_invalidate_all(c);
    assert_int_equal(s->unused, 0);
    cache_free(c);
}

static void prefetch_in_vain(void **state) {
    (void)state;
    struct cache *c = cache_create(&small);
    const struct cache_stats *s = cache_statistics(c);
    uint64_t tokens[2];
    fetch(c, 0, 0);
    cache_fill(c, 1, 0, tokens);
    bring(c, 2);
    bring(c, 4); /* evicts 0 */
    assert_int_equal(s->unused, 1);
    fetch(c, 2, 1);
    cache_fill(c, 3, L, tokens);
    cache_invalidate_all(c);
    assert_int_equal(s->unused, 2);
    assert_int_equal(s->used, 0);
    assert_true(cache_accuracy(s) == 0 && cache_coverage(s) == 0);
    cache_free(c);
}

static void prefetch_leaves_room(void **state) {
    (void)state;
    struct cache_config k = small;
    k.mshrs = 3;
    k.reserve = 2;
    struct cache *c = cache_create(&k);
    assert_int_equal(fetch(c, 0, 0), CACHE_MISS);
    assert_int_equal(fetch(c, 0, 1), CACHE_BLOCKED);
    assert_int_equal(load(c, 2, 0), CACHE_MISS);
    assert_int_equal(load(c, 3, 0), CACHE_MISS);
    assert_int_equal(cache_statistics(c)->refused, 1);
    cache_free(c);
}

static void ratios(void **state) {
    (void)state;
    struct cache_stats a = {.loads = 10,
                            .load_misses = 2,
                            .load_merged = 3,
                            .issued = 8,
                            .used = 6,
                            .late = 3},
                       sum = {0};
    cache_stats_add(&sum, &a);
    cache_stats_add(&sum, &a);
    assert_int_equal(sum.used, 12);
    assert_true(cache_miss_rate(&sum) == 0.2);
    assert_true(cache_stall_rate(&sum) == 0.5);
    assert_true(cache_accuracy(&sum) == 0.75);
    assert_true(cache_coverage(&sum) == 0.75);
    assert_true(cache_timeliness(&sum) == 0.5);
}

/* ------------------------------------------------------------- slow twin */

/* Tags kept as one list a set, youngest first. */
struct twin {
    uint64_t lines[4][3];
    int n[4];
};

static int twin_find(const struct twin *t, uint64_t line) {
    int set = (int)(line % 4);
    for (int i = 0; i < t->n[set]; i++)
        if (t->lines[set][i] == line)
            return i;
    return -1;
}

static void twin_use(struct twin *t, uint64_t line) {
    int set = (int)(line % 4), at = twin_find(t, line);
    if (at < 0)
        at = t->n[set] < 3 ? t->n[set]++ : 2;
    memmove(&t->lines[set][1], &t->lines[set][0],
            (size_t)at * sizeof(uint64_t));
    t->lines[set][0] = line;
}

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* One load, store or prefetch, with its fill at once. */
static void twin_step(struct cache *c, struct twin *t, uint64_t line,
                      enum cache_kind kind) {
    uint64_t tokens[2];
    bool there = twin_find(t, line) >= 0;
    enum cache_result r = cache_access(c, 0, line * L, kind, line);
    if (kind == CACHE_STORE) {
        assert_int_equal(r, CACHE_WRITTEN);
        if (there)
            twin_use(t, line);
        return;
    }
    assert_int_equal(r, there ? CACHE_HIT : CACHE_MISS);
    if (!there)
        cache_fill(c, 0, line * L, tokens);
    if (!there || kind == CACHE_LOAD)
        twin_use(t, line);
}

static void against_twin(void **state) {
    (void)state;
    struct cache_config k = {
        .size = 12 * L, .ways = 3, .mshrs = 2, .targets = 2};
    struct cache *c = cache_create(&k);
    struct twin t = {0};
    uint64_t seed = 1, hits = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t line = next_random(&seed) % 20;
        uint64_t what = next_random(&seed) % 4;
        twin_step(c, &t, line,
                  what == 0   ? CACHE_STORE
                  : what == 1 ? CACHE_PREFETCH
                              : CACHE_LOAD);
        hits = cache_statistics(c)->load_hits;
    }
    assert_in_range(hits, 20000, 45000); /* both ways were taken */
    cache_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_merge_and_fill),
        cmocka_unit_test(oldest_leaves),
        cmocka_unit_test(writes_pass_through),
        cmocka_unit_test(invalidation),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(hashed_sets),
        cmocka_unit_test(prefetch_in_time),
        cmocka_unit_test(prefetch_late),
        cmocka_unit_test(prefetch_in_vain),
        cmocka_unit_test(prefetch_leaves_room),
        cmocka_unit_test(ratios),
        cmocka_unit_test(against_twin),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
