/* test_regions.c - blocks of words that may run on another core, or may not and
 * why; what goes there and comes back.
 */
#include "codegen/blocks.h"
#include "isa/image.h"
#include "papers/tom/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The block [begin, end) of a text, asked for at ask. */
static const char *check(const char *text, int begin, int end, int ask,
                         struct isa_block *b) {
    struct arena a = {0};
    struct diag d = {0};
    struct source s = {"k.s", text, strlen(text)};
    struct isa_image *image = isa_image_parse(&a, &s, &d);
    struct isa_word words[64];
    diag_flush(&d, stdout);
    assert_non_null(image);
    for (int i = 0; i < image->n_words; i++)
        assert_int_equal(isa_decode(image->words[i], 64, &words[i]), 0);
    *b = (struct isa_block){.begin = begin, .end = end, .ask = ask};
    const char *why = blocks_check(words, image->n_words, 0, b);
    arena_free(&a);
    diag_free(&d);
    return why;
}

/* A kernel whose block, words 3 to 6, is these three lines. */
static const char *check_body(const char *body, struct isa_block *b) {
    char text[1024];
    snprintf(text, sizeof text,
             "ldp r1, 4\nldp r2, 1\nL2:\nor r1, r1, 0 {mark}\nL3:\n%s\nL6:\n"
             "stg.b32 [r1], r4\nL7:\nexit\n",
             body);
    return check(text, 3, 6, 2, b);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *body, *why;
    } cases[] = {
        {"nop\nnop\nldg.b32 r4, [r1]", NULL},
        {"s2r r4, %laneid\nnop\nstg.b32 [r1], r4", NULL},
        {"lds.b32 r4, [r1]\nnop\nnop", "shared memory"},
        {"ats.add r4, [r1], r1\nnop\nnop", "an atomic operation"},
        {"atg.add r4, [r1], r1\nnop\nnop", "an atomic operation"},
        {"nop\nbar\nnop", "a barrier"},
        {"nop\nmembar\nnop", "a fence"},
        {"nop\n@p0 exit\nnop", "an exit"},
        {"nop\n@p0 trap\nnop", "a trap"},
        {"s2r r4, %ctaid.x\nnop\nnop", "a special register"},
        {"s2r r4, %slot\nnop\nnop", "a special register"},
        {"s2r r4, %ntid.x\nnop\nnop", "a special register"},
        {"ldp r4, 0\nldp r4, 4\nnop", NULL},
        {"ldp r4, 1\nnop\nnop", "on each core"},
        {"ldp r4, 3\nnop\nnop", "on each core"},
        {"add r3, r2, 8\nldg.b32 r4, [r3]\nnop", "local memory"},
        {"mov r3, r2\n@p0 movi r3, 0x00000100\nldg.b32 r4, [r3]",
         "local memory"},
        {"mov r3, r2\nmovi r3, 0x00000100\nldg.b32 r4, [r3]", NULL},
        {"nop\n@p0 bra L7, L7\nnop", "it is left elsewhere"},
        {"nop\n@p0 bra L6, L7\nnop", "paths meet across"},
        {"nop\n@p0 bra L6, L6\nnop", NULL},
        {"nop\nnop\n@p0 bra L3, L6", NULL},
        {"nop\nnop\n@p0 bra L2, L6", "it is left elsewhere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_block b;
        char body[256];
        snprintf(body, sizeof body, "%s", cases[i].body);
        const char *why = check_body(body, &b);
        if (!why != !cases[i].why || (why && !strstr(why, cases[i].why)))
            fail_msg("'%s': %s, expected %s", cases[i].body,
                     why ? why : "a block",
                     cases[i].why ? cases[i].why : "one");
    }
}

static void entered(void **state) {
    (void)state;
    struct isa_block b;
    assert_string_equal(
        check("@p0 bra L2, L3\nnop\nL2:\nnop\nL3:\nexit\n", 1, 3, 1, &b),
        "it is entered elsewhere than at its begin");
    assert_string_equal(
        check("@p0 bra L2, L2\nnop {mark}\nL2:\nnop\nexit\n", 2, 3, 1, &b),
        "it is entered without asking");
    assert_string_equal(check("nop\nnop\nexit\n", 0, 1, 0, &b),
                        "the kernel begins with it");
    assert_string_equal(
        check("nop\nL1:\nldg.b32 r1, [r1]\n@p0 bra L1, L3\nL3:\nexit\n", 1, 3,
              1, &b),
        "its loop would ask again");
    /* paths that meet inside, but came from outside */
    assert_string_equal(
        check("@p0 bra L1, L2\nL1:\nnop\nL2:\nnop\nexit\n", 1, 3, 1, &b),
        "paths meet across its bounds");
}

/* What is live, and what a guard leaves as it was. */
static void rows(void **state) {
    (void)state;
    struct isa_block b;
    /* r4 is written where p0 holds: its old value goes along */
    assert_null(check_body("nop\nnop\n@p0 ldg.b32 r4, [r1]", &b));
    assert_int_equal(b.in, 1 << 1 | 1 << 4);
    assert_int_equal(b.out, 1 << 4);
    assert_int_equal(b.pred_in, 1);
    assert_int_equal(b.pred_out, 0);
    /* always written; the predicate is the block's own */
    assert_null(check_body(
        "setne p1, r1, 0\nmovi r4, 0x00000000\n@p1 ldg.b32 r4, [r1]", &b));
    assert_int_equal(b.in, 1 << 1);
    assert_int_equal(b.pred_in, 0);
    assert_int_equal(b.pred_out, 0);
    /* not read behind: does not come back; r1 is, and passes by */
    assert_null(check_body("add r5, r6, 1\nnop\nstg.b32 [r7], r5", &b));
    assert_int_equal(b.in, 1 << 6 | 1 << 7);
    assert_int_equal(b.out, 0);
    /* a branch skips the write */
    assert_null(check_body("nop\n@p2 bra L6, L6\nmov r4, r8", &b));
    assert_int_equal(b.in, 1 << 4 | 1 << 8);
    assert_int_equal(b.out, 1 << 4);
    assert_int_equal(b.pred_in, 4);
    /* a predicate that is read behind, partly written */
    assert_null(check("ldp r1, 4\nldg.b32 r2, [r1] {mark}\n"
                      "@p3 setne p4, r2, 0\n@p4 stg.b32 [r1], r1\nexit\n",
                      1, 3, 1, &b));
    assert_int_equal(b.in, 1 << 1);
    assert_int_equal(b.out, 0);
    assert_int_equal(b.pred_in, 1 << 3 | 1 << 4);
    assert_int_equal(b.pred_out, 1 << 4);
}

/* As an entry of the controller's table. */
static void entry(void **state) {
    (void)state;
    struct isa_block b = {.begin = 13,
                          .end = 40,
                          .ask = 12,
                          .in = (uint64_t)1 << 31 | 3,
                          .out = 2,
                          .pred_in = 1 << 6,
                          .rx = true,
                          .cond_reg = 5,
                          .compare = ISA_COMPARE_LE,
                          .is_signed = true,
                          .threshold = (uint32_t)-5};
    struct offload_local size = {.REGS = 39, .PC_W = 12};
    struct offload_entry_fields e;
    assert_null(ptx_entry_of_block(&b, 32, &size, &e));
    assert_int_equal(e.live_in[0], (uint64_t)1 << 38 | (uint64_t)1 << 31 | 3);
    assert_int_equal(e.live_out[0], 2);
    assert_int_equal(e.n_in, 4);
    assert_true(e.valid && e.mem_first && e.tag_rx && !e.tag_tx);
    assert_true(e.cond && e.cond_signed && e.cond_reg == 5);
    assert_int_equal(e.cond_compare, 3);
    assert_int_equal(e.threshold, (uint32_t)-5);
    assert_true(e.begin_pc == 13 && e.end_pc == 40);
    size.REGS = 38;
    assert_string_equal(ptx_entry_of_block(&b, 32, &size, &e), "registers");
    size = (struct offload_local){.REGS = 64, .PC_W = 5};
    assert_string_equal(ptx_entry_of_block(&b, 32, &size, &e),
                        "bits of a program counter");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused),
        cmocka_unit_test(entered),
        cmocka_unit_test(rows),
        cmocka_unit_test(entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
