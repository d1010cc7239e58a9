/* test_binder.c - the golden model of the binder, edge by edge as
 * docs/blocks/binder.md has it.  Words are written as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "binder/binder.h"
#include "blocks/binder.h"
#include "isa/isa.h"

#include <string.h>

enum { ALL = 0xff, WARP = 5, FIRST = 100 };

struct unit {
    struct golden *g;
    struct binder_in in;
    const struct binder_out *out;
    int at;         /* words that were offered of this chain */
    bool continues; /* others follow the last one */
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u) {
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(config_preset(&c, "small", &d));
    diag_free(&d);
    memset(u, 0, sizeof *u);
    u->g = golden_create(&binder_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.op_ready = u->in.put_ready = 1;
    u->in.core_state = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* --- words ---------------------------------------------------------------- */

/* The next word of the chain is offered. */
static void show_word(struct unit *u, const char *text, uint64_t mask,
                      uint32_t a, uint32_t b, bool row, bool same) {
    struct isa_word w;
    struct isa_error e;
    uint64_t code;
    if (!isa_parse(text, strlen(text), NULL, NULL, &w, &e))
        fail_msg("'%s': %s", text, e.what);
    assert_int_equal(isa_encode(&w, &code), ISA_LEGAL);
    assert_int_equal(u->out->offer_ready, 1);
    u->in.offer_valid = 1;
    u->in.offer_warp = WARP;
    u->in.offer_pc = FIRST + (uint64_t)u->at++;
    u->in.offer_code = code;
    u->in.offer_mask = mask;
    u->in.offer_a = a;
    u->in.offer_b = b;
    u->in.offer_in_row = row;
    u->in.offer_same_a = u->in.offer_same_b = same;
    u->continues = w.chain == 1 || w.chain == 2;
    edge(u);
    u->in.offer_valid = 0;
    assert_int_equal(u->out->chain_busy, 1);
}

/* Offer it and look at it: what becomes of it stands at the outputs. */
static void offer_with(struct unit *u, const char *text, uint64_t mask,
                       uint32_t a, uint32_t b, bool row, bool same) {
    show_word(u, text, mask, a, b, row, same);
    assert_int_equal(u->out->offer_ready, 0);
    edge(u);
}

static void offer(struct unit *u, const char *text, uint32_t a, uint32_t b) {
    offer_with(u, text, ALL, a, b, true, true);
}

static void expect_op(const struct unit *u, int tag, int kind) {
    if (!u->out->op_valid || u->out->op_tag != (uint64_t)tag ||
        u->out->op_kind != (uint64_t)kind || u->out->op_hit ||
        u->out->op_wave != WARP)
        fail_msg("expected tag %d kind %d, got %d: %d %d, hit %d", tag, kind,
                 (int)u->out->op_valid, (int)u->out->op_tag,
                 (int)u->out->op_kind, (int)u->out->op_hit);
}

static void expect_far(const struct unit *u, int code, int type, int reversed,
                       int fused) {
    assert_int_equal(u->out->op_code, code);
    assert_int_equal(u->out->op_type, type);
    assert_int_equal(u->out->op_reversed, reversed);
    assert_int_equal(u->out->op_fused, fused);
}

static void expect_imm(const struct unit *u, bool has, uint32_t imm) {
    assert_int_equal(u->out->op_has_imm, has);
    assert_int_equal(u->out->op_imm, imm);
}

static void expect_go(const struct unit *u, int moves, int frees, int alone,
                      int pc) {
    if (!u->out->go_valid || u->out->go_moves != (uint64_t)moves ||
        u->out->go_frees != (uint64_t)frees ||
        u->out->go_alone != (uint64_t)alone || u->out->go_pc != (uint64_t)pc ||
        u->out->go_warp != WARP)
        fail_msg("expected go %d %d %d %d, got %d: %d %d %d %d", moves, frees,
                 alone, pc, (int)u->out->go_valid, (int)u->out->go_moves,
                 (int)u->out->go_frees, (int)u->out->go_alone,
                 (int)u->out->go_pc);
}

/* The queue takes the instruction and answers. */
static void say(struct unit *u, int what, int entry) {
    edge(u);
    assert_int_equal(u->out->op_valid, 0);
    edge(u);
    u->in.said_valid = 1;
    u->in.said_wave = WARP;
    u->in.said_what = (uint64_t)what;
    u->in.said_entry = (uint64_t)entry;
    edge(u);
    u->in.said_valid = 0;
}

static void take(struct unit *u) {
    say(u, BINDER_TAKEN, 0);
    assert_int_equal(u->out->go_valid, 0);
    assert_int_equal(u->out->offer_ready, 1);
}

/* The rest of the chain is passed over, and the warp begins again. */
static void expect_alone(struct unit *u) {
    if (u->continues) {
        assert_int_equal(u->out->go_valid, 0);
        assert_int_equal(u->out->offer_ready, 1);
        show_word(u, "ldg.b32 r1, [r2] {chain 1}", ALL, 0x4000, 0, true, true);
        show_word(u, "ldg.b32 r1, [r2] {chain 2}", ALL, 0x4000, 0, true, true);
        edge(u);
        assert_int_equal(u->out->go_valid | u->out->op_valid, 0);
        assert_int_equal(u->out->offer_ready, 1);
        show_word(u, "nop", ALL, 0, 0, false, false);
    }
    expect_go(u, 1, 1, 1, FIRST);
}

static void two_loads(struct unit *u) {
    u->at = 0;
    offer(u, "ldg.b32 r1, [r2] {chain 1}", 0x4000, 0);
    expect_op(u, 1, BINDER_LOAD);
    take(u);
    offer(u, "ldg.b32 r3, [r4+32] {chain 2}", 0x4020, 32);
    expect_op(u, 2, BINDER_LOAD);
    take(u);
}

/* The chain is given up, and the warp begins again. */
static void expect_given_up(struct unit *u) {
    assert_int_equal(u->out->op_hit, 1);
    assert_int_equal(u->out->op_kind, BINDER_LOAD);
    assert_int_equal(u->out->op_tag, 3);
    assert_int_equal(u->out->op_address, 0);
    say(u, BINDER_NORMAL, 0);
    expect_alone(u);
    edge(u);
    assert_int_equal(u->out->chain_busy, 0);
}

/* The last word is of an operation that fits; the queue does not want it. */
static void give_last(struct unit *u) {
    say(u, BINDER_SINGLE, 0);
    expect_alone(u);
}

static void test_loads(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    two_loads(&u);
    offer_with(&u, "ldg.b32 r5, [r6] {chain 2}", ALL, 0x4000, 0, true, true);
    expect_given_up(&u);
    /* lane 0's address, of lanes 2 on */
    u.at = 0;
    offer_with(&u, "ldg.b32 r1, [r2] {chain 1}", 0xfc, 0x12048, 0, true, false);
    expect_op(&u, 1, BINDER_LOAD);
    assert_int_equal(u.out->op_address, 0x12040);
    assert_int_equal(u.out->op_mem, 0x12040 / 32 % 4);
    assert_int_equal(u.out->op_type, BINDER_U32);
    assert_int_equal(u.out->op_mask, 0xfc);
    say(&u, BINDER_NORMAL, 0);
    expect_alone(&u);
    close_unit(&u);
}

/* Words that are no first ones of a chain: the warp goes on by itself. */
static void test_refused(void **state) {
    static const struct {
        const char *text;
        uint64_t mask;
        uint32_t a;
        bool row;
    } t[] = {
        {"ldg.b32 r1, [r2] {chain 1}", ALL, 0x4004, true},  /* two lines */
        {"ldg.b32 r1, [r2] {chain 1}", ALL, 0x4000, false}, /* not in a row */
        {"ldg.b32 r1, [r2] {chain 1}", 0xf0, 0x4000, true}, /* lane 0 before */
        {"ldg.b32 r1, [r2] {chain 1}", ALL, 0x1004000, true}, /* 25 bits */
        {"ldg.b32 r1, [r2] {chain 1}", 0, 0, true},
        {"ldg.u8 r1, [r2] {chain 1}", ALL, 0x4000, true},
        {"lds.b32 r1, [r2] {chain 1}", ALL, 0x4000, true},
        {"stg.b32 [r2], r1 {chain 1}", ALL, 0x4000, true},
        {"add r1, r2, r3 {chain 1}", ALL, 0x4000, true},
        {"ldg.b32 r1, [r2] {chain 2}", ALL, 0x4000, true},
    };
    struct unit u;
    (void)state;
    open_unit(&u);
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        u.at = 0;
        offer_with(&u, t[i].text, t[i].mask, t[i].a, 0, t[i].row, true);
        if (u.out->op_valid)
            fail_msg("line %d is given", (int)i);
        expect_alone(&u);
        edge(&u);
        assert_int_equal(u.out->go_valid, 0);
        assert_int_equal(u.out->chain_busy, 0);
    }
    close_unit(&u);
}

/* One word behind two loads, r1 and r3; a is 7, b 9. */
static void test_behind_two(void **state) {
    static const struct {
        const char *text;
        int code, type, reversed, fused;
        int imm; /* 0: none */
    } t[] = {
        {"sub r5, r1, r3 {chain 3}", BINDER_SUB, BINDER_U32, 0, 0, 0},
        {"sub r5, r3, r1 {chain 3}", BINDER_SUB, BINDER_U32, 1, 0, 0},
        {"rsub r5, r1, r3 {chain 3}", BINDER_SUB, BINDER_U32, 1, 0, 0},
        {"rsub r5, r3, r1 {chain 3}", BINDER_SUB, BINDER_U32, 0, 0, 0},
        {"sar r5, r1, r3 {chain 3}", BINDER_SHR, BINDER_S32, 0, 0, 0},
        {"fadd r5, r1, r3 {chain 3}", BINDER_ADD, BINDER_F32, 0, 0, 0},
        {"fmin r1, r1, r3 {chain 3}", BINDER_MIN, BINDER_F32, 0, 0, 0},
        {"shl r5, r1, r6 {chain 3}", BINDER_SHL, BINDER_U32, 0, 0, 9},
        {"shl r5, r6, r1 {chain 3}", BINDER_SHL, BINDER_U32, 1, 0, 7},
        {"mad r5, r1, r6, r3 {chain 3}", BINDER_ADD, BINDER_U32, 0, 1, 9},
        {"mad r5, r6, r1, r3 {chain 3}", BINDER_ADD, BINDER_U32, 0, 1, 7},
        {"ffma r5, r1, r6, r3 {chain 3}", BINDER_ADD, BINDER_F32, 0, 1, 9},
        {"ffma r5, r3, 0fBF800000, r1 {chain 3}", BINDER_SUB, BINDER_F32, 0, 0,
         0},
        {"fsetltu p1, r1, r3 {chain 3}", BINDER_LTU, BINDER_F32, 0, 0, 0},
        {"setges p1, r3, r1 {chain 3}", BINDER_GE, BINDER_S32, 1, 0, 0},
    };
    struct unit u;
    (void)state;
    open_unit(&u);
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        two_loads(&u);
        offer(&u, t[i].text, 7, 9);
        bool tests = strstr(t[i].text, "set");
        expect_op(&u, 3, tests ? BINDER_COMPARE : BINDER_ALU);
        expect_far(&u, t[i].code, t[i].type, t[i].reversed, t[i].fused);
        expect_imm(&u, t[i].imm != 0, (uint32_t)t[i].imm);
        give_last(&u);
    }
    close_unit(&u);
}

static void test_misfits_behind_two(void **state) {
    static const char *const t[] = {
        "add r5, r1, r1 {chain 3}",
        "add r5, r6, r7 {chain 3}",
        "add r5, r3, r6 {chain 2}",
        "add3 r5, r1, r3, r6 {chain 3}",
        "setltu p1, r1, r6 {chain 3}",
        "fadd.rz r5, r1, r3 {chain 3}",
        "fadd.ftz r5, r1, r3 {chain 3}",
        "fadd.sat r5, r1, r3 {chain 3}",
        "fseteq.ftz p1, r1, r3 {chain 3}",
        "mad r5, r3, r6, r1 {chain 3}",
        "mad r5, r1, r3, r6 {chain 3}",
        "ffma r5, r1, r6, r7 {chain 3}",
        "stg.b32 [r6], r1 {chain 3}",
        "ldg.b32 r5, [r6] {chain 3}",
        "add r5, r1, r3 {chain 4}",
        "add r5, r1, r3",
        "add r5, r1, r3 {chain 1}",
        "ffma r5, r3, 0fBF900000, r1 {chain 3}",
        "mad r5, r3, -1, r1 {chain 3}",
    };
    struct unit u;
    (void)state;
    open_unit(&u);
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        two_loads(&u);
        offer(&u, t[i], 0x4000, 0x4000);
        if (!u.out->op_valid || !u.out->op_hit)
            fail_msg("'%s' fits", t[i]);
        expect_given_up(&u);
    }
    /* a register that differs between lanes, other lanes, none */
    two_loads(&u);
    offer_with(&u, "add r5, r1, r6 {chain 2}", ALL, 7, 9, true, false);
    expect_given_up(&u);
    two_loads(&u);
    offer_with(&u, "add r5, r1, r3 {chain 2}", 0x7f, 7, 9, true, true);
    expect_given_up(&u);
    two_loads(&u);
    offer_with(&u, "add r5, r1, r3 {chain 2}", 0, 7, 9, true, true);
    expect_given_up(&u);
    close_unit(&u);
}

/* Pattern 9, whose first result takes the first load's register. */
static void test_longest(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    two_loads(&u);
    offer(&u, "mul r1, r1, 3 {chain 2}", 7, 3);
    expect_op(&u, 2, BINDER_ALU);
    expect_imm(&u, true, 3);
    take(&u);
    offer(&u, "sub r3, r1, r3 {chain 2}", 7, 9);
    expect_op(&u, 2, BINDER_ALU);
    expect_far(&u, BINDER_SUB, BINDER_U32, 1, 0);
    take(&u);
    offer(&u, "stg.b32 [r8], r3 {chain 3}", 0x5000, 0);
    expect_op(&u, 3, BINDER_STORE);
    say(&u, BINDER_WAITS, 2);
    expect_go(&u, 0, 1, 0, 0);
    for (int i = 0; i < 5; i++)
        edge(&u);
    assert_int_equal(u.out->chain_busy, 1);
    u.in.done_valid = 1;
    u.in.done_wave = WARP;
    u.in.done_entry = 2;
    u.in.done_how = BINDER_ACK;
    u.in.done_mask = ALL;
    edge(&u);
    u.in.done_valid = 0;
    edge(&u);
    edge(&u);
    expect_go(&u, 1, 0, 0, FIRST + 5);
    edge(&u);
    assert_int_equal(u.out->chain_busy, 0);
    close_unit(&u);
}

/* Behind a third operation, a comparison or a store nothing fits. */
static void test_ended(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    two_loads(&u);
    offer(&u, "setltu p1, r1, r3 {chain 2}", 7, 9);
    take(&u);
    offer(&u, "stg.b32 [r8], r1 {chain 3}", 0x5000, 0);
    expect_given_up(&u);
    two_loads(&u);
    offer(&u, "add r5, r1, r3 {chain 2}", 7, 9);
    take(&u);
    offer(&u, "add r6, r3, r5 {chain 2}", 7, 9);
    expect_given_up(&u);
    two_loads(&u);
    offer(&u, "add r5, r1, r3 {chain 2}", 7, 9);
    take(&u);
    offer(&u, "stg.b32 [r5], r5 {chain 3}", 0x5000, 0);
    expect_given_up(&u);
    close_unit(&u);
}

/* --- results -------------------------------------------------------------- */

static void wait_with(struct unit *u, const char *last, int entry) {
    two_loads(u);
    offer(u, last, 7, 9);
    say(u, BINDER_WAITS, entry);
    expect_go(u, 0, 1, 0, 0);
}

static void end_with(struct unit *u, int entry, int how, uint64_t bits) {
    u->in.done_valid = 1;
    u->in.done_wave = WARP;
    u->in.done_entry = (uint64_t)entry;
    u->in.done_how = (uint64_t)how;
    u->in.done_mask = ALL;
    u->in.done_bits = bits;
    assert_int_equal(u->out->done_ready, 1);
    edge(u);
    u->in.done_valid = 0;
}

static void expect_put(const struct unit *u, int pc, int d, int pred, int last,
                       uint32_t value) {
    if (!u->out->put_valid || u->out->put_pc != (uint64_t)pc ||
        u->out->put_d != (uint64_t)d || u->out->put_pred != (uint64_t)pred ||
        u->out->put_last != (uint64_t)last || u->out->put_warp != WARP ||
        u->out->put_mask != ALL || u->out->put_data[0] != value)
        fail_msg("expected put %d %d %d %d %x, got %d: %d %d %d %d %x", pc, d,
                 pred, last, (unsigned)value, (int)u->out->put_valid,
                 (int)u->out->put_pc, (int)u->out->put_d, (int)u->out->put_pred,
                 (int)u->out->put_last, (unsigned)u->out->put_data[0]);
}

/* Eight passes of a lane each, a pass each second edge. */
static void bring(struct unit *u, int entry, int loaded, int second, int pc,
                  int d) {
    u->in.result_valid = 1;
    u->in.result_entry = (uint64_t)entry;
    u->in.result_loaded = (uint64_t)loaded;
    u->in.result_second = (uint64_t)second;
    for (int i = 0; i < 8; i++) {
        int edges = 0;
        u->in.result_data[0] = (uint64_t)(1000 + i);
        u->in.result_last = i == 7;
        while (!u->out->result_ready && edges++ < 9)
            edge(u);
        assert_int_equal(edges, i == 0 ? 3 : 1);
        edge(u);
        expect_put(u, pc, d, 0, i == 7, (uint32_t)(1000 + i));
    }
    u->in.result_valid = 0;
    edge(u);
    assert_int_equal(u->out->put_valid, 0);
}

static void test_data(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    wait_with(&u, "add r5, r1, r3 {chain 3}", 3);
    bring(&u, 3, 0, 0, FIRST + 2, 5);
    end_with(&u, 3, BINDER_DATA, 0);
    edge(&u);
    edge(&u);
    expect_go(&u, 1, 0, 0, FIRST + 3);
    close_unit(&u);
}

static void test_loads_back(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    wait_with(&u, "add r5, r1, r3 {chain 3}", 1);
    bring(&u, 1, 1, 1, FIRST + 1, 3);
    bring(&u, 1, 1, 0, FIRST, 1);
    end_with(&u, 1, BINDER_LOADED, 0);
    edge(&u);
    edge(&u);
    expect_go(&u, 1, 0, 1, FIRST + 2);
    close_unit(&u);
}

/* Bits, and the end only when the core is ready behind them. */
static void test_bits(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    wait_with(&u, "setltu p2, r1, r3 {chain 3}", 1);
    end_with(&u, 1, BINDER_BITMAP, 0xa5);
    edge(&u);
    for (int i = 0; i < 8; i++) {
        edge(&u);
        expect_put(&u, FIRST + 2, 2, 1, i == 7, 0xa5 >> i & 1);
    }
    edge(&u);
    assert_int_equal(u.out->put_valid, 0);
    u.in.put_ready = 0;
    for (int i = 0; i < 5; i++) {
        edge(&u);
        assert_int_equal(u.out->go_valid, 0);
    }
    u.in.put_ready = 1;
    edge(&u);
    edge(&u);
    expect_go(&u, 1, 0, 0, FIRST + 3);
    close_unit(&u);
}

/* --- faults, loads, reset ------------------------------------------------- */

static void test_fault(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    two_loads(&u);
    u.in.core_state = 3;
    edge(&u);
    assert_int_equal(u.out->op_hit, 1);
    assert_int_equal(u.out->offer_ready, 0);
    say(&u, BINDER_NORMAL, 0);
    /* the core is told nothing, and without a chain nothing happens */
    assert_int_equal(u.out->go_valid, 0);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        assert_int_equal(u.out->op_valid, 0);
        assert_int_equal(u.out->chain_busy, 0);
    }
    close_unit(&u);
}

/* A core at fault shows no more of a chain that it carries out by itself. */
static void test_fault_dropped(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    offer(&u, "add r1, r2, r3 {chain 1}", 0, 0);
    u.in.core_state = 3;
    assert_int_equal(u.out->chain_busy, 1);
    edge(&u);
    assert_int_equal(u.out->go_valid | u.out->op_valid, 0);
    assert_int_equal(u.out->offer_ready, 1);
    assert_int_equal(u.out->chain_busy, 0);
    close_unit(&u);
}

static void test_loads_dropped(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.load_valid = 1;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(u.out->load_ready, 1);
        edge(&u);
        assert_int_equal(u.out->go_valid | u.out->op_valid | u.out->put_valid,
                         0);
    }
    close_unit(&u);
}

static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    wait_with(&u, "add r5, r1, r3 {chain 3}", 1);
    two_loads(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_int_equal(u.out->chain_busy, 0);
    assert_int_equal(u.out->offer_ready & u.out->done_ready & u.out->load_ready,
                     1);
    u.at = 0;
    offer(&u, "ldg.b32 r1, [r2] {chain 1}", 0x4000, 0);
    expect_op(&u, 1, BINDER_LOAD);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_behind_two),
        cmocka_unit_test(test_misfits_behind_two),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_loads_back),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_fault_dropped),
        cmocka_unit_test(test_loads_dropped),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
