/* test_bits.c - masks, fields, sets, lanes and the hash, against one bit at a
 * time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"

#include <string.h>

enum { WORDS = 4, BITS = 64 * WORDS };

static uint64_t random_next(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static void test_masks(void **state) {
    (void)state;
    uint64_t all = 0;
    for (int n = 0; n <= 64; n++) {
        assert_true(ones(n) == all);
        if (n < 64)
            assert_true(bit(n) == all + 1);
        all = 2 * all + 1;
    }
    assert_true(ones(65) == UINT64_MAX && ones(1024) == UINT64_MAX);
}

static void test_signed(void **state) {
    (void)state;
    assert_true(bits_signed(0, 1) == 0 && bits_signed(1, 1) == -1);
    assert_true(bits_signed(0x17f, 8) == 127 && bits_signed(0x80, 8) == -128);
    assert_true(bits_signed(UINT64_MAX, 64) == -1);
    assert_true(bits_signed(UINT64_MAX >> 1, 64) == INT64_MAX);
    assert_true(bits_signed(bit(63), 64) == INT64_MIN);
    for (int width = 1; width < 64; width++) {
        assert_true(bits_signed(bit(width - 1), width) ==
                    -(int64_t)bit(width - 1));
        assert_true(bits_signed(bit(width) | ones(width - 1), width) ==
                    (int64_t)ones(width - 1));
    }
}

/* Every width at every place. */
static void test_fields(void **state) {
    (void)state;
    uint64_t seed = 7, w[WORDS], out[WORDS], before[WORDS];
    for (int width = 0; width <= 64; width++)
        for (int at = 0; at + width <= BITS; at++) {
            uint64_t want = 0, v = random_next(&seed);
            for (int i = 0; i < WORDS; i++)
                w[i] = random_next(&seed);
            for (int i = 0; i < width; i++)
                want |= (w[(at + i) / 64] >> (at + i) % 64 & 1) << i;
            assert_true(bits_get(w, at, width) == want);
            memcpy(before, w, sizeof w);
            memcpy(out, w, sizeof w);
            for (int i = 0; i < width; i++)
                out[(at + i) / 64] |= (v >> i & 1) << (at + i) % 64;
            bits_or(w, at, width, v);
            assert_memory_equal(w, out, sizeof w);
            if (width == 0)
                assert_memory_equal(w, before, sizeof w);
        }
}

/* Fields without gaps come back, and end at the last bit of the last word. */
static void test_fields_in_a_row(void **state) {
    (void)state;
    static const int widths[] = {1, 64, 0, 63, 33, 31, 40, 24};
    uint64_t seed = 9, w[WORDS] = {0}, v[8];
    int at = 0;
    for (int i = 0; i < 8; i++)
        bits_put(w, &at, widths[i], v[i] = random_next(&seed));
    assert_int_equal(at, BITS);
    at = 0;
    for (int i = 0; i < 8; i++)
        assert_true(bits_take(w, &at, widths[i]) == (v[i] & ones(widths[i])));
    assert_int_equal(at, BITS);
    assert_true(bits_take(w, &at, 0) == 0); /* touches no word behind */
}

static void test_sets(void **state) {
    (void)state;
    uint64_t w[WORDS] = {0};
    bool in[BITS] = {0};
    uint64_t seed = 11;
    for (int i = 0; i < 4000; i++) {
        uint64_t r = random_next(&seed);
        int n = (int)(r >> 8) & (BITS - 1);
        in[n] = r & 1;
        if (in[n])
            bits_set(w, n);
        else
            bits_clear(w, n);
        for (int k = 0; k < BITS; k++)
            assert_int_equal(bits_test(w, k), in[k]);
    }
}

static void test_lanes(void **state) {
    (void)state;
    uint64_t w[WORDS] = {0}, seed = 13;
    uint32_t lane[2 * WORDS] = {0};
    for (int i = 0; i < 1000; i++) {
        uint64_t r = random_next(&seed);
        int n = (int)(r % (2 * WORDS));
        lane[n] = (uint32_t)(r >> 32);
        bits_set_lane(w, n, lane[n]);
        for (int k = 0; k < 2 * WORDS; k++)
            assert_true(bits_lane(w, k) == lane[k]);
        assert_true(w[1] == (lane[2] | (uint64_t)lane[3] << 32));
    }
}

/* Values of the authors' list. */
static void test_hash(void **state) {
    (void)state;
    assert_true(fnv1a(FNV1A_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(fnv1a(FNV1A_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(fnv1a(FNV1A_START, "foobar", 6) ==
                UINT64_C(0x85944171f73967e8));
    assert_true(fnv1a(fnv1a(FNV1A_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
    assert_true(fnv1a(FNV1A_START, "\xff", 1) == UINT64_C(0xaf64724c8602eb6e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),  cmocka_unit_test(test_signed),
        cmocka_unit_test(test_fields), cmocka_unit_test(test_fields_in_a_row),
        cmocka_unit_test(test_sets),   cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests_name("test_bits", tests, NULL, NULL);
}
