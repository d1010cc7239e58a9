/* test_signature.c - what outputs and free inputs become, by known values and
 * by what docs/blocks/bist.md promises of all 928 outputs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/bist/signature.h"

#include <stdio.h>
#include <string.h>

/* The fold of output i alone. */
static uint32_t column(int i) {
    struct flat_row row = {{0}};
    row.w[i / 64] = (uint64_t)1 << i % 64;
    return signature_fold(&row, FLAT_BITS);
}

static void test_fold(void **state) {
    (void)state;
    assert_int_equal(column(0), 0x7);          /* 0, 1, 2 */
    assert_int_equal(column(31), 0x80000003);  /* 31, 0, 1 */
    assert_int_equal(column(32), 0xb);         /* 0, 1, 3 */
    assert_int_equal(column(927), 0xa0000001); /* 31, 0, 61 mod 32 */
}

/* Three places each, and no two outputs at the same. */
static void test_columns(void **state) {
    (void)state;
    for (int i = 0; i < FLAT_BITS; i++) {
        assert_int_equal(__builtin_popcount(column(i)), 3);
        for (int k = 0; k < i; k++)
            if (column(i) == column(k))
                fail_msg("outputs %d and %d enter at the same places", k, i);
    }
}

/* Bits that a block does not have are not looked at. */
static void test_width(void **state) {
    struct flat_row row = {{0}};
    (void)state;
    row.w[0] = UINT64_C(0x100000001);
    assert_int_equal(signature_fold(&row, 32), 0x7);
    assert_int_equal(signature_fold(&row, 33), 0x7 ^ 0xb);
}

static void test_signature(void **state) {
    struct flat_row row = {{0}};
    (void)state;
    assert_int_equal(signature_add(0x40000000, &row, 43), 0x80000000);
    assert_int_equal(signature_add(0x80000000, &row, 43), 0x04c11db7);
    row.w[0] = 1;
    assert_int_equal(signature_add(0x80000000, &row, 43), 0x04c11db0);
}

/* The polynomial is primitive: a difference comes back after 2^32 - 1 edges and
 * not after a part of them, 3 * 5 * 17 * 257 * 65537. */
static uint32_t times(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (int i = 31; i >= 0; i--) {
        product = product << 1 ^ (product >> 31 ? UINT32_C(0x04c11db7) : 0);
        if (b >> i & 1)
            product ^= a;
    }
    return product;
}

static uint32_t power(uint64_t n) {
    uint32_t result = 1, square = 2;
    for (; n; n >>= 1, square = times(square, square))
        if (n & 1)
            result = times(result, square);
    return result;
}

static void test_primitive(void **state) {
    static const uint64_t primes[] = {3, 5, 17, 257, 65537};
    struct flat_row none = {{0}};
    uint32_t s = 1;
    (void)state;
    for (int i = 0; i < 1000; i++)
        s = signature_add(s, &none, 1);
    assert_int_equal(s, power(1000)); /* the same shift */
    assert_int_equal(power(UINT32_MAX), 1);
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        assert_int_not_equal(power(UINT32_MAX / primes[i]), 1);
}

/* Marsaglia, Xorshift RNGs: 13, 17, 5. */
static void test_random(void **state) {
    (void)state;
    assert_int_equal(random_next(1), 270369);
    assert_int_equal(random_next(270369), 67634689);
    assert_int_equal(random_next(0), 0);
}

static void test_free_bits(void **state) {
    struct flat_row mask = {{0}}, row = {{0}};
    (void)state;
    mask.w[0] = UINT64_C(0xffffffff00000000); /* slice 1: b, b + 1, b + 3 */
    row.w[0] = 5;
    random_mix(8, &mask, 64, &row); /* bit 3 alone */
    assert_int_equal(row.w[0], UINT64_C(0x0000000d00000005));
    random_mix(8, &mask, 64, &row);
    assert_int_equal(row.w[0], 5);
    mask.w[0] = UINT64_C(0x0000000100000000);
    random_mix(8, &mask, 64, &row);
    assert_int_equal(row.w[0], UINT64_C(0x0000000100000005));
    mask.w[0] = 4; /* slice 0: b, b + 1, b + 2 */
    random_mix(8, &mask, 64, &row);
    assert_int_equal(row.w[0], UINT64_C(0x0000000100000001));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold),      cmocka_unit_test(test_columns),
        cmocka_unit_test(test_width),     cmocka_unit_test(test_signature),
        cmocka_unit_test(test_primitive), cmocka_unit_test(test_random),
        cmocka_unit_test(test_free_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
