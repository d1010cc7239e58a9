/* test_stim.c - the environment of streaming multiprocessors on a mesh notices what
 * model and RTL agree on: words of all memories, how launches end, what each relay
 * shows and counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/cache.h"
#include "blocks/home.h"
#include "blocks/host.h"
#include "blocks/image_mesh.h"
#include "blocks/memory.h"
#include "blocks/nic.h"
#include "blocks/prefetch.h"
#include "blocks/relay.h"
#include "blocks/remote.h"
#include "blocks/router.h"
#include "blocks/simt.h"
#include "blocks/splice.h"
#include "blocks/stride.h"
#include "blocks/window.h"
#include "image_mesh/stim.h"

/* Of two SMs on a mesh of two by two, as iface/system.h lays them out. */
#define MACHINE(way)                                                           \
    struct machine_##way {                                                     \
        struct image_mesh_##way own;                                           \
        struct host_##way host;                                                \
        struct relay_##way relay[2];                                           \
        struct simt_##way core[2];                                             \
        struct cache_##way cache[2];                                           \
        struct splice_##way splice[2];                                         \
        struct prefetch_##way prefetch[2];                                     \
        struct stride_##way stride[2];                                         \
        struct remote_##way remote[2];                                         \
        struct home_##way home[2];                                             \
        struct memory_##way memory[2];                                         \
        struct window_##way window;                                            \
        struct nic_##way nic[4];                                               \
        struct router_##way router[4];                                         \
    };
MACHINE(in)
MACHINE(out)

#define LIAR_BLOCK image_mesh
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("image_mesh"))
#define LIAR_NO_REGISTERS /* but for those of parts */
#include "tests/common/stim_liar.h"

#define TINY "--target image_mesh --preset image_mesh_tiny "
#include "tests/common/cores_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(TINY "--cycles 400000");
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
