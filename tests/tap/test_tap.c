/* test_tap.c - the golden model of the tap, edge by edge as docs/blocks/tap.md
 * has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/tap.h"
#include "kit/rng.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>

enum { BEGIN, ACCESS, END };
/* An answer, and an event, that can be inside: two queues, each of two words
 * and an output register. */
enum { PLACES = 6 };

struct unit {
    struct golden *g;
    struct tap_in in;
    const struct tap_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u) {
    struct config c;
    config_defaults(&c);
    memset(u, 0, sizeof *u);
    u->g = golden_create(&tap_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.go_ready = u->in.ev_ready = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void answer(struct unit *u, int warp, int offload) {
    u->in.ans_valid = 1;
    u->in.ans_warp = (uint64_t)warp;
    u->in.ans_offload = (uint64_t)offload;
    u->in.ans_reason = offload ? 0 : 5;
    u->in.ans_stack = offload ? 3 : 0;
}

static void tell(struct unit *u, int op, int warp, uint64_t address) {
    u->in.core_valid = 1;
    u->in.core_op = (uint64_t)op;
    u->in.core_warp = (uint64_t)warp;
    u->in.core_address = address;
}

/* An edge with what was offered, and no more after it. */
static void offer(struct unit *u) {
    edge(u);
    u->in.ans_valid = u->in.core_valid = 0;
}

static void expect_go(const struct unit *u, int warp, int offload) {
    if (u->out->go_valid != 1 || u->out->go_warp != (uint64_t)warp ||
        u->out->go_offload != (uint64_t)offload ||
        u->out->go_reason != (offload ? 0 : 5) ||
        u->out->go_stack != (offload ? 3 : 0))
        fail_msg("expected an answer to warp %d, offload %d, got %d %d %d %d "
                 "%d",
                 warp, offload, (int)u->out->go_valid, (int)u->out->go_warp,
                 (int)u->out->go_offload, (int)u->out->go_reason,
                 (int)u->out->go_stack);
}

static void expect_ev(const struct unit *u, int op, int warp,
                      uint64_t address) {
    if (u->out->ev_valid != 1 || u->out->ev_op != (uint64_t)op ||
        u->out->ev_warp != (uint64_t)warp || u->out->ev_address != address)
        fail_msg("expected event %d of warp %d at %llx, got %d %d %d %llx", op,
                 warp, (unsigned long long)address, (int)u->out->ev_valid,
                 (int)u->out->ev_op, (int)u->out->ev_warp,
                 (unsigned long long)u->out->ev_address);
}

/* All is zero where nothing is. */
static void expect_no_go(const struct unit *u) {
    assert_int_equal(u->out->go_valid | u->out->go_warp | u->out->go_offload |
                         u->out->go_reason | u->out->go_stack,
                     0);
}

static void expect_no_ev(const struct unit *u) {
    assert_true((u->out->ev_valid | u->out->ev_op | u->out->ev_warp |
                 u->out->ev_address) == 0);
}

/* --- one at a time -------------------------------------------------------- */

static void test_begin(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    expect_no_go(&u);
    expect_no_ev(&u);
    assert_int_equal(u.out->ans_ready, 1);
    assert_int_equal(u.out->core_ready, 1);
    answer(&u, 47, 0);
    offer(&u); /* edge t */
    for (int i = 0; i < 3; i++) {
        expect_no_go(&u);
        expect_no_ev(&u);
        edge(&u);
    }
    expect_go(&u, 47, 0); /* after t+3 */
    expect_ev(&u, BEGIN, 47, 0);
    edge(&u);
    expect_no_go(&u);
    expect_no_ev(&u);
    close_unit(&u);
}

static void test_offload(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    answer(&u, 5, 1);
    offer(&u);
    for (int i = 0; i < 3; i++) {
        expect_no_go(&u);
        edge(&u);
        expect_no_ev(&u);
    }
    expect_go(&u, 5, 1);
    edge(&u);
    expect_no_go(&u);
    for (int i = 0; i < 4; i++) {
        expect_no_ev(&u);
        edge(&u);
    }
    close_unit(&u);
}

/* All bits of all fields. */
static void test_event(void **state) {
    struct unit u;
    uint64_t address = ones(48);
    (void)state;
    open_unit(&u);
    tell(&u, ACCESS, 47, address);
    offer(&u);
    tell(&u, END, 21, 0x555);
    offer(&u);
    edge(&u);
    expect_no_ev(&u);
    edge(&u);
    expect_ev(&u, ACCESS, 47, address);
    edge(&u);
    expect_ev(&u, END, 21, 0x555);
    edge(&u);
    expect_no_ev(&u);
    expect_no_go(&u);
    close_unit(&u);
}

/* --- who goes first ------------------------------------------------------- */

/* One place: begins and events of the core take turns, a begin first. */
static void test_turns(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    int answers = 0, events = 0;
    for (int out = 0; out < 40;) {
        answer(&u, answers % 48, 0);
        tell(&u, ACCESS, events % 48, (uint64_t)events);
        bool a = u.out->ans_ready, c = u.out->core_ready;
        if (u.out->ev_valid) {
            if (out % 2 == 0)
                expect_ev(&u, BEGIN, out / 2 % 48, 0);
            else
                expect_ev(&u, ACCESS, out / 2 % 48, (uint64_t)out / 2);
            out++;
        } else {
            assert_int_equal(out, 0); /* no gap */
        }
        edge(&u);
        answers += a;
        events += c;
    }
    close_unit(&u);
}

/* It is remembered over a pause whose turn it is. */
static void test_turn_is_kept(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    answer(&u, 1, 0);
    offer(&u);
    for (int i = 0; i < 10; i++)
        edge(&u);
    answer(&u, 2, 0);
    tell(&u, ACCESS, 1, 64);
    offer(&u);
    for (int i = 0; i < 3; i++)
        edge(&u);
    expect_ev(&u, ACCESS, 1, 64);
    expect_no_go(&u);
    edge(&u);
    expect_ev(&u, BEGIN, 2, 0);
    expect_go(&u, 2, 0);
    close_unit(&u);
}

/* An answer without a begin needs no place at ev: both go on one edge, each
 * cycle. */
static void test_both_flow(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (int i = 0; i < 50; i++) {
        answer(&u, i % 48, 1);
        tell(&u, ACCESS, i % 48, (uint64_t)i);
        assert_int_equal(u.out->ans_ready, 1);
        assert_int_equal(u.out->core_ready, 1);
        edge(&u);
        if (i >= 3) {
            expect_go(&u, (i - 3) % 48, 1);
            expect_ev(&u, ACCESS, (i - 3) % 48, (uint64_t)i - 3);
        }
    }
    close_unit(&u);
}

/* --- refusals ------------------------------------------------------------- */

/* The core takes no answers: they fill both queues.  Its events go on. */
static void test_go_held(void **state) {
    struct unit u;
    int taken = 0;
    (void)state;
    open_unit(&u);
    u.in.go_ready = 0;
    for (int i = 0; i < 30; i++) {
        answer(&u, taken, i % 2);
        tell(&u, ACCESS, 3, (uint64_t)i);
        taken += (int)u.out->ans_ready;
        u.in.ans_offload = taken > 2; /* the first three begin */
        edge(&u);
    }
    assert_int_equal(taken, PLACES);
    assert_int_equal(u.out->ans_ready, 0);
    assert_int_equal(u.out->core_ready, 1);
    assert_int_equal(u.out->ev_op, ACCESS);
    u.in.ans_valid = 0;
    u.in.go_ready = 1;
    for (int i = 0; i < PLACES; i++) {
        assert_int_equal(u.out->go_valid, 1);
        assert_int_equal(u.out->go_warp, i);
        edge(&u);
    }
    expect_no_go(&u);
    assert_int_equal(u.out->ans_ready, 1);
    close_unit(&u);
}

/* The analyzer takes no events: a begin waits, and with it all answers behind.
 * Those before it have gone. */
static void test_ev_held(void **state) {
    struct unit u;
    int gone = 0, taken = 0, events = 0;
    (void)state;
    open_unit(&u);
    u.in.ev_ready = 0;
    for (int i = 0; i < 30; i++) {
        tell(&u, ACCESS, 3, (uint64_t)events);
        events += (int)u.out->core_ready;
        edge(&u);
    }
    assert_int_equal(events, PLACES);
    assert_int_equal(u.out->core_ready, 0);
    expect_ev(&u, ACCESS, 3, 0);
    for (int i = 0; i < 30; i++) {
        answer(&u, taken, taken != 4); /* the fifth begins an instance */
        taken += (int)u.out->ans_ready;
        gone += (int)u.out->go_valid;
        edge(&u);
    }
    assert_int_equal(gone, 4);
    assert_int_equal(taken, 4 + PLACES / 2);
    assert_int_equal(u.out->ans_ready, 0);
    u.in.ans_valid = u.in.core_valid = 0;
    u.in.ev_ready = 1;
    /* the begin's turn comes when a place is free: three events were there, a
     * fourth was not asked before it, as the last begin was before them all */
    for (int i = 0, begins = 0; i < PLACES + 1; i++) {
        assert_int_equal(u.out->ev_valid, 1);
        if (u.out->ev_op == BEGIN) {
            expect_ev(&u, BEGIN, 4, 0);
            begins++;
        } else {
            expect_ev(&u, ACCESS, 3, (uint64_t)(i - begins));
        }
        edge(&u);
        assert_true(begins <= 1);
    }
    expect_no_ev(&u);
    close_unit(&u);
}

/* What is shown stands still until it is taken. */
static void test_kept(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.go_ready = u.in.ev_ready = 0;
    answer(&u, 9, 0);
    offer(&u);
    answer(&u, 10, 1);
    offer(&u);
    tell(&u, END, 9, 0);
    offer(&u);
    for (int i = 0; i < 10; i++) {
        if (i > 0) {
            expect_go(&u, 9, 0);
            expect_ev(&u, BEGIN, 9, 0);
        }
        edge(&u);
    }
    u.in.go_ready = 1;
    edge(&u);
    expect_go(&u, 10, 1);
    expect_ev(&u, BEGIN, 9, 0);
    u.in.ev_ready = 1;
    edge(&u);
    expect_ev(&u, END, 9, 0);
    close_unit(&u);
}

/* --- reset ---------------------------------------------------------------- */

static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.go_ready = u.in.ev_ready = 0;
    for (int i = 0; i < 20; i++) {
        answer(&u, 1, 0);
        tell(&u, ACCESS, 1, 1);
        edge(&u);
    }
    u.out = golden_cycle(u.g, true, &u.in);
    u.in.ans_valid = u.in.core_valid = 0;
    u.in.go_ready = u.in.ev_ready = 1;
    for (int i = 0; i < 8; i++) {
        expect_no_go(&u);
        expect_no_ev(&u);
        assert_int_equal(u.out->ans_ready, 1);
        assert_int_equal(u.out->core_ready, 1);
        edge(&u);
    }
    /* a begin had the last turn, which is forgotten: it goes first again */
    answer(&u, 2, 0);
    offer(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    answer(&u, 3, 0);
    tell(&u, ACCESS, 4, 5);
    offer(&u);
    for (int i = 0; i < 3; i++)
        edge(&u);
    expect_ev(&u, BEGIN, 3, 0);
    close_unit(&u);
}

/* --- all at once ---------------------------------------------------------- */

enum { EDGES = 8000 };

struct log {
    uint64_t key[EDGES];
    int n;
};

static void note(struct log *l, uint64_t key) {
    assert_true(l->n < EDGES);
    l->key[l->n++] = key;
}

static void expect_same(const struct log *a, const struct log *b) {
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->key, b->key, (size_t)a->n * sizeof a->key[0]);
}

/* Nothing is lost, altered or reordered, whoever holds up whom; begin n enters
 * with its answer, so it is out at most a queue before or behind it. */
static void test_any_order(void **state) {
    static struct log answers, decisions, begins, begun, told, seen;
    struct unit u;
    struct rng r;
    int rate[4] = {100, 100, 100, 100}, gone_begins = 0;
    (void)state;
    rng_seed(&r, 7);
    open_unit(&u);
    for (int now = 0; now < EDGES; now++) {
        bool last = now > EDGES - 100; /* all comes out */
        for (int i = 0; i < 4 && now % 50 == 0; i++)
            rate[i] = last ? 100 : rng_range(&r, 5, 100);
        if (!u.in.ans_valid && !last && rng_percent(&r, rate[0])) {
            answer(&u, (int)rng_below(&r, 48), rng_percent(&r, 50));
            u.in.ans_reason = rng_below(&r, 16);
            u.in.ans_stack = rng_below(&r, 4);
        }
        if (!u.in.core_valid && !last && rng_percent(&r, rate[1]))
            tell(&u, rng_range(&r, ACCESS, END), (int)rng_below(&r, 48),
                 rng_next(&r) & ones(48));
        u.in.go_ready = last || rng_percent(&r, rate[2]);
        u.in.ev_ready = last || rng_percent(&r, rate[3]);
        struct tap_out o = *u.out;
        if (u.in.ans_valid && o.ans_ready) {
            note(&answers, u.in.ans_warp | u.in.ans_offload << 8 |
                               u.in.ans_reason << 16 | u.in.ans_stack << 24);
            if (!u.in.ans_offload)
                note(&begins, u.in.ans_warp);
        }
        if (u.in.core_valid && o.core_ready)
            note(&told,
                 u.in.core_address | u.in.core_warp << 48 | u.in.core_op << 56);
        if (o.go_valid && u.in.go_ready) {
            note(&decisions, o.go_warp | o.go_offload << 8 | o.go_reason << 16 |
                                 o.go_stack << 24);
            gone_begins += !o.go_offload;
        }
        if (o.ev_valid && u.in.ev_ready && o.ev_op == BEGIN)
            note(&begun, o.ev_warp | o.ev_address);
        else if (o.ev_valid && u.in.ev_ready)
            note(&seen, o.ev_address | o.ev_warp << 48 | o.ev_op << 56);
        assert_true(abs(gone_begins - begun.n) <= PLACES / 2);
        edge(&u);
        u.in.ans_valid &= !o.ans_ready;
        u.in.core_valid &= !o.core_ready;
    }
    assert_true(answers.n > 1000 && told.n > 1000 && begins.n > 300);
    expect_same(&answers, &decisions);
    expect_same(&begins, &begun);
    expect_same(&told, &seen);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begin),        cmocka_unit_test(test_offload),
        cmocka_unit_test(test_event),        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_turn_is_kept), cmocka_unit_test(test_both_flow),
        cmocka_unit_test(test_go_held),      cmocka_unit_test(test_ev_held),
        cmocka_unit_test(test_kept),         cmocka_unit_test(test_reset),
        cmocka_unit_test(test_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
