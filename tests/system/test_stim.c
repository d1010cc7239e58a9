/* test_stim.c - the environment of a machine notices what model and RTL agree
 * on: words that memory holds, how launches end, what software is shown.
 *
 * What is lied is what the environment sees; the parts behind are honest and
 * joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/host.h"
#include "blocks/memory.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "system/stim.h"

/* As iface/system.h lays them out. */
struct machine_in {
    struct system_in own;
    struct host_in host;
    struct simt_in core;
    struct memory_in memory;
};

struct machine_out {
    struct system_out own;
    struct host_out host;
    struct simt_out core;
    struct memory_out memory;
};

#define LIAR_BLOCK system
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("system"))
#define LIAR_NO_REGISTERS /* but for those of the host port */
#include "tests/common/stim_liar.h"

#define TINY "--target system --preset tiny "
#define LIAR_CORE core
#define LIAR_MEMORY memory
#define LIAR_LAUNCHES TINY "--cycles 60000"
#define LIAR_WORDS LIAR_LAUNCHES
#define LIAR_REPLAY TINY "--stim replay --run tests/runtime/add.yml --cycles 0"
#include "tests/common/core_liar.h"

static void test_honest(void **state) {
    (void)state;
    /* not tiny, whose lanes ask memory one by one */
    expect_all_covers("--target system --preset small --cycles 400000");
    expect_all_covers("--target system --preset plain --cycles 400000");
    expect_green("--target system --preset tiny --cycles 1200000",
                 "covers 17/18");
    expect_deterministic("--target system --preset tiny --cycles 20000");
}

/* Memory forgets that the window asked. */
static void lie_asked(struct liar *l, struct machine_out *o) {
    (void)l;
    o->memory.win_ready = 0;
}

static void test_window(void **state) {
    (void)state;
    expect_caught(lie_asked, LIAR_LAUNCHES, "'host.win_valid' was taken back");
}

static void lie_running(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->core.state == 2)
        o->core.state = 1;
}

static void test_running(void **state) {
    (void)state;
    expect_caught(lie_running, TINY "--cycles 1200000", "register 'host.");
}

static void lie_counter(struct liar *l, struct machine_out *o) {
    if (reads_host(l, o, iface_first_counter(&host_iface)))
        o->own.wb_dat_r += 1u << 20;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_counter, LIAR_LAUNCHES, "register 'host.cycles'");
}

/* A register that is silent. */
static void lie_ack(struct liar *l, struct machine_out *o) {
    if (l->in.own.wb_adr > 64)
        o->own.wb_ack = 0;
}

static void test_replay_refused(void **state) {
    (void)state;
    expect_caught(lie_ack, LIAR_REPLAY, "no acknowledge for register");
    expect_refused("--target system --preset tiny --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected RUN=");
    expect_refused("--target system --preset tiny --stim replay --run "
                   "kernels/axpy/axpy.yml",
                   "no room for memory of 4000 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_window),  cmocka_unit_test(test_core),
        cmocka_unit_test(test_running), cmocka_unit_test(test_registers),
        cmocka_unit_test(test_replay),  cmocka_unit_test(test_replay_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
