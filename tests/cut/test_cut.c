/* test_cut.c - the golden model of the cut between the dies, edge by edge as
 * docs/blocks/cut.md has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/cut.h"
#include "cut/cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    struct golden *g;
    struct cut_in in;
    const struct cut_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void edges(struct unit *u, int n) {
    while (n-- > 0)
        edge(u);
}

static void open_unit(struct unit *u) {
    struct config c;
    config_defaults(&c);
    c.cut_instructions = 2;
    c.cut_requests = 2;
    c.cut_burst = 4;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&cut_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* --- latency -------------------------------------------------------------- */

/* Valid, chosen, beat, wires, there. */
static void test_down(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.instr_valid = u.in.instr_last = 1;
    u.in.instr_data[0] = 0x123456789abcdef0;
    assert_int_equal(u.out->instr_ready, 0);
    assert_int_equal(u.out->bus_stall, 0);
    edge(&u); /* chosen */
    assert_int_equal(u.out->instr_ready, 1);
    assert_int_equal(u.out->tsv_valid, 0);
    edge(&u); /* the beat */
    u.in.instr_valid = 0;
    assert_int_equal(u.out->instr_ready, 1); /* nobody else wants the bus */
    assert_int_equal(u.out->tsv_valid, 1);
    assert_int_equal(u.out->tsv_up, 0);
    assert_int_equal(u.out->near_valid, 0);
    edge(&u);
    assert_int_equal(u.out->tsv_valid, 0);
    assert_int_equal(u.out->near_valid, 1);
    assert_int_equal(u.out->near_kind, 0);
    assert_int_equal(u.out->near_first, 1);
    assert_int_equal(u.out->near_last, 1);
    assert_true(u.out->near_data[0] == 0x123456789abcdef0);
    assert_int_equal(u.out->far_valid, 0);
    edge(&u);
    assert_int_equal(u.out->near_valid, 0);
    close_unit(&u);
}

/* Request, wanted, grant, run, beat, there: six edges; what waits below is sent
 * on the fourth edge after the beat. */
static void test_up(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.done_valid = u.in.done_last = 1;
    u.in.done_data[0] = 77;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(u.out->done_ready, 0);
        edge(&u);
        if (i == 2)
            u.in.lsu_down_valid = u.in.lsu_down_last = 1; /* too late */
    }
    assert_int_equal(u.out->done_ready, 1);
    assert_int_equal(u.out->bus_stall, 1); /* load-store traffic waits */
    edge(&u);                              /* the fifth takes the beat */
    u.in.done_valid = 0;
    assert_int_equal(u.out->tsv_valid, 1);
    assert_int_equal(u.out->tsv_up, 1);
    edge(&u); /* nothing more: the run ends */
    assert_int_equal(u.out->far_valid, 1);
    assert_int_equal(u.out->far_kind, 0);
    assert_true(u.out->far_data[0] == 77);
    assert_int_equal(u.out->lsu_down_ready, 0);
    edge(&u); /* and the base die knows */
    assert_int_equal(u.out->lsu_down_ready, 1);
    edge(&u);
    assert_int_equal(u.out->tsv_valid, 1);
    assert_int_equal(u.out->tsv_up, 0);
    close_unit(&u);
}

/* --- credits -------------------------------------------------------------- */

/* Two places; the third instruction goes on the third edge after a return. */
static void test_credits(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.instr_valid = u.in.instr_last = 1;
    u.in.instr_data[0] = 5;
    edges(&u, 2);
    u.in.instr_data[0] = 6;
    edges(&u, 2);
    u.in.instr_data[0] = 7;
    for (int i = 0; i < 20; i++) {
        edge(&u);
        assert_int_equal(u.out->instr_ready, 0);
    }
    u.in.back_instr = 1;
    edge(&u); /* the return */
    u.in.back_instr = 0;
    assert_int_equal(u.out->delivered_valid, 0);
    edge(&u);
    assert_int_equal(u.out->delivered_valid, 1);
    assert_int_equal(u.out->delivered_warp, 5);
    edge(&u); /* a credit again */
    assert_int_equal(u.out->delivered_valid, 0);
    assert_int_equal(u.out->delivered_warp, 0);
    assert_int_equal(u.out->instr_ready, 1);
    close_unit(&u);
}

/* Credits of requests are others. */
static void test_requests(void **state) {
    struct unit u;
    int sent = 0;
    (void)state;
    open_unit(&u);
    u.in.ask_valid = 1;
    for (int i = 0; i < 30; i++) {
        sent += (int)u.out->ask_ready;
        if (i == 20)
            u.in.back_ask = 1;
        edge(&u);
        u.in.back_ask = 0;
        if (i == 19)
            assert_int_equal(sent, 2);
    }
    assert_int_equal(sent, 3);
    close_unit(&u);
}

/* --- rows ----------------------------------------------------------------- */

static uint64_t header(int kind, int final, int epoch, int reg, int warp) {
    return (uint64_t)kind << 14 | (uint64_t) final << 13 |
           (uint64_t)epoch << 12 | (uint64_t)reg << 6 | (uint64_t)warp;
}

/* A row of two beats goes, its return comes at once. */
static void row(struct unit *u, uint64_t head) {
    u->in.row_valid = 1;
    u->in.row_last = 0;
    u->in.row_data[0] = head;
    for (int i = 0; !u->out->row_ready; i++) {
        assert_true(i < 10);
        edge(u);
    }
    edge(u);
    u->in.row_last = 1;
    u->in.row_data[0] = 0;
    edge(u);
    u->in.row_valid = 0;
    edges(u, 2);
    u->in.back_row = 1;
    edge(u);
    u->in.back_row = 0;
    edges(u, 2);
}

/* A pair: two rows, told once, under its even register. */
static void test_pair(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    row(&u, header(1, 0, 1, 8, 33));
    assert_int_equal(u.out->moved_valid, 0);
    row(&u, header(1, 1, 1, 9, 33));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(u.out->moved_valid, 1);
        assert_int_equal(u.out->moved_warp, 33);
        assert_int_equal(u.out->moved_reg, 8);
        assert_int_equal(u.out->moved_epoch, 1);
        u.in.row_valid = 1; /* has to wait */
        edge(&u);
        assert_int_equal(u.out->row_ready, 0);
    }
    u.in.moved_ready = 1;
    edge(&u);
    assert_int_equal(u.out->moved_valid, 0);
    assert_int_equal(u.out->moved_reg, 0);
    assert_int_equal(u.out->row_ready, 1);
    close_unit(&u);
}

/* A row that is no pair keeps an odd register. */
static void test_odd(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    row(&u, header(0, 1, 0, 9, 2));
    assert_int_equal(u.out->moved_valid, 1);
    assert_int_equal(u.out->moved_reg, 9);
    assert_int_equal(u.out->moved_epoch, 0);
    close_unit(&u);
}

/* The next row up waits until the last is written. */
static void test_rows_up(void **state) {
    struct unit u;
    int beats = 0;
    (void)state;
    open_unit(&u);
    u.in.up_valid = u.in.up_last = 1;
    for (int i = 0; i < 40; i++) {
        beats += (int)u.out->up_ready;
        u.in.taken_row = i == 30;
        edge(&u);
        if (i == 29)
            assert_int_equal(beats, 1);
    }
    assert_int_equal(beats, 2);
    close_unit(&u);
}

/* --- runs ----------------------------------------------------------------- */

/* Longest run four beats: packets of three go by twos, those of one by fours,
 * and a cycle without a beat is enough for the wires to turn round. */
static void test_burst(void **state) {
    struct unit u;
    int beats = 0;
    (void)state;
    for (int up = 0; up < 2; up++) {
        open_unit(&u);
        u.in.lsu_down_valid = u.in.lsu_up_valid = 1;
        u.in.lsu_down_last = u.in.lsu_up_last = 1;
        while (beats < 40) { /* packets of one beat up, or down, are whole */
            uint64_t *last = up ? &u.in.lsu_up_last : &u.in.lsu_down_last;
            *last = beats % 3 == 2;
            bool goes = up ? u.out->lsu_up_ready : u.out->lsu_down_ready;
            edge(&u);
            beats += goes;
        }
        /* six of one, a pause, four of the other, a pause */
        for (int i = 0, was = -1, run = 0, pause = 0; i < 40; i++) {
            uint64_t *last = up ? &u.in.lsu_up_last : &u.in.lsu_down_last;
            *last = beats % 3 == 2;
            bool goes = up ? u.out->lsu_up_ready : u.out->lsu_down_ready;
            edge(&u);
            beats += goes;
            int is = u.out->tsv_valid ? (int)u.out->tsv_up : -1;
            if (is >= 0 && was < 0 && pause > 0)
                assert_int_equal(pause, 1);
            if (is < 0 && was >= 0 && run > 0 && i > 14)
                assert_int_equal(run, was == up ? 6 : 4);
            pause = is < 0 ? pause + 1 : 0;
            run = is < 0 ? 0 : run + 1;
            was = is;
        }
        beats = 0;
        close_unit(&u);
    }
}

/* A packet with a gap gives the bus up, and goes on without another credit. */
static void test_gap(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (int n = 0; n < 4; n++) { /* beats of one packet, two credits */
        u.in.instr_valid = 1;
        u.in.instr_last = n == 3;
        edge(&u);
        assert_int_equal(u.out->instr_ready, 1);
        edge(&u);
        u.in.instr_valid = 0;
        assert_int_equal(u.out->tsv_last, n == 3);
        u.in.lsu_down_valid = u.in.lsu_down_last = 1; /* goes in the gap */
        edge(&u);
        assert_int_equal(u.out->near_first, n == 0);
        assert_int_equal(u.out->instr_ready, 0);
        assert_int_equal(u.out->lsu_down_ready, 1);
        edge(&u);
        assert_int_equal(u.out->tsv_kind, CUT_LSU);
        u.in.lsu_down_valid = 0;
    }
    u.in.instr_valid = u.in.instr_last = 1; /* the second credit is there */
    edge(&u);
    assert_int_equal(u.out->instr_ready, 1);
    close_unit(&u);
}

/* All wait: each has a turn before any of its die has another, and the wires
 * rest for no more than the two turns of a round. */
static void test_fair(void **state) {
    struct unit u;
    int beats[3] = {0};
    (void)state;
    open_unit(&u);
    u.in.lsu_down_valid = u.in.lsu_down_last = 1;
    u.in.done_valid = u.in.done_last = 1;
    u.in.lsu_up_valid = u.in.lsu_up_last = 1;
    for (int i = 0; i < 240; i++) {
        beats[0] += (int)u.out->lsu_down_ready;
        beats[1] += (int)u.out->done_ready;
        beats[2] += (int)u.out->lsu_up_ready;
        edge(&u);
    }
    assert_true(abs(beats[1] - beats[2]) <= 2);
    assert_true(beats[0] >= 4 * 23); /* 4 + 1 + 4 + 1 edges a round */
    assert_true(beats[1] >= 2 * 23);
    close_unit(&u);
}

static void test_reset(void **state) {
    static const struct cut_out zero;
    struct unit u;
    (void)state;
    open_unit(&u);
    assert_memory_equal(u.out, &zero, sizeof zero);
    u.in.instr_valid = u.in.done_valid = u.in.lsu_up_valid = 1;
    edges(&u, 9);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_memory_equal(u.out, &zero, sizeof zero);
    memset(&u.in, 0, sizeof u.in);
    for (int i = 0; i < 10; i++) {
        edge(&u);
        assert_memory_equal(u.out, &zero, sizeof zero);
    }
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_down),    cmocka_unit_test(test_up),
        cmocka_unit_test(test_credits), cmocka_unit_test(test_requests),
        cmocka_unit_test(test_pair),    cmocka_unit_test(test_odd),
        cmocka_unit_test(test_rows_up), cmocka_unit_test(test_burst),
        cmocka_unit_test(test_gap),     cmocka_unit_test(test_fair),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
