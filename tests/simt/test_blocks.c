/* test_blocks.c - the golden model of the SIMT core with blocks moved: marked
 * words at its port, warps that continue, registers that are looked at and guests,
 * on the edges that the note gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit.h"

enum { GUEST = 3 };

static void open(struct unit *u, const char *sets) {
    char words[128];
    snprintf(words, sizeof words, "simt.chains=moved %s", sets);
    unit_open(u, "small", words);
}

static void edges(struct unit *u, int n) {
    while (n-- > 0)
        unit_edge(u);
}

/* Until a word is shown; the edge that showed it. */
static long offered(struct unit *u, int pc) {
    for (int i = 0; i < 400 && !u->out->offer_valid; i++)
        unit_edge(u);
    assert_int_equal(u->out->offer_valid, 1);
    assert_int_equal(u->out->offer_pc, pc);
    return u->edge - 1;
}

static void take(struct unit *u) {
    u->in.go_warp = u->out->offer_warp;
    u->in.offer_ready = 1;
    unit_edge(u);
    u->in.offer_ready = 0;
}

static void go(struct unit *u, int pc, bool alone) {
    u->in.go_valid = u->in.go_moves = 1;
    u->in.go_pc = (uint64_t)pc;
    u->in.go_alone = alone;
    unit_edge(u);
    u->in.go_valid = 0;
}

static void put(struct unit *u, int warp, bool pred, int d, uint32_t value) {
    u->in.put_warp = (uint64_t)warp;
    u->in.put_pred = pred;
    u->in.put_d = (uint64_t)d;
    u->in.put_mask = ones(u->l.LANES);
    for (int i = 0; i < u->l.ALUS; i++)
        bits_set_lane(u->in.put_data, i, value);
    for (int pass = 0; pass < u->l.PASSES; pass++) {
        u->in.put_last = pass + 1 == u->l.PASSES;
        u->in.put_valid = 1;
        while (!u->out->put_ready)
            unit_edge(u);
        unit_edge(u);
    }
    u->in.put_valid = 0;
    for (int i = 0; i < 100 && !u->out->put_ready; i++)
        unit_edge(u);
    assert_int_equal(u->out->put_ready, 1);
}

static void look(struct unit *u, int warp, bool pred, int reg) {
    u->in.look_valid = 1;
    u->in.look_warp = (uint64_t)warp;
    u->in.look_pred = pred;
    u->in.look_reg = (uint64_t)reg;
    unit_edge(u);
    u->in.look_valid = 0;
}

/* A value in each lane of `mask`, zero in the others. */
static void sees(struct unit *u, int warp, bool pred, int reg, uint32_t mask,
                 uint32_t value) {
    look(u, warp, pred, reg);
    for (int i = 0; i < 100 && !u->out->seen_valid; i++)
        unit_edge(u);
    for (int pass = 0; pass < u->l.PASSES; pass++) {
        assert_int_equal(u->out->seen_valid, 1);
        assert_int_equal(u->out->seen_last, pass + 1 == u->l.PASSES);
        for (int i = 0; i < u->l.ALUS; i++)
            assert_int_equal(bits_lane(u->out->seen_data, i),
                             mask >> (pass * u->l.ALUS + i) & 1 ? value : 0);
        unit_edge(u);
    }
    assert_int_equal(u->out->seen_valid, 0);
}

static void spawn(struct unit *u, int pc, int end, uint32_t mask) {
    u->in.spawn_valid = 1;
    u->in.spawn_warp = GUEST;
    u->in.spawn_pc = (uint64_t)pc;
    u->in.spawn_end = (uint64_t)end;
    u->in.spawn_mask = mask;
    unit_edge(u);
    u->in.spawn_valid = 0;
}

/* --- rules ---------------------------------------------------------------- */

/* 2, 3, 4: offered with its warp's mask, whatever its guard; it stays and is not
 * offered again, but the next time. */
static void test_stays(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u,
            "movi r2, 2\nagain:\n@!p7 add r1, r2, 1 {mark}\n"
            "sub r2, r2, 1\nsetgts p0, r2, 0\n@p0 bra again\nexit\n",
            (uint32_t)u.l.LANES);
    for (int round = 0; round < 2; round++) {
        offered(&u, 1);
        assert_int_equal(u.out->offer_mask, ones(u.l.LANES));
        take(&u);
        go(&u, 5, true);
    }
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_covered(&u, SIMT_COV_stays), 2);
    /* as an offer and as an instruction, pass by pass */
    assert_non_null(unit_retired(&u, 0, 1, 4 * u.l.PASSES - 1));
    assert_null(unit_retired(&u, 0, 1, 4 * u.l.PASSES));
    unit_close(&u);
}

/* 1, 10: not while requests are under way, which no fence shows. */
static void test_asks(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    u.delay = 100;
    unit_go(&u, "movi r1, 1024\nstg.b32 [r1], r1\nnop {mark}\nexit\n",
            (uint32_t)u.l.LANES);
    bool fenced = false;
    for (int i = 0; i < 400 && !u.out->offer_valid; i++) {
        fenced |= u.out->fenced;
        unit_edge(&u);
    }
    assert_int_equal(u.out->offer_valid, 1);
    assert_false(fenced);
    assert_int_equal(u.asked.n, 0);
    assert_in_range(u.blocked, 1, 3);
    unit_close(&u);
}

/* 4, 5, 6: a warp that left gets registers, which are seen, and goes on. */
static void test_leaves(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u, "movi r1, 1024\nmovi r2, 7 {mark}\nstg.b32 [r1], r2\nexit\n",
            3);
    offered(&u, 1);
    take(&u);
    put(&u, 0, false, 2, 99);
    put(&u, 0, true, 1, 1);
    sees(&u, 0, false, 2, 7, 99);
    sees(&u, 0, true, 1, 7, 1);
    sees(&u, 0, true, ISA_TRUE, 7, 1);
    go(&u, 2, false);
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_word(&u, 1024), 99);
    unit_close(&u);
}

/* 7, 8: a guest on a core that never started; over when its store is answered. */
static void test_guest(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    u.delay = 60;
    unit_program(&u, "nop\nadd r2, r1, 8 {mark}\nstg.b32 [r1], r2\nexit\n");
    put(&u, GUEST, false, 1, 2048);
    spawn(&u, 1, 3, 5);
    for (int i = 0; i < 400 && !u.out->over_valid; i++) {
        assert_int_equal(u.out->offer_valid, 0);
        unit_edge(&u);
    }
    assert_int_equal(u.out->over_valid, 1);
    assert_int_equal(u.out->over_warp, GUEST);
    assert_int_equal(u.asked.n, 0);
    assert_int_equal(unit_word(&u, 2048), 2056);
    edges(&u, 5);
    assert_int_equal(u.out->over_valid, 1);
    u.in.over_ready = 1;
    edges(&u, 20);
    assert_int_equal(u.out->over_valid, 0);
    assert_null(unit_retired(&u, GUEST, 3, 0));
    sees(&u, GUEST, false, 2, 5, 2056);
    unit_close(&u);
}

/* 6: a faulted core shows registers. */
static void test_faulted(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u, "movi r1, 5\ntrap\nexit\n", (uint32_t)u.l.LANES);
    assert_int_equal(unit_run(&u, 1000), FAULTED);
    edges(&u, 20);
    sees(&u, 0, false, 1, (uint32_t)ones(u.l.LANES), 5);
    unit_close(&u);
}

/* 9: edges between two instructions. */
static void test_pace(void **state) {
    static const int paces[] = {0, 1, 2, 5, 200};
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        struct unit u;
        open(&u, "simt.alus=8");
        uint32_t one[3] = {1, 1, 1};
        uint32_t block[3] = {4 * (uint32_t)u.l.LANES, 1, 1};
        unit_program(&u, "bar\nnop\nnop\nnop\nexit\n");
        unit_geometry(&u, one, block, 1, 64);
        unit_command(&u, SET, 15, (uint64_t)paces[i]);
        unit_start(&u);
        long last = -1000, least = 1000;
        while (u.out->state == RUNNING && u.edge < 20000) {
            unit_edge(&u);
            if (!u.out->count_issued)
                continue;
            least = u.edge - last < least ? u.edge - last : least;
            last = u.edge;
        }
        assert_int_equal(u.out->state, DONE);
        assert_int_equal(least, paces[i] ? paces[i] : 1);
        unit_close(&u);
    }
}

/* 11: a launch of a core that runs only guests. */
static void test_no_ctas(void **state) {
    struct unit u;
    (void)state;
    open(&u, "simt.dispatch=step");
    unit_go(&u, "nop\nexit\n", (uint32_t)u.l.LANES);
    edges(&u, 3);
    assert_int_equal(u.out->state, DONE);
    assert_int_equal(u.retired.n, 0);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stays),   cmocka_unit_test(test_asks),
        cmocka_unit_test(test_leaves),  cmocka_unit_test(test_guest),
        cmocka_unit_test(test_faulted), cmocka_unit_test(test_pace),
        cmocka_unit_test(test_no_ctas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
