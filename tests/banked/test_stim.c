/* test_stim.c - the environment of a plain core before banks notices what model
 * and RTL agree on: words that the banks hold, how launches end, what software
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

#include "banked/stim.h"
#include "blocks/bank_port.h"
#include "blocks/banked.h"
#include "blocks/host.h"
#include "blocks/simt.h"
#include "blocks/vault.h"

/* As iface/system.h lays them out. */
struct machine_in {
    struct banked_in own;
    struct host_in host;
    struct simt_in core;
    struct bank_port_in port;
    struct vault_in banks;
};

struct machine_out {
    struct banked_out own;
    struct host_out host;
    struct simt_out core;
    struct bank_port_out port;
    struct vault_out banks;
};

#define LIAR_BLOCK banked
#define LIAR_IN struct machine_in
#define LIAR_OUT struct machine_out
#define LIAR_GOLDEN (*golden_find("banked"))
#define LIAR_NO_REGISTERS /* but for those of the host port */
#include "tests/common/stim_liar.h"

static const char small[] =
    "--target banked --preset banked_small --cycles 200000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target banked --preset banked_small --cycles 400000");
    expect_green("--target banked --preset banked --cycles 60000",
                 "mismatches 0");
    expect_deterministic(
        "--target banked --preset banked_small --cycles 20000");
}

/* A bit of a word that the banks give to the window. */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->banks.read_valid)
        o->banks.read_data ^= 1u << 30;
}

static void test_memory(void **state) {
    (void)state;
    expect_caught(lie_word, small, "memory holds");
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
    expect_caught(lie_done, small, "a launch ends in state 3");
    expect_caught(lie_cause, small, "expected cause");
    expect_caught(lie_running, small, "register 'host.");
}

static void lie_counter(struct liar *l, struct machine_out *o) {
    uint64_t at = 64 + (uint64_t)iface_first_counter(&host_iface);
    if (o->own.wb_ack && !l->in.own.wb_we && l->in.own.wb_adr == at)
        o->own.wb_dat_r += 1u << 20;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(lie_counter, small, "register 'host.cycles'");
}

static const char replay[] =
    "--target banked --preset banked_small --stim replay "
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
        cmocka_unit_test(test_honest), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_core),   cmocka_unit_test(test_registers),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
