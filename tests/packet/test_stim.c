/* test_stim.c - the environment of the packer and unpacker of ComputePackets
 * notices what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/packet.h"
#include "packet/packet.h"
#include "packet/stim.h"

#define LIAR_BLOCK packet
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target packet --preset small --cycles 10000";
static const char paper[] = "--target packet --preset mesh --cycles 10000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers(paper);
    expect_all_covers("--target packet --preset small --cycles 3000 "
                      "--stim directed");
    expect_deterministic(small);
}

/* --- what goes ------------------------------------------------------------ */

static void other_type(struct liar *l, struct packet_out *o) {
    (void)l;
    if (o->send_valid)
        o->send_data[0] ^= 1;
}

/* Of pattern 9 in a flit of 256 bits, the last address. */
static void other_address(struct liar *l, struct packet_out *o) {
    (void)l;
    if (o->send_valid && (o->send_data[0] >> 2 & 15) == 9)
        o->send_data[3] ^= 1;
}

static void no_last(struct liar *l, struct packet_out *o) {
    (void)l;
    o->send_last = 0;
}

static void other_node(struct liar *l, struct packet_out *o) {
    (void)l;
    o->send_node ^= o->send_valid;
}

static void no_flit(struct liar *l, struct packet_out *o) {
    if (!l->told && o->send_valid && !l->last.send_valid)
        l->told = 1;
    if (!l->told)
        return;
    o->send_valid = o->send_last = o->send_node = 0;
    memset(o->send_data, 0, sizeof o->send_data);
}

static void test_going(void **state) {
    (void)state;
    expect_caught(other_type, small, "in its lowest bits, expected");
    expect_caught(other_address, paper, "of pattern 9 is");
    expect_caught(no_last, small, "is not the last");
    expect_caught(other_node, small, "the packet goes to node");
    expect_caught(no_flit, small, "a flit is not at send");
}

/* The mask is lost: the whole wavefront goes. */
static void no_mask(struct liar *l, bool rst, struct packet_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->chain_mask = UINT32_MAX;
}

static void test_mask_lost(void **state) {
    (void)state;
    hears = no_mask;
    expect_caught(NULL, paper, "in its lowest bits, expected");
}

/* --- what comes ----------------------------------------------------------- */

#define LIE(field)                                                             \
    static void other_##field(struct liar *l, struct packet_out *o) {          \
        (void)l;                                                               \
        o->got_##field ^= o->got_valid;                                        \
    }
LIE(pattern)
LIE(f)
LIE(fused)
LIE(core)
LIE(wave)
LIE(entry)
LIE(imm)
LIE(b)
LIE(c)
LIE(mask)
#undef LIE

static void no_chain(struct liar *l, struct packet_out *o) {
    if (!l->told && o->got_valid && !l->last.got_valid)
        l->told = 1;
    if (!l->told)
        return;
    struct packet_out was = *o;
    memset(&o->got_valid, 0,
           sizeof *o - offsetof(struct packet_out, got_valid));
    o->come_ready = was.come_ready;
}

static void test_coming(void **state) {
    (void)state;
    expect_caught(other_pattern, small, "a chain comes with pattern");
    expect_caught(other_f, small, "a chain comes with f ");
    expect_caught(other_fused, small, "a chain comes with fused");
    expect_caught(other_core, small, "a chain comes with core");
    expect_caught(other_wave, small, "a chain comes with wave");
    expect_caught(other_entry, small, "a chain comes with entry");
    expect_caught(other_imm, small, "a chain comes with imm");
    expect_caught(other_b, small, "a chain comes with b ");
    expect_caught(other_c, small, "a chain comes with c ");
    expect_caught(other_mask, small, "a chain comes with mask");
    expect_caught(no_chain, small, "a chain is not at got");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target packet --set omni.address_bits=49",
                   "omni.address_bits");
    expect_refused("--target packet --set omni.lanes=24", "omni.lanes");
}

static int begin(void **state) {
    (void)state;
    lie_after = 500;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_going, begin),
        cmocka_unit_test_setup(test_mask_lost, begin),
        cmocka_unit_test_setup(test_coming, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
