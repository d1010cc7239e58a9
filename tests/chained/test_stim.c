/* test_stim.c - the environment of a machine whose network computes chains
 * notices what model and RTL agree on: words of all memories, how launches end,
 * who may send chains.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/binder.h"
#include "blocks/chained.h"
#include "blocks/emn.h"
#include "blocks/gate.h"
#include "blocks/home.h"
#include "blocks/host.h"
#include "blocks/junction.h"
#include "blocks/lines.h"
#include "blocks/memory.h"
#include "blocks/nic.h"
#include "blocks/oqueue.h"
#include "blocks/relay.h"
#include "blocks/remote.h"
#include "blocks/router.h"
#include "blocks/simt.h"
#include "blocks/squeue.h"
#include "blocks/window.h"
#include "chained/stim.h"

/* Three cores and two memories on a mesh of three by two, as iface/system.h
 * lays them out. */
#define MACHINE(way)                                                           \
    struct machine_##way {                                                     \
        struct chained_##way own;                                              \
        struct host_##way host;                                                \
        struct relay_##way relay[3];                                           \
        struct simt_##way core[3];                                             \
        struct remote_##way remote[3];                                         \
        struct binder_##way binder[3];                                         \
        struct oqueue_##way offload[3];                                        \
        struct emn_##way meet[3];                                              \
        struct squeue_##way service[5];                                        \
        struct gate_##way gate[5];                                             \
        struct junction_##way junction[5];                                     \
        struct home_##way home[2];                                             \
        struct lines_##way lines[2];                                           \
        struct memory_##way memory[2];                                         \
        struct window_##way window;                                            \
        struct nic_##way nic[6];                                               \
        struct router_##way router[6];                                         \
    };
MACHINE(in)
MACHINE(out)

#define LIAR_BLOCK chained
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("chained"))
#define LIAR_NO_REGISTERS /* but for those of parts */
#include "tests/common/stim_liar.h"

#define SMALL "--target chained --preset chained_small "
static const char small[] = SMALL "--seed 5 --cycles 300000";

enum { REGION = 64, HOST = 1, OFFLOAD_2 = 7 };

static void test_honest(void **state) {
    (void)state;
    expect_green(SMALL "--cycles 20000", "mismatches 0");
    expect_deterministic(SMALL "--cycles 5000");
}

/* A bit of a word that the window brings. */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->window.read_valid)
        o->window.read_data ^= 1u << 30;
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
    expect_caught(lie_word, small, "memory holds");
    expect_caught(lie_done, small, "a launch ends in state 3");
    expect_caught(lie_cause, small, "expected cause");
}

static bool reads(const struct liar *l, const struct machine_out *o, int region,
                  int at) {
    return o->own.wb_ack && !l->in.own.wb_we &&
           l->in.own.wb_adr == (uint64_t)(region * REGION + at);
}

static void lie_mode(struct liar *l, struct machine_out *o) {
    if (reads(l, o, OFFLOAD_2, REG_FIRST + OQUEUE_SET_mode))
        o->own.wb_dat_r ^= 1;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_mode, small, "register 'offload_2.mode'");
}

static const char replay[] =
    SMALL "--stim replay --run tests/runtime/add.yml --cycles 0";

static void lie_read(struct liar *l, struct machine_out *o) {
    if (reads(l, o, HOST, iface_first_status(&host_iface) + HOST_STA_word))
        o->own.wb_dat_r ^= 1;
}

static void test_replay(void **state) {
    (void)state;
    expect_caught(lie_read, replay, "libndp has read");
    expect_refused(SMALL "--stim replay --kernel kernels/axpy/axpy.ptx",
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
