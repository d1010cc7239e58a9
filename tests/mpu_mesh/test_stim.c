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
static const char tiny[] = TINY "--cycles 100000";

enum { HOST = 64, RELAY_0 = 2 * 64, RELAY_1 = 3 * 64 };

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(TINY "--cycles 1000000");
    expect_green(TINY "--stim directed --cycles 200000", "mismatches 0");
    expect_deterministic(TINY "--cycles 20000");
}

/* A bit of a word that the window brings, and a window that is for ever busy.
 */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->window.read_valid)
        o->window.read_data ^= 1u << 30;
}

static void lie_busy(struct liar *l, struct machine_out *o) {
    (void)l;
    o->window.win_ready = 0;
}

/* What the relays say of all cores. */
static void lie_done(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->relay[0].all_state == 2)
        o->relay[0].all_state = 3;
}

static void lie_cause(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->relay[0].all_fault_cause)
        o->relay[0].all_fault_cause ^= 1;
}

static void test_machine(void **state) {
    (void)state;
    expect_caught(lie_word, tiny, "memory holds");
    expect_caught(lie_busy, tiny, "'host.win_valid' was taken back");
    expect_caught(lie_done, tiny, "a launch ends in state 3");
    expect_caught(lie_cause, tiny, "expected cause");
}

static bool reads(const struct liar *l, const struct machine_out *o, int at) {
    return o->own.wb_ack && !l->in.own.wb_we &&
           l->in.own.wb_adr == (uint64_t)at;
}

static void lie_host_counter(struct liar *l, struct machine_out *o) {
    if (reads(l, o, HOST + iface_first_counter(&host_iface)))
        o->own.wb_dat_r += 1u << 20;
}

static void lie_relay_counter(struct liar *l, struct machine_out *o) {
    if (reads(l, o, RELAY_1 + iface_first_counter(&relay_iface)))
        o->own.wb_dat_r += 1u << 20;
}

static void lie_first_relay(struct liar *l, struct machine_out *o) {
    if (reads(l, o, RELAY_0 + iface_first_counter(&relay_iface)))
        o->own.wb_dat_r += 1u << 20;
}

static void lie_relay_state(struct liar *l, struct machine_out *o) {
    if (reads(l, o, RELAY_1 + iface_first_status(&relay_iface)))
        o->own.wb_dat_r ^= 1;
}

static void lie_relay_setting(struct liar *l, struct machine_out *o) {
    if (reads(l, o, RELAY_1 + REG_FIRST))
        o->own.wb_dat_r ^= 1;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_host_counter, tiny, "register 'host.cycles'");
    expect_caught(lie_relay_counter, tiny, "register 'relay_1.cycles'");
    expect_caught(lie_first_relay, tiny, "register 'relay_0.cycles'");
    expect_caught(lie_relay_state, tiny, "register 'relay_1.core'");
    expect_caught(lie_relay_setting, tiny, "register 'relay_1.takes'");
}

static const char replay[] =
    TINY "--stim replay --run tests/runtime/add.yml --cycles 0";

static void lie_read(struct liar *l, struct machine_out *o) {
    if (reads(l, o, HOST + iface_first_status(&host_iface) + HOST_STA_word))
        o->own.wb_dat_r ^= 1;
}

static void test_replay(void **state) {
    (void)state;
    expect_green(replay, "mismatches 0");
    expect_caught(lie_read, replay, "libndp has read");
    expect_refused(TINY "--stim replay --kernel kernels/axpy/axpy.ptx",
                   "expected RUN=");
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
