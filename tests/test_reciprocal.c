/* test_reciprocal.c - the prefetcher divides by a multiplication, exactly.
 *
 * With s = clog2(pitch), k = size_w + s and m = ceil(2^k / pitch), for every
 * position p below 2^size_w: y = (p * m) >> k is p div pitch, and with f =
 * (p * m) mod 2^k, f < t * m exactly when p mod pitch < t, for every bound
 * 0 <= t <= pitch (docs/blocks/prefetch.md, "Information table").
 *
 * At the paper's widths for every pitch by the bound of that argument, and by
 * trying positions around each multiple; at small widths by trying everything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZE_W = 22, PITCH_W = 14 };

struct reciprocal {
    int k;
    uint64_t m;
};

static int clog2_of(uint64_t n) {
    int s = 0;
    while (UINT64_C(1) << s < n)
        s++;
    return s;
}

static struct reciprocal reciprocal_of(uint64_t pitch, int size_w) {
    struct reciprocal r = {.k = size_w + clog2_of(pitch)};
    r.m = ((UINT64_C(1) << r.k) + pitch - 1) / pitch;
    return r;
}

/* Row and f of a position as the multiplication gives them. */
static uint64_t row(struct reciprocal r, uint64_t p) {
    return (p * r.m) >> r.k;
}

static uint64_t rest(struct reciprocal r, uint64_t p) {
    return (p * r.m) & ((UINT64_C(1) << r.k) - 1);
}

/* p * m = y * 2^k + x * m + y * e with e = m * pitch - 2^k.  Exact if for the
 * largest y, x * m + y * e stays below (x + 1) * m, which is y * e < m, and
 * below 2^k for the largest x, which is (pitch - 1) * m + y * e < 2^k. */
static void bound_holds_for_every_pitch(void **state) {
    (void)state;
    for (uint64_t pitch = 1; pitch <= UINT64_C(1) << PITCH_W; pitch++) {
        struct reciprocal r = reciprocal_of(pitch, SIZE_W);
        uint64_t e = r.m * pitch - (UINT64_C(1) << r.k);
        uint64_t y = ((UINT64_C(1) << SIZE_W) - 1) / pitch;
        uint64_t x = ((UINT64_C(1) << SIZE_W) - 1) % pitch;
        assert_true(e < pitch);
        assert_true(y * e < r.m);
        /* a full row below the last one, and the last row as far as it goes */
        if (y > 0)
            assert_true((pitch - 1) * r.m + (y - 1) * e < UINT64_C(1) << r.k);
        assert_true(x * r.m + y * e < UINT64_C(1) << r.k);
    }
}

static void numbers_fit_their_fields(void **state) {
    (void)state;
    for (uint64_t pitch = 1; pitch <= UINT64_C(1) << PITCH_W; pitch++) {
        struct reciprocal r = reciprocal_of(pitch, SIZE_W);
        assert_true(r.m >> (SIZE_W + 1) == 0);
        assert_true(r.m >> SIZE_W == 1);
        assert_true((pitch * r.m) >> (SIZE_W + PITCH_W + 1) == 0);
    }
}

/* The hardest positions: the last byte of each row and the first of the next.
 * Rows are stepped through faster the more there are. */
static void edges_of_rows_at_full_width(void **state) {
    (void)state;
    for (uint64_t pitch = 1; pitch <= UINT64_C(1) << PITCH_W; pitch++) {
        struct reciprocal r = reciprocal_of(pitch, SIZE_W);
        uint64_t rows = ((UINT64_C(1) << SIZE_W) - 1) / pitch;
        for (uint64_t y = rows; y > 0; y -= 1 + y / 64) {
            uint64_t p = y * pitch;
            assert_int_equal(row(r, p), y);
            assert_true(rest(r, p) < r.m);
            assert_int_equal(row(r, p - 1), y - 1);
            assert_true(rest(r, p - 1) >= (pitch - 1) * r.m);
        }
    }
}

static void every_position(uint64_t pitch, int size_w) {
    struct reciprocal r = reciprocal_of(pitch, size_w);
    for (uint64_t p = 0; p >> size_w == 0; p++) {
        assert_int_equal(row(r, p), p / pitch);
        for (uint64_t t = 0; t <= pitch; t++)
            assert_int_equal(rest(r, p) < t * r.m, p % pitch < t);
    }
}

static void everything_at_small_widths(void **state) {
    (void)state;
    for (int size_w = 4; size_w <= 8; size_w++)
        for (uint64_t pitch = 1; pitch <= UINT64_C(1) << size_w; pitch++)
            every_position(pitch, size_w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_holds_for_every_pitch),
        cmocka_unit_test(numbers_fit_their_fields),
        cmocka_unit_test(edges_of_rows_at_full_width),
        cmocka_unit_test(everything_at_small_widths),
    };
    return cmocka_run_group_tests_name("reciprocal", tests, NULL, NULL);
}
