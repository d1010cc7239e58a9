/* test_images.c - libndp on a machine with a prefetcher: images that it refuses,
 * and that the table is as it was afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/ndp.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 4, BYTES = 4 * WIDTH * HEIGHT };

static ndpDevice open_device(const char *url) {
    ndpDevice d;
    assert_int_equal(ndpDeviceOpen(&d, url), NDP_SUCCESS);
    return d;
}

/* Blocks of 4 x 2 words over all of an image. */
static ndpWalk walk_at(ndpDevicePtr start) {
    return (ndpWalk){.start = start,
                     .size = BYTES,
                     .pitch = 4 * WIDTH,
                     .block_x = 16,
                     .block_y = 2,
                     .x_hi = 4 * WIDTH,
                     .y_hi = HEIGHT};
}

static uint64_t count(ndpDevice d, const char *name) {
    uint64_t value = 0;
    assert_int_equal(ndpDeviceGetPrefetchCounter(&value, d, name), NDP_SUCCESS);
    return value;
}

static void refused(ndpDevice d, const ndpWalk *walks, int n, const char *why) {
    assert_int_equal(ndpDeviceSetWalks(d, walks, n), NDP_ERROR_INVALID_VALUE);
    if (!strstr(ndpGetErrorString(d), why))
        fail_msg("'%s', expected '%s'", ndpGetErrorString(d), why);
    assert_int_equal(count(d, "splice.loaded"), 0);
}

static void test_refused(void **state) {
    (void)state;
    ndpDevice d = open_device("golden:image_tiny");
    ndpWalk walks[2] = {walk_at(256), walk_at(512)};
    int images = 0;
    assert_int_equal(ndpDeviceGetImages(&images, d), NDP_SUCCESS);
    assert_int_equal(images, 1);
    refused(d, walks, 2, "2 images, the prefetcher's table holds 1");
    walks[0].start = 4096 - BYTES + 4;
    refused(d, walks, 1,
            "image 0 is 256 bytes at 0xf04, outside the 4096 bytes");
    walks[0] = walk_at(256);
    walks[0].pitch = 60;
    walks[0].x_hi = 60;
    refused(d, walks, 1,
            "image 0 cannot be held: a row pitch that is no power");
    walks[0] = walk_at(256);
    walks[0].x_hi = 4 * WIDTH + 4;
    refused(d, walks, 1, "image 0 cannot be held: a part that lies outside");
    walks[0] = walk_at(256);
    walks[0].block_x = 0;
    refused(d, walks, 1, "image 0 cannot be held: a pitch or block of 0");
    walks[0] = walk_at(4096 - BYTES);
    assert_int_equal(ndpDeviceSetWalks(d, walks, 1), NDP_SUCCESS);
    assert_int_equal(count(d, "splice.loaded"), 1);
    assert_int_equal(ndpDeviceSetPrefetch(d, (ndpPrefetch)3),
                     NDP_ERROR_INVALID_VALUE);
    assert_int_equal(ndpDeviceSetPrefetch(d, NDP_PREFETCH_STRIDE), NDP_SUCCESS);
    assert_int_equal(ndpDeviceGetImages(&images, d), NDP_SUCCESS);
    assert_int_equal(images, 0);
    uint64_t value;
    assert_int_equal(ndpDeviceGetPrefetchCounter(&value, d, "cache.mises"),
                     NDP_ERROR_NOT_FOUND);
    ndpDeviceClose(d);
}

/* Its images cannot change under a launch. */
static void test_running(void **state) {
    (void)state;
    ndpDevice d = open_device("golden:image_tiny");
    ndpModule m;
    ndpFunction f;
    ndpDevicePtr in, out;
    uint32_t words[WIDTH * HEIGHT], width = WIDTH, height = HEIGHT;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        words[i] = (uint32_t)i;
    assert_int_equal(ndpModuleLoad(&m, d, "tests/image/walk.ptx"), NDP_SUCCESS);
    assert_int_equal(ndpModuleGetFunction(&f, m, "walk"), NDP_SUCCESS);
    assert_int_equal(ndpMemAlloc(&in, d, BYTES), NDP_SUCCESS);
    assert_int_equal(ndpMemAlloc(&out, d, BYTES), NDP_SUCCESS);
    assert_int_equal(ndpMemcpyHtoD(d, in, words, BYTES), NDP_SUCCESS);
    const ndpWalk walk = walk_at(in);
    assert_int_equal(ndpDeviceSetWalks(d, &walk, 1), NDP_SUCCESS);
    const ndpArgument arguments[] = {NDP_ARG(width), NDP_ARG(height),
                                     NDP_ARG(in), NDP_ARG(out)};
    assert_int_equal(ndpLaunchKernel(f, 1, 1, 1, 4, 2, 1, 0, arguments, 4),
                     NDP_SUCCESS);
    assert_int_equal(ndpDeviceSetWalks(d, NULL, 0), NDP_ERROR_NOT_READY);
    assert_string_equal(ndpGetErrorString(d),
                        "a launch runs, images cannot be loaded");
    assert_int_equal(ndpCtxSynchronize(d, 0), NDP_SUCCESS);
    assert_int_equal(ndpMemcpyDtoH(d, words, out, BYTES), NDP_SUCCESS);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(words[i], 3 * i + 1);
    assert_int_equal(count(d, "cache.misses"), 2);
    assert_int_equal(count(d, "prefetch.known"), 16);
    assert_int_equal(ndpDeviceSetWalks(d, NULL, 0),
                     NDP_SUCCESS); /* forgotten */
    assert_int_equal(ndpLaunchKernel(f, 1, 1, 1, 4, 2, 1, 0, arguments, 4),
                     NDP_SUCCESS);
    assert_int_equal(ndpCtxSynchronize(d, 0), NDP_SUCCESS);
    assert_int_equal(count(d, "prefetch.known"), 16);
    ndpDeviceClose(d);
}

static void test_none(void **state) {
    (void)state;
    ndpDevice d = open_device("golden:tiny");
    const ndpWalk walk = walk_at(256);
    int images = 5;
    assert_int_equal(ndpDeviceGetImages(&images, d), NDP_SUCCESS);
    assert_int_equal(images, 0);
    assert_int_equal(ndpDeviceSetWalks(d, &walk, 1), NDP_ERROR_INVALID_VALUE);
    assert_non_null(
        strstr(ndpGetErrorString(d), "no pattern-aware prefetcher"));
    assert_int_equal(ndpDeviceSetPrefetch(d, NDP_PREFETCH_NONE),
                     NDP_ERROR_INVALID_VALUE);
    ndpDeviceClose(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_running),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
