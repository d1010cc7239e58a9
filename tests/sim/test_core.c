/* test_core.c - the core of the compositions: who issues when, the scoreboard,
 * stops, groups and their barriers, and steps that may be left out.
 */
#include "core_rig.h"
#include "sim/system/pipe.h"

/* ------------------------------------------------------------------- issue */

static void slots_take_turns(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3);
    for (uint32_t i = 0; i < 6; i++)
        op(r, i % 3, ST, 10 + i, 1);
    rig_start(r);
    step(r, 7);
    logged(r, "S1i.S2i.S0i.S1i.S2i.S0i.!1!2!0.");
    rig_end(r);
}

/* One that cannot issue is passed, and is the next again when it can. */
static void slots_are_passed(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3);
    op(r, 0, ST, 1, 1);
    op(r, 1, MOV, 0, 0);
    op(r, 1, MOV, 0, 0); /* after 8 cycles */
    op(r, 1, ST, 2, 1);
    op(r, 2, ST, 3, 1);
    for (int i = 0; i < 20; i++)
        op(r, 0, NOP, 0, 0);
    rig_start(r);
    step(r, 10);
    logged(r, "i.S2i.S0i.!2i.i.i.i.i.i.i.");
    step(r, 1); /* the second MOV was in cycle 8, and slot 0 has had its turn */
    logged(r, "S1i.");
    rig_end(r);
}

/* Slots that are through stop when their turn comes, and not before. */
static void ends_are_met_on_the_way(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3); /* of which warp 1 does nothing */
    op(r, 0, NOP, 0, 0);
    op(r, 0, NOP, 0, 0);
    op(r, 2, NOP, 0, 0);
    rig_start(r);
    step(r, 5);
    logged(r, "!1i.i.!2i.!0..");
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    rig_end(r);
}

/* Two in three cycles, one in two, and two and three in one. */
static void issues_keep_their_interval(void **state) {
    (void)state;
    static const struct {
        uint64_t interval;
        const char *wanted;
    } cases[] = {{CORE_CYCLE, "i.i.i.i.i.i.i.i."},
                 {CORE_CYCLE * 3 / 2, "i.i..i.i..i.i."},
                 {CORE_CYCLE * 2, "i..i..i..i.."},
                 {CORE_CYCLE / 2, "ii.ii.ii.ii.ii.ii.ii.ii."},
                 {(CORE_CYCLE + 2) / 3, "iii.iii.iii.iii.iii.iii.iii.iii."}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig *r = rig_begin();
        warps(r, 1);
        for (int k = 0; k < 25; k++)
            op(r, 0, NOP, 0, 0);
        r->config.interval = cases[i].interval;
        rig_start(r);
        step(r, 8);
        logged(r, cases[i].wanted);
        rig_end(r);
    }
}

/* -------------------------------------------------------------- scoreboard */

/* An instruction waits for registers that it reads and for those that it
 * writes. */
static void results_take_their_time(void **state) {
    (void)state;
    static const struct {
        int which;
        uint64_t latency;
    } cases[] = {{MOV, 4}, {SFU, 13}, {LDS, 9}, {NOP, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig *r = rig_begin();
        r->config.latency = (struct core_latencies){4, 13, 9, 6};
        warps(r, 1);
        op(r, 0, cases[i].which, 0, 1);
        op(r, 0, cases[i].which, 0, 1);
        rig_start(r);
        assert_int_equal(until_issue(r), 1);
        assert_int_equal(until_issue(r), cases[i].latency);
        rig_end(r);
    }
}

/* A load's result is there when all its lines are, of which one hits. */
static void loads_wait_for_all_lines(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    r->config.latency.hit = 12;
    warps(r, 1);
    op(r, 0, LD, 5, 1);
    op(r, 0, ADD, 0, 0);
    op(r, 0, LD, 4, 3);
    op(r, 0, ADD, 0, 0);
    op(r, 0, LD, 4, 1);
    op(r, 0, ADD, 0, 0);
    rig_start(r);
    step(r, 20);
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    core_line(r->core, r->cycle, 5);
    assert_int_equal(core_wakes(r->core), 0);
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    until_issue(r); /* the second load, in this cycle and the next two */
    step(r, 20);
    logged(r, ".L6...................");
    core_line(r->core, r->cycle, 6);
    step(r, 30); /* 5 was there long ago, 4 is missing */
    assert_null(strchr(r->log, 'i'));
    core_line(r->core, r->cycle, 4);
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    until_issue(r); /* the third load, of a line that is there */
    assert_int_equal(until_issue(r), 12);
    assert_int_equal(cache_statistics(core_cache(r->core))->load_hits, 2);
    rig_end(r);
}

static void lines_are_asked_for_once(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 2);
    op(r, 0, LD, 5, 1);
    op(r, 0, ADD, 0, 0);
    op(r, 1, LD, 5, 1);
    op(r, 1, ADD, 0, 0);
    rig_start(r);
    step(r, 3);
    logged(r, "L5i.i..");
    assert_true(core_holds(r->core, 5 * L + 17));
    assert_false(core_holds(r->core, 6 * L));
    core_line(r->core, 3, 5);
    step(r, 4);
    logged(r, "..i.i.");
    rig_end(r);
}

static void atomics_wait_for_memory(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, ATOM, 5, 2);
    op(r, 0, ADD, 0, 0);
    rig_start(r);
    step(r, 4);
    logged(r, "Ai.A...");
    core_atomic(r->core, r->cycle, r->atomic);
    step(r, 9);
    core_atomic(r->core, r->cycle, r->atomic); /* its second line */
    logged(r, ".........");
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    rig_end(r);
}

/* ------------------------------------------------------------------- stops */

/* A held slot goes on to the end that it is given, or behind what was done
 * elsewhere, with all registers there. */
static void held_slots_go_on(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    static const uint32_t r1 = 1;
    warps(r, 1);
    op(r, 0, LD, 5, 1);
    op(r, 0, NOP, 0, 0);
    op(r, 0, SFU, 0, 0);
    op(r, 0, ADD, 0, 0);
    op(r, 0, ST, 9, 1);
    r->holds = true;
    rig_start(r);
    core_resume(r->core, 0, 1);
    step(r, 3);
    logged(r, "L5i.!0..");
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    assert_true(core_registers(r->core, 0, &r1, 1) == CORE_NEVER);
    core_resume(r->core, 0, 2);
    step(r, 3);
    logged(r, "i.!0..");
    core_line(r->core, r->cycle, 5);
    assert_int_equal(core_registers(r->core, 0, &r1, 1),
                     r->cycle + CORE_LATENCY_FILL);
    core_jump(r->core, 0, 3);
    assert_int_equal(core_registers(r->core, 0, &r1, 1), 0);
    step(r, 1);
    logged(r, ".");
    r->holds = false;
    core_resume(r->core, 0, 5);
    step(r, 1);
    logged(r, "i.");
    assert_int_equal(core_statistics(r->core)->instructions, 3);
    rig_end(r);
}

static bool resumes(void *ctx, uint32_t slot) {
    struct rig *r = ctx;
    note(r, "!%u", slot);
    core_resume(r->core, slot, r->cta[0]->warps[slot].n);
    return true;
}

/* Resumed from within the hook: its turn is in the next cycle. */
static void resumed_is_not_this_turn(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, NOP, 0, 0);
    r->hooks.stop = resumes;
    rig_start(r);
    core_resume(r->core, 0, 0);
    step(r, 2);
    logged(r, "!0.i.");
    rig_end(r);
}

/* ------------------------------------------------------------------ groups */

/* Two groups of two: each barrier is its group's, and lets go those that wait
 * in the next cycle. */
static void barriers_are_of_groups(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 2);
    op(r, 0, BAR, 0, 0);
    op(r, 0, ST, 1, 1);
    op(r, 1, SFU, 0, 0);
    op(r, 1, SFU, 0, 0);
    op(r, 1, BAR, 0, 0);
    op(r, 1, ST, 1, 1);
    for (uint32_t i = 0; i < 2; i++) {
        hand_insn(r->h, 1, i, BAR, 0, 0);
        hand_insn(r->h, 1, i, ST, 5 * L, 0);
    }
    rig_start(r);
    assert_int_equal(group(r, 1), 0xc);
    assert_ptr_equal(core_group(r->core, 3), r->cta[1]);
    step(r, 7);
    logged(r, "i.i.i.i.S2i.S3i.!2!3.");
    step(r, 16);
    logged(r, ".............i.i.S0i.");
    rig_end(r);
}

/* A warp that has ended is not waited for, whether it ends before or after the
 * others come. */
static void the_ended_hold_no_barrier(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3);
    op(r, 0, BAR, 0, 0);
    op(r, 0, ST, 1, 1);
    op(r, 2, SFU, 0, 0);
    op(r, 2, SFU, 0, 0);
    rig_start(r);
    step(r, 24);
    logged(r, "!1i.i...................i.!2.S0i.!0.");
    assert_ptr_equal(core_leave(r->core), r->cta[0]);
    rig_end(r);
}

/* Slots are taken from the lowest, and come back when a group leaves. */
static void groups_come_and_leave(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3);
    op(r, 0, NOP, 0, 0);
    for (uint32_t cta = 1; cta < 3; cta++)
        for (uint32_t i = 0; i < 30; i++)
            hand_insn(r->h, cta, 0, SFU, 0, 0);
    rig_start(r);
    assert_int_equal(core_room(r->core), 5);
    assert_int_equal(group(r, 1), 0x38);
    assert_null(core_leave(r->core));
    step(r, 4);
    assert_ptr_equal(core_leave(r->core), r->cta[0]);
    assert_null(core_leave(r->core));
    assert_int_equal(core_room(r->core), 5);
    assert_int_equal(core_statistics(r->core)->groups, 1);
    assert_int_equal(group(r, 2), 0x7);
    assert_non_null(core_evict(r->core));
    assert_non_null(core_evict(r->core));
    assert_null(core_evict(r->core));
    assert_true(core_empty(r->core));
    assert_int_equal(core_statistics(r->core)->groups, 1);
    rig_end(r);
}

static struct rig *rig_leaving(bool drain) {
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, ST, 9, 1);
    op(r, 0, ATOM, 5, 1);
    for (uint32_t cta = 1; cta < 3; cta++) {
        hand_insn(r->h, cta, 0, LD, 0x4000, 0);
        hand_insn(r->h, cta, 0, ADD, 0, 0);
    }
    r->config.drain = drain;
    rig_start(r);
    step(r, 3);
    logged(r, "S0i.Ai.!0.");
    return r;
}

/* With drain a group is there until its last answer. */
static void groups_drain(void **state) {
    (void)state;
    struct rig *r = rig_leaving(true);
    assert_null(core_leave(r->core));
    core_atomic(r->core, r->cycle, r->atomic);
    assert_null(core_leave(r->core));
    core_stored(r->core, 0);
    assert_ptr_equal(core_leave(r->core), r->cta[0]);
    rig_end(r);
    r = rig_leaving(true); /* the answers the other way round */
    core_stored(r->core, 0);
    assert_null(core_leave(r->core));
    core_atomic(r->core, r->cycle, r->atomic);
    assert_ptr_equal(core_leave(r->core), r->cta[0]);
    rig_end(r);
}

/* Without, it leaves before; what is answered then is not of the warp that has
 * its slot, which waits for its own. */
static void late_answers_are_nobodys(void **state) {
    (void)state;
    struct rig *r = rig_leaving(false);
    assert_ptr_equal(core_leave(r->core), r->cta[0]);
    assert_int_equal(group(r, 1), 1);
    step(r, 3);
    logged(r, "L128i...");
    core_atomic(r->core, r->cycle, r->atomic); /* writes r1, as the load does */
    step(r, 10);
    logged(r, "..........");
    core_line(r->core, r->cycle, 128);
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    rig_end(r);
}

/* -------------------------------------------------------------------- time */

/* A core with a memory, both at random: a pipe, and a path of a few cycles for
 * some. */
struct twin {
    struct core *core;
    struct pipe *memory;
    uint64_t cycle, steps, hash;
};

static void mix(struct twin *t, uint64_t a, uint64_t b) {
    t->hash = (t->hash ^ a * 31 ^ b) * UINT64_C(0x100000001b3);
}

static bool twin_ready(void *ctx, enum stream_access what, uint64_t address) {
    struct twin *t = ctx;
    (void)what;
    (void)address;
    return pipe_ready(t->memory, t->cycle);
}

static void twin_send(void *ctx, enum stream_access what, uint64_t address,
                      uint32_t sectors, uint64_t number) {
    struct twin *t = ctx;
    struct pipe_packet p = {.kind = what,
                            .amount =
                                32 * (uint32_t)__builtin_popcount(sectors),
                            .token = (uint64_t)what << 60 | number};
    mix(t, t->cycle, address);
    pipe_send(t->memory, t->cycle, &p);
}

static void twin_answers(struct twin *t) {
    uint64_t token;
    while (pipe_receive(t->memory, t->cycle, &token)) {
        uint64_t number = token & ((UINT64_C(1) << 60) - 1);
        if (token >> 60 == STREAM_LOAD)
            core_line(t->core, t->cycle, number);
        else if (token >> 60 == STREAM_ATOMIC)
            core_atomic(t->core, t->cycle, number);
        else
            core_stored(t->core, (uint32_t)number);
    }
}

static uint64_t next_random(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

/* Every cycle has its step, or only those that the core asks for. */
static struct twin twin_run(struct cta *const *ctas,
                            const struct cta_reader *reader,
                            const struct core_config *config, bool skip) {
    struct twin t = {.hash = 1};
    struct pipe_config m = {.rate = {.amount = 40, .time = 1, .ticks = 1},
                            .latency = 37,
                            .depth = 11};
    struct core_hooks hooks = {
        .ctx = &t, .ready = twin_ready, .send = twin_send};
    t.memory = pipe_create(&m);
    t.core = core_create(config, &hooks, reader);
    for (int i = 0; i < 2; i++)
        core_launch(t.core, ctas[i], ctas[i]->warps, ctas[i]->n_warps);
    while (!core_empty(t.core)) {
        twin_answers(&t);
        if (!skip || core_wakes(t.core) <= t.cycle) {
            core_step(t.core, t.cycle);
            while (core_leave(t.core))
                mix(&t, t.cycle, 7);
            t.steps++;
        }
        assert_true(++t.cycle < 100000);
    }
    mix(&t, t.cycle, core_statistics(t.core)->instructions);
    pipe_free(t.memory);
    core_free(t.core);
    return t;
}

static void steps_may_be_left_out(void **state) {
    (void)state;
    uint64_t seed = 9, steps = 0, cycles = 0;
    static const int kinds[] = {LD, ADD, ST, MOV, ATOM, NOP, SFU, LDS};
    for (int run = 0; run < 40; run++) {
        struct hand *h = hand_begin();
        hand_launch(h, 2, 1, 128);
        for (uint32_t i = 0; i < 400; i++) {
            uint64_t x = next_random(&seed);
            int which = i % 50 < 48 ? kinds[x % 8] : BAR;
            uint32_t warp = which == BAR ? i % 4 : (uint32_t)(x >> 8 & 3);
            struct stream_event *e =
                hand_insn(h, i / 200, warp, which, (x >> 16 & 31) * L, L);
            e->mask = 1u << (x >> 24 & 3);
            e->mask |= e->mask - 1;
        }
        struct cta_reader *reader = cta_reader_create(&h->stream);
        struct cta *ctas[2] = {cta_read(reader), cta_read(reader)};
        struct core_config config = {
            .slots = 8,
            .interval = CORE_CYCLE * (1 + run % 3) / 2,
            .latency = CORE_LATENCIES,
            .cache = {.size = 2048, .ways = 4, .mshrs = 3, .targets = 2},
            .drain = run % 2};
        struct twin a = twin_run(ctas, reader, &config, false);
        struct twin b = twin_run(ctas, reader, &config, true);
        assert_true(a.hash == b.hash);
        steps += b.steps;
        cycles += a.steps;
        cta_free(ctas[0]);
        cta_free(ctas[1]);
        cta_reader_free(reader);
        hand_free(h);
    }
    assert_true(4 * steps < 3 * cycles); /* a quarter and more is left out */
}

static void bad_configurations(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    r->config.slots = 0;
    assert_null(core_create(&r->config, &r->hooks, NULL));
    r->config.slots = CORE_MAX_SLOTS + 1;
    assert_null(core_create(&r->config, &r->hooks, NULL));
    r->config.slots = CORE_MAX_SLOTS;
    r->config.cache.mshrs = 0;
    assert_null(core_create(&r->config, &r->hooks, NULL));
    rig_end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_take_turns),
        cmocka_unit_test(slots_are_passed),
        cmocka_unit_test(ends_are_met_on_the_way),
        cmocka_unit_test(issues_keep_their_interval),
        cmocka_unit_test(results_take_their_time),
        cmocka_unit_test(loads_wait_for_all_lines),
        cmocka_unit_test(lines_are_asked_for_once),
        cmocka_unit_test(atomics_wait_for_memory),
        cmocka_unit_test(held_slots_go_on),
        cmocka_unit_test(resumed_is_not_this_turn),
        cmocka_unit_test(barriers_are_of_groups),
        cmocka_unit_test(the_ended_hold_no_barrier),
        cmocka_unit_test(groups_come_and_leave),
        cmocka_unit_test(groups_drain),
        cmocka_unit_test(late_answers_are_nobodys),
        cmocka_unit_test(steps_may_be_left_out),
        cmocka_unit_test(bad_configurations),
    };
    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
