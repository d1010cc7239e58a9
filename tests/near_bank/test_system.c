/* test_system.c - a program of three words over both dies, edge by edge, with
 * the base die's side played by hand: what it computes, what crosses, and when
 * it may.  And accesses to shared memory on the DRAM die.
 *
 *     movi r1, 5           {far}
 *     add  r2, r1, 7       {near}   r1 goes down
 *     add  r3, r2, r2      {far}    r2 comes up
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "frame/golden.h"
#include "iface/opclass.h"
#include "iface/system.h"
#include "isa/isa.h"
#include "structs.h"

#include <string.h>

enum { WARP = 3, LANES = 8, REGS = 16, ALL = 0xff, PATIENCE = 400 };
enum { INSTR, DOWN, REQUEST, UP, DONE_UP, KINDS = 8 };

struct bank {
    struct golden *g;
    struct config c;
    struct bank_in in;
    struct bank_out out;
    uint32_t far[REGS][LANES];
    int beats[KINDS], packets[KINDS];
    bool answers; /* a row of the far file is asked for */
    uint64_t asked;
    int commits, near_commits;
};

static void edge(struct bank *b, bool rst) {
    b->out = *(const struct bank_out *)golden_cycle(b->g, rst, &b->in);
    b->beats[b->out.unit.tsv_kind] += b->out.unit.tsv_valid;
    b->packets[b->out.unit.tsv_kind] +=
        b->out.unit.tsv_valid && b->out.unit.tsv_last;
    b->commits += b->out.unit.commit_valid;
    b->near_commits += b->out.unit.commit_valid && b->out.unit.commit_near;
}

static void open_bank(struct bank *b) {
    struct diag d = {0};
    memset(b, 0, sizeof *b);
    assert_true(config_preset(&b->c, "near_bank_small", &d));
    diag_free(&d);
    b->g = golden_create(golden_find("near_bank"), &b->c);
    edge(b, true);
    for (int i = 0; i < 1000 && !(b->out.unit.issue_ready >> WARP & 1); i++)
        edge(b, false);
    assert_true(b->out.unit.issue_ready >> WARP & 1);
}

/* The word of a line, at a place of both codes. */
static void write_code(struct bank *b, int tag, const char *line) {
    struct isa_word w;
    struct isa_error e;
    uint64_t word;
    assert_true(isa_parse(line, strlen(line), NULL, NULL, &w, &e));
    assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
    b->in.pipes.code_valid = 1;
    b->in.pipes.code_tag = (uint64_t)tag;
    b->in.pipes.code_word = word;
    edge(b, false);
    b->in.pipes.code_valid = 0;
}

static uint64_t reg(int r) {
    return 1 << 6 | (uint64_t)r; /* valid, kind 0; four bits of register */
}

/* The registers' files of the base die, an edge on which they are ready. */
static void files(struct bank *b) {
    struct dies_in *in = &b->in.unit;
    const struct dies_out *o = &b->out.unit;
    in->far_data_valid = b->answers;
    for (int l = 0; b->answers && l < LANES; l++)
        bits_set_lane(in->far_data_row, l, b->far[b->asked][l]);
    b->answers = o->far_read_valid;
    b->asked = o->far_read_reg;
    in->far_read_ready = in->far_write_ready = 1;
    if (!o->far_write_valid)
        return;
    assert_int_equal(o->far_write_warp, WARP);
    for (int l = 0; l < LANES; l++)
        b->far[o->far_write_reg][l] = bits_lane(o->far_write_row, l);
}

static void issue(struct bank *b, uint64_t tag, uint64_t op, uint64_t hint,
                  uint64_t dst, uint64_t src0, uint64_t src1) {
    struct dies_in *in = &b->in.unit;
    for (int i = 0; !(b->out.unit.issue_ready >> WARP & 1); i++) {
        assert_true(i < PATIENCE);
        edge(b, false);
    }
    in->issue_valid = 1;
    in->issue_warp = WARP;
    in->issue_tag = tag;
    in->issue_op = op;
    in->issue_hint = hint;
    in->issue_mask = ALL;
    in->issue_dst = dst;
    in->issue_src0 = src0;
    in->issue_src1 = src1;
    edge(b, false);
    in->issue_valid = 0;
}

/* Until the instruction commits; one of the base die writes `value` into its
 * register when it is taken. */
static void finish(struct bank *b, int dst, const uint32_t *value) {
    struct dies_in *in = &b->in.unit;
    int commits = b->commits;
    for (int i = 0; b->commits == commits; i++) {
        const struct dies_out *o = &b->out.unit;
        assert_true(i < PATIENCE);
        files(b);
        if (in->far_done_valid && o->far_done_ready)
            in->far_done_valid = 0;
        in->far_exec_ready = o->far_exec_valid;
        if (o->far_exec_valid) {
            assert_non_null(value);
            memcpy(b->far[dst], value, sizeof b->far[dst]);
            in->far_done_valid = 1;
            in->far_done_warp = o->far_exec_warp;
            in->far_done_tag = o->far_exec_tag;
            in->far_done_ticket = o->far_exec_ticket;
        }
        edge(b, false);
    }
    in->far_done_valid = in->far_exec_ready = 0;
}

static void expect_row(const uint32_t *row, uint32_t first, uint32_t step) {
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(row[l], first + l * step);
}

static void test_program(void **state) {
    struct bank b;
    uint32_t five[LANES], sum[LANES];
    (void)state;
    open_bank(&b);
    write_code(&b, 0, "movi r1, 5 {far}");
    write_code(&b, 1, "add r2, r1, 7 {near}");
    write_code(&b, 2, "add r3, r2, r2 {far}");
    for (uint32_t l = 0; l < LANES; l++)
        five[l] = 5 + 100 * l; /* so that lanes differ */

    issue(&b, 0, OPC_mov, 1, reg(1), 0, 0);
    finish(&b, 1, five);
    assert_int_equal(b.near_commits, 0);
    for (int k = 0; k < KINDS; k++)
        assert_int_equal(b.beats[k], 0); /* nothing crosses for it */

    issue(&b, 1, OPC_int, 2, reg(2), reg(1), 0);
    finish(&b, 2, NULL);
    assert_int_equal(b.near_commits, 1);
    assert_int_equal(b.packets[DOWN], 1);
    assert_int_equal(b.beats[DOWN], 1 + 32 * LANES / 16); /* header, row */
    assert_int_equal(b.packets[INSTR], 1);
    assert_int_equal(b.packets[DONE_UP], 1);
    assert_int_equal(b.packets[UP], 0);

    issue(&b, 2, OPC_int, 1, reg(3), reg(2), reg(2));
    for (int l = 0; l < LANES; l++)
        sum[l] = 2 * (five[l] + 7);
    finish(&b, 3, sum);
    expect_row(b.far[2], 12, 100);           /* it came up, computed there */
    assert_int_equal(b.packets[REQUEST], 1); /* one for both sources */
    assert_int_equal(b.packets[UP], 1);
    assert_int_equal(b.near_commits, 1);
    golden_free(b.g);
}

/* A result stays near while who needs it is near: nothing moves. */
static void test_stays_near(void **state) {
    struct bank b;
    uint32_t row[LANES];
    (void)state;
    open_bank(&b);
    write_code(&b, 0, "movi r1, 3 {near}");
    write_code(&b, 1, "mul r1, r1, 5 {near}");
    write_code(&b, 2, "mov r4, r1 {far}");
    issue(&b, 0, OPC_mov, 2, reg(1), 0, 0);
    finish(&b, 1, NULL);
    issue(&b, 1, OPC_int, 2, reg(1), reg(1), 0);
    finish(&b, 1, NULL);
    assert_int_equal(b.packets[DOWN] + b.packets[UP], 0);
    assert_int_equal(b.packets[INSTR], 2);
    issue(&b, 2, OPC_mov, 1, reg(4), 0, reg(1));
    memset(row, 0, sizeof row);
    finish(&b, 4, row);
    expect_row(b.far[1], 15, 0);
    golden_free(b.g);
}

/* The load-store unit writes near and fetches near. */
static void test_load_and_store(void **state) {
    struct bank b;
    struct near_pipe_in *in = &b.in.pipes;
    (void)state;
    open_bank(&b);
    in->load_valid = 1;
    in->load_warp = WARP;
    in->load_reg = 5;
    in->load_mask = ALL;
    for (int l = 0; l < LANES; l++)
        bits_set_lane(in->load_data, l, 40 + (uint32_t)l);
    for (int i = 0; !b.out.pipes.load_ready; i++) {
        assert_true(i < PATIENCE);
        edge(&b, false);
    }
    edge(&b, false);
    in->load_valid = 0;
    in->fetch_valid = 1;
    in->fetch_warp = WARP;
    in->fetch_reg = 5;
    edge(&b, false);
    in->fetch_valid = 0;
    for (int i = 0; !b.out.pipes.fetched_valid; i++) {
        assert_true(i < PATIENCE);
        edge(&b, false);
    }
    for (int l = 0; l < LANES; l++)
        assert_int_equal(bits_lane(b.out.pipes.fetched_data, l), 40 + l);
    golden_free(b.g);
}

/* Lanes exchange rows on the DRAM die: addresses and data go down once, and an
 * access that has them there crosses as an instruction and its end. */
static void test_shared_memory(void **state) {
    struct bank b;
    uint32_t row[LANES] = {0};
    (void)state;
    open_bank(&b);
    write_code(&b, 0, "sts.b32 [r0+0], r1");
    write_code(&b, 1, "lds.b32 r2, [r3+0]");
    write_code(&b, 2, "mov r4, r2 {far}");
    b.in.pipes.window_valid = 1;
    b.in.pipes.window_warp = WARP;
    b.in.pipes.window_base = 12;
    b.in.pipes.window_rows = LANES / 2;
    edge(&b, false);
    b.in.pipes.window_valid = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        b.far[0][l] = 4 * l;
        b.far[1][l] = 70 + l;
        b.far[3][l] = 4 * (LANES - 1 - l);
    }
    b.in.unit.issue_src2 = reg(1);
    issue(&b, 0, OPC_st_shared, 2, 0, reg(0), 0);
    b.in.unit.issue_src2 = 0;
    finish(&b, 0, NULL);
    assert_int_equal(b.packets[DOWN], 2);
    issue(&b, 1, OPC_ld_shared, 2, reg(2), reg(3), 0);
    finish(&b, 2, NULL);
    issue(&b, 1, OPC_ld_shared, 2, reg(2), reg(3), 0);
    finish(&b, 2, NULL);
    assert_int_equal(b.packets[DOWN], 3);
    assert_int_equal(b.packets[UP], 0);
    assert_int_equal(b.packets[INSTR], 3);
    assert_int_equal(b.near_commits, 3);
    issue(&b, 2, OPC_mov, 1, reg(4), 0, reg(2));
    finish(&b, 4, row);
    expect_row(b.far[2], 70 + LANES - 1, (uint32_t)-1);
    golden_free(b.g);
}

static void test_structs(void **state) {
    struct config c;
    struct diag diag = {0};
    (void)state;
    assert_true(config_preset(&c, "near_bank_small", &diag));
    struct design *d = design_make(&near_bank_iface, &c);
    assert_int_equal(d->in_size, sizeof(struct bank_in));
    assert_int_equal(d->out_size, sizeof(struct bank_out));
    assert_int_equal(system_n(d), 2);
    assert_int_equal(system_instance(d, NEAR_BANK_unit)->in_offset,
                     offsetof(struct bank_in, unit));
    assert_int_equal(system_instance(d, NEAR_BANK_pipes)->out_offset,
                     offsetof(struct bank_out, pipes));
    design_free(d);
    diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_stays_near),
        cmocka_unit_test(test_load_and_store),
        cmocka_unit_test(test_shared_memory),
    };
    return cmocka_run_group_tests_name("test_system", tests, NULL, NULL);
}
