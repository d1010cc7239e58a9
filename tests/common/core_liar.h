/* core_liar.h - what the environment of a machine of one core has to notice of
 * it (verilator-tb/system/machine.c), whatever core and memory are.
 *
 * Include behind stim_liar.h, with struct machine_out as iface/system.h lays it
 * out, and
 *
 *     #define LIAR_CORE core       its core: state, fault_cause
 *     #define LIAR_MEMORY memory   what gives words to the window
 *     #define LIAR_LAUNCHES "--target system --preset tiny --cycles 60000"
 *     #define LIAR_WORDS    ...    the same, until words have been read back
 *     #define LIAR_REPLAY   ...    a short kernel that libndp runs
 */
#ifndef NDP_TESTS_CORE_LIAR_H
#define NDP_TESTS_CORE_LIAR_H

#include "blocks/host.h"

/* A bit of a word that memory gives to the window. */
static void lie_word(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->LIAR_MEMORY.read_valid)
        o->LIAR_MEMORY.read_data ^= 1u << 30;
}

static void test_memory(void **state) {
    (void)state;
    expect_caught(lie_word, LIAR_WORDS, "memory holds");
}

static void lie_done(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->LIAR_CORE.state == 2)
        o->LIAR_CORE.state = 3;
}

static void lie_cause(struct liar *l, struct machine_out *o) {
    (void)l;
    if (o->LIAR_CORE.fault_cause)
        o->LIAR_CORE.fault_cause ^= 1;
}

static void test_core(void **state) {
    (void)state;
    expect_caught(lie_done, LIAR_LAUNCHES, "a launch ends in state 3");
    expect_caught(lie_cause, LIAR_LAUNCHES, "expected cause");
}

/* Whether a register of the host port is being read. */
static bool reads_host(const struct liar *l, const struct machine_out *o,
                       int at) {
    return o->own.wb_ack && !l->in.own.wb_we &&
           l->in.own.wb_adr == 64 + (uint64_t)at;
}

/* A word that libndp has read of memory. */
static void lie_read(struct liar *l, struct machine_out *o) {
    if (reads_host(l, o, iface_first_status(&host_iface) + HOST_STA_word))
        o->own.wb_dat_r ^= 1;
}

static void test_replay(void **state) {
    (void)state;
    expect_green(LIAR_REPLAY, "mismatches 0");
    expect_caught(lie_read, LIAR_REPLAY, "libndp has read");
}

#endif
