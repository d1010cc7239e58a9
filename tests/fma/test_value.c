/* test_value.c - what PTX's fma, mul and add give, by the host's arithmetic
 * (golden/fma/arith.c) and in whole numbers (verilator-tb/fma/oracle.h).
 *
 *     test_value [cases [seed]]      (default 20 million, seed 1)
 *
 * Cases are operations that are hard (hard.h).  More than the default prints
 * what it did; the lock-step compares the RTL with both of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fma/arith.h"
#include "fma/hard.h"
#include "fma/oracle.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t cases = 20000000, seed = 1;

struct known {
    struct fma_op op;
    uint32_t value;
};

/* Worked out by hand from IEEE 754 and the PTX manual. */
static const struct known known[] = {
    /* 1 + 2^-24 is half way; the even one is 1, the next above is odd */
    {{.kind = FMA_ADD, .a = 0x3f800000, .c = 0x33800000}, 0x3f800000},
    {{.kind = FMA_ADD, .a = 0x3f800001, .c = 0x33800000}, 0x3f800002},
    {{.kind = FMA_ADD, .a = 0x3f800000, .c = 0x33800000, .rounding = FMA_RP},
     0x3f800001},
    {{.kind = FMA_ADD, .a = 0xbf800000, .c = 0xb3800000, .rounding = FMA_RM},
     0xbf800001},
    /* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: rounded once */
    {{.a = 0x3f800001, .b = 0x3f800001, .c = 0xbf800002}, 0x28800000},
    /* x - x, and zeros of both signs */
    {{.kind = FMA_ADD, .a = 0x3f800000, .c = 0xbf800000}, 0x00000000},
    {{.kind = FMA_ADD, .a = 0x3f800000, .c = 0xbf800000, .rounding = FMA_RM},
     0x80000000},
    {{.kind = FMA_ADD, .a = 0x80000000, .c = 0x80000000}, 0x80000000},
    {{.kind = FMA_MUL, .a = 0x80000000, .b = 0x3f800000}, 0x80000000},
    {{.kind = FMA_MUL, .a = 0x80000000, .b = 0x3f800000, .sat = true}, 0},
    /* 2^-149 / 2: half way between zero and the least */
    {{.kind = FMA_MUL, .a = 0x00000001, .b = 0x3f000000}, 0x00000000},
    {{.kind = FMA_MUL, .a = 0x00000003, .b = 0x3f000000}, 0x00000002},
    {{.kind = FMA_MUL, .a = 0x00000001, .b = 0x3f000000, .rounding = FMA_RP},
     0x00000001},
    /* rounded up to the least normal number: .ftz leaves that alone */
    {{.kind = FMA_MUL, .a = 0x3f7fffff, .b = 0x00800000}, 0x00800000},
    {{.kind = FMA_MUL, .a = 0x3f7fffff, .b = 0x00800000, .ftz = true},
     0x00800000},
    {{.kind = FMA_MUL, .a = 0xbf000000, .b = 0x00800000, .ftz = true},
     0x80000000},
    {{.kind = FMA_ADD, .a = 0x807fffff, .c = 0x80000000, .ftz = true},
     0x80000000},
    /* overflow */
    {{.kind = FMA_MUL, .a = 0x7f7fffff, .b = 0x40000000}, 0x7f800000},
    {{.kind = FMA_MUL, .a = 0x7f7fffff, .b = 0x40000000, .rounding = FMA_RM},
     0x7f7fffff},
    {{.kind = FMA_MUL, .a = 0x7f7fffff, .b = 0x40000000, .sat = true},
     0x3f800000},
    /* NaN */
    {{.a = 0xffc12345, .b = 0x3f800000, .c = 0x3f800000}, 0x7fffffff},
    {{.a = 0x7f800000, .b = 0, .c = 0x3f800000}, 0x7fffffff},
    {{.kind = FMA_ADD, .a = 0x7f800000, .c = 0xff800000, .sat = true}, 0},
    {{.kind = FMA_MUL, .a = 0x3f800000, .b = 0x3f800000, .c = 0x7fc00000},
     0x3f800000},
    {{.kind = FMA_ADD, .a = 0x3f800000, .b = 0x7fc00000, .c = 0x3f800000},
     0x40000000},
};

static void test_known(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(fma_value(&known[i].op), known[i].value);
        assert_int_equal(fma_oracle(&known[i].op), known[i].value);
    }
}

static void test_two_minds(void **state) {
    (void)state;
    struct rng r;
    uint64_t classes[32] = {0};
    rng_seed(&r, seed);
    for (uint64_t i = 0; i < cases; i++) {
        struct fma_op op = fma_hard(&r);
        uint32_t host = fma_value(&op), whole = fma_oracle(&op);
        if (host != whole)
            fail_msg("kind %d, rounding %d, ftz %d, sat %d of %08x, %08x, "
                     "%08x: %08x by the host, %08x in whole numbers",
                     op.kind, op.rounding, op.ftz, op.sat, op.a, op.b, op.c,
                     host, whole);
        if (i < 1000000)
            for (int k = 0; k < FMA_N_COVERS; k++)
                classes[k] += fma_classes(&op, host) >> k & 1;
    }
    /* hard.h is worth its name: each class is in it */
    for (int k = FMA_COV_back_to_back + 1; k < FMA_N_COVERS; k++)
        assert_true(cases < 1000000 || classes[k] > 20);
    printf("%llu cases, seed %llu, no difference\n", (unsigned long long)cases,
           (unsigned long long)seed);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_two_minds),
    };
    if (argc > 1)
        cases = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
