/* test_lsu_ext.c - the golden model of the load-store extension, edge by edge
 * and rule by rule as docs/blocks/lsu_ext.md has them.
 *
 * Four lanes; lines of 32 bytes over four units, sectors of 8; two places and
 * two answers in each unit, two places for strided messages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/lsu_ext.h"
#include "lsu_ext/lsu_ext.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, WORDS = 2, LINE = 8 /* words */, UNITS = 4 };

struct ext {
    struct golden *g;
    struct lsu_ext_local l;
    struct lsu_ext_in in;
    const struct lsu_ext_out *out;
};

static void edge(struct ext *x) {
    x->out = golden_cycle(x->g, false, &x->in);
    x->in.rsp_valid = x->in.rsp_fault = 0;
    x->in.fetched_valid = 0;
}

static void open_with(struct ext *x, int answers) {
    struct config c;
    config_defaults(&c);
    c.lsu_ext_lanes = LANES;
    c.lsu_ext_cores = 4;
    c.lsu_ext_line = 4 * LINE;
    c.lsu_ext_sector = 4 * WORDS;
    c.lsu_ext_rows = 2;
    c.lsu_ext_gathers = 2;
    c.lsu_ext_answers = answers;
    memset(x, 0, sizeof *x);
    x->l = lsu_ext_local(&c);
    x->g = golden_create(&lsu_ext_golden, &c);
    x->out = golden_cycle(x->g, true, NULL);
    x->in.answer_ready = x->in.fetch_ready = x->in.load_ready = 1;
    x->in.done_ready = 1;
    x->in.mem_ready = 15;
}

static void open_ext(struct ext *x) {
    open_with(x, 2);
}

static void close_ext(struct ext *x) {
    golden_free(x->g);
}

/* --- what goes in --------------------------------------------------------- */

static void take(struct ext *x) {
    assert_int_equal(x->out->down_ready, 1);
    x->in.down_valid = 1;
    edge(x);
    memset(x->in.down_data, 0, sizeof x->in.down_data);
    x->in.down_valid = x->in.down_strobe = 0;
    x->in.down_strided = x->in.down_mask = x->in.down_step = 0;
}

/* A message of warp 4 + unit and register 9: the word of a line of the unit. */
static void take_near(struct ext *x, bool store, int unit, int line, int word) {
    x->in.down_near = 1;
    x->in.down_store = store;
    x->in.down_unit = (uint64_t)unit;
    x->in.down_warp = (uint64_t)unit + 4;
    x->in.down_reg = 9;
    x->in.down_id = 0;
    x->in.down_address = (uint64_t)((line * UNITS + unit) * LINE + word);
    take(x);
}

/* A transaction; strobe 0: a load. */
static void take_far(struct ext *x, int id, int unit, int line, int word,
                     unsigned strobe) {
    x->in.down_near = 0;
    x->in.down_store = strobe != 0;
    x->in.down_unit = (uint64_t)unit;
    x->in.down_warp = x->in.down_reg = 0;
    x->in.down_id = (uint64_t)id;
    x->in.down_address = (uint64_t)((line * UNITS + unit) * LINE + word);
    x->in.down_strobe = strobe;
    for (int i = 0; i < WORDS; i++)
        if (strobe >> i & 1)
            bits_set_lane(x->in.down_data, i, 0xd0u + (uint32_t)i);
    take(x);
}

/* A strided message of warp 5 from that word at the core on. */
static void take_strided(struct ext *x, int reg, unsigned mask, int step,
                         uint64_t word) {
    x->in.down_near = x->in.down_strided = 1;
    x->in.down_store = 0;
    x->in.down_unit = x->in.down_id = 0;
    x->in.down_warp = 5;
    x->in.down_reg = (uint64_t)reg;
    x->in.down_mask = mask;
    x->in.down_step = (uint64_t)(int64_t)step & ones(x->l.STEP_W);
    x->in.down_address = word;
    take(x);
}

/* The memory answers on the next edge. */
static void respond(struct ext *x, int unit, uint64_t tag, uint32_t low,
                    uint32_t high) {
    uint64_t none = ones(x->l.TAG_W) << unit * x->l.TAG_W;
    x->in.rsp_valid |= bit(unit);
    x->in.rsp_id[0] = (x->in.rsp_id[0] & ~none) | tag << unit * x->l.TAG_W;
    bits_set_lane(x->in.rsp_data, WORDS * unit, low);
    bits_set_lane(x->in.rsp_data, WORDS * unit + 1, high);
}

/* --- what comes out ------------------------------------------------------- */

static uint64_t tag_at(const struct ext *x, int unit) {
    return bits_get(x->out->mem_id, unit * x->l.TAG_W, x->l.TAG_W);
}

/* The tag of a message's sector. */
static uint64_t near_tag(const struct ext *x, int place, int part) {
    return bit(x->l.TAG_W - 2) | (uint64_t)place << x->l.PART_W |
           (uint64_t)part;
}

/* The tag of a strided message's sector, with its lowest lane. */
static uint64_t strided_tag(const struct ext *x, int place, int lane) {
    return bit(x->l.TAG_W - 1) | (uint64_t)place << x->l.PART_W |
           (uint64_t)lane;
}

static void expect_mem(const struct ext *x, int unit, bool store, int sector,
                       unsigned strobe, uint32_t low, uint32_t high) {
    assert_true(x->out->mem_valid >> unit & 1);
    assert_int_equal(x->out->mem_store >> unit & 1, store);
    assert_int_equal(
        bits_get(x->out->mem_address, unit * x->l.OWN_W, x->l.OWN_W), sector);
    assert_int_equal(bits_get(x->out->mem_strobe, unit * WORDS, WORDS), strobe);
    assert_int_equal(bits_lane(x->out->mem_data, unit * WORDS), low);
    assert_int_equal(bits_lane(x->out->mem_data, unit * WORDS + 1), high);
}

static void expect_some(const struct ext *x, unsigned mask,
                        const uint32_t lane[LANES]) {
    assert_int_equal(x->out->load_valid, 1);
    assert_int_equal(x->out->load_mask, mask);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(bits_lane(x->out->load_data, i), lane[i]);
}

static void expect_lanes(const struct ext *x, const uint32_t lane[LANES]) {
    expect_some(x, 15, lane);
}

/* That end is at 'done', and the row of another message if there is one. */
static void expect_end(const struct ext *x, int reg, bool fault) {
    assert_int_equal(x->out->done_valid, 1);
    assert_int_equal(x->out->done_warp, 5);
    assert_int_equal(x->out->done_reg, reg);
    assert_int_equal(x->out->done_store, 0);
    assert_int_equal(x->out->done_fault, fault);
}

/* --- rows ----------------------------------------------------------------- */

/* Line 5 of unit 2 is its sectors 20 to 23; from the third word on it is two of
 * them.  They come in the other order. */
static void test_load(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_near(&x, false, 2, 5, 2);
    assert_int_equal(x.out->mem_valid, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 4);
    expect_mem(&x, 2, false, 21, 0, 0, 0);
    assert_int_equal(tag_at(&x, 2), near_tag(&x, 0, 0));
    edge(&x);
    expect_mem(&x, 2, false, 22, 0, 0, 0);
    assert_int_equal(tag_at(&x, 2), near_tag(&x, 0, 1));
    edge(&x);
    assert_int_equal(x.out->mem_valid, 0);
    respond(&x, 2, near_tag(&x, 0, 1), 13, 14);
    edge(&x);
    respond(&x, 2, near_tag(&x, 0, 0), 11, 12);
    edge(&x);
    assert_int_equal(x.out->load_valid, 0);
    edge(&x);
    expect_lanes(&x, (const uint32_t[]){11, 12, 13, 14});
    assert_int_equal(x.out->load_warp, 6);
    assert_int_equal(x.out->load_reg, 9);
    assert_int_equal(x.out->done_valid, 0);
    edge(&x);
    assert_int_equal(x.out->load_valid, 0);
    assert_int_equal(x.out->done_valid, 1);
    assert_int_equal(x.out->done_warp, 6);
    assert_int_equal(x.out->done_reg, 9);
    assert_int_equal(x.out->done_store, 0);
    assert_int_equal(x.out->done_fault, 0);
    edge(&x);
    assert_int_equal(x.out->done_valid, 0);
    close_ext(&x);
}

/* From within a sector a row wants one more, and of the first and last a part;
 * a fault of one is told, and the row is written. */
static void test_border(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_near(&x, false, 1, 0, 3);
    edge(&x);
    for (int k = 0; k < 3; k++) {
        expect_mem(&x, 1, false, 1 + k, 0, 0, 0);
        edge(&x);
    }
    assert_int_equal(x.out->mem_valid, 0);
    for (int k = 0; k < 3; k++) {
        respond(&x, 1, near_tag(&x, 0, k), 10 * (uint32_t)k + 1,
                10 * (uint32_t)k + 2);
        x.in.rsp_fault = k == 1 ? 2 : 0;
        edge(&x);
    }
    edge(&x);
    expect_lanes(&x, (const uint32_t[]){2, 11, 12, 21});
    edge(&x);
    assert_int_equal(x.out->done_valid, 1);
    assert_int_equal(x.out->done_fault, 1);
    close_ext(&x);
}

/* The row is asked for once the unit has it, and stored word by word. */
static void test_store(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_near(&x, true, 0, 1, 1);
    edge(&x);
    assert_int_equal(x.out->fetch_valid, 0);
    edge(&x);
    assert_int_equal(x.out->fetch_valid, 1);
    assert_int_equal(x.out->fetch_warp, 4);
    assert_int_equal(x.out->fetch_reg, 9);
    edge(&x);
    assert_int_equal(x.out->fetch_valid, 0);
    assert_int_equal(x.out->mem_valid, 0);
    for (int i = 0; i < LANES; i++)
        bits_set_lane(x.in.fetched_data, i, 0xa0u + (uint32_t)i);
    x.in.fetched_valid = 1;
    edge(&x);
    expect_mem(&x, 0, true, 4, 2, 0, 0xa0);
    edge(&x);
    expect_mem(&x, 0, true, 5, 3, 0xa1, 0xa2);
    edge(&x);
    expect_mem(&x, 0, true, 6, 1, 0xa3, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 0);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(x.out->done_valid, 0);
        respond(&x, 0, near_tag(&x, 0, k), 0, 0);
        edge(&x);
    }
    edge(&x);
    assert_int_equal(x.out->load_valid, 0);
    assert_int_equal(x.out->done_valid, 1);
    assert_int_equal(x.out->done_store, 1);
    close_ext(&x);
}

/* Rows follow one another without a gap, as many as there are places; they end
 * in their order. */
static void test_places(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_near(&x, false, 3, 0, 0);
    take_near(&x, false, 3, 1, 0);
    expect_mem(&x, 3, false, 0, 0, 0, 0);
    assert_int_equal(x.out->down_ready, 0);
    edge(&x);
    expect_mem(&x, 3, false, 1, 0, 0, 0);
    edge(&x);
    expect_mem(&x, 3, false, 4, 0, 0, 0);
    assert_int_equal(tag_at(&x, 3), near_tag(&x, 1, 0));
    take_near(&x, false, 3, 2, 0);
    expect_mem(&x, 3, false, 5, 0, 0, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 0); /* it waits for a place */
    for (int k = 0; k < 2; k++) {
        respond(&x, 3, near_tag(&x, 1, k), 7, 7);
        edge(&x);
    }
    edge(&x);
    assert_int_equal(x.out->load_valid, 0); /* the older one is not whole */
    for (int k = 0; k < 2; k++) {
        respond(&x, 3, near_tag(&x, 0, k), 5, 5);
        edge(&x);
        assert_int_equal(x.out->mem_valid, 0);
    }
    edge(&x);
    expect_lanes(&x, (const uint32_t[]){5, 5, 5, 5});
    expect_mem(&x, 3, false, 8, 0, 0, 0);
    assert_int_equal(tag_at(&x, 3), near_tag(&x, 0, 0));
    edge(&x);
    assert_int_equal(x.out->done_valid, 1);
    edge(&x);
    expect_lanes(&x, (const uint32_t[]){7, 7, 7, 7});
    close_ext(&x);
}

/* --- transactions --------------------------------------------------------- */

static void test_transactions(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_far(&x, 3, 1, 2, 6, 0);
    take_far(&x, 1, 1, 2, 4, 2);
    expect_mem(&x, 1, false, 11, 0, 0, 0);
    assert_int_equal(tag_at(&x, 1), 3);
    edge(&x);
    expect_mem(&x, 1, true, 10, 2, 0, 0xd1);
    assert_int_equal(tag_at(&x, 1), 1);
    edge(&x);
    take_far(&x, 0, 1, 0, 0, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 0); /* it waits for an answer's place */
    x.in.answer_ready = 0;
    respond(&x, 1, 1, 0, 0);
    x.in.rsp_fault = 2;
    edge(&x);
    respond(&x, 1, 3, 0x33, 0x44);
    edge(&x);
    assert_int_equal(x.out->answer_valid, 0);
    edge(&x);
    assert_int_equal(x.out->answer_valid, 1);
    assert_int_equal(x.out->answer_id, 1);
    assert_int_equal(x.out->answer_fault, 1);
    expect_mem(&x, 1, false, 0, 0, 0, 0);
    x.in.answer_ready = 1;
    edge(&x);
    assert_int_equal(x.out->answer_id, 3);
    assert_int_equal(x.out->answer_fault, 0);
    assert_true(x.out->answer_data[0] == 0x0000004400000033);
    edge(&x);
    assert_int_equal(x.out->answer_valid, 0);
    close_ext(&x);
}

/* --- strided messages ----------------------------------------------------- */

static void edges(struct ext *x, int n) {
    while (n-- > 0)
        edge(x);
}

/* From the last word of line 5 of unit 2 on, word 183 at the core: one of its
 * sector 23, and three of the next line, sectors 20 and 21 of unit 3.  They come
 * in the other order. */
static void test_strided(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_strided(&x, 7, 15, 1, 183);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(x.out->mem_valid, 0);
        edge(&x);
    }
    assert_int_equal(x.out->mem_valid, 4);
    expect_mem(&x, 2, false, 23, 0, 0, 0);
    assert_int_equal(tag_at(&x, 2), strided_tag(&x, 0, 0));
    edge(&x);
    assert_int_equal(x.out->mem_valid, 8);
    expect_mem(&x, 3, false, 20, 0, 0, 0);
    assert_int_equal(tag_at(&x, 3), strided_tag(&x, 0, 1));
    edge(&x);
    assert_int_equal(x.out->mem_valid, 8);
    expect_mem(&x, 3, false, 21, 0, 0, 0);
    assert_int_equal(tag_at(&x, 3), strided_tag(&x, 0, 3));
    edge(&x);
    assert_int_equal(x.out->mem_valid, 0);
    respond(&x, 3, strided_tag(&x, 0, 3), 33, 99);
    edge(&x);
    respond(&x, 3, strided_tag(&x, 0, 1), 11, 22);
    edge(&x);
    respond(&x, 2, strided_tag(&x, 0, 0), 99, 10);
    edges(&x, 3);
    assert_int_equal(x.out->load_valid | x.out->answer_valid, 0);
    edge(&x);
    expect_lanes(&x, (const uint32_t[]){10, 11, 22, 33});
    assert_int_equal(x.out->load_warp, 5);
    assert_int_equal(x.out->load_reg, 7);
    assert_int_equal(x.out->done_valid, 0);
    edge(&x);
    assert_int_equal(x.out->load_valid, 0);
    expect_end(&x, 7, false);
    edge(&x);
    assert_int_equal(x.out->done_valid, 0);
    close_ext(&x);
}

/* Lane 1 has word 5, lane 3 the sixth one before it, over the end of all words:
 * the last word of unit 3.  Its sector is not there. */
static void test_strided_back(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_strided(&x, 8, 10, -3, 5);
    edges(&x, 4);
    assert_int_equal(x.out->mem_valid, 1);
    expect_mem(&x, 0, false, 2, 0, 0, 0);
    assert_int_equal(tag_at(&x, 0), strided_tag(&x, 0, 1));
    edge(&x);
    assert_int_equal(x.out->mem_valid, 8);
    expect_mem(&x, 3, false, (1 << 25) - 1, 0, 0, 0);
    assert_int_equal(tag_at(&x, 3), strided_tag(&x, 0, 3));
    edge(&x);
    respond(&x, 0, strided_tag(&x, 0, 1), 1, 2);
    respond(&x, 3, strided_tag(&x, 0, 3), 3, 4);
    x.in.rsp_fault = 8;
    edges(&x, 4);
    assert_int_equal(x.out->load_valid, 0); /* one sector an edge */
    edge(&x);
    expect_some(&x, 10, (const uint32_t[]){0, 2, 0, 4});
    edge(&x);
    expect_end(&x, 8, true);
    close_ext(&x);
}

/* The longest steps: 63 words up, 64 down. */
static void test_strided_far(void **state) {
    struct ext x;
    (void)state;
    open_with(&x, 4);
    take_strided(&x, 1, 3, 63, 0);
    edges(&x, 5);
    assert_int_equal(x.out->mem_valid, 8); /* line 7, the second of unit 3 */
    expect_mem(&x, 3, false, 7, 0, 0, 0);
    take_strided(&x, 2, 3, -64, 64);
    edges(&x, 4);
    assert_int_equal(x.out->mem_valid, 1);
    expect_mem(&x, 0, false, 8, 0, 0, 0);
    assert_int_equal(tag_at(&x, 0), strided_tag(&x, 1, 0));
    edge(&x);
    expect_mem(&x, 0, false, 0, 0, 0, 0);
    assert_int_equal(tag_at(&x, 0), strided_tag(&x, 1, 1));
    close_ext(&x);
}

/* One word for all is one sector.  Two messages have places and the third one
 * waits, and behind it another in the entry; the younger one is whole first and
 * ends first. */
static void test_strided_places(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    for (int k = 0; k < 4; k++) {
        take_strided(&x, 10 + k, 15, 0, 8 * (uint64_t)k);
        edges(&x, 5);
        assert_int_equal(x.out->mem_valid, 0);
        assert_int_equal(x.out->down_ready, k < 3);
    }
    respond(&x, 1, strided_tag(&x, 1, 0), 7, 8);
    edges(&x, 4);
    expect_lanes(&x, (const uint32_t[]){7, 7, 7, 7});
    assert_int_equal(x.out->load_reg, 11);
    edge(&x);
    expect_end(&x, 11, false); /* its place is free */
    assert_int_equal(x.out->mem_valid, 0);
    edges(&x, 2);
    assert_int_equal(x.out->mem_valid | x.out->down_ready, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 4); /* the third one has it */
    assert_int_equal(tag_at(&x, 2), strided_tag(&x, 1, 0));
    assert_int_equal(x.out->down_ready, 1);
    close_ext(&x);
}

/* For the same unit the entry's request comes first, then the gatherer's, and
 * then again. */
static void test_strided_turns(void **state) {
    struct ext x;
    (void)state;
    open_with(&x, 32);
    x.in.mem_ready = 14; /* unit 0 waits */
    take_strided(&x, 1, 7, 2, 0);
    edges(&x, 5);
    take_far(&x, 1, 0, 0, 6, 0);
    assert_int_equal(x.out->down_ready, 0);
    expect_mem(&x, 0, false, 0, 0, 0, 0);
    x.in.mem_ready = 15;
    edge(&x);
    assert_int_equal(tag_at(&x, 0), 1);
    assert_int_equal(x.out->down_ready, 1);
    x.in.mem_ready = 14;
    take_far(&x, 2, 0, 0, 6, 0);
    x.in.mem_ready = 15;
    edge(&x);
    assert_int_equal(tag_at(&x, 0), strided_tag(&x, 0, 1));
    edge(&x);
    assert_int_equal(tag_at(&x, 0), 2);
    edge(&x);
    assert_int_equal(tag_at(&x, 0), strided_tag(&x, 0, 2));
    close_ext(&x);
}

/* --- several units -------------------------------------------------------- */

/* A unit that waits does not hold up another, but for the entry. */
static void test_units(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    x.in.mem_ready = 13; /* unit 1 waits */
    take_far(&x, 0, 1, 0, 0, 0);
    take_far(&x, 1, 2, 0, 0, 0);
    take_far(&x, 2, 3, 0, 0, 0);
    edge(&x);
    assert_int_equal(x.out->mem_valid, 2 | 8);
    take_far(&x, 3, 1, 0, 2, 0);
    assert_int_equal(x.out->down_ready, 0);
    for (int i = 0; i < 5; i++)
        edge(&x);
    assert_int_equal(x.out->down_ready, 0);
    x.in.mem_ready = 15;
    edge(&x);
    expect_mem(&x, 1, false, 1, 0, 0, 0);
    assert_int_equal(x.out->down_ready, 1);
    close_ext(&x);
}

/* Answers that come together go in turn, after the unit that was last. */
static void test_turns(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    for (int first = 0; first < 2; first++) {
        int after = first ? 1 : UNITS - 1; /* whose answer was the last */
        if (first) {
            take_far(&x, 0, after, 0, 0, 0);
            edge(&x);
            edge(&x);
            respond(&x, after, 0, 0, 0);
            edge(&x);
            edge(&x);
            edge(&x);
            assert_int_equal(x.out->answer_valid, 1);
        }
        for (int u = 0; u < UNITS; u++)
            take_far(&x, u, u, 0, 0, 0);
        edge(&x);
        edge(&x);
        for (int u = 0; u < UNITS; u++)
            respond(&x, u, (uint64_t)u, (uint32_t)u, 0);
        edge(&x);
        edge(&x);
        assert_int_equal(x.out->answer_valid, 0);
        for (int i = 1; i <= UNITS; i++) {
            edge(&x);
            assert_int_equal(x.out->answer_valid, 1);
            assert_int_equal(x.out->answer_id, (after + i) % UNITS);
            assert_int_equal(x.out->answer_data[0], (after + i) % UNITS);
        }
    }
    close_ext(&x);
}

/* Of requests that come on every edge two in three are taken for the same unit,
 * and all for units in turn. */
static void test_rate(void **state) {
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        struct ext x;
        int taken = 0;
        open_with(&x, 32);
        x.in.down_valid = 1;
        for (int i = 0; i < 30; i++) {
            x.in.down_unit = turns ? (uint64_t)(i % UNITS) : 0;
            taken += (int)x.out->down_ready;
            edge(&x);
        }
        assert_int_equal(taken, turns ? 30 : 20);
        close_ext(&x);
    }
}

/* A reset in the middle leaves nothing. */
static void test_reset(void **state) {
    struct ext x;
    (void)state;
    open_ext(&x);
    take_near(&x, false, 3, 0, 0);
    take_near(&x, true, 0, 0, 0);
    edge(&x);
    x.out = golden_cycle(x.g, true, &x.in);
    assert_int_equal(x.out->down_ready, 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(x.out->mem_valid | x.out->fetch_valid, 0);
        edge(&x);
    }
    take_near(&x, false, 3, 0, 0);
    edge(&x);
    assert_int_equal(tag_at(&x, 3), near_tag(&x, 0, 0));
    close_ext(&x);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "lsu_ext.lanes=64",  "lsu_ext.lanes=3",   "lsu_ext.units=1",
        "lsu_ext.gathers=1", "lsu_ext.gathers=3", "lsu_ext.gathers=16",
        "lsu_ext.rows=1",    "lsu_ext.answers=1", "lsu_ext.sector=4",
        "lsu_ext.rows=16",   "lsu_ext.answers=33"};
    static const char *const together[] = {"lsu_ext.line=64"};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
    for (size_t n = 0; n < sizeof together / sizeof together[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_true(config_set(&c, together[n], &d));
        assert_false(iface_check(&lsu_ext_iface, &c, &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_strided),
        cmocka_unit_test(test_strided_back),
        cmocka_unit_test(test_strided_far),
        cmocka_unit_test(test_strided_places),
        cmocka_unit_test(test_strided_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
