/* test_stim.c - the environment of a core on the base die notices what model and RTL
 * agree on: words that the banks hold, how launches end.
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
#include "blocks/mpu_base.h"
#include "blocks/row_merge.h"
#include "blocks/vault.h"
#include "mpu_base/stim.h"

/* As iface/system.h lays them out. */
#define MACHINE(way)                                                           \
    struct machine_##way {                                                     \
        struct mpu_base_##way own;                                             \
        struct host_##way host;                                                \
        struct frontend_##way front;                                           \
        struct dies_##way unit;                                                \
        struct far_pipe_##way far;                                             \
        struct lsu_hybrid_##way hybrid;                                        \
        struct lsu_rmw_##way rmw;                                              \
        struct row_merge_##way rows;                                           \
        struct lsu_link_##way link;                                            \
        struct lsu_ext_##way ext;                                              \
        struct vault_##way banks;                                              \
    };
MACHINE(in)
MACHINE(out)

#define LIAR_BLOCK mpu_base
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("mpu_base"))
#define LIAR_NO_REGISTERS /* but for those of parts */
#include "tests/common/stim_liar.h"

#define MPU_BASE_SMALL "--target mpu_base --preset mpu_base_small "
#define LIAR_CORE front
#define LIAR_MEMORY banks
#define LIAR_LAUNCHES MPU_BASE_SMALL "--cycles 60000"
#define LIAR_WORDS MPU_BASE_SMALL "--cycles 400000"
#define LIAR_REPLAY                                                            \
    MPU_BASE_SMALL "--stim replay --run tests/runtime/add.yml --cycles 0"
#include "tests/common/core_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(
        "--target mpu_base --preset mpu_base_tiny --cycles 1200000");
    expect_green("--target mpu_base --preset mpu_base --cycles 60000",
                 "mismatches 0");
    expect_deterministic(
        "--target mpu_base --preset mpu_base_tiny --cycles 20000");
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
