/* test_pipe.c - links and memories of the compositions: rates that are
 * fractions, latency, order, and who has to wait.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/pipe.h"

#include <string.h>

static void send(struct pipe *p, uint64_t cycle, uint32_t amount,
                 uint64_t token) {
    struct pipe_packet k = {.amount = amount, .token = token};
    pipe_send(p, cycle, &k);
}

/* The next arrival comes in this cycle, not before, and is this one. */
static void expect(struct pipe *p, uint64_t cycle, uint64_t wanted) {
    uint64_t token = 0;
    assert_int_equal(pipe_next(p), cycle);
    assert_false(pipe_receive(p, cycle - 1, &token));
    assert_true(pipe_receive(p, cycle, &token));
    assert_int_equal(token, wanted);
}

/* ------------------------------------------------------------------- time */

static void latency_comes_after_the_last_unit(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 128, .time = 1, .ticks = 1},
                            .latency = 10};
    struct pipe *p = pipe_create(&k);
    assert_int_equal(pipe_next(p), UINT64_MAX);
    send(p, 100, 128, 1);
    send(p, 100, 256, 2); /* two cycles, behind the first */
    expect(p, 111, 1);
    expect(p, 113, 2);
    send(p, 200, 128, 3); /* the entrance has been free for long */
    expect(p, 211, 3);
    pipe_free(p);
}

/* Two flits a cycle: five take two and a half, and what follows begins in the
 * middle of a cycle. */
static void halves_of_cycles_add_up(void **state) {
    (void)state;
    struct pipe_config k = {
        .rate = {.amount = 2, .time = 1 << 16, .ticks = 1 << 16},
        .latency = 10};
    struct pipe *p = pipe_create(&k);
    send(p, 100, 5, 7);
    assert_true(pipe_moves(p, 100));
    assert_true(pipe_moves(p, 102));
    assert_false(pipe_moves(p, 103));
    send(p, 100, 1, 8);
    expect(p, 113, 7);
    expect(p, 113, 8);
    pipe_free(p);
}

/* Three units in ten ticks: each alone takes four, three together ten. */
static void packets_round_up_to_a_tick(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 3, .time = 10, .ticks = 10}};
    struct pipe *p = pipe_create(&k);
    for (uint64_t i = 0; i < 3; i++)
        send(p, 1, 1, i);
    expect(p, 2, 0);
    expect(p, 2, 1);
    expect(p, 3, 2); /* 12 ticks */
    send(p, 5, 3, 3);
    expect(p, 6, 3);
    pipe_free(p);
}

/* 256 GB/s at 700 MHz: what 1000 lines take, to the cycle. */
static void bytes_at_a_rate(void **state) {
    (void)state;
    struct pipe_config k = {.rate = pipe_bytes(256, 700), .latency = 5};
    struct pipe *p = pipe_create(&k);
    uint64_t token = 0, cycle = 0, n = 0;
    for (uint64_t i = 0; i < 1000; i++)
        send(p, 0, 128, i);
    for (; n < 1000; cycle++)
        while (pipe_receive(p, cycle, &token))
            assert_int_equal(token, n++);
    /* 128000 bytes / 365.714 a cycle = 350 */
    assert_in_range(cycle - 1, 5 + 350, 5 + 351);
    pipe_free(p);
    struct pipe_rate r = pipe_bytes(256, 1000);
    assert_int_equal(r.amount * r.ticks, 256 * r.time);
}

/* 80 GB/s at 1.4 GHz are 3.57 flits a cycle, an eighth of it 0.446: what 100000
 * flits take, in packets of 8. */
static void flits_at_a_rate(void **state) {
    (void)state;
    for (uint64_t part = 1; part <= 8; part *= 8) {
        struct pipe_config k = {.rate = pipe_flits(80.0 / (double)part, 1400)};
        struct pipe *p = pipe_create(&k);
        uint64_t token;
        for (uint64_t i = 0; i < 12500; i++)
            send(p, 0, 8, i);
        for (uint64_t i = 0; i + 1 < 12500; i++)
            assert_true(pipe_receive(p, pipe_next(p), &token));
        assert_in_range(pipe_next(p), 28000 * part, 28000 * part + 1);
        pipe_free(p);
    }
}

/* However low, a rate is one. */
static void rates_are_never_nothing(void **state) {
    (void)state;
    assert_int_equal(pipe_bytes(1e-6, 1000).amount, 1);
    assert_int_equal(pipe_flits(1e9, 1).time, 1);
    struct pipe_config none = {.rate = {.amount = 0, .time = 1, .ticks = 1}};
    assert_null(pipe_create(&none));
    none.rate = (struct pipe_rate){.amount = 1, .time = 1, .ticks = 0};
    assert_null(pipe_create(&none));
}

static void delays_have_no_rate(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 1, .time = 0, .ticks = 1},
                            .latency = 60};
    struct pipe *p = pipe_create(&k);
    send(p, 9, 1000, 1);
    send(p, 9, 0, 2);
    assert_false(pipe_moves(p, 9));
    expect(p, 69, 1);
    expect(p, 69, 2);
    pipe_free(p);
}

/* ------------------------------------------------------------ order, waiting
 */

/* What is not taken holds all behind it, and nothing is lost or overtaken,
 * however many there are. */
static void arrivals_wait_in_order(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 1, .time = 1, .ticks = 1},
                            .latency = 3};
    struct pipe *p = pipe_create(&k);
    uint64_t token = 0, sent = 0, got = 0;
    for (uint64_t cycle = 0; cycle < 3000; cycle++) {
        if (sent < 1000)
            send(p, cycle, (uint32_t)(cycle % 3), sent++);
        if (cycle % 2 || !pipe_peek(p, cycle, &token))
            continue;
        assert_int_equal(token, got);
        assert_true(pipe_peek(p, cycle, &token)); /* it is still there */
        assert_int_equal(token, got++);
        pipe_pop(p);
    }
    assert_int_equal(got, 1000);
    assert_int_equal(pipe_next(p), UINT64_MAX);
    pipe_free(p);
}

/* Depth: packets that have not been taken, arrived or not. */
static void depth_is_back_pressure(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 1, .time = 1, .ticks = 1},
                            .latency = 10,
                            .depth = 2};
    struct pipe *p = pipe_create(&k);
    send(p, 0, 1, 1);
    assert_true(pipe_ready(p, 0));
    send(p, 0, 1, 2);
    assert_false(pipe_ready(p, 0));
    assert_false(pipe_ready(p, 500));
    expect(p, 11, 1);
    assert_true(pipe_ready(p, 11));
    pipe_free(p);
}

/* Backlog: units at the entrance, whoever waits for them. */
static void backlog_is_back_pressure(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 2, .time = 10, .ticks = 10},
                            .backlog = 64};
    struct pipe *p = pipe_create(&k);
    send(p, 200, 64, PIPE_NOBODY);
    assert_true(pipe_ready(p, 200));
    send(p, 200, 64, PIPE_NOBODY); /* 64 cycles, of which 32 may wait */
    assert_false(pipe_ready(p, 231));
    assert_true(pipe_ready(p, 232));
    send(p, 200, 1, 5); /* not refused: it waits longer */
    expect(p, 265, 5);
    pipe_free(p);
}

/* A packet for nobody takes its time and no place. */
static void nobody_waits_for_some(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 1, .time = 1, .ticks = 1},
                            .depth = 1};
    struct pipe *p = pipe_create(&k);
    send(p, 0, 8, PIPE_NOBODY);
    assert_int_equal(pipe_next(p), UINT64_MAX);
    assert_true(pipe_ready(p, 0));
    assert_true(pipe_moves(p, 7));
    send(p, 0, 1, 3);
    expect(p, 9, 3);
    pipe_free(p);
}

/* ----------------------------------------------------------------- figures */

static void kinds_are_counted_apart(void **state) {
    (void)state;
    struct pipe_config k = {.rate = {.amount = 1, .time = 1, .ticks = 1}};
    struct pipe *p = pipe_create(&k);
    struct pipe_stats sum = {.packets = 1, .payload = {[3] = 1}};
    for (uint32_t i = 0; i < PIPE_KINDS; i++) {
        struct pipe_packet k2 = {
            .kind = i, .amount = 10 * i, .payload = i, .token = PIPE_NOBODY};
        pipe_send(p, 0, &k2);
        pipe_send(p, 0, &k2);
    }
    const struct pipe_stats *s = pipe_statistics(p);
    assert_int_equal(s->packets, 8);
    assert_int_equal(s->amount[2], 40);
    assert_int_equal(s->payload[3], 6);
    assert_int_equal(pipe_amount(s), 120);
    assert_int_equal(pipe_payload(s), 12);
    pipe_stats_add(&sum, s);
    pipe_stats_add(&sum, s);
    assert_int_equal(sum.packets, 17);
    assert_int_equal(sum.payload[3], 13);
    assert_int_equal(pipe_amount(&sum), 240);
    pipe_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_comes_after_the_last_unit),
        cmocka_unit_test(halves_of_cycles_add_up),
        cmocka_unit_test(packets_round_up_to_a_tick),
        cmocka_unit_test(bytes_at_a_rate),
        cmocka_unit_test(flits_at_a_rate),
        cmocka_unit_test(rates_are_never_nothing),
        cmocka_unit_test(delays_have_no_rate),
        cmocka_unit_test(arrivals_wait_in_order),
        cmocka_unit_test(depth_is_back_pressure),
        cmocka_unit_test(backlog_is_back_pressure),
        cmocka_unit_test(nobody_waits_for_some),
        cmocka_unit_test(kinds_are_counted_apart),
    };
    return cmocka_run_group_tests_name("pipe", tests, NULL, NULL);
}
