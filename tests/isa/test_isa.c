/* test_isa.c - words of the instruction set: every one that decodes is the one
 * that its meaning encodes to, and its text reads back as itself. */
#include "isa/isa.h"

#include "base/bits.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t any(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* A legal word goes through its fields and through its text unchanged. */
static void goes_round(uint64_t word) {
    struct isa_word w, again;
    struct isa_error e;
    struct text t = {0};
    uint64_t back = ~word;
    assert_int_equal(isa_decode(word, ISA_REGISTERS, &w), ISA_LEGAL);
    assert_int_equal(isa_encode(&w, &back), ISA_LEGAL);
    assert_int_equal(back, word);
    isa_print(&w, &t);
    if (!isa_parse(t.data, t.len, NULL, NULL, &again, &e))
        fail_msg("%s: column %d: %s", t.data, e.column, e.what);
    assert_int_equal(isa_encode(&again, &back), ISA_LEGAL);
    if (back != word)
        fail_msg("%s: 0x%016" PRIx64 ", was 0x%016" PRIx64, t.data, back, word);
    text_free(&t);
}

/* A random word of op that is likely to be legal. */
static uint64_t random_word(int op) {
    bool imm = strpbrk(isa_info(op)->form, "msp") ||
               (strpbrk(isa_info(op)->form, "if") && any() & 1);
    uint64_t word = any() & isa_bits(op, imm);
    word &= ~(uint64_t)(ones(8) | bit(24));
    word |= (uint64_t)op | (uint64_t)imm << 24;
    if (isa_has(op, 'U'))
        word = (word & ~(ones(4) << 8)) | ISA_TRUE << 8;
    if (isa_has(op, 's'))
        word = (word & ones(40)) | (any() % ISA_SPECIALS) << 40;
    if (isa_has(op, 'p'))
        word = (word & ones(40)) | (any() % ISA_PARAMS) << 40;
    return word;
}

static void every_op_goes_round(void **state) {
    (void)state;
    int n = 0;
    for (int op = 0; op < ISA_OPS; op++) {
        if (!isa_info(op)->text)
            continue;
        for (int i = 0; i < 2000; i++)
            goes_round(random_word(op));
        n++;
    }
    print_message("%d operations\n", n);
    assert_true(n > 100);
}

/* Any bit pattern is refused, or is the only one of its meaning. */
static void random_words_are_canonical(void **state) {
    (void)state;
    int legal = 0;
    for (int i = 0; i < 3000000; i++) {
        uint64_t word = any();
        if (i % 3) /* fewer bits: more legal ones */
            word &= any() | ones(12);
        if (i % 3 == 2)
            word &= any() | ones(12);
        struct isa_word w;
        if (isa_decode(word, ISA_REGISTERS, &w))
            continue;
        goes_round(word);
        legal++;
    }
    print_message("%d legal of 3000000 random words\n", legal);
    assert_true(legal > 1000);
}

/* One more bit, of those that the op does not use, and it is no word. */
static void unused_bits_are_refused(void **state) {
    (void)state;
    for (int op = 1; op < ISA_OPS; op++) {
        if (!isa_info(op)->text)
            continue;
        for (int i = 8; i < 64; i++) {
            struct isa_word w;
            uint64_t word = random_word(op);
            bool imm = word >> 24 & 1;
            if (i != 24 && !(isa_bits(op, imm) & bit(i)))
                assert_int_equal(isa_decode(word | bit(i), ISA_REGISTERS, &w),
                                 ISA_NOT_ZERO);
        }
    }
}

static void refuses(void **state) {
    (void)state;
    struct isa_word w;
    assert_int_equal(isa_decode(0, 64, &w), ISA_NO_OP);
    assert_int_equal(isa_decode(0x7f07, 64, &w), ISA_NO_OP);
    assert_int_equal(isa_decode(0x001, 64, &w), ISA_GUARDED); /* @p0 nop */
    assert_int_equal(isa_decode(0xf04, 64, &w), ISA_GUARDED); /* @!p7 bar */
    assert_int_equal(isa_decode(0x702, 64, &w), ISA_LEGAL);   /* exit */
    assert_int_equal(isa_decode(0x1710, 64, &w), ISA_LEGAL);  /* mov r1, r0 */
    assert_int_equal(isa_decode(0x11710, 32, &w), ISA_LEGAL); /* r17 */
    assert_int_equal(isa_decode(0x11710, 16, &w), ISA_NO_REGISTER);
    assert_int_equal(isa_decode(bit(44) | 0x710, 16, &w), ISA_NO_REGISTER);
    assert_int_equal(isa_decode(bit(22) | 0x712, 16, &w), ISA_NO_REGISTER);
    assert_int_equal(isa_decode(bit(36) | 0x715, 16, &w), ISA_NO_REGISTER);
    assert_int_equal(isa_decode(bit(36) | 0x768, 16, &w), ISA_NOT_ZERO);
    assert_int_equal(isa_decode(bit(36) | bit(24) | 0x768, 16, &w),
                     ISA_NO_REGISTER);
    assert_int_equal(isa_decode(0x708, 64, &w), ISA_NOT_ZERO); /* s2r, no imm */
    assert_int_equal(isa_decode(14ull << 40 | bit(24) | 0x708, 64, &w),
                     ISA_NO_SPECIAL);
    assert_int_equal(isa_decode(bit(50) | bit(24) | 0x709, 64, &w),
                     ISA_NO_PARAM);
    assert_int_equal(isa_decode(~0ull << 40 | bit(24) | 0x709, 64, &w),
                     ISA_NO_PARAM);
}

/* What a text says, as the word of the layout in isa.h. */
static void layout(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t word;
    } cases[] = {
        {"exit", 0x0000000000000702},
        {"@!p3 exit", 0x0000000000000b02},
        {"bra 5, 9", 0x0009000500000703},
        {"@p0 bra 5", 0xffff000500000003},
        {"mov r1, r2", 0x0000020000001710},
        {"movi r63, 0x3f800000", 0x3f8000000003f711},
        {"add r1, r2, r3", 0x0000030000081712},
        {"add r1, r2, -1", 0xffffff0001081712},
        {"ffma.rp.ftz.sat r1, r2, r3, r4", 0x0000c3c400081742},
        {"ffma.rz r1, r2, 0f40490F00, r4", 0x40490f4401081742},
        {"sel r1, r2, r3, !p4", 0x0000030c0008171f},
        {"pand p1, !p2, p3", 0x000003000028170c},
        {"ldg.b32 r1, [r2-4]", 0xfffffc0001081760},
        {"stg.b8 [r2+16], r9 {near, chain 3, mark}", 0x000010099d080769},
        {"atg.cas r1, [r2], r3, r4", 0x0000030400081789},
        {"s2r r1, %ntid.y", 0x0000060001001708},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_word w;
        struct isa_error e;
        uint64_t word;
        if (!isa_parse(cases[i].text, strlen(cases[i].text), NULL, NULL, &w,
                       &e))
            fail_msg("%s: column %d: %s", cases[i].text, e.column, e.what);
        assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
        if (word != cases[i].word)
            fail_msg("%s: 0x%016" PRIx64, cases[i].text, word);
        struct text t = {0};
        isa_print(&w, &t);
        assert_string_equal(t.data, cases[i].text);
        text_free(&t);
    }
}

static void texts_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        int column;
    } cases[] = {
        {"", "expected an operation", 1},
        {"adds r1, r2, r3", "expected an operation", 1},
        {"add r1, r2", "expected ','", 11},
        {"add r1, r2, r64", "expected a register r0 to r63", 13},
        {"add r1, r2, r03", "expected a register r0 to r63", 13},
        {"add r1, r2, 8388608", "a number beyond 24 bits with sign", 13},
        {"add r1, r2, p1", "expected a number", 13},
        {"add.ftz r1, r2, r3", "a modifier that the operation lacks", 4},
        {"fadd.sat.ftz r1, r2, r3", "a modifier that the operation lacks", 9},
        {"fadd.ftz r1, r2, 0f3F800000",
         "expected a register: .ftz and .sat take no number", 18},
        {"fadd r1, r2, 0f3F800001",
         "the low 8 bits of an f32 immediate must be zero", 14},
        {"seteq r1, r2, r3", "expected a predicate p0 to p7", 7},
        {"@p8 exit", "expected a predicate p0 to p7", 2},
        {"ldg.b32 r1, r2", "expected '['", 13},
        {"atg.add r1, [r2+4], r3", "expected ']'", 16},
        {"s2r r1, %tid", "expected a special register", 9},
        {"ldp r1, 1024", "no parameter word has this number", 9},
        {"bra there", "expected a code address", 5},
        {"exit r1", "expected the end of the line", 6},
        {"exit {close}", "expected far, near, both, chain or mark", 7},
        {"exit {chain 16}", "expected a chain from 1 to 15", 13},
        {"@p0 bar", "a guard where none may be", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_word w;
        struct isa_error e;
        if (isa_parse(cases[i].text, strlen(cases[i].text), NULL, NULL, &w, &e))
            fail_msg("'%s' was read", cases[i].text);
        if (strcmp(e.what, cases[i].what) || e.column != cases[i].column)
            fail_msg("'%s': column %d: %s", cases[i].text, e.column, e.what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(refuses),
        cmocka_unit_test(texts_refused),
        cmocka_unit_test(every_op_goes_round),
        cmocka_unit_test(unused_bits_are_refused),
        cmocka_unit_test(random_words_are_canonical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
