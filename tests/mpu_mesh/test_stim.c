/* test_stim.c - the environment of cores of MPU on a mesh notices what
 * model and RTL agree on: words of all memories, how launches end, what each
 * relay shows and counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dies.h"
#include "blocks/far_pipe.h"
#include "blocks/frontend.h"
#include "blocks/home.h"
#include "blocks/host.h"
#include "blocks/lsu_ext.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/lsu_link.h"
#include "blocks/lsu_remote.h"
#include "blocks/lsu_rmw.h"
#include "blocks/mpu_mesh.h"
#include "blocks/near_pipe.h"
#include "blocks/nic.h"
#include "blocks/relay.h"
#include "blocks/remote.h"
#include "blocks/router.h"
#include "blocks/vault.h"
#include "blocks/window.h"
#include "mpu_mesh/stim.h"

/* Of two cores on a mesh of two by two, as iface/system.h lays them out. */
#define MACHINE(way)                                                           \
    struct machine_##way {                                                     \
        struct mpu_mesh_##way own;                                             \
        struct host_##way host;                                                \
        struct relay_##way relay[2];                                           \
        struct frontend_##way front[2];                                        \
        struct dies_##way unit[2];                                             \
        struct far_pipe_##way far[2];                                          \
        struct near_pipe_##way pipes[2];                                       \
        struct lsu_hybrid_##way hybrid[2];                                     \
        struct lsu_rmw_##way rmw[2];                                           \
        struct lsu_link_##way link[2];                                         \
        struct lsu_ext_##way ext[2];                                           \
        struct vault_##way banks[2];                                           \
        struct lsu_remote_##way lsu[2];                                        \
        struct remote_##way remote[2];                                         \
        struct home_##way home[2];                                             \
        struct window_##way window;                                            \
        struct nic_##way nic[4];                                               \
        struct router_##way router[4];                                         \
    };
MACHINE(in)
MACHINE(out)

#define LIAR_BLOCK mpu_mesh
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("mpu_mesh"))
#define LIAR_NO_REGISTERS /* but for those of parts */
#include "tests/common/stim_liar.h"

#define TINY "--target mpu_mesh --preset mpu_mesh_tiny "
#include "tests/common/cores_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(TINY "--cycles 1200000");
    expect_green(TINY "--stim directed --cycles 200000", "mismatches 0");
    expect_deterministic(TINY "--cycles 20000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
