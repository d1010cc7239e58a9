/* test_alu.c - operations on one lane, at their edges: rounding modes, .ftz,
 * .sat, NaN, signed zeros, saturating conversions, shifts beyond the word. */
#include "isa/alu.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FTZ = 1, SAT = 2 };

static struct isa_word word(int op, int round, int flags) {
    return (struct isa_word){.op = (uint8_t)op,
                             .guard = ISA_TRUE,
                             .round = (uint8_t)round,
                             .ftz = flags & FTZ,
                             .sat = flags & SAT};
}

struct value_case {
    int op, round, flags;
    uint32_t a, b, c, want;
};

static void values(const struct value_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct value_case *k = &cases[i];
        struct isa_word w = word(k->op, k->round, k->flags);
        assert_true(alu_is_value(k->op));
        uint32_t got = alu_value(&w, k->a, k->b, k->c, false);
        if (got != k->want)
            fail_msg("%zu: %s of %08x, %08x, %08x: %08x, expected %08x", i,
                     isa_info(k->op)->text, k->a, k->b, k->c, got, k->want);
        assert_int_equal(fegetround(), FE_TONEAREST);
    }
}

#define ALL(cases) values(cases, sizeof cases / sizeof *cases)

static void integers(void **state) {
    (void)state;
    static const struct value_case cases[] = {
        {ISA_add, 0, 0, 0xffffffff, 2, 0, 1},
        {ISA_sub, 0, 0, 1, 2, 0, 0xffffffff},
        {ISA_rsub, 0, 0, 1, 2, 0, 1},
        {ISA_add3, 0, 0, 0xffffffff, 2, 5, 6},
        {ISA_carry, 0, 0, 0xffffffff, 1, 0, 1},
        {ISA_carry, 0, 0, 0xfffffffe, 1, 0, 0},
        {ISA_borrow, 0, 0, 1, 2, 0, 1},
        {ISA_borrow, 0, 0, 2, 2, 0, 0},
        {ISA_shl, 0, 0, 3, 31, 0, 0x80000000},
        {ISA_shl, 0, 0, 3, 32, 0, 0},
        {ISA_shl, 0, 0, 3, 0xffffffff, 0, 0},
        {ISA_shr, 0, 0, 0x80000000, 31, 0, 1},
        {ISA_shr, 0, 0, 0x80000000, 33, 0, 0},
        {ISA_sar, 0, 0, 0x80000000, 0, 0, 0x80000000},
        {ISA_sar, 0, 0, 0x80000000, 31, 0, 0xffffffff},
        {ISA_sar, 0, 0, 0x80000000, 100, 0, 0xffffffff},
        {ISA_sar, 0, 0, 0x7fffffff, 100, 0, 0},
        {ISA_andn, 0, 0, 0xff, 0x0f, 0, 0xf0},
        {ISA_mins, 0, 0, 0x80000000, 1, 0, 0x80000000},
        {ISA_minu, 0, 0, 0x80000000, 1, 0, 1},
        {ISA_maxs, 0, 0, 0x80000000, 1, 0, 1},
        {ISA_maxu, 0, 0, 0x80000000, 1, 0, 0x80000000},
        {ISA_popc, 0, 0, 0xf0f0f0f1, 0, 0, 17},
        {ISA_clz, 0, 0, 0, 0, 0, 32},
        {ISA_clz, 0, 0, 1, 0, 0, 31},
        {ISA_brev, 0, 0, 0x00000003, 0, 0, 0xc0000000},
        {ISA_mul, 0, 0, 0x10001, 0x10001, 0, 0x20001},
        {ISA_mulhu, 0, 0, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
        {ISA_mulhs, 0, 0, 0xffffffff, 0xffffffff, 0, 0},
        {ISA_mulhs, 0, 0, 0x80000000, 2, 0, 0xffffffff},
        {ISA_mad, 0, 0, 3, 4, 0xffffffff, 11},
        {ISA_sel, 0, 0, 3, 4, 0, 4},
    };
    ALL(cases);
}

static void rounds(void **state) {
    (void)state;
    static const struct value_case cases[] = {
        /* 1 + 2^-24: the middle; and a little more */
        {ISA_fadd, ISA_RN, 0, 0x3f800000, 0x33800000, 0, 0x3f800000},
        {ISA_fadd, ISA_RZ, 0, 0x3f800000, 0x33800001, 0, 0x3f800000},
        {ISA_fadd, ISA_RM, 0, 0x3f800000, 0x33800001, 0, 0x3f800000},
        {ISA_fadd, ISA_RP, 0, 0x3f800000, 0x33800000, 0, 0x3f800001},
        {ISA_fadd, ISA_RN, 0, 0x3f800000, 0x33800001, 0, 0x3f800001},
        {ISA_fadd, ISA_RM, 0, 0xbf800000, 0xb3800000, 0, 0xbf800001},
        /* x - x: -0 only downward */
        {ISA_fadd, ISA_RN, 0, 0x3f800000, 0xbf800000, 0, 0},
        {ISA_fadd, ISA_RM, 0, 0x3f800000, 0xbf800000, 0, 0x80000000},
        {ISA_fadd, ISA_RN, 0, 0x80000000, 0x80000000, 0, 0x80000000},
        /* overflow */
        {ISA_fmul, ISA_RN, 0, 0x7f7fffff, 0x40000000, 0, 0x7f800000},
        {ISA_fmul, ISA_RZ, 0, 0x7f7fffff, 0x40000000, 0, 0x7f7fffff},
        {ISA_fmul, ISA_RP, 0, 0xff7fffff, 0x40000000, 0, 0xff7fffff},
        /* the least number, up and down */
        {ISA_fmul, ISA_RP, 0, 1, 0x3f000000, 0, 1},
        {ISA_fmul, ISA_RN, 0, 1, 0x3f000000, 0, 0},
        {ISA_fmul, ISA_RN, 0, 3, 0x3f000000, 0, 2},
        /* fused: (1 + 2^-12)^2 - 1 - 2^-11 = 2^-24 */
        {ISA_ffma, ISA_RN, 0, 0x3f800800, 0x3f800800, 0xbf801000, 0x33800000},
        {ISA_ffma, ISA_RM, 0, 0x3f800000, 0x3f800000, 0xb3800001, 0x3f7ffffe},
        /* integers that need rounding */
        {ISA_cvtfs, ISA_RN, 0, 0x01000001, 0, 0, 0x4b800000},
        {ISA_cvtfs, ISA_RP, 0, 0x01000001, 0, 0, 0x4b800001},
        {ISA_cvtfs, ISA_RP, 0, 0xfeffffff, 0, 0, 0xcb800000},
        {ISA_cvtfs, ISA_RM, 0, 0xfeffffff, 0, 0, 0xcb800001},
        {ISA_cvtfu, ISA_RN, 0, 0xffffffff, 0, 0, 0x4f800000},
        {ISA_cvtfu, ISA_RZ, 0, 0xffffffff, 0, 0, 0x4f7fffff},
    };
    ALL(cases);
}

static void not_numbers(void **state) {
    (void)state;
    static const struct value_case cases[] = {
        {ISA_fadd, 0, 0, 0x7f800000, 0xff800000, 0, ALU_NAN},
        {ISA_fadd, 0, 0, 0xffc00001, 0, 0, ALU_NAN},
        {ISA_fmul, 0, 0, 0x7f800000, 0, 0, ALU_NAN},
        {ISA_ffma, 0, 0, 0x7f800000, 0x3f800000, 0xff800000, ALU_NAN},
        {ISA_ffma, 0, SAT, 0x7f800000, 0x3f800000, 0xff800000, 0},
        {ISA_fmin, 0, 0, 0x7fc00000, 0x3f800000, 0, 0x3f800000},
        {ISA_fmax, 0, 0, 0x3f800000, 0xffffffff, 0, 0x3f800000},
        {ISA_fmax, 0, 0, 0x7f800001, 0xffffffff, 0, ALU_NAN},
        {ISA_fmin, 0, 0, 0, 0x80000000, 0, 0x80000000},
        {ISA_fmin, 0, 0, 0x80000000, 0, 0, 0x80000000},
        {ISA_fmax, 0, 0, 0, 0x80000000, 0, 0},
        {ISA_fmax, 0, 0, 0x80000000, 0, 0, 0},
        {ISA_frnd, 0, 0, 0x7f800001, 0, 0, ALU_NAN},
        {ISA_frnd, 0, SAT, 0x7f800001, 0, 0, 0},
    };
    ALL(cases);
}

static void flushes(void **state) {
    (void)state;
    static const struct value_case cases[] = {
        {ISA_fadd, 0, FTZ, 0x00000001, 0x00000001, 0, 0},
        {ISA_fadd, 0, FTZ, 0x80000001, 0x80000001, 0, 0x80000000},
        {ISA_fmul, 0, FTZ, 0x007fffff, 0x7f000000, 0, 0},
        {ISA_fmul, 0, FTZ, 0x80800000, 0x3f000000, 0, 0x80000000},
        {ISA_ffma, 0, FTZ, 0x3f800000, 0x3f800000, 0x007fffff, 0x3f800000},
        {ISA_fmin, 0, FTZ, 0x00000001, 0x3f800000, 0, 0},
        {ISA_fmax, 0, 0, 0x00000001, 0x80000000, 0, 0x00000001},
        {ISA_cvtuf, ISA_RP, FTZ, 0x00000001, 0, 0, 0},
        {ISA_cvtuf, ISA_RP, 0, 0x00000001, 0, 0, 1},
        {ISA_frnd, ISA_RP, FTZ, 0x00000001, 0, 0, 0},
        {ISA_fadd, 0, SAT, 0x40000000, 0, 0, 0x3f800000},
        {ISA_fadd, 0, SAT, 0xc0000000, 0, 0, 0},
        {ISA_fadd, 0, SAT, 0x80000000, 0x80000000, 0, 0},
        {ISA_fmul, 0, SAT, 0x3f000000, 0x3f800000, 0, 0x3f000000},
    };
    ALL(cases);
}

static void converts(void **state) {
    (void)state;
    static const struct value_case cases[] = {
        {ISA_cvtsf, ISA_RZ, 0, 0x4f000000, 0, 0, 0x7fffffff},
        {ISA_cvtsf, ISA_RZ, 0, 0xcf000000, 0, 0, 0x80000000},
        {ISA_cvtsf, ISA_RZ, 0, 0xff800000, 0, 0, 0x80000000},
        {ISA_cvtsf, ISA_RZ, 0, 0x7fc00000, 0, 0, 0},
        {ISA_cvtsf, ISA_RN, 0, 0x40200000, 0, 0, 2},          /* 2.5 */
        {ISA_cvtsf, ISA_RN, 0, 0x40600000, 0, 0, 4},          /* 3.5 */
        {ISA_cvtsf, ISA_RM, 0, 0xc0200000, 0, 0, 0xfffffffd}, /* -2.5 */
        {ISA_cvtsf, ISA_RP, 0, 0xc0200000, 0, 0, 0xfffffffe},
        {ISA_cvtuf, ISA_RZ, 0, 0x4f800000, 0, 0, 0xffffffff},
        {ISA_cvtuf, ISA_RZ, 0, 0x4f7fffff, 0, 0, 0xffffff00},
        {ISA_cvtuf, ISA_RZ, 0, 0xbf800000, 0, 0, 0},
        {ISA_cvtuf, ISA_RM, 0, 0xbf000000, 0, 0, 0},
        {ISA_cvtuf, ISA_RZ, 0, 0x7f800000, 0, 0, 0xffffffff},
        {ISA_frnd, ISA_RN, 0, 0xbe800000, 0, 0, 0x80000000},
        {ISA_frnd, ISA_RM, 0, 0xbe800000, 0, 0, 0xbf800000},
        {ISA_frnd, ISA_RP, 0, 0x3f000000, 0, 0, 0x3f800000},
        {ISA_frnd, ISA_RN, 0, 0x4b000001, 0, 0, 0x4b000001},
        {ISA_frnd, ISA_RP, SAT, 0x40200000, 0, 0, 0x3f800000},
    };
    ALL(cases);
}

/* Each comparison on less, equal, greater and not comparable. */
static void compares(void **state) {
    (void)state;
    static const struct {
        int op;
        bool less, same, more, none;
    } cases[] = {
        {ISA_fseteq, 0, 1, 0, 0},  {ISA_fsetne, 1, 0, 1, 0},
        {ISA_fsetlt, 1, 0, 0, 0},  {ISA_fsetle, 1, 1, 0, 0},
        {ISA_fsetgt, 0, 0, 1, 0},  {ISA_fsetge, 0, 1, 1, 0},
        {ISA_fsetequ, 0, 1, 0, 1}, {ISA_fsetneu, 1, 0, 1, 1},
        {ISA_fsetltu, 1, 0, 0, 1}, {ISA_fsetleu, 1, 1, 0, 1},
        {ISA_fsetgtu, 0, 0, 1, 1}, {ISA_fsetgeu, 0, 1, 1, 1},
        {ISA_fsetnan, 0, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_word w = word(cases[i].op, 0, 0);
        assert_int_equal(alu_test(&w, 0xbf800000, 0x3f800000), cases[i].less);
        assert_int_equal(alu_test(&w, 0x80000000, 0), cases[i].same);
        assert_int_equal(alu_test(&w, 1, 0), cases[i].more);
        assert_int_equal(alu_test(&w, 0x7f800000, 0x7f7fffff), cases[i].more);
        assert_int_equal(alu_test(&w, 0x7fc00000, 0), cases[i].none);
        assert_int_equal(alu_test(&w, 0, 0xff800001), cases[i].none);
        w.ftz = true;
        assert_int_equal(alu_test(&w, 1, 0x807fffff), cases[i].same);
    }
    static const struct {
        int op;
        bool less, same, more; /* of -1 and 1, signed */
        bool below, above;     /* of 1 and -1, unsigned: as less and more */
    } ints[] = {
        {ISA_seteq, 0, 1, 0, 0, 0},  {ISA_setne, 1, 0, 1, 1, 1},
        {ISA_setlts, 1, 0, 0, 0, 1}, {ISA_setles, 1, 1, 0, 0, 1},
        {ISA_setgts, 0, 0, 1, 1, 0}, {ISA_setges, 0, 1, 1, 1, 0},
        {ISA_setltu, 0, 0, 1, 1, 0}, {ISA_setleu, 0, 1, 1, 1, 0},
        {ISA_setgtu, 1, 0, 0, 0, 1}, {ISA_setgeu, 1, 1, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        struct isa_word w = word(ints[i].op, 0, 0);
        assert_true(alu_is_test(ints[i].op));
        assert_int_equal(alu_test(&w, UINT32_MAX, 1), ints[i].less);
        assert_int_equal(alu_test(&w, 7, 7), ints[i].same);
        assert_int_equal(alu_test(&w, 1, UINT32_MAX), ints[i].more);
        assert_int_equal(alu_test(&w, 0, 0x80000000), ints[i].below);
        assert_int_equal(alu_test(&w, 0x80000000, 0), ints[i].above);
    }
}

static void atomics(void **state) {
    (void)state;
    static const struct {
        int op;
        uint32_t old, b, c, want;
    } cases[] = {
        {ISA_atg_add, 0xffffffff, 0, 3, 2},
        {ISA_atg_mins, 0xffffffff, 0, 3, 0xffffffff},
        {ISA_atg_minu, 0xffffffff, 0, 3, 3},
        {ISA_ats_maxs, 0xffffffff, 0, 3, 3},
        {ISA_ats_maxu, 0xffffffff, 0, 3, 0xffffffff},
        {ISA_ats_and, 6, 0, 3, 2},
        {ISA_atg_or, 6, 0, 3, 7},
        {ISA_atg_xor, 6, 0, 3, 5},
        {ISA_ats_exch, 6, 0, 3, 3},
        {ISA_atg_cas, 6, 6, 3, 3},
        {ISA_ats_cas, 6, 7, 3, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            alu_atomic(cases[i].op, cases[i].old, cases[i].b, cases[i].c),
            cases[i].want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),    cmocka_unit_test(rounds),
        cmocka_unit_test(not_numbers), cmocka_unit_test(flushes),
        cmocka_unit_test(converts),    cmocka_unit_test(compares),
        cmocka_unit_test(atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
