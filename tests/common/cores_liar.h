/* cores_liar.h - what the environment of a machine of two cores behind relays
 * has to notice of it (verilator-tb/system/machine.c), whatever the cores are.
 *
 * Include behind stim_liar.h, with struct machine_out as iface/system.h lays it
 * out, and
 *
 *     #define TINY "--target cluster --preset cluster_tiny "
 */
#ifndef NDP_TESTS_CORES_LIAR_H
#define NDP_TESTS_CORES_LIAR_H

#include "blocks/host.h"
#include "blocks/relay.h"

static const char tiny[] = TINY "--cycles 200000";

/* Regions of the address map. */
enum { HOST = 64, RELAY_0 = 2 * 64, RELAY_1 = 3 * 64 };

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

#endif
