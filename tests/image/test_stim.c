/* test_stim.c - the environment of a streaming multiprocessor notices what model
 * and RTL agree on: words that memory holds, how launches end, what software
 * is shown.
 *
 * What is lied is what the environment sees; the parts behind are honest and
 * joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "image/stim.h"
#include "blocks/cache.h"
#include "blocks/image.h"
#include "blocks/host.h"
#include "blocks/prefetch.h"
#include "blocks/simt.h"
#include "blocks/splice.h"
#include "blocks/stride.h"
#include "blocks/memory.h"

/* As iface/system.h lays them out. */
struct machine_in {
    struct image_in own;
    struct host_in host;
    struct simt_in core;
    struct cache_in cache;
    struct splice_in splice;
    struct prefetch_in prefetch;
    struct stride_in stride;
    struct memory_in memory;
};

struct machine_out {
    struct image_out own;
    struct host_out host;
    struct simt_out core;
    struct cache_out cache;
    struct splice_out splice;
    struct prefetch_out prefetch;
    struct stride_out stride;
    struct memory_out memory;
};

#define LIAR_BLOCK image
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("image"))
#define LIAR_NO_REGISTERS /* but for those of the host port */
#include "tests/common/stim_liar.h"

#define LIAR_CORE core
#define LIAR_MEMORY memory
#define LIAR_LAUNCHES "--target image --preset image_tiny --cycles 200000"
#define LIAR_WORDS LIAR_LAUNCHES
#define LIAR_REPLAY                                                            \
    "--target image --preset image_tiny --stim replay "                        \
    "--run tests/image/walk.yml --cycles 0"
#include "tests/common/core_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target image --preset image_tiny --cycles 400000");
    expect_green("--target image --preset image --cycles 20000",
                 "mismatches 0");
    expect_deterministic("--target image --preset image_tiny --cycles 20000");
}

static void lie_running(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->core.state == 2)
        o->core.state = 1;
}

static void test_running(void **state) {
    (void)state;
    expect_caught(lie_running, LIAR_LAUNCHES, "register 'host.");
}

static void lie_counter(struct liar *l, struct machine_out *o) {
    if (reads_host(l, o, iface_first_counter(&host_iface)))
        o->own.wb_dat_r += 1u << 20;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_counter, LIAR_LAUNCHES, "register 'host.cycles'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),    cmocka_unit_test(test_memory),
        cmocka_unit_test(test_core),      cmocka_unit_test(test_running),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
