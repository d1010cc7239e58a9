/* test_credit.c - the golden model of the end of a link with credits, edge by
 * edge as docs/blocks/credit.md has it, and against a list of words with the
 * edges on which they came.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/credit.h"
#include "credit/credit.h"
#include "kit/rng.h"
#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 1024 / 64 };

struct unit {
    struct golden *g;
    struct credit_local l;
    struct credit_in in;
    const struct credit_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u, int width, int depth) {
    struct config c;
    config_defaults(&c);
    c.credit_width = width;
    c.credit_depth = depth;
    memset(u, 0, sizeof *u);
    u->l = credit_local(&c);
    u->g = golden_create(&credit_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* An edge with a word, or without. */
static void push(struct unit *u, uint64_t word) {
    u->in.push_valid = 1;
    u->in.push_data[0] = word;
    edge(u);
    u->in.push_valid = 0;
}

static void expect(const struct unit *u, int valid, uint64_t word, int credit) {
    if (u->out->pop_valid != (uint64_t)valid || u->out->pop_data[0] != word ||
        u->out->credit_valid != (uint64_t)credit)
        fail_msg(
            "expected word %d %llx and credit %d, got %d %llx and %d", valid,
            (unsigned long long)word, credit, (int)u->out->pop_valid,
            (unsigned long long)u->out->pop_data[0], (int)u->out->credit_valid);
}

/* --- edge by edge --------------------------------------------------------- */

static void test_latency(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 16, 4);
    expect(&u, 0, 0, 0);
    u.in.pop_ready = 1;
    push(&u, 0xabcd); /* edge t */
    expect(&u, 0, 0, 0);
    edge(&u); /* t+1 */
    expect(&u, 1, 0xabcd, 0);
    edge(&u); /* t+2 */
    expect(&u, 0, 0, 1);
    edge(&u);
    expect(&u, 0, 0, 0);
    close_unit(&u);
}

/* A ready gives nothing back where nothing is, and is not remembered. */
static void test_ready_alone(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 16, 4);
    u.in.pop_ready = 1;
    for (int i = 0; i < 5; i++) {
        edge(&u);
        expect(&u, 0, 0, 0);
    }
    push(&u, 1);
    expect(&u, 0, 0, 0);
    u.in.pop_ready = 0;
    for (int i = 0; i < 5; i++) {
        edge(&u);
        expect(&u, 1, 1, 0);
    }
    u.in.pop_ready = 1;
    edge(&u);
    expect(&u, 0, 0, 1);
    close_unit(&u);
}

/* DEPTH words find room though nobody takes one, and come out in order, one
 * each cycle, each with a credit. */
static void test_full(void **state) {
    static const int depths[] = {3, 4, 7, 64};
    (void)state;
    for (size_t n = 0; n < sizeof depths / sizeof depths[0]; n++) {
        struct unit u;
        int depth = depths[n];
        open_unit(&u, 16, depth);
        for (int i = 0; i < depth; i++) {
            push(&u, (uint64_t)i + 1);
            expect(&u, i > 0, i > 0, 0);
        }
        edge(&u);
        u.in.pop_ready = 1;
        for (int i = 0; i < depth; i++) {
            expect(&u, 1, (uint64_t)i + 1, i > 0);
            edge(&u);
        }
        expect(&u, 0, 0, 1);
        edge(&u);
        expect(&u, 0, 0, 0);
        close_unit(&u);
    }
}

/* All bits of a word travel, and none of the word before stays. */
static void test_wide(void **state) {
    static const int widths[] = {1, 63, 64, 65, 130, 1024};
    (void)state;
    for (size_t n = 0; n < sizeof widths / sizeof widths[0]; n++) {
        struct unit u;
        int last = (widths[n] - 1) / 64;
        uint64_t top = (uint64_t)1 << (widths[n] - 1) % 64;
        open_unit(&u, widths[n], 3);
        u.in.push_valid = u.in.pop_ready = 1;
        u.in.push_data[last] = top;
        edge(&u);
        u.in.push_data[last] = 0;
        u.in.push_data[0] |= 1;
        edge(&u);
        u.in.push_valid = 0;
        assert_int_equal(u.out->pop_valid, 1);
        assert_true(u.out->pop_data[last] == top);
        for (int i = 0; i < last; i++)
            assert_int_equal(u.out->pop_data[i], 0);
        edge(&u);
        assert_int_equal(u.out->pop_valid, 1);
        assert_int_equal(u.out->pop_data[0], 1);
        for (int i = 1; i <= last; i++)
            assert_int_equal(u.out->pop_data[i], 0);
        edge(&u);
        for (int i = 0; i <= last; i++)
            assert_int_equal(u.out->pop_data[i], 0);
        close_unit(&u);
    }
}

/* A reset takes all: words that are held, one that comes, a credit that is
 * due. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 16, 3);
    push(&u, 1);
    push(&u, 2);
    push(&u, 3);
    u.in.push_valid = u.in.pop_ready = 1;
    u.out = golden_cycle(u.g, true, &u.in);
    expect(&u, 0, 0, 0);
    u.in.push_valid = 0;
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect(&u, 0, 0, 0);
    }
    /* there is room for all again */
    u.in.pop_ready = 0;
    for (int i = 0; i < 3; i++)
        push(&u, (uint64_t)i + 7);
    u.in.pop_ready = 1;
    for (int i = 0; i < 3; i++) {
        expect(&u, 1, (uint64_t)i + 7, i > 0);
        edge(&u);
    }
    expect(&u, 0, 0, 1);
    close_unit(&u);
}

/* --- a link --------------------------------------------------------------- */

/* Words that come out in so many edges, over wires with registers there and
 * back, when both ends do what they can. */
static int stream(int depth, int wires, int edges) {
    struct unit u;
    uint64_t back = 0; /* credits on the wires; bit n arrives in n edges */
    int credits = depth, taken = 0;
    open_unit(&u, 16, depth);
    u.in.pop_ready = 1;
    for (int i = 0; i < edges; i++) {
        credits += (int)(back & 1);
        back >>= 1;
        bool sends = credits > 0;
        credits -= sends;
        u.in.push_valid = sends;
        taken += (int)u.out->pop_valid;
        edge(&u);
        back |= u.out->credit_valid << wires;
    }
    close_unit(&u);
    return taken;
}

/* One word a cycle with a depth of three, and one more for each register. */
static void test_throughput(void **state) {
    enum { EDGES = 1000, FIRST = 2 };
    (void)state;
    for (int wires = 0; wires < 6; wires++) {
        assert_int_equal(stream(3 + wires, wires, EDGES), EDGES - FIRST);
        assert_int_equal(stream(4 + wires, wires, EDGES), EDGES - FIRST);
        if (wires > 0)
            assert_true(stream(2 + wires, wires, EDGES) < EDGES - EDGES / 10);
    }
}

/* Against a list: word n may be at the output from the edge after the one on
 * which it came, when all before it have left. */
static void against_list(int width, int depth, uint64_t seed) {
    enum { WORDS = 2000 };
    static uint64_t word[WORDS][MAX_WORDS];
    static long came[WORDS];
    struct unit u;
    struct rng r;
    int pushed = 0, taken = 0, credits = depth, words = (width + 63) / 64;
    int send = 100, take = 100;
    rng_seed(&r, seed);
    open_unit(&u, width, depth);
    for (long now = 0; taken < WORDS; now++) {
        if (now % 100 == 0) {
            send = rng_range(&r, 10, 100);
            take = rng_range(&r, 10, 100);
        }
        credits += (int)u.out->credit_valid;
        u.in.push_valid =
            credits > 0 && pushed < WORDS && rng_percent(&r, send);
        for (int w = 0; w < words; w++)
            u.in.push_data[w] =
                rng_next(&r) &
                (w == words - 1 ? ones((width - 1) % 64 + 1) : ones(64));
        u.in.pop_ready = rng_percent(&r, take);
        bool left = u.out->pop_valid && u.in.pop_ready;
        edge(&u);
        taken += left;
        if (u.in.push_valid) {
            memcpy(word[pushed], u.in.push_data, sizeof word[0]);
            came[pushed++] = now;
            credits--;
        }
        bool shows = taken < pushed && came[taken] < now;
        assert_int_equal(u.out->credit_valid, left);
        assert_int_equal(u.out->pop_valid, shows);
        for (int w = 0; w < words; w++)
            assert_true(u.out->pop_data[w] == (shows ? word[taken][w] : 0));
    }
    close_unit(&u);
}

static void test_against_list(void **state) {
    (void)state;
    against_list(16, 3, 1);
    against_list(16, 4, 2);
    against_list(1, 5, 3);
    against_list(130, 64, 4);
    against_list(1024, 9, 5);
}

/* --- configuration -------------------------------------------------------- */

/* Two places would overflow, see the note. */
static void test_bounds(void **state) {
    static const char *const bad[] = {"credit.depth=2", "credit.depth=65",
                                      "credit.width=0", "credit.width=1025"};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),      cmocka_unit_test(test_ready_alone),
        cmocka_unit_test(test_full),         cmocka_unit_test(test_wide),
        cmocka_unit_test(test_reset),        cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_against_list), cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
