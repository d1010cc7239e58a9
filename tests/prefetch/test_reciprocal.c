/* test_reciprocal.c - the prefetcher divides by a multiplication, exactly.
 *
 * With s = clog2(pitch), k = size_w + s and m = ceil(2^k / pitch), for every
 * position p below 2^size_w: y = (p * m) >> k is p div pitch, and with f =
 * (p * m) mod 2^k, f < t * m exactly when p mod pitch < t, for every bound
 * 0 <= t <= pitch (docs/blocks/prefetch.md, "Information table").
 *
 * m, s and the bounds are those of the entry that the golden driver fills
 * (prefetch_entry); test_entry.c holds the emitted C function against
 * it for each of these pitches.  At the paper's widths and at the largest the
 * argument's two inequalities are evaluated for every pitch, and positions
 * around the multiples tried; at small widths everything is tried.
 */
#include "prefetch/prefetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

struct widths {
    int size, pitch;
};

static const struct widths in_use[] = {{22, 14}, {32, 16}};

struct reciprocal {
    int size_w, s, k;
    uint64_t m;
    uint64_t lo, hi; /* encoded bounds of the part, 1 and pitch */
};

static int clog2_of(uint64_t n) {
    int s = 0;
    while (UINT64_C(1) << s < n)
        s++;
    return s;
}

/* A field of an entry. */
static uint64_t field(const uint64_t *entry, int lsb, int width) {
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value |= (entry[(lsb + i) / 64] >> (lsb + i) % 64 & 1) << i;
    return value;
}

/* What the entry of an image of one row says. */
static struct reciprocal reciprocal_of(uint64_t pitch, struct widths widths) {
    struct config c;
    uint64_t e[PREFETCH_ENTRY_WORDS];
    config_defaults(&c);
    c.prefetch_divider = 0;
    c.prefetch_size_bits = widths.size;
    c.prefetch_pitch_bits = widths.pitch;
    struct prefetch_walk w = {.size = pitch < 2 ? 1 : pitch - 1,
                              .pitch = pitch,
                              .block_x = 1,
                              .block_y = 1,
                              .x_lo = 1,
                              .x_hi = pitch,
                              .y_hi = 1};
    struct prefetch_local l = prefetch_local(&c);
    struct design *d = design_make(&prefetch_iface, &c);
    assert_null(prefetch_entry(d, &w, e));
    design_free(d);
    int divisor = l.ENTRY_W - l.DIVISOR_W, x = divisor - l.LAST_W - 3 * l.X_W;
    return (struct reciprocal){
        .size_w = l.SIZE_W,
        .m = field(e, divisor, l.SIZE_W + 1),
        .s = (int)field(e, divisor + l.SIZE_W + 1, l.SHIFT_W),
        .k = l.SIZE_W + clog2_of(pitch),
        .lo = field(e, x, l.X_W),
        .hi = field(e, x + l.X_W, l.X_W)};
}

/* Row and f of a position as the multiplication gives them. */
static uint64_t row(const struct reciprocal *r, uint64_t p) {
    return (uint64_t)((wide)p * r->m >> r->k);
}

static uint64_t rest(const struct reciprocal *r, uint64_t p) {
    return (uint64_t)((wide)p * r->m & (((wide)1 << r->k) - 1));
}

/* The entry has the m and s of the definition and the bounds times m, whole:
 * none is cut off by its field. */
static void check_entry(const struct reciprocal *r, uint64_t pitch) {
    uint64_t scale = UINT64_C(1) << r->k;
    assert_int_equal(r->s, clog2_of(pitch));
    assert_int_equal(r->m, scale / pitch + (scale % pitch != 0));
    assert_int_equal(r->m >> r->size_w, 1);
    assert_int_equal(r->lo, r->m);
    assert_int_equal(r->hi, pitch * r->m);
}

/* p * m = y * 2^k + x * m + y * e with e = m * pitch - 2^k.  Exact if for the
 * largest y, x * m + y * e stays below (x + 1) * m, which is y * e < m, and
 * below 2^k for the largest x, which is (pitch - 1) * m + y * e < 2^k. */
static void check_bound(const struct reciprocal *r, uint64_t pitch) {
    uint64_t most = (UINT64_C(1) << r->size_w) - 1;
    uint64_t e = r->m * pitch - (UINT64_C(1) << r->k);
    uint64_t y = most / pitch, x = most % pitch;
    assert_true(e < pitch);
    assert_true(y * e < r->m);
    /* a full row below the last one, and the last row as far as it goes */
    if (y > 0)
        assert_true((pitch - 1) * r->m + (y - 1) * e < UINT64_C(1) << r->k);
    assert_true(x * r->m + y * e < UINT64_C(1) << r->k);
}

static void bound_holds_for_every_pitch(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++)
        for (uint64_t p = 1; p <= UINT64_C(1) << in_use[i].pitch; p++) {
            struct reciprocal r = reciprocal_of(p, in_use[i]);
            check_entry(&r, p);
            check_bound(&r, p);
        }
}

/* The hardest positions: the last byte of each row and the first of the next.
 * Rows are stepped through faster the more there are. */
static void check_edges(const struct reciprocal *r, uint64_t pitch) {
    uint64_t rows = ((UINT64_C(1) << r->size_w) - 1) / pitch;
    for (uint64_t y = rows; y > 0; y -= 1 + y / 32) {
        uint64_t p = y * pitch;
        assert_int_equal(row(r, p), y);
        assert_true(rest(r, p) < r->m);
        assert_int_equal(row(r, p - 1), y - 1);
        assert_true(rest(r, p - 1) >= (pitch - 1) * r->m);
    }
}

static void edges_of_rows_at_full_width(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++)
        for (uint64_t p = 1; p <= UINT64_C(1) << in_use[i].pitch;
             p += 1 + 2 * (uint64_t)i) {
            struct reciprocal r = reciprocal_of(p, in_use[i]);
            check_edges(&r, p);
        }
}

static void every_position(uint64_t pitch, struct widths widths) {
    struct reciprocal r = reciprocal_of(pitch, widths);
    for (uint64_t p = 0; p >> widths.size == 0; p++) {
        assert_int_equal(row(&r, p), p / pitch);
        for (uint64_t t = 0; t <= pitch; t++)
            assert_int_equal(rest(&r, p) < t * r.m, p % pitch < t);
    }
}

static void everything_at_small_widths(void **state) {
    (void)state;
    static const struct widths small[] = {{8, 4}, {8, 8}, {9, 7}, {11, 6}};
    for (int i = 0; i < 4; i++)
        for (uint64_t pitch = 1; pitch <= UINT64_C(1) << small[i].pitch;
             pitch++)
            every_position(pitch, small[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_holds_for_every_pitch),
        cmocka_unit_test(edges_of_rows_at_full_width),
        cmocka_unit_test(everything_at_small_widths),
    };
    return cmocka_run_group_tests_name("reciprocal", tests, NULL, NULL);
}
