/* test_image_mesh.c - libndp on a machine of two SMs with prefetchers: each SM's table
 * holds its own walks, settings reach both, counters are sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/ndp.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, ROWS = 4, SMS = 2, BYTES = 4 * WIDTH * ROWS * SMS };

struct room {
    ndpDevice device;
    ndpFunction kernel;
    ndpDevicePtr in, out;
};

static void good(const struct room *w, ndpResult got) {
    if (got != NDP_SUCCESS)
        fail_msg("%s", ndpGetErrorString(w->device));
}

static int setup(void **state) {
    static struct room w;
    ndpModule m;
    uint32_t words[BYTES / 4];
    for (int i = 0; i < BYTES / 4; i++)
        words[i] = (uint32_t)i;
    assert_int_equal(ndpDeviceOpen(&w.device, "golden:image_mesh_tiny"),
                     NDP_SUCCESS);
    good(&w, ndpModuleLoad(&m, w.device, "tests/image_mesh/bands.ptx"));
    good(&w, ndpModuleGetFunction(&w.kernel, m, "bands"));
    good(&w, ndpMemAlloc(&w.in, w.device, BYTES));
    good(&w, ndpMemAlloc(&w.out, w.device, BYTES));
    good(&w, ndpMemcpyHtoD(w.device, w.in, words, BYTES));
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    struct room *w = *state;
    ndpDeviceClose(w->device);
    return 0;
}

/* Blocks of 4 x 2 words over band c of SMS. */
static ndpWalk band(const struct room *w, uint32_t c) {
    return (ndpWalk){.start = w->in,
                     .size = BYTES,
                     .pitch = 4 * WIDTH,
                     .block_x = 16,
                     .block_y = 2,
                     .x_hi = 4 * WIDTH,
                     .y_lo = c * ROWS,
                     .y_hi = (c + 1) * ROWS};
}

static uint64_t count(const struct room *w, const char *name) {
    uint64_t value = 0;
    good(w, ndpDeviceGetPrefetchCounter(&value, w->device, name));
    return value;
}

/* SM c executes CTA c, which walks over band c. */
static void launch(struct room *w) {
    uint32_t words[BYTES / 4], width = WIDTH, rows = ROWS;
    const ndpArgument arguments[] = {NDP_ARG(width), NDP_ARG(rows),
                                     NDP_ARG(w->in), NDP_ARG(w->out)};
    memset(words, 0, sizeof words);
    good(w, ndpMemcpyHtoD(w->device, w->out, words, BYTES));
    good(w, ndpDeviceClearCounters(w->device));
    good(w, ndpLaunchKernel(w->kernel, SMS, 1, 1, 4, 2, 1, 0, arguments, 4));
    good(w, ndpCtxSynchronize(w->device, 0));
    good(w, ndpMemcpyDtoH(w->device, words, w->out, BYTES));
    for (int i = 0; i < BYTES / 4; i++)
        assert_int_equal(words[i], 3 * i + 1);
}

static void set(const struct room *w, int sm, uint32_t part) {
    const ndpWalk walk = band(w, part);
    good(w, ndpDeviceSetWalksOf(w->device, sm, &walk, 1));
}

/* Loads of an SM are inside the band of its CTA, and outside that of another. */
static void test_tables(void **state) {
    struct room *w = *state;
    launch(w);
    assert_int_equal(count(w, "prefetch.known"), 0);
    const uint64_t loads = count(w, "cache.loads");
    assert_int_equal(count(w, "prefetch.demands"), loads);
    set(w, 0, 0);
    set(w, 1, 1);
    launch(w);
    const uint64_t all = count(w, "cache.issued");
    assert_true(all >= 2u * BYTES / 16 / 4);
    assert_int_equal(count(w, "prefetch.known"), loads);
    assert_int_equal(count(w, "prefetch.outside"), 0);
    set(w, 1, 0);
    launch(w);
    assert_int_equal(count(w, "prefetch.outside"), loads / 2);
    const ndpWalk walk = band(w, 1);
    good(w, ndpDeviceSetWalks(w->device, &walk, 1)); /* of both */
    launch(w);
    assert_int_equal(count(w, "prefetch.outside"), loads / 2);
    good(w, ndpDeviceSetWalks(w->device, NULL, 0));
    launch(w);
    assert_int_equal(count(w, "prefetch.known"), 0);
}

static void test_settings(void **state) {
    struct room *w = *state;
    set(w, 0, 0);
    set(w, 1, 1);
    good(w, ndpDeviceSetPrefetch(w->device, NDP_PREFETCH_NONE));
    launch(w);
    assert_int_equal(count(w, "cache.issued"), 0);
    good(w, ndpDeviceSetPrefetch(w->device, NDP_PREFETCH_PATTERN));
    launch(w);
    const uint64_t both = count(w, "cache.issued");
    assert_true(both > 0);
    good(w, ndpDeviceSetWalksOf(w->device, 1, NULL, 0));
    launch(w);
    assert_true(count(w, "cache.issued") < both);
    assert_true(count(w, "cache.issued") > 0);
    good(w, ndpDeviceClearCounters(w->device));
    assert_int_equal(count(w, "cache.issued"), 0);
}

static void refuses(const struct room *w, const ndpWalk *walks, int n,
                    ndpResult result, const char *why) {
    assert_int_equal(ndpDeviceSetWalksOf(w->device, 1, walks, n), result);
    if (!strstr(ndpGetErrorString(w->device), why))
        fail_msg("'%s', expected '%s'", ndpGetErrorString(w->device), why);
}

/* The memory is that of both SMs, the table that of one. */
static void test_bad_walks(void **state) {
    struct room *w = *state;
    uint32_t width = WIDTH, rows = ROWS;
    const ndpArgument arguments[] = {NDP_ARG(width), NDP_ARG(rows),
                                     NDP_ARG(w->in), NDP_ARG(w->out)};
    ndpWalk walks[2] = {band(w, 0), band(w, 1)};
    size_t bytes;
    int images;
    good(w, ndpDeviceGetImages(&images, w->device));
    assert_int_equal(images, 1);
    refuses(w, walks, 2, NDP_ERROR_INVALID_VALUE,
            "2 images, the prefetcher's table holds 1");
    good(w, ndpDeviceTotalMem(&bytes, w->device));
    walks[0].start = (ndpDevicePtr)(bytes - BYTES);
    good(w, ndpDeviceSetWalksOf(w->device, 1, walks, 1));
    walks[0].start += 4;
    refuses(w, walks, 1, NDP_ERROR_INVALID_VALUE, "outside the ");
    good(w, ndpLaunchKernel(w->kernel, SMS, 1, 1, 4, 2, 1, 0, arguments, 4));
    refuses(w, walks + 1, 1, NDP_ERROR_NOT_READY,
            "a launch runs, images cannot be loaded");
    good(w, ndpCtxSynchronize(w->device, 0));
    good(w, ndpDeviceSetWalksOf(w->device, 1, walks + 1, 1));
}

static void test_refused(void **state) {
    struct room *w = *state;
    const ndpWalk walk = band(w, 0);
    for (int sm = -1; sm <= SMS; sm += SMS + 1) {
        assert_int_equal(ndpDeviceSetWalksOf(w->device, sm, &walk, 1),
                         NDP_ERROR_INVALID_VALUE);
        assert_non_null(strstr(ndpGetErrorString(w->device),
                               ", expected 0 to 1 of the device"));
    }
}

static void area_is(ndpDevice d, int core, unsigned grid_x, unsigned grid_y,
                    const ndpArea *want) {
    ndpArea a;
    assert_int_equal(ndpDeviceGetArea(&a, d, core, grid_x, grid_y),
                     NDP_SUCCESS);
    assert_int_equal(a.x_lo, want->x_lo);
    assert_int_equal(a.x_hi, want->x_hi);
    assert_int_equal(a.y_lo, want->y_lo);
    assert_int_equal(a.y_hi, want->y_hi);
    assert_int_equal(a.by_column, want->by_column);
}

/* Grids divided among eight SMs, and among six. */
static void test_areas(void **state) {
    static const struct {
        ndpCta cta;
        int cores, core;
        unsigned grid_x, grid_y;
        ndpArea area;
    } cases[] = {
        {NDP_CTA_STEP, 8, 3, 16, 48, {0, 16, 0, 48, 0}},
        {NDP_CTA_ROW, 8, 3, 16, 48, {0, 16, 18, 24, 0}},
        {NDP_CTA_ROW, 8, 5, 3, 6, {0, 3, 5, 6, 0}},
        {NDP_CTA_ROW, 8, 6, 3, 6, {0, 3, 6, 6, 0}}, /* nothing left */
        {NDP_CTA_ROW, 8, 7, 3, 15, {0, 3, 14, 15, 0}},
        {NDP_CTA_COLUMN, 8, 3, 16, 48, {6, 8, 0, 48, 1}},
        {NDP_CTA_COLUMN, 6, 5, 16, 48, {15, 16, 0, 48, 1}},
        {NDP_CTA_TILE, 8, 6, 16, 48, {8, 12, 24, 48, 0}},
        {NDP_CTA_TILE, 6, 4, 9, 8, {3, 6, 4, 8, 0}},
        {NDP_CTA_ROW, 8, 3, 8, 1, {3, 4, 0, 1, 0}},    /* of one row, */
        {NDP_CTA_TILE, 8, 3, 16, 1, {6, 8, 0, 1, 0}},  /* along it */
        {NDP_CTA_COLUMN, 8, 3, 1, 8, {0, 1, 3, 4, 1}}, /* of one column */
        {NDP_CTA_ROW, 8, 1, 1, 1, {1, 1, 0, 1, 0}},
    };
    ndpDevice d;
    (void)state;
    assert_int_equal(ndpDeviceOpen(&d, "golden:image_mesh"), NDP_SUCCESS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ndpDeviceSetCores(d, cases[i].cores), NDP_SUCCESS);
        assert_int_equal(ndpDeviceSetCta(d, cases[i].cta), NDP_SUCCESS);
        area_is(d, cases[i].core, cases[i].grid_x, cases[i].grid_y,
                &cases[i].area);
    }
    ndpArea a;
    assert_int_equal(ndpDeviceSetCores(d, 6), NDP_SUCCESS);
    assert_int_equal(ndpDeviceGetArea(&a, d, 6, 4, 4), NDP_ERROR_INVALID_VALUE);
    assert_string_equal(ndpGetErrorString(d),
                        "core 6, expected 0 to 5 that share launches");
    assert_int_equal(ndpDeviceSetCta(d, (ndpCta)4), NDP_ERROR_INVALID_VALUE);
    ndpDeviceClose(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_settings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_walks, setup, teardown),
        cmocka_unit_test(test_areas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
