/* test_stim.c - the environment of a machine with a near-bank unit notices what
 * model and RTL agree on: words that the banks hold, how launches end.
 *
 * What is lied is what the environment sees; the parts behind are honest and
 * joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dies.h"
#include "blocks/far_pipe.h"
#include "blocks/frontend.h"
#include "blocks/host.h"
#include "blocks/lsu_ext.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/lsu_link.h"
#include "blocks/lsu_rmw.h"
#include "blocks/mpu_core.h"
#include "blocks/near_pipe.h"
#include "blocks/vault.h"
#include "mpu_core/stim.h"

/* As iface/system.h lays them out. */
#define MACHINE(way)                                                           \
    struct machine_##way {                                                     \
        struct mpu_core_##way own;                                             \
        struct host_##way host;                                                \
        struct frontend_##way front;                                           \
        struct dies_##way unit;                                                \
        struct far_pipe_##way far;                                             \
        struct near_pipe_##way pipes;                                          \
        struct lsu_hybrid_##way hybrid;                                        \
        struct lsu_rmw_##way rmw;                                              \
        struct lsu_link_##way link;                                            \
        struct lsu_ext_##way ext;                                              \
        struct vault_##way banks;                                              \
    };
MACHINE(in)
MACHINE(out)

#define LIAR_BLOCK mpu_core
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("mpu_core"))
#define LIAR_NO_REGISTERS /* but for those of parts */
#include "tests/common/stim_liar.h"

static const char small[] =
    "--target mpu_core --preset mpu_core_small --cycles 60000";

/* Until somebody has read results back. */
static const char longer[] =
    "--target mpu_core --preset mpu_core_small --cycles 400000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(
        "--target mpu_core --preset mpu_core_small --cycles 1200000");
    expect_green("--target mpu_core --preset mpu_core --cycles 60000",
                 "mismatches 0");
    expect_deterministic(
        "--target mpu_core --preset mpu_core_small --cycles 20000");
}

/* A bit of a word that the banks give to the window. */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->banks.read_valid)
        o->banks.read_data ^= 1u << 30;
}

static void test_memory(void **state) {
    (void)state;
    expect_caught(lie_word, longer, "memory holds");
}

static void lie_done(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->front.state == 2)
        o->front.state = 3;
}

static void lie_cause(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->front.fault_cause)
        o->front.fault_cause ^= 1;
}

static void test_core(void **state) {
    (void)state;
    expect_caught(lie_done, small, "a launch ends in state 3");
    expect_caught(lie_cause, small, "expected cause");
}

static const char replay[] =
    "--target mpu_core --preset mpu_core_small --stim replay "
    "--run tests/runtime/add.yml --cycles 0";

/* A word that libndp has read of memory. */
static void lie_read(struct liar *l, struct machine_out *o) {
    uint64_t at = 64 + (uint64_t)iface_first_status(&host_iface);
    if (o->own.wb_ack && !l->in.own.wb_we &&
        l->in.own.wb_adr == at + HOST_STA_word)
        o->own.wb_dat_r ^= 1;
}

static void test_replay(void **state) {
    (void)state;
    expect_green(replay, "mismatches 0");
    expect_caught(lie_read, replay, "libndp has read");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
