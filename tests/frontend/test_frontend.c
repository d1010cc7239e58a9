/* test_frontend.c - the golden model of the front end, edge by edge and rule by
 * rule as docs/blocks/frontend.md has them.
 *
 * Eight warps of four lanes in four slots; sixteen registers, of which r0 to r7
 * are a program's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/frontend.h"
#include "frontend/frontend.h"
#include "iface/opclass.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, REG_W = 4, LAST = 63, PATIENCE = 200, FILL = 12 };
enum { SET, CODE, PARAM, START, HALT, RESUME, CLEAR = 8 };
enum { IDLE, RUNNING, DONE, FAULTED };

struct unit {
    struct golden *g;
    struct frontend_in in;
    const struct frontend_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->in.ctl_valid = u->in.commit_valid = u->in.resolve_valid = 0;
    u->in.far_fault_valid = u->in.near_fault_valid = 0;
}

static void open_unit(struct unit *u) {
    struct config c;
    config_defaults(&c);
    c.frontend_warps = 8;
    c.frontend_registers = 16;
    c.frontend_lanes = LANES;
    c.frontend_alus = 2;
    c.frontend_tag_bits = 6;
    c.frontend_params = 4;
    c.frontend_shared_words = 64;
    c.frontend_ctas = 4;
    c.frontend_stack = 2;
    c.frontend_in_flight = 3;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&frontend_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.issue_ready = 0xff;
    u->in.init_ready = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void command(struct unit *u, int op, int index, uint64_t data) {
    u->in.ctl_valid = 1;
    u->in.ctl_op = (uint64_t)op;
    u->in.ctl_index = (uint64_t)index;
    u->in.ctl_data = data;
    edge(u);
}

static uint64_t word_of(const char *text) {
    struct isa_word w;
    struct isa_error e;
    uint64_t word;
    assert_true(isa_parse(text, strlen(text), NULL, NULL, &w, &e));
    assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
    return word;
}

/* One word a line of the list, from place 0 on. */
static void load(struct unit *u, const char *const *text) {
    for (int i = 0; text[i]; i++)
        command(u, CODE, i, word_of(text[i]));
}

/* So many CTAs of so many threads in a row. */
static void set_up(struct unit *u, uint32_t ctas, uint32_t threads,
                   uint32_t resident) {
    const uint32_t reg[] = {0,        ctas,    1,
                            1,        threads, 1,
                            1,        threads, (threads + LANES - 1) / LANES,
                            resident, 16,      0,
                            0,        0,       1};
    for (int i = 0; i < 15; i++)
        command(u, SET, i, reg[i]);
}

/* Edges until something is at issue. */
static int until_issue(struct unit *u) {
    int n = 0;
    while (!u->out->issue_valid && n < PATIENCE) {
        edge(u);
        n++;
    }
    assert_int_equal(u->out->issue_valid, 1);
    return n;
}

static void resolve(struct unit *u, int warp, unsigned lanes) {
    u->in.resolve_valid = 1;
    u->in.resolve_warp = (uint64_t)warp;
    u->in.resolve_lanes = lanes;
    edge(u);
}

static void commit(struct unit *u, int warp) {
    u->in.commit_valid = 1;
    u->in.commit_warp = (uint64_t)warp;
    edge(u);
}

/* What is at issue next, which is taken then. */
static void expect(struct unit *u, int warp, int tag, unsigned mask) {
    (void)until_issue(u);
    assert_int_equal(u->out->issue_warp, warp);
    assert_int_equal(u->out->issue_tag, tag);
    assert_int_equal(u->out->issue_mask, mask);
    edge(u);
}

static void expect_nothing(struct unit *u, int edges) {
    while (edges-- > 0) {
        edge(u);
        assert_int_equal(u->out->issue_valid, 0);
    }
}

/* The first word of a warp, and what comes of it. */
static void begin(struct unit *u, int warp) {
    expect(u, warp, LAST, 0xf);
    resolve(u, warp, 0xf);
    commit(u, warp);
}

static void begin_one(struct unit *u, const char *const *text) {
    open_unit(u);
    load(u, text);
    set_up(u, 1, LANES, 1);
    command(u, START, 0, 0);
    begin(u, 0);
}

static uint64_t row(int r) {
    return bit(REG_W + 2) | (uint64_t)r;
}

static uint64_t pred(int p) {
    return bit(REG_W + 2) | UINT64_C(2) << REG_W | (uint64_t)(8 + p);
}

/* --- begin ---------------------------------------------------------------- */

static void test_commands(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    command(&u, CODE, 5, 0x123456789abcdef0);
    assert_int_equal(u.out->far_code_valid, 1);
    assert_int_equal(u.out->far_code_tag, 5);
    assert_true(u.out->near_code_word == 0x123456789abcdef0);
    command(&u, CODE, LAST, 1); /* not the host's */
    assert_int_equal(u.out->far_code_valid, 0);
    command(&u, PARAM, 3, 77);
    assert_int_equal(u.out->param_index, 3);
    assert_int_equal(u.out->param_word, 77);
    command(&u, PARAM, 4, 77);
    assert_int_equal(u.out->param_valid, 0);
    command(&u, SET, 11, 4096);
    assert_int_equal(u.out->launch_bound, 4096);
    command(&u, START, 0, 0); /* without CTAs */
    assert_int_equal(u.out->state, RUNNING);
    assert_int_equal(u.out->far_code_tag, LAST);
    assert_true(u.out->near_code_word == word_of("nop"));
    command(&u, CODE, 0, 1);
    assert_int_equal(u.out->far_code_valid, 0);
    assert_int_equal(u.out->state, DONE);
    assert_int_equal(u.out->launch_now, 1);
    close_unit(&u);
}

static void test_begin(void **state) {
    static const char *const text[] = {"exit", NULL};
    static const uint32_t values[] = {0, 0, 0, 0, 6, 1, 1, 2, 1, 1, 8, 16};
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, text);
    set_up(&u, 2, 6, 2);
    u.in.init_ready = 0;
    command(&u, START, 0, 0);
    edge(&u); /* takes the CTA */
    assert_int_equal(u.out->count_cta, 1);
    edge(&u); /* base */
    assert_int_equal(u.out->value_valid, 0);
    for (int k = 0; k < FILL; k++) {
        edge(&u);
        assert_int_equal(u.out->value_index, k < 11 ? k + 1 : 13);
        assert_int_equal(u.out->value_word, k == 10 ? 0 : values[k]);
        assert_int_equal(u.out->window_valid, k == 0);
        if (k == 0)
            assert_int_equal(u.out->window_rows, 2);
        assert_int_equal(u.out->init_valid, k == FILL - 1);
    }
    assert_int_equal(u.out->init_mask, 0xf);
    assert_int_equal(bits_lane(u.out->init_row, 3), 3);
    edge(&u);
    assert_int_equal(u.out->init_valid, 1);
    u.in.init_ready = 1;
    edge(&u);
    assert_int_equal(u.out->init_valid, 0);
    /* select, check: two edges; the next warp is filled in meanwhile */
    edge(&u);
    assert_int_equal(u.out->value_word, 1);
    edge(&u);
    assert_int_equal(u.out->issue_valid, 1);
    assert_int_equal(u.out->issue_tag, LAST);
    assert_int_equal(u.out->issue_dst, row(0));
    assert_int_equal(u.out->issue_op, OPC_branch);
    while (!u.out->init_valid)
        edge(&u);
    assert_int_equal(u.out->init_warp, 1);
    assert_int_equal(u.out->init_mask, 3);
    assert_int_equal(bits_lane(u.out->init_row, 1), 5);
    assert_int_equal(bits_lane(u.out->init_row, 2), 0);
    close_unit(&u);
}

/* The third CTA comes to a slot when nothing is left there. */
static void test_slots(void **state) {
    static const char *const text[] = {"exit", NULL};
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, text);
    set_up(&u, 3, LANES, 2);
    command(&u, START, 0, 0);
    begin(&u, 0);
    expect(&u, 0, 0, 0xf); /* its exit */
    begin(&u, 1);
    resolve(&u, 0, 0xf);
    expect(&u, 1, 0, 0xf);
    for (int i = 0; i < 40; i++) {
        edge(&u);
        assert_int_equal(u.out->count_cta, 0);
    }
    commit(&u, 0);
    edge(&u); /* drained */
    edge(&u);
    assert_int_equal(u.out->count_cta, 1);
    while (!u.out->window_valid)
        edge(&u);
    assert_int_equal(u.out->window_warp, 0);
    assert_int_equal(u.out->value_index, 1);
    edge(&u);
    assert_int_equal(u.out->value_word, 2); /* its CTA's x */
    close_unit(&u);
}

/* Of seven CTAs the second, and each third one from there. */
static void test_steps(void **state) {
    static const char *const text[] = {"exit", NULL};
    static const uint32_t which[] = {1, 4};
    struct unit u;
    int ctas = 0;
    (void)state;
    open_unit(&u);
    load(&u, text);
    set_up(&u, 7, LANES, 1);
    command(&u, SET, 13, 1);
    command(&u, SET, 14, 3);
    command(&u, START, 0, 0);
    for (int i = 0; i < 400 && u.out->state == RUNNING; i++) {
        if (u.out->value_index == 2)
            assert_int_equal(u.out->value_word, which[ctas++]);
        if (!u.out->issue_valid) {
            edge(&u);
            continue;
        }
        edge(&u);
        resolve(&u, 0, 0xf);
        commit(&u, 0);
    }
    assert_int_equal(u.out->state, DONE);
    assert_int_equal(ctas, 2);
    close_unit(&u);
}

/* --- words ---------------------------------------------------------------- */

static void test_translation(void **state) {
    static const char *const text[] = {"@!p2 mad r1, r2, r3, r4 {near}",
                                       "pand p1, p7, !p6",
                                       "sel r5, r6, 9, !p3",
                                       "sts.b32 [r1+4], r2 {far}",
                                       "stg.b32 [r3], r4",
                                       NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    (void)until_issue(&u);
    assert_int_equal(u.out->issue_op, OPC_int);
    assert_int_equal(u.out->issue_hint, 2);
    assert_int_equal(u.out->issue_dst, row(1));
    assert_int_equal(u.out->issue_src0, row(2));
    assert_int_equal(u.out->issue_src1, row(3));
    assert_int_equal(u.out->issue_src2, row(4));
    assert_int_equal(u.out->issue_guard, pred(2));
    edge(&u);
    assert_int_equal(until_issue(&u), 2); /* one in three edges */
    assert_int_equal(u.out->issue_op, OPC_setp);
    assert_int_equal(u.out->issue_dst, pred(1));
    assert_int_equal(u.out->issue_src0, 0);
    assert_int_equal(u.out->issue_src1, pred(6));
    edge(&u);
    (void)until_issue(&u);
    assert_int_equal(u.out->issue_src1, 0);
    assert_int_equal(u.out->issue_src2, pred(3));
    edge(&u);
    expect_nothing(&u, 10); /* three are under way */
    commit(&u, 0);
    (void)until_issue(&u);
    assert_int_equal(u.out->issue_op, OPC_st_shared);
    assert_int_equal(u.out->issue_hint, 2);
    assert_int_equal(u.out->issue_src0, row(1));
    assert_int_equal(u.out->issue_src2, row(2));
    commit(&u, 0);
    (void)until_issue(&u);
    assert_int_equal(u.out->issue_op, OPC_st_global);
    assert_int_equal(u.out->issue_src0, row(3));
    assert_int_equal(u.out->issue_src1, row(4));
    assert_int_equal(u.out->issue_src2, 0);
    close_unit(&u);
}

static void test_never(void **state) {
    static const char *const text[] = {"@!p7 exit", "exit", NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0);
    resolve(&u, 0, 0);
    expect(&u, 0, 1, 0xf);
    close_unit(&u);
}

static void test_accesses(void **state) {
    static const char *const text[] = {"ldg.b32 r1, [r0]", "add r2, r2, r2",
                                       "stg.b32 [r0], r1", "add r1, r2, r2",
                                       NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    expect(&u, 0, 1, 0xf);
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->count_blocked, 1);
    expect_nothing(&u, 10);
    commit(&u, 0);
    expect_nothing(&u, 10);
    commit(&u, 0);
    /* drain, select, check */
    assert_int_equal(until_issue(&u), 3);
    expect(&u, 0, 2, 0xf);
    expect_nothing(&u, 10);
    commit(&u, 0);
    expect(&u, 0, 3, 0xf);
    close_unit(&u);
}

/* --- paths ---------------------------------------------------------------- */

static void test_paths(void **state) {
    static const char *const text[] = {"@p0 bra 3, 4", "add r1, r1, r1",
                                       "bra 4",        "add r2, r2, r2",
                                       "exit",         NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    expect_nothing(&u, 5);
    resolve(&u, 0, 0x3);
    edge(&u);
    assert_int_equal(u.out->count_diverged, 1);
    edge(&u); /* select */
    edge(&u);
    assert_int_equal(u.out->issue_valid, 1);
    expect(&u, 0, 3, 0x3);
    commit(&u, 0);
    expect(&u, 0, 1, 0xc); /* the others */
    commit(&u, 0);
    expect(&u, 0, 2, 0xc);
    resolve(&u, 0, 0xc);
    commit(&u, 0);
    expect(&u, 0, 4, 0xf); /* all together */
    resolve(&u, 0, 0xf);
    expect_nothing(&u, 20);
    assert_int_equal(u.out->state, RUNNING);
    commit(&u, 0);
    commit(&u, 0);
    edge(&u); /* drained */
    assert_int_equal(u.out->state, RUNNING);
    edge(&u);
    assert_int_equal(u.out->state, DONE);
    close_unit(&u);
}

static void test_barrier(void **state) {
    static const char *const text[] = {"bar", "membar", "exit", NULL};
    struct unit u;
    int n = 0;
    (void)state;
    open_unit(&u);
    load(&u, text);
    set_up(&u, 1, 2 * LANES, 1);
    command(&u, START, 0, 0);
    begin(&u, 0);
    expect(&u, 0, 0, 0xf);
    resolve(&u, 0, 0xf);
    commit(&u, 0);
    begin(&u, 1);
    expect(&u, 1, 0, 0xf);
    resolve(&u, 1, 0xf);
    expect_nothing(&u, 10); /* the barrier's own word has not committed */
    commit(&u, 1);
    while (!u.out->count_barrier && n++ < PATIENCE)
        edge(&u);
    assert_int_equal(u.out->count_barrier, 1);
    expect(&u, 0, 1, 0xf);
    expect(&u, 1, 1, 0xf);
    resolve(&u, 1, 0xf);
    expect_nothing(&u, 10);
    commit(&u, 1);
    expect(&u, 1, 2, 0xf);
    close_unit(&u);
}

/* --- faults --------------------------------------------------------------- */

static void expect_fault(const struct unit *u, int cause, int pc) {
    assert_int_equal(u->out->state, FAULTED);
    assert_int_equal(u->out->fault_cause, cause);
    assert_int_equal(u->out->fault_pc, pc);
}

static void test_checks(void **state) {
    static const uint64_t wrong[] = {
        0,
        ISA_mov | ISA_TRUE << 8 | UINT64_C(8) << 40, /* r8 */
        ISA_mov | ISA_TRUE << 8 | 8 << 12,           /* ... as destination */
        ISA_ldp | ISA_TRUE << 8 | 1 << 24 | UINT64_C(4) << 40,
        ISA_bra | ISA_TRUE << 8 | UINT64_C(64) << 32 | UINT64_C(0xffff) << 48,
        ISA_bra | ISA_TRUE << 8 | UINT64_C(64) << 48,
    };
    static const char *const text[] = {"nop", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct unit u;
        open_unit(&u);
        load(&u, text);
        command(&u, CODE, 1, wrong[i]);
        set_up(&u, 1, LANES, 1);
        command(&u, START, 0, 0);
        begin(&u, 0);
        expect(&u, 0, 0, 0xf);
        resolve(&u, 0, 0xf);
        edge(&u); /* X */
        edge(&u); /* select */
        assert_int_equal(u.out->state, RUNNING);
        edge(&u); /* check */
        expect_fault(&u, 1, 1);
        assert_int_equal(u.out->quiet, 0);
        commit(&u, 0);
        assert_int_equal(u.out->quiet, 1);
        command(&u, CLEAR, 0, 0);
        assert_int_equal(u.out->state, IDLE);
        command(&u, CODE, 1, word_of("exit"));
        command(&u, START, 0, 0); /* the registers are still there */
        begin(&u, 0);
        expect(&u, 0, 0, 0xf);
        close_unit(&u);
    }
}

static void test_control_faults(void **state) {
    static const struct {
        const char *text;
        unsigned lanes;
        int cause;
    } cases[] = {{"trap", 1, 7}, {"@p0 bra 5", 1, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const text[] = {cases[i].text, NULL};
        struct unit u;
        begin_one(&u, text);
        expect(&u, 0, 0, 0xf);
        resolve(&u, 0, cases[i].lanes);
        assert_int_equal(u.out->state, RUNNING);
        edge(&u);
        expect_fault(&u, cases[i].cause, 0);
        expect_nothing(&u, 10);
        close_unit(&u);
    }
}

static void test_stack(void **state) {
    static const char *const text[] = {
        "@p0 bra 2, 9", "nop", "@p0 bra 4, 8", "nop", "@p0 bra 6, 7",
        "nop",          NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    resolve(&u, 0, 0x7);
    expect(&u, 0, 2, 0x7);
    resolve(&u, 0, 0x3);
    expect(&u, 0, 4, 0x3);
    resolve(&u, 0, 0x1);
    edge(&u);
    expect_fault(&u, 4, 4);
    close_unit(&u);
}

static void test_diverged_barrier(void **state) {
    static const char *const text[] = {"@p0 bra 2, 2", "bar", "exit", NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    resolve(&u, 0, 0x7);
    expect(&u, 0, 1, 0x8);
    resolve(&u, 0, 0x8);
    edge(&u);
    expect_fault(&u, 6, 1);
    close_unit(&u);
}

/* All at once: in their order; what stands at issue is still taken. */
static void test_first_fault(void **state) {
    static const char *const text[] = {"lds.b32 r1, [r1]", "ldg.b32 r1, [r1]",
                                       "add r1, r1, r1", NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    expect(&u, 0, 1, 0xf);
    (void)until_issue(&u);
    u.in.issue_ready = 0;
    u.in.far_fault_valid = u.in.near_fault_valid = 1;
    u.in.far_fault_cause = 2;
    u.in.far_fault_tag = 1;
    u.in.far_fault_address = 0x1001;
    u.in.near_fault_tag = 0;
    edge(&u);
    expect_fault(&u, 2, 1);
    assert_int_equal(u.out->fault_address, 0x1001);
    assert_int_equal(u.out->issue_valid, 1);
    u.in.issue_ready = 1;
    edge(&u);
    expect_nothing(&u, 10);
    assert_int_equal(u.out->quiet, 0);
    for (int i = 0; i < 3; i++)
        commit(&u, 0);
    assert_int_equal(u.out->quiet, 1);
    close_unit(&u);
}

static void test_watchdog(void **state) {
    static const char *const text[] = {"add r1, r1, r1", "exit", NULL};
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, text);
    set_up(&u, 1, LANES, 1);
    command(&u, SET, 12, 50);
    command(&u, START, 0, 0);
    for (int i = 0; i < 40; i++)
        edge(&u);
    resolve(&u, 0, 0xf);
    commit(&u, 0);
    for (int i = 0; i < 49; i++)
        edge(&u);
    assert_int_equal(u.out->state, RUNNING);
    edge(&u);
    expect_fault(&u, 9, 0);
    close_unit(&u);
}

static void test_halt(void **state) {
    static const char *const text[] = {"add r1, r1, r1", "exit", NULL};
    struct unit u;
    (void)state;
    begin_one(&u, text);
    expect(&u, 0, 0, 0xf);
    command(&u, HALT, 0, 0); /* on this edge it was selected once more */
    expect(&u, 0, 1, 0xf);
    assert_int_equal(u.out->halted, 1);
    expect_nothing(&u, 10);
    resolve(&u, 0, 0xf);
    commit(&u, 0);
    commit(&u, 0);
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->state, DONE);
    command(&u, RESUME, 0, 0);
    assert_int_equal(u.out->halted, 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_begin),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_control_faults),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_diverged_barrier),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_halt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
