/* test_lsu_link.c - the golden model of the load-store traffic between the
 * dies, edge by edge and rule by rule as docs/blocks/lsu_link.md has them.
 *
 * Four lanes, sectors of two words, beats of 64 bits, two places; a beat that
 * is taken is at the other die on the next edge.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/lsu_link.h"
#include "lsu_link/lsu_link.h"

#include <string.h>

enum { LANES = 4, WORDS = 2 };

struct link {
    struct golden *g;
    struct lsu_link_local l;
    struct lsu_link_in in;
    const struct lsu_link_out *out;
    int falls, rises; /* beats that have been taken */
};

static void edge(struct link *x) {
    const struct lsu_link_out *o = x->out;
    struct lsu_link_in next = x->in;
    next.lsu_near_valid = o->lsu_down_valid & x->in.lsu_down_ready;
    next.lsu_near_last = o->lsu_down_last;
    memcpy(next.lsu_near_data, o->lsu_down_data, sizeof o->lsu_down_data);
    next.lsu_far_valid = o->lsu_up_valid & x->in.lsu_up_ready;
    next.lsu_far_last = o->lsu_up_last;
    memcpy(next.lsu_far_data, o->lsu_up_data, sizeof o->lsu_up_data);
    x->falls += (int)next.lsu_near_valid;
    x->rises += (int)next.lsu_far_valid;
    x->out = golden_cycle(x->g, false, &x->in);
    next.pipe_fetched_valid = 0;
    x->in = next;
}

static void open_link(struct link *x, int tsv_width, int places) {
    struct config c;
    config_defaults(&c);
    c.lsu_link_lanes = LANES;
    c.lsu_link_warps = 8;
    c.lsu_link_registers = 16;
    c.lsu_link_sector = 4 * WORDS;
    c.lsu_link_tsv_width = tsv_width;
    c.lsu_link_places = places;
    memset(x, 0, sizeof *x);
    x->l = lsu_link_local(&c);
    x->g = golden_create(&lsu_link_golden, &c);
    x->out = golden_cycle(x->g, true, NULL);
    x->in.lsu_down_ready = x->in.lsu_up_ready = 1;
    x->in.ext_down_ready = x->in.pipe_fetch_ready = 1;
    x->in.pipe_load_ready = 1;
}

static void close_link(struct link *x) {
    golden_free(x->g);
}

/* --- what goes in --------------------------------------------------------- */

static void offer_message(struct link *x, bool store, int warp, int reg,
                          uint64_t address) {
    x->in.down_valid = x->in.down_near = 1;
    x->in.down_store = store;
    x->in.down_unit = (uint64_t)warp & 3;
    x->in.down_warp = (uint64_t)warp;
    x->in.down_reg = (uint64_t)reg;
    x->in.down_id = x->in.down_strobe = x->in.down_data[0] = 0;
    x->in.down_address = address;
}

/* strobe 0: a load. */
static void offer_transaction(struct link *x, int id, uint64_t address,
                              unsigned strobe, uint64_t data) {
    x->in.down_valid = 1;
    x->in.down_near = x->in.down_warp = x->in.down_reg = 0;
    x->in.down_store = strobe != 0;
    x->in.down_unit = 1;
    x->in.down_id = (uint64_t)id;
    x->in.down_address = address;
    x->in.down_strobe = strobe;
    x->in.down_data[0] = data;
}

static void take(struct link *x) {
    assert_int_equal(x->out->down_ready, 1);
    edge(x);
    x->in.down_valid = 0;
}

static void row(uint64_t *data, uint32_t first) {
    for (int i = 0; i < LANES; i++)
        bits_set_lane(data, i, first + (uint32_t)i);
}

static void expect_row(const uint64_t *data, uint32_t first) {
    for (int i = 0; i < LANES; i++)
        assert_int_equal(bits_lane(data, i), first + (uint32_t)i);
}

static void answer(struct link *x, int id, bool fault, uint64_t data) {
    x->in.ext_answer_valid = 1;
    x->in.ext_answer_id = (uint64_t)id;
    x->in.ext_answer_fault = fault;
    x->in.ext_answer_data[0] = data;
    while (!x->out->ext_answer_ready)
        edge(x);
    edge(x);
    x->in.ext_answer_valid = 0;
}

/* Until *what is 1, so many edges exactly. */
static void expect_after(struct link *x, int edges, const uint64_t *what) {
    for (int i = 0; i < edges; i++) {
        assert_int_equal(*what, 0);
        edge(x);
    }
    assert_int_equal(*what, 1);
}

/* --- packets -------------------------------------------------------------- */

/* Kind, warp, register, store, unit, id, address, strobe, lowest first; and
 * when each step is there. */
static void test_message(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    assert_int_equal(x.l.HEADER_W, 3 + 3 + 4 + 1 + 2 + 2 + 26 + 2);
    offer_message(&x, true, 6, 9, 0x2345678);
    take(&x);
    assert_int_equal(x.out->lsu_down_valid, 1);
    assert_int_equal(x.out->lsu_down_last, 1);
    assert_int_equal(x.out->lsu_down_data[0], 1 | 6 << 3 | 9 << 6 | 1 << 10 |
                                                  2 << 11 |
                                                  (uint64_t)0x2345678 << 15);
    edge(&x); /* the beat leaves */
    assert_int_equal(x.out->lsu_down_valid, 0);
    assert_int_equal(x.out->lsu_down_data[0], 0);
    edge(&x); /* and comes: l */
    expect_after(&x, 2, &x.out->ext_down_valid);
    assert_int_equal(x.out->ext_down_near, 1);
    assert_int_equal(x.out->ext_down_store, 1);
    assert_int_equal(x.out->ext_down_unit, 2);
    assert_int_equal(x.out->ext_down_warp, 6);
    assert_int_equal(x.out->ext_down_reg, 9);
    assert_int_equal(x.out->ext_down_address, 0x2345678);
    edge(&x);
    assert_int_equal(x.out->ext_down_valid, 0);

    x.in.ext_done_valid = x.in.ext_done_store = x.in.ext_done_fault = 1;
    x.in.ext_done_warp = 6;
    x.in.ext_done_reg = 9;
    assert_int_equal(x.out->ext_done_ready, 0); /* not its turn */
    edge(&x);
    assert_int_equal(x.out->ext_done_ready, 1);
    edge(&x);
    x.in.ext_done_valid = 0;
    assert_int_equal(x.out->lsu_up_valid, 1);
    assert_int_equal(x.out->lsu_up_last, 1);
    assert_int_equal(x.out->lsu_up_data[0],
                     1 | 1 << 2 | 1 << 3 | 6 << 4 | 9 << 7);
    edge(&x);
    expect_after(&x, 1, &x.out->done_valid);
    assert_int_equal(x.out->done_warp, 6);
    assert_int_equal(x.out->done_reg, 9);
    assert_int_equal(x.out->done_store, 1);
    assert_int_equal(x.out->done_fault, 1);
    edge(&x);
    assert_int_equal(x.out->done_valid, 0);
    close_link(&x);
}

/* Kind, warp, register, step, address; the mask behind them.  Its end is that of
 * a message. */
static void test_strided(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    x.in.strided_valid = 1;
    x.in.strided_warp = 6;
    x.in.strided_reg = 9;
    x.in.strided_mask = 11;
    x.in.strided_step = 0x7d; /* -3 */
    x.in.strided_address = 0x2345678;
    assert_int_equal(x.out->strided_ready, 0); /* not its turn */
    edge(&x);
    assert_int_equal(x.out->strided_ready, 1);
    assert_int_equal(x.out->down_ready, 0);
    edge(&x);
    x.in.strided_valid = 0;
    assert_int_equal(x.out->lsu_down_valid, 1);
    assert_int_equal(x.out->lsu_down_last, 0);
    assert_int_equal(x.out->lsu_down_data[0], 4 | 6 << 3 | 9 << 6 | 0x7d << 10 |
                                                  (uint64_t)0x2345678 << 17);
    edge(&x);
    assert_int_equal(x.out->lsu_down_last, 1);
    assert_int_equal(x.out->lsu_down_data[0], 11);
    edge(&x); /* the last beat leaves */
    assert_int_equal(x.out->lsu_down_valid, 0);
    edge(&x); /* and comes: l */
    expect_after(&x, 2, &x.out->ext_down_valid);
    assert_int_equal(x.out->ext_down_near, 1);
    assert_int_equal(x.out->ext_down_strided, 1);
    assert_int_equal(x.out->ext_down_store, 0);
    assert_int_equal(x.out->ext_down_warp, 6);
    assert_int_equal(x.out->ext_down_reg, 9);
    assert_int_equal(x.out->ext_down_mask, 11);
    assert_int_equal(x.out->ext_down_step, 0x7d);
    assert_int_equal(x.out->ext_down_address, 0x2345678);
    assert_int_equal(x.out->ext_down_unit | x.out->ext_down_id, 0);
    assert_int_equal(x.out->ext_down_strobe | x.out->ext_down_data[0], 0);
    edge(&x);
    assert_int_equal(x.out->ext_down_valid | x.out->ext_down_strided, 0);
    assert_int_equal(x.out->ext_down_mask | x.out->ext_down_step, 0);

    x.in.ext_done_valid = 1;
    x.in.ext_done_warp = 6;
    x.in.ext_done_reg = 9;
    edge(&x);
    edge(&x);
    x.in.ext_done_valid = 0;
    assert_int_equal(x.out->lsu_up_last, 1);
    assert_int_equal(x.out->lsu_up_data[0], 1 | 6 << 4 | 9 << 7);
    edge(&x);
    expect_after(&x, 1, &x.out->done_valid);
    assert_int_equal(x.out->done_warp, 6);
    assert_int_equal(x.out->done_reg, 9);
    assert_int_equal(x.out->done_store | x.out->done_fault, 0);
    close_link(&x);
}

/* A store takes its sector down and brings none up, a load the other way. */
static void test_transactions(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    offer_transaction(&x, 3, 0x1111, 2, 0xabcdef0100000000);
    take(&x);
    assert_int_equal(x.out->lsu_down_data[0], 0 | 1 << 10 | 1 << 11 | 3 << 13 |
                                                  0x1111 << 15 |
                                                  (uint64_t)2 << 41);
    assert_int_equal(x.out->lsu_down_last, 0);
    edge(&x);
    assert_int_equal(x.out->lsu_down_data[0], 0xabcdef0100000000);
    assert_int_equal(x.out->lsu_down_last, 1);
    edge(&x);
    assert_int_equal(x.falls, 2);
    offer_transaction(&x, 1, 0x2222, 0, 0);
    take(&x);
    expect_after(&x, 2, &x.out->ext_down_valid);
    assert_int_equal(x.out->ext_down_near, 0);
    assert_int_equal(x.out->ext_down_store, 1);
    assert_int_equal(x.out->ext_down_id, 3);
    assert_int_equal(x.out->ext_down_strobe, 2);
    assert_int_equal(x.out->ext_down_data[0], 0xabcdef0100000000);
    edge(&x);
    assert_int_equal(x.falls, 3);
    expect_after(&x, 1, &x.out->ext_down_valid);
    assert_int_equal(x.out->ext_down_id, 1);
    assert_int_equal(x.out->ext_down_store, 0);
    assert_int_equal(x.out->ext_down_data[0], 0);
    edge(&x);

    answer(&x, 1, false, 0x7766554433221100);
    edge(&x);
    edge(&x);
    expect_after(&x, 1, &x.out->answer_valid);
    assert_int_equal(x.rises, 2);
    assert_int_equal(x.out->answer_id, 1);
    assert_int_equal(x.out->answer_fault, 0);
    assert_int_equal(x.out->answer_data[0], 0x7766554433221100);
    answer(&x, 3, true, 0x1234);
    assert_int_equal(x.out->lsu_up_data[0], 0 | 1 << 2 | 1 << 3 | 3 << 11);
    edge(&x);
    expect_after(&x, 1, &x.out->answer_valid);
    assert_int_equal(x.rises, 3);
    assert_int_equal(x.out->answer_id, 3);
    assert_int_equal(x.out->answer_fault, 1);
    assert_int_equal(x.out->answer_data[0], 0);
    close_link(&x);
}

/* A row that is wanted. */
static void test_fetch(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    x.in.fetch_valid = 1;
    x.in.fetch_warp = 5;
    x.in.fetch_reg = 12;
    assert_int_equal(x.out->fetch_ready, 0);
    edge(&x);
    assert_int_equal(x.out->fetch_ready, 1);
    edge(&x);
    x.in.fetch_valid = 0;
    assert_int_equal(x.out->lsu_down_data[0], 2 | 5 << 3 | 12 << 6);
    edge(&x);
    edge(&x);
    expect_after(&x, 3, &x.out->pipe_fetch_valid);
    assert_int_equal(x.out->pipe_fetch_warp, 5);
    assert_int_equal(x.out->pipe_fetch_reg, 12);
    edge(&x);
    assert_int_equal(x.out->pipe_fetch_valid, 0);
    row(x.in.pipe_fetched_data, 40);
    x.in.pipe_fetched_valid = 1;
    edge(&x);
    assert_int_equal(x.out->ext_fetched_valid, 0);
    for (int i = 0; i < 4 && !x.out->lsu_up_valid; i++)
        edge(&x);
    assert_int_equal(x.out->lsu_up_data[0], 2);
    assert_int_equal(x.out->lsu_up_last, 0);
    edge(&x);
    assert_int_equal(x.out->lsu_up_data[0], (uint64_t)41 << 32 | 40);
    edge(&x);
    assert_int_equal(x.out->lsu_up_data[0], (uint64_t)43 << 32 | 42);
    assert_int_equal(x.out->lsu_up_last, 1);
    edge(&x);
    expect_after(&x, 1, &x.out->fetched_valid);
    expect_row(x.out->fetched_data, 40);
    close_link(&x);
}

static void offer_write(struct link *x, int warp, int reg, unsigned mask,
                        uint32_t first) {
    x->in.write_valid = 1;
    x->in.write_warp = (uint64_t)warp;
    x->in.write_reg = (uint64_t)reg;
    x->in.write_mask = mask;
    row(x->in.write_data, first);
}

/* A row to write is taken when it stands in its register. */
static void test_write(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    x.in.pipe_load_ready = 0;
    offer_write(&x, 3, 7, 5, 90);
    edge(&x); /* its turn */
    edge(&x);
    assert_int_equal(x.out->lsu_down_data[0], 3 | 3 << 3 | 7 << 6 | 5 << 10);
    edge(&x);
    edge(&x);
    assert_int_equal(x.out->lsu_down_last, 1);
    edge(&x);
    edge(&x);
    expect_after(&x, 3, &x.out->pipe_load_valid);
    assert_int_equal(x.out->pipe_load_warp, 3);
    assert_int_equal(x.out->pipe_load_reg, 7);
    assert_int_equal(x.out->pipe_load_mask, 5);
    expect_row(x.out->pipe_load_data, 90);
    for (int i = 0; i < 20; i++) {
        edge(&x);
        assert_int_equal(x.out->write_ready, 0);
        assert_int_equal(x.out->lsu_up_valid, 0);
        assert_int_equal(x.out->lsu_down_valid, 0); /* it was sent once */
    }
    x.in.pipe_load_ready = 1;
    edge(&x);
    assert_int_equal(x.out->pipe_load_valid, 0);
    for (int i = 0; i < 3 && !x.out->lsu_up_valid; i++)
        edge(&x);
    assert_int_equal(x.out->lsu_up_data[0], 3);
    edge(&x);
    expect_after(&x, 1, &x.out->write_ready);
    edge(&x);
    x.in.write_valid = 0;
    assert_int_equal(x.out->write_ready, 0);
    close_link(&x);
}

/* Headers wider than a beat, a row narrower than one. */
static void test_widths(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 16, 2);
    assert_int_equal(x.l.HEAD_BEATS, 3);
    assert_int_equal(x.l.BACK_BEATS, 1);
    assert_int_equal(x.l.SECTOR_BEATS, 4);
    offer_transaction(&x, 2, 0x2fedcba, 3, 0x8877665544332211);
    take(&x);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(x.out->lsu_down_last, i == 6);
        edge(&x);
    }
    edge(&x);
    expect_after(&x, 2, &x.out->ext_down_valid);
    assert_int_equal(x.out->ext_down_address, 0x2fedcba);
    assert_int_equal(x.out->ext_down_strobe, 3);
    assert_int_equal(x.out->ext_down_data[0], 0x8877665544332211);
    close_link(&x);
    open_link(&x, 256, 2);
    assert_int_equal(x.l.ROW_BEATS, 1);
    offer_write(&x, 1, 2, 15, 7);
    edge(&x);
    for (int i = 0; i < 9 && !x.out->pipe_load_valid; i++)
        edge(&x);
    expect_row(x.out->pipe_load_data, 7);
    assert_int_equal(x.falls, 2);
    close_link(&x);
}

/* --- turns and places ----------------------------------------------------- */

/* No more packets than places are under way; the return of one lets the next
 * go. */
static void test_places(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    for (int i = 0; i < 2; i++) {
        offer_transaction(&x, i, 8, 0, 0);
        while (!x.out->down_ready)
            edge(&x);
        take(&x);
    }
    offer_transaction(&x, 2, 8, 0, 0);
    for (int i = 0; i < 20; i++) {
        edge(&x);
        assert_int_equal(x.out->down_ready, 0);
    }
    answer(&x, 1, false, 5); /* two beats */
    for (int i = 0; i < 3; i++)
        edge(&x);
    assert_int_equal(x.out->answer_valid, 1);
    assert_int_equal(x.out->down_ready, 0);
    edge(&x);
    take(&x);
    close_link(&x);
}

/* A request, a row wanted and a row written at once go one after the other, and
 * are carried out in that order. */
static void test_in_turn(void **state) {
    struct link x;
    int seen = 0;
    (void)state;
    open_link(&x, 64, 4);
    offer_transaction(&x, 0, 8, 0, 0);
    x.in.fetch_valid = 1;
    offer_write(&x, 1, 1, 15, 1);
    for (int i = 0; i < 40; i++) {
        bool down = x.out->down_ready, fetch = x.out->fetch_ready;
        bool written = x.out->write_ready;
        edge(&x);
        if (down)
            x.in.down_valid = 0;
        if (fetch)
            x.in.fetch_valid = 0;
        if (written)
            x.in.write_valid = 0;
        if (x.out->ext_down_valid)
            assert_int_equal(seen++, 0);
        if (x.out->pipe_fetch_valid)
            assert_int_equal(seen++, 1);
        if (x.out->pipe_load_valid)
            assert_int_equal(seen++, 2);
    }
    assert_int_equal(seen, 3);
    assert_int_equal(x.falls, 1 + 1 + 3);
    close_link(&x);
}

/* An answer of another core waits for an own one, and for that alone. */
static void test_other(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    offer_transaction(&x, 0, 8, 1, 0);
    take(&x);
    for (int i = 0; i < 6; i++)
        edge(&x);
    answer(&x, 0, true, 0);
    x.in.other_valid = 1;
    x.in.other_id = 3;
    x.in.other_data[0] = 0x99;
    edge(&x); /* the own one's beat leaves, the other one is held */
    assert_int_equal(x.out->answer_valid, 1);
    assert_int_equal(x.out->answer_id, 3);
    assert_int_equal(x.out->answer_data[0], 0x99);
    assert_int_equal(x.out->other_ready, 1);
    x.in.other_id = 2;
    edge(&x);
    assert_int_equal(x.out->answer_id, 0);
    assert_int_equal(x.out->answer_fault, 1);
    assert_int_equal(x.out->other_ready, 0);
    edge(&x);
    x.in.other_valid = 0;
    assert_int_equal(x.out->answer_id, 2);
    edge(&x);
    assert_int_equal(x.out->answer_valid, 0);
    close_link(&x);
}

/* Of the extension and the base die the extension comes first, then the other
 * one; a row that goes up keeps the next one waiting, and nobody's is given to
 * the other. */
static void test_fetches(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    x.in.fetch_valid = 1;
    x.in.fetch_reg = 1;
    edge(&x);
    edge(&x);
    x.in.fetch_valid = 0;
    edge(&x);
    edge(&x);
    edge(&x);
    x.in.ext_fetch_valid = 1;
    x.in.ext_fetch_reg = 2;
    edge(&x); /* both are there after this edge */
    x.in.ext_fetch_valid = 0;
    assert_int_equal(x.out->ext_fetch_ready, 0);
    edge(&x);
    assert_int_equal(x.out->pipe_fetch_valid, 1);
    assert_int_equal(x.out->pipe_fetch_reg, 2);
    assert_int_equal(x.out->ext_fetch_ready, 1);
    x.in.ext_fetch_valid = 1;
    x.in.ext_fetch_reg = 3;
    edge(&x);
    x.in.ext_fetch_valid = 0;
    row(x.in.pipe_fetched_data, 10);
    x.in.pipe_fetched_valid = 1;
    edge(&x);
    assert_int_equal(x.out->ext_fetched_valid, 1);
    expect_row(x.out->ext_fetched_data, 10);
    edge(&x);
    assert_int_equal(x.out->ext_fetched_valid, 0);
    assert_int_equal(x.out->pipe_fetch_reg, 1);
    edge(&x);
    row(x.in.pipe_fetched_data, 20);
    x.in.pipe_fetched_valid = 1;
    x.in.lsu_up_ready = 0;
    for (int i = 0; i < 20; i++) {
        edge(&x);
        assert_int_equal(x.out->ext_fetched_valid, 0);
        assert_int_equal(x.out->pipe_fetch_valid, 0);
    }
    x.in.lsu_up_ready = 1;
    for (int i = 0; i < 3; i++)
        edge(&x);
    expect_after(&x, 1, &x.out->pipe_fetch_valid);
    assert_int_equal(x.out->pipe_fetch_reg, 3);
    expect_row(x.out->fetched_data, 20);
    close_link(&x);
}

/* The extension's row is taken when it is written, once. */
static void test_load(void **state) {
    struct link x;
    (void)state;
    open_link(&x, 64, 2);
    x.in.pipe_load_ready = 0;
    x.in.ext_load_valid = 1;
    x.in.ext_load_warp = 2;
    x.in.ext_load_reg = 3;
    x.in.ext_load_mask = 15;
    row(x.in.ext_load_data, 60);
    edge(&x);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(x.out->pipe_load_valid, 1);
        assert_int_equal(x.out->pipe_load_warp, 2);
        assert_int_equal(x.out->pipe_load_reg, 3);
        assert_int_equal(x.out->ext_load_ready, 0);
        expect_row(x.out->pipe_load_data, 60);
        edge(&x);
    }
    x.in.pipe_load_ready = 1;
    edge(&x);
    assert_int_equal(x.out->pipe_load_valid, 0);
    assert_int_equal(x.out->ext_load_ready, 1);
    edge(&x);
    assert_int_equal(x.out->ext_load_ready, 0);
    assert_int_equal(x.out->pipe_load_valid, 0);
    assert_int_equal(x.out->lsu_up_valid, 0);
    close_link(&x);
}

/* At the paper's sizes. */
static void test_paper(void **state) {
    struct config c;
    (void)state;
    config_defaults(&c);
    struct lsu_link_local l = lsu_link_local(&c);
    assert_int_equal(l.HEAD_BEATS, 1);
    assert_int_equal(l.BACK_BEATS, 1);
    assert_int_equal(l.SECTOR_BEATS, 4);
    assert_int_equal(l.ROW_BEATS, 16);
    assert_int_equal(l.MASK_BEATS, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message), cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_fetch),   cmocka_unit_test(test_write),
        cmocka_unit_test(test_widths),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_in_turn), cmocka_unit_test(test_other),
        cmocka_unit_test(test_fetches), cmocka_unit_test(test_load),
        cmocka_unit_test(test_paper),   cmocka_unit_test(test_strided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
