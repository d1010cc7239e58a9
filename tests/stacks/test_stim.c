/* test_stim.c - the environment of a machine with memory stacks notices what model
 * and RTL agree on: words of all memories, how launches end, what each
 * relay shows and counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/broker.h"
#include "blocks/cache.h"
#include "blocks/home.h"
#include "blocks/host.h"
#include "blocks/jobs.h"
#include "blocks/junction.h"
#include "blocks/link.h"
#include "blocks/loader.h"
#include "blocks/memory.h"
#include "blocks/nic.h"
#include "blocks/offload.h"
#include "blocks/relay.h"
#include "blocks/remote.h"
#include "blocks/router.h"
#include "blocks/simt.h"
#include "blocks/stacks.h"
#include "blocks/window.h"
#include "stacks/stim.h"

/* Of a main core and two stacks, as iface/system.h lays them out. */
struct machine_in {
    struct stacks_in own;
    struct host_in host;
    struct relay_in relay[3];
    struct simt_in core[3];
    struct cache_in cache[3];
    struct remote_in remote[3];
    struct offload_in controller[1];
    struct loader_in loader;
    struct broker_in broker[1];
    struct jobs_in jobs[2];
    struct home_in home[2];
    struct memory_in memory[2];
    struct junction_in junction[3];
    struct link_in link[6];
    struct window_in window;
    struct nic_in nic[4];
    struct router_in router[4];
};

struct machine_out {
    struct stacks_out own;
    struct host_out host;
    struct relay_out relay[3];
    struct simt_out core[3];
    struct cache_out cache[3];
    struct remote_out remote[3];
    struct offload_out controller[1];
    struct loader_out loader;
    struct broker_out broker[1];
    struct jobs_out jobs[2];
    struct home_out home[2];
    struct memory_out memory[2];
    struct junction_out junction[3];
    struct link_out link[6];
    struct window_out window;
    struct nic_out nic[4];
    struct router_out router[4];
};

#define LIAR_BLOCK stacks
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("stacks"))
#define LIAR_NO_REGISTERS /* but for those of host and relays */
#include "tests/common/stim_liar.h"

#define TINY "--target stacks --preset stacks_tiny "
#include "tests/common/cores_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_green(TINY "--cycles 400000", "mismatches 0");
    expect_all_covers(TINY "--stim directed --cycles 200000");
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
