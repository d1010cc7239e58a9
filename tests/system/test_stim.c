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

static const char tiny[] = "--target system --preset tiny --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    /* not tiny, whose lanes ask memory one by one */
    expect_all_covers("--target system --preset small --cycles 400000");
    expect_all_covers("--target system --preset plain --cycles 400000");
    expect_green("--target system --preset tiny --cycles 1200000",
                 "covers 17/18");
    expect_deterministic("--target system --preset tiny --cycles 20000");
}

/* A bit of a word that memory gives to the window. */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->memory.read_valid)
        o->memory.read_data ^= 1u << 30;
}

/* Memory forgets that the window asked. */
static void lie_asked(struct liar *l, struct machine_out *o) {
    (void)l;
    o->memory.win_ready = 0;
}

static void test_memory(void **state) {
    (void)state;
    expect_caught(lie_word, tiny, "memory holds");
    expect_caught(lie_asked, tiny, "'host.win_valid' was taken back");
}

static void lie_done(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->core.state == 2)
        o->core.state = 3;
}

static void lie_cause(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->core.fault_cause)
        o->core.fault_cause ^= 1;
}

static void lie_running(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->core.state == 2)
        o->core.state = 1;
}

static void test_core(void **state) {
    (void)state;
    expect_caught(lie_done, tiny, "a launch ends in state 3");
    expect_caught(lie_cause, tiny, "expected cause");
    expect_caught(lie_running, "--target system --preset tiny --cycles 1200000",
                  "register 'host.");
}

static void lie_counter(struct liar *l, struct machine_out *o) {
    uint64_t at = 64 + (uint64_t)iface_first_counter(&host_iface);
    if (o->own.wb_ack && !l->in.own.wb_we && l->in.own.wb_adr == at)
        o->own.wb_dat_r += 1u << 20;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_counter, tiny, "register 'host.cycles'");
}

static const char replay[] = "--target system --preset tiny --stim replay "
                             "--run tests/runtime/add.yml --cycles 0";

/* A word that libndp has read of memory, and a register that is silent. */
static void lie_read(struct liar *l, struct machine_out *o) {
    uint64_t at = 64 + (uint64_t)iface_first_status(&host_iface);
    if (o->own.wb_ack && !l->in.own.wb_we &&
        l->in.own.wb_adr == at + HOST_STA_word)
        o->own.wb_dat_r ^= 1;
}

static void lie_ack(struct liar *l, struct machine_out *o) {
    if (l->in.own.wb_adr > 64)
        o->own.wb_ack = 0;
}

static void test_replay(void **state) {
    (void)state;
    expect_green(replay, "mismatches 0");
    expect_caught(lie_read, replay, "libndp has read");
    expect_caught(lie_ack, replay, "no acknowledge for register");
    expect_refused("--target system --preset tiny --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected RUN=");
    expect_refused("--target system --preset tiny --stim replay --run "
                   "kernels/axpy/axpy.yml",
                   "no room for memory of 4000 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_core),   cmocka_unit_test(test_registers),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
