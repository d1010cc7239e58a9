/* test_nda_post.c - the golden model of the way of packets by itself: on which
 * edges packets and ends go on, and who waits for whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_post.h"
#include "nda_post/nda_post.h"

#include <string.h>

struct rig {
    struct config c;
    struct golden *g;
    struct nda_post_in in;
    const struct nda_post_out *out;
};

static void start(struct rig *r, int ranks) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.dram_ranks = ranks;
    r->g = golden_create(&nda_post_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
}

/* A packet that stands from now on. */
static void offer(struct rig *r, uint64_t rank, uint64_t tag) {
    r->in.packet_valid = 1;
    r->in.packet_rank = rank;
    r->in.packet_tag = tag;
    r->in.packet_base[1] = tag << 8;
}

/* Ready after the first edge, at the rank after the second; nowhere else. */
static void test_packet(void **state) {
    struct rig r;
    (void)state;
    start(&r, 2);
    assert_false(r.out->packet_ready);
    assert_true(r.out->ended0_ready);
    offer(&r, 1, 7);
    edge(&r);
    assert_true(r.out->packet_ready);
    assert_false(r.out->packet1_valid);
    edge(&r);
    r.in.packet_valid = 0;
    assert_false(r.out->packet_ready);
    assert_true(r.out->packet1_valid);
    assert_false(r.out->packet0_valid);
    assert_int_equal(r.out->packet1_rank, 1);
    assert_int_equal(r.out->packet1_tag, 7);
    assert_int_equal(r.out->packet1_base[1], 0x700);
    r.in.packet1_ready = 1;
    edge(&r);
    assert_false(r.out->packet1_valid);
    assert_int_equal(r.out->packet1_base[1], 0);
    golden_free(r.g);
}

/* One stands at rank 1: a second one for it waits, one for rank 3 would not. */
static void test_stands(void **state) {
    struct rig r;
    (void)state;
    start(&r, 4);
    offer(&r, 1, 7);
    edge(&r);
    edge(&r);
    offer(&r, 1, 8);
    for (int i = 0; i < 9; i++) {
        edge(&r);
        assert_false(r.out->packet_ready);
        assert_int_equal(r.out->packet1_tag, 7);
    }
    r.in.packet1_ready = 1;
    edge(&r); /* leaves; the place is seen free on the next edge */
    r.in.packet1_ready = 0;
    assert_false(r.out->packet_ready);
    edge(&r);
    assert_true(r.out->packet_ready);
    edge(&r);
    assert_int_equal(r.out->packet1_tag, 8);
    offer(&r, 3, 9);
    edge(&r);
    edge(&r);
    assert_int_equal(r.out->packet3_tag, 9);
    assert_int_equal(r.out->packet1_tag, 8);
    golden_free(r.g);
}

/* Ends of all ranks at once come in turn, one every other edge. */
static void test_turns(void **state) {
    struct rig r;
    (void)state;
    start(&r, 4);
    r.in.ended0_valid = r.in.ended1_valid = r.in.ended2_valid = 1;
    r.in.ended3_valid = r.in.ended_ready = 1;
    r.in.ended0_value = 10;
    r.in.ended1_value = 11;
    r.in.ended2_value = 12;
    r.in.ended3_value = 13;
    for (int i = 0; i < 12; i++) {
        edge(&r);
        assert_true(r.out->ended_valid);
        assert_int_equal(r.out->ended_value, 10 + i % 4);
        edge(&r);
        assert_false(r.out->ended_valid);
        assert_int_equal(r.out->ended_value, 0);
    }
    golden_free(r.g);
}

/* The turn rests while an end stands, and goes on where it was. */
static void test_rests(void **state) {
    struct rig r;
    (void)state;
    start(&r, 2);
    r.in.ended0_valid = 1;
    edge(&r);
    for (int i = 0; i < 5; i++) {
        assert_true(r.out->ended_valid);
        assert_false(r.out->ended0_ready);
        assert_false(r.out->ended1_ready);
        edge(&r);
    }
    r.in.ended_ready = 1;
    edge(&r);
    assert_false(r.out->ended_valid);
    assert_true(r.out->ended1_ready);
    assert_false(r.out->ended0_ready);
    edge(&r); /* rank 1 has none */
    assert_true(r.out->ended0_ready);
    golden_free(r.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packet),
        cmocka_unit_test(test_stands),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
