/* test_lsu_hybrid.c - the golden model of the hybrid load-store unit, edge by
 * edge and rule by rule as docs/blocks/lsu_hybrid.md has them.
 *
 * Four lanes; lines of 32 bytes over four units, chunks of 128 over four cores,
 * sectors of 8: the unit stands at core 1, whose first chunk is bytes 128 to
 * 255.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/lsu_hybrid.h"
#include "lsu_hybrid/lsu_hybrid.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, BEGIN = 128, LINE = 32, CHUNK = 128, CORES = 4 };

struct unit {
    struct golden *g;
    struct lsu_hybrid_in in;
    const struct lsu_hybrid_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_with(struct unit *u, int accesses) {
    struct config c;
    config_defaults(&c);
    c.lsu_hybrid_lanes = LANES;
    c.lsu_hybrid_cores = CORES;
    c.lsu_hybrid_line = LINE;
    c.lsu_hybrid_chunk = CHUNK;
    c.lsu_hybrid_sector = 8;
    c.lsu_hybrid_accesses = accesses;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&lsu_hybrid_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.at_core = 1;
    u->in.down_ready = u->in.away_ready = u->in.strided_ready = 1;
    u->in.fetch_ready = u->in.write_ready = 1;
}

static void open_unit(struct unit *u) {
    open_with(u, 4);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* An access of bytes a to d, taken on one edge; the next one decides. */
static void take(struct unit *u, bool store, int warp, unsigned mask,
                 const uint64_t byte[LANES]) {
    assert_int_equal(u->out->access_ready, 1);
    u->in.access_valid = 1;
    u->in.access_store = store;
    u->in.access_warp = (uint64_t)warp;
    u->in.access_reg = 9;
    u->in.access_mask = mask;
    memset(u->in.access_address, 0, sizeof u->in.access_address);
    for (int i = 0; i < LANES; i++)
        bits_or(u->in.access_address, 30 * i, 30, byte[i] / 4);
    edge(u);
    u->in.access_valid = 0;
    assert_int_equal(u->out->access_ready, 0);
    edge(u);
}

static void answer(struct unit *u, uint64_t id, uint32_t low, uint32_t high) {
    u->in.answer_valid = 1;
    u->in.answer_id = id;
    u->in.answer_data[0] = (uint64_t)high << 32 | low;
    edge(u);
    u->in.answer_valid = 0;
}

static void row_from(uint64_t begin, uint64_t byte[LANES]) {
    for (uint64_t i = 0; i < LANES; i++)
        byte[i] = begin + 4 * i;
}

static void expect_down(const struct unit *u, uint64_t id, uint64_t word) {
    assert_int_equal(u->out->down_valid, 1);
    assert_int_equal(u->out->down_near, 0);
    assert_int_equal(u->out->away_valid, 0);
    assert_int_equal(u->out->down_id, id);
    assert_int_equal(u->out->down_address, word);
}

/* --- the message ---------------------------------------------------------- */

/* Taken, decided, at down; taken there, it ends. */
static void test_message(void **state) {
    (void)state;
    for (int store = 0; store < 2; store++) {
        struct unit u;
        uint64_t byte[LANES];
        open_unit(&u);
        row_from(BEGIN + 2 * LINE + 8, byte);
        take(&u, store, 6, 15, byte);
        assert_int_equal(u.out->down_valid, 1);
        assert_int_equal(u.out->down_near, 1);
        assert_int_equal(u.out->down_store, store);
        assert_int_equal(u.out->down_unit, 2);
        assert_int_equal(u.out->down_warp, 6);
        assert_int_equal(u.out->down_reg, 9);
        assert_int_equal(u.out->down_address, (2 * LINE + 8) / 4);
        assert_int_equal(u.out->fetch_valid, 0);
        u.in.down_ready = 0;
        edge(&u);
        assert_int_equal(u.out->done_valid, 0);
        u.in.down_ready = 1;
        edge(&u);
        assert_int_equal(u.out->down_valid, 0);
        assert_int_equal(u.out->done_valid, 1);
        assert_int_equal(u.out->done_near, 1);
        assert_int_equal(u.out->done_warp, 6);
        assert_int_equal(u.out->access_ready, 1);
        edge(&u);
        assert_int_equal(u.out->done_valid, 0);
        close_unit(&u);
    }
}

/* One condition after the other does not hold; all of them do at first. */
static void test_conditions(void **state) {
    static const struct {
        uint64_t begin;
        int warp;
        unsigned mask;
        int swap; /* lanes 1 and 2 */
        bool near, strided;
    } cases[] = {
        {BEGIN, 4, 15, 0, true, false},
        {BEGIN + LINE - 16, 4, 15, 0, true, false},
        {BEGIN + 5 * CHUNK - CHUNK, 4, 15, 0, true, false}, /* second chunk */
        {BEGIN, 4, 13, 0, false, false},                    /* mask */
        {BEGIN, 4, 15, 1, false, false},                    /* coalescing */
        {BEGIN, 5, 15, 0, false, true},                     /* unit */
        {BEGIN + LINE - 12, 4, 15, 0, false, true}, /* of the last lane */
        {0, 4, 15, 0, false, false},                /* range: core 0 */
        {BEGIN + CHUNK, 4, 15, 0, false, false},    /* core 2 */
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct unit u;
        uint64_t byte[LANES];
        open_unit(&u);
        row_from(cases[n].begin, byte);
        if (cases[n].swap) {
            byte[1] += 4;
            byte[2] -= 4;
        }
        take(&u, false, cases[n].warp, cases[n].mask, byte);
        assert_int_equal(u.out->down_valid, cases[n].near);
        if (!cases[n].near) {
            edge(&u);
            assert_int_equal(u.out->strided_valid, cases[n].strided);
            assert_int_equal(u.out->down_valid | u.out->away_valid, 0);
        }
        if (!cases[n].near && !cases[n].strided) {
            edge(&u);
            assert_int_equal(u.out->down_valid | u.out->away_valid, 1);
            assert_int_equal(u.out->down_near, 0);
        }
        close_unit(&u);
    }
}

/* Chunk 0 of the core is bytes 128 to 255, its words 0 to 31; chunk 1 begins at
 * 640, word 32, and chunk 2 at 1152, word 64.  A step has seven bits. */
static void test_strided(void **state) {
    static const struct {
        uint64_t byte[LANES];
        unsigned mask;
        bool store, strided;
        int step;
        uint64_t word;
    } cases[] = {
        {{128, 136, 144, 152}, 15, false, true, 2, 0},
        {{152, 144, 136, 128}, 15, false, true, -2, 6},
        {{252, 640, 644, 648}, 15, false, true, 1, 31}, /* two chunks */
        {{140, 0, 4, 140}, 9, false, true, 0, 3},       /* one word */
        {{0, 128, 160, 0}, 6, false, true, 8, 0},
        {{0, 0, 0, 148}, 8, false, true, 0, 5},    /* one lane */
        {{128, 764, 0, 0}, 3, false, true, 63, 0}, /* the longest */
        {{1152, 128, 0, 0}, 3, false, true, -64, 64},
        {{0xfffffefc, 128, 0, 0}, 3, false, true, 1, 0xfffffff}, /* wraps */
        {{128, 1152, 0, 0}, 3, false, false, 0, 0},              /* longer */
        {{1156, 128, 0, 0}, 3, false, false, 0, 0},
        {{128, 136, 144, 156}, 15, false, false, 0, 0}, /* another word */
        {{128, 0, 136, 0}, 5, false, false, 0, 0},      /* a gap */
        {{128, 136, 144, 152}, 11, false, false, 0, 0},
        {{248, 252, 256, 260}, 15, false, false, 0, 0}, /* other core */
        {{128, 136, 144, 152}, 15, true, false, 0, 0},  /* a store */
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct unit u;
        open_unit(&u);
        u.in.strided_ready = 0;
        take(&u, cases[n].store, 6, cases[n].mask, cases[n].byte);
        assert_int_equal(u.out->strided_valid, 0);
        edge(&u);
        assert_int_equal(u.out->strided_valid, cases[n].strided);
        for (int i = 0; i < 2 && cases[n].strided; i++) {
            assert_int_equal(u.out->down_valid | u.out->away_valid, 0);
            assert_int_equal(u.out->strided_warp, 6);
            assert_int_equal(u.out->strided_reg, 9);
            assert_int_equal(u.out->strided_mask, cases[n].mask);
            assert_int_equal(u.out->strided_step,
                             (unsigned)cases[n].step & 127);
            assert_int_equal(u.out->strided_address, cases[n].word);
            assert_int_equal(u.out->done_valid | u.out->access_ready, 0);
            edge(&u);
        }
        if (cases[n].strided) {
            u.in.strided_ready = 1;
            edge(&u);
            assert_int_equal(u.out->strided_valid, 0);
            assert_int_equal(u.out->done_valid & u.out->done_near, 1);
            assert_int_equal(u.out->done_warp, 6);
            assert_int_equal(u.out->done_fault, 0);
            assert_int_equal(u.out->access_ready, 1);
            edge(&u);
            assert_int_equal(u.out->done_valid, 0);
        }
        close_unit(&u);
    }
}

static void test_nobody(void **state) {
    struct unit u;
    uint64_t byte[LANES];
    (void)state;
    open_unit(&u);
    row_from(BEGIN, byte);
    take(&u, true, 4, 0, byte);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_near, 0);
    assert_int_equal(u.out->fetch_valid, 0);
    assert_int_equal(u.out->access_ready, 1);
    close_unit(&u);
}

/* --- transactions --------------------------------------------------------- */

/* Lanes 0 and 3 in one sector, 1 away, 2 not active; the answers in the other
 * order. */
static void test_load(void **state) {
    const uint64_t byte[LANES] = {BEGIN + 4, 2 * CHUNK + 12, 0, BEGIN};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, false, 4, 11, byte);
    assert_int_equal(u.out->down_valid, 0);
    edge(&u);
    edge(&u);
    expect_down(&u, 0, 0);
    assert_int_equal(u.out->down_strobe, 0);
    edge(&u);
    assert_int_equal(u.out->down_valid, 0);
    assert_int_equal(u.out->away_valid, 1);
    assert_int_equal(u.out->away_core, 2);
    assert_int_equal(u.out->away_id, 1);
    assert_int_equal(u.out->away_address, 1);
    edge(&u);
    assert_int_equal(u.out->away_valid, 0);
    answer(&u, 1, 0x11, 0x22);
    answer(&u, 0, 0x33, 0x44);
    assert_int_equal(u.out->write_valid, 0);
    edge(&u);
    assert_int_equal(u.out->write_valid, 1);
    assert_int_equal(u.out->write_warp, 4);
    assert_int_equal(u.out->write_reg, 9);
    assert_int_equal(u.out->write_mask, 11);
    assert_int_equal(bits_lane(u.out->write_data, 0), 0x44);
    assert_int_equal(bits_lane(u.out->write_data, 1), 0x22);
    assert_int_equal(bits_lane(u.out->write_data, 2), 0);
    assert_int_equal(bits_lane(u.out->write_data, 3), 0x33);
    edge(&u);
    assert_int_equal(u.out->write_valid, 0);
    assert_int_equal(u.out->done_valid, 0);
    edge(&u);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_near, 0);
    assert_int_equal(u.out->done_fault, 0);
    close_unit(&u);
}

/* The row is fetched once; of lanes with one word the highest is stored. */
static void test_store(void **state) {
    const uint64_t byte[LANES] = {BEGIN + 4, BEGIN + 4, BEGIN, 0};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, true, 4, 7, byte);
    assert_int_equal(u.out->fetch_valid, 1);
    assert_int_equal(u.out->fetch_warp, 4);
    assert_int_equal(u.out->fetch_reg, 9);
    edge(&u);
    assert_int_equal(u.out->fetch_valid, 0);
    u.in.fetched_valid = 1;
    for (int i = 0; i < LANES; i++)
        bits_set_lane(u.in.fetched_data, i, (uint32_t)i + 0xa0);
    edge(&u);
    u.in.fetched_valid = 0;
    assert_int_equal(u.out->down_valid, 0);
    edge(&u);
    expect_down(&u, 0, 0);
    assert_int_equal(u.out->down_store, 1);
    assert_int_equal(u.out->down_strobe, 3);
    assert_true(u.out->down_data[0] == 0x000000a1000000a2);
    edge(&u);
    assert_int_equal(u.out->down_valid, 0);
    u.in.answer_fault = 1;
    answer(&u, 0, 5, 6);
    edge(&u);
    assert_int_equal(u.out->write_valid, 0);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_fault, 1);
    close_unit(&u);
}

/* A reset in the middle leaves nothing. */
static void test_reset(void **state) {
    const uint64_t byte[LANES] = {BEGIN, 0, 512, 1024};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, false, 4, 15, byte);
    edge(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_int_equal(u.out->access_ready, 1);
    assert_int_equal(u.out->down_valid | u.out->away_valid, 0);
    edge(&u);
    assert_int_equal(u.out->down_valid | u.out->away_valid, 0);
    close_unit(&u);
}

/* --- several accesses ----------------------------------------------------- */

/* A load of one sector, number k of the core's first chunk, which gets this id;
 * the front is free after it.  A lane is off between others. */
static void load_one(struct unit *u, int warp, uint64_t k, uint64_t id) {
    const uint64_t byte[LANES] = {BEGIN + 8 * k + 4, BEGIN + 8 * k,
                                  BEGIN + 8 * k, BEGIN + 8 * k};
    take(u, false, warp, 11, byte);
    edge(u);
    edge(u);
    expect_down(u, id, 2 * k);
    edge(u);
    assert_int_equal(u->out->down_valid, 0);
    assert_int_equal(u->out->access_ready, 1);
}

/* A store of the same sector; its row is 1, 2, 3, 4. */
static void store_one(struct unit *u, int warp, uint64_t k, uint64_t id) {
    const uint64_t byte[LANES] = {BEGIN + 8 * k + 4, BEGIN + 8 * k,
                                  BEGIN + 8 * k, BEGIN + 8 * k};
    take(u, true, warp, 3, byte);
    edge(u); /* takes the fetch */
    u->in.fetched_valid = 1;
    for (int i = 0; i < LANES; i++)
        bits_set_lane(u->in.fetched_data, i, (uint32_t)i + 1);
    edge(u);
    u->in.fetched_valid = 0;
    edge(u);
    expect_down(u, id, 2 * k);
    assert_int_equal(u->out->down_store, 1);
    assert_true(u->out->down_data[0] == ((uint64_t)1 << 32 | 2));
    edge(u);
    assert_int_equal(u->out->down_valid, 0);
    assert_int_equal(u->out->access_ready, 1);
}

static void expect_row(const struct unit *u, uint64_t warp, uint32_t lane0,
                       uint32_t lane1) {
    assert_int_equal(u->out->write_valid, 1);
    assert_int_equal(u->out->write_warp, warp);
    assert_int_equal(u->out->write_mask, 11);
    assert_int_equal(bits_lane(u->out->write_data, 0), lane0);
    assert_int_equal(bits_lane(u->out->write_data, 1), lane1);
    assert_int_equal(bits_lane(u->out->write_data, 2), 0);
}

static void expect_done(const struct unit *u, uint64_t warp, uint64_t fault) {
    assert_int_equal(u->out->done_valid, 1);
    assert_int_equal(u->out->done_warp, warp);
    assert_int_equal(u->out->done_near, 0);
    assert_int_equal(u->out->done_fault, fault);
}

/* Two loads under way; the younger one's answer comes first, and each gets its
 * own words, row and fault. */
static void test_crosswise(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load_one(&u, 4, 0, 0);
    load_one(&u, 5, 3, 1);
    u.in.answer_fault = 1;
    answer(&u, 1, 0x11, 0x22);
    u.in.answer_fault = 0;
    answer(&u, 0, 0x33, 0x44);
    expect_row(&u, 5, 0x22, 0x11);
    edge(&u); /* takes it */
    assert_int_equal(u.out->write_valid | u.out->done_valid, 0);
    edge(&u);
    expect_done(&u, 5, 1);
    expect_row(&u, 4, 0x44, 0x33);
    edge(&u);
    assert_int_equal(u.out->write_valid | u.out->done_valid, 0);
    edge(&u);
    expect_done(&u, 4, 0);
    edge(&u);
    assert_int_equal(u.out->write_valid | u.out->done_valid, 0);
    close_unit(&u);
}

/* A store waits for its answer, while a load and a message come and end. */
static void test_overtakes(void **state) {
    struct unit u;
    uint64_t byte[LANES];
    (void)state;
    open_unit(&u);
    store_one(&u, 4, 0, 0);
    load_one(&u, 5, 1, 1);
    answer(&u, 1, 0x11, 0x22);
    edge(&u);
    expect_row(&u, 5, 0x22, 0x11);
    edge(&u);
    edge(&u);
    expect_done(&u, 5, 0);
    row_from(BEGIN, byte);
    take(&u, false, 4, 15, byte);
    assert_int_equal(u.out->down_near, 1);
    edge(&u);
    assert_int_equal(u.out->done_near, 1);
    answer(&u, 0, 0x33, 0x44);
    assert_int_equal(u.out->done_valid, 0);
    edge(&u);
    expect_done(&u, 4, 0);
    assert_int_equal(u.out->write_valid, 0);
    close_unit(&u);
}

/* Of five sectors the last one waits for an id, and gets the one that comes
 * free, on the edge after its answer. */
static void test_ids(void **state) {
    const uint64_t byte[LANES] = {BEGIN, BEGIN + 8, BEGIN + 16, BEGIN + 28};
    const uint64_t more[LANES] = {BEGIN + 32, BEGIN + 40, 0, BEGIN + 40};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, false, 5, 15, byte);
    edge(&u);
    for (uint64_t id = 0; id < LANES; id++) {
        edge(&u);
        expect_down(&u, id, 2 * id);
    }
    edge(&u);
    take(&u, false, 6, 11, more);
    for (int i = 0; i < 3; i++) {
        edge(&u);
        assert_int_equal(u.out->down_valid, 0);
    }
    answer(&u, 2, 0x11, 0x22);
    assert_int_equal(u.out->down_valid, 0);
    edge(&u);
    expect_down(&u, 2, 8);
    answer(&u, 3, 0x33, 0x44); /* as that is taken */
    assert_int_equal(u.out->down_valid, 0);
    answer(&u, 1, 0x55, 0x66); /* its id is not free yet */
    expect_down(&u, 3, 10);
    edge(&u);
    assert_int_equal(u.out->access_ready, 1);
    answer(&u, 2, 0x77, 0x88);
    answer(&u, 0, 0x99, 0xaa);
    edge(&u);
    assert_int_equal(u.out->write_warp, 5);
    assert_int_equal(bits_lane(u.out->write_data, 0), 0x99);
    assert_int_equal(bits_lane(u.out->write_data, 1), 0x55);
    assert_int_equal(bits_lane(u.out->write_data, 2), 0x11);
    assert_int_equal(bits_lane(u.out->write_data, 3), 0x44);
    answer(&u, 3, 0xbb, 0xcc);
    edge(&u);
    expect_done(&u, 5, 0);
    expect_row(&u, 6, 0x77, 0xbb);
    close_unit(&u);
}

/* Two ids are free: the lower one is given out. */
static void test_lowest_id(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load_one(&u, 1, 0, 0);
    load_one(&u, 2, 1, 1);
    load_one(&u, 3, 2, 2);
    answer(&u, 1, 0, 0);
    answer(&u, 0, 0, 0);
    load_one(&u, 4, 3, 0);
    load_one(&u, 5, 4, 1);
    load_one(&u, 6, 5, 3);
    close_unit(&u);
}

/* With both places taken the third access is not cut; it is on the edge after
 * the one on which one of them comes free.  A message of either kind
 * needs no place. */
static void test_places(void **state) {
    const uint64_t byte[LANES] = {BEGIN + 8, BEGIN + 8, 0, BEGIN + 12};
    struct unit u;
    uint64_t row[LANES];
    (void)state;
    open_with(&u, 2);
    load_one(&u, 4, 0, 0);
    store_one(&u, 5, 1, 1);
    row_from(BEGIN, row);
    take(&u, true, 4, 15, row);
    assert_int_equal(u.out->down_near, 1);
    edge(&u);
    assert_int_equal(u.out->done_near, 1);
    take(&u, false, 5, 15, row);
    edge(&u);
    assert_int_equal(u.out->strided_valid, 1);
    edge(&u);
    assert_int_equal(u.out->done_near, 1);
    take(&u, false, 6, 11, byte);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        assert_int_equal(u.out->down_valid | u.out->access_ready, 0);
    }
    answer(&u, 1, 0, 0);
    edge(&u);
    expect_done(&u, 5, 0); /* its place is free */
    edge(&u);
    assert_int_equal(u.out->down_valid, 0);
    edge(&u);
    expect_down(&u, 1, 2);
    close_unit(&u);
}

/* A store could end on the edge on which an access without a lane does, or a
 * message: it ends on the next one. */
static void test_end_waits(void **state) {
    (void)state;
    for (int near = 0; near < 2; near++) {
        struct unit u;
        uint64_t byte[LANES];
        open_unit(&u);
        store_one(&u, 5, 0, 0);
        row_from(BEGIN, byte);
        u.in.access_valid = 1;
        u.in.access_store = 0;
        u.in.access_warp = 4;
        u.in.access_mask = near ? 15 : 0;
        memset(u.in.access_address, 0, sizeof u.in.access_address);
        for (int i = 0; i < LANES; i++)
            bits_or(u.in.access_address, 30 * i, 30, byte[i] / 4);
        if (near)
            edge(&u);
        answer(&u, 0, 0, 0); /* as it is taken, or checked */
        u.in.access_valid = 0;
        assert_int_equal(u.out->done_valid, 0);
        edge(&u);
        assert_int_equal(u.out->done_valid, 1);
        assert_int_equal(u.out->done_warp, 4);
        assert_int_equal(u.out->done_near, near);
        edge(&u);
        expect_done(&u, 5, 0);
        edge(&u);
        assert_int_equal(u.out->done_valid, 0);
        close_unit(&u);
    }
}

/* Rows are written in turn: after that of the second place the third's, though
 * the first one's was there before; and the lowest place ends first. */
static void test_turns(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load_one(&u, 1, 0, 0);
    load_one(&u, 2, 1, 1);
    load_one(&u, 3, 2, 2);
    u.in.write_ready = 0;
    answer(&u, 1, 0x11, 0x12);
    edge(&u);
    answer(&u, 0, 0x01, 0x02);
    answer(&u, 2, 0x21, 0x22);
    edge(&u);
    expect_row(&u, 2, 0x12, 0x11);
    u.in.write_ready = 1;
    edge(&u);
    assert_int_equal(u.out->write_valid, 0);
    edge(&u);
    expect_row(&u, 3, 0x22, 0x21);
    expect_done(&u, 2, 0);
    edge(&u);
    edge(&u);
    expect_row(&u, 1, 0x02, 0x01);
    expect_done(&u, 3, 0);
    close_unit(&u);
    open_unit(&u); /* two stores that could end on one edge */
    store_one(&u, 1, 0, 0);
    store_one(&u, 2, 1, 1);
    u.in.access_valid = 1;
    u.in.access_mask = 0;
    answer(&u, 1, 0, 0);
    u.in.access_valid = 0;
    answer(&u, 0, 0, 0); /* the one without a lane ends */
    assert_int_equal(u.out->done_valid, 1);
    edge(&u);
    expect_done(&u, 1, 0);
    edge(&u);
    expect_done(&u, 2, 0);
    close_unit(&u);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "lsu_hybrid.lanes=64",   "lsu_hybrid.lanes=3",
        "lsu_hybrid.units=1",    "lsu_hybrid.cores=1",
        "lsu_hybrid.sector=4",   "lsu_hybrid.warps=65",
        "lsu_hybrid.accesses=1", "lsu_hybrid.accesses=3",
        "lsu_hybrid.accesses=16"};
    static const char *const together[] = {
        "lsu_hybrid.line=64", "lsu_hybrid.units=8", "lsu_hybrid.chunk=256",
        "lsu_hybrid.chunk=268435456"};
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
        assert_false(iface_check(&lsu_hybrid_iface, &c, &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message),   cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_nobody),    cmocka_unit_test(test_load),
        cmocka_unit_test(test_store),     cmocka_unit_test(test_reset),
        cmocka_unit_test(test_crosswise), cmocka_unit_test(test_overtakes),
        cmocka_unit_test(test_ids),       cmocka_unit_test(test_lowest_id),
        cmocka_unit_test(test_places),    cmocka_unit_test(test_end_waits),
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_strided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
