/* test_operands.c - operands of an accelerator: whatever the map, what the
 * allocator gives lies in step, element by element; and what is said of
 * operands that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "dram/operands.h"
#include "tests/common/diag_capture.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint64_t random_below(uint64_t n) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (seed * 2685821657736338717u >> 16) % n;
}

static bool make(const char *text, int reserved, struct dram_layout *l) {
    struct config c;
    struct diag d = {0};
    struct source src = {"c.yml", text, strlen(text)};
    config_defaults(&c);
    if (!config_yaml(&c, &src, &d))
        fail_msg("%s", diag_captured(&d));
    c.dram_map_reserved = reserved;
    bool ok = dram_map_check(&c, &d);
    if (ok)
        dram_layout_make(&c, l);
    diag_free(&d);
    return ok;
}

static int where(const struct dram_layout *l, uint64_t address) {
    struct dram_place p = dram_map_place(&l->map, address);
    return p.part[DRAM_CHANNEL_BITS] * 8 + p.part[DRAM_RANK_BITS];
}

static uint64_t byte_at(const struct dram_layout *l,
                        const struct dram_operand *o, uint64_t i) {
    uint64_t at = o->offset + i;
    return (o->rows[at >> l->row_bits] << l->row_bits) +
           (at & ones(l->row_bits));
}

/* Parts hold every burst of a system row once, in one rank each, and number k
 * of a part is the same offset in any row; a row of DRAM is walked without a
 * gap. */
static void check_walk(const struct dram_layout *l) {
    uint64_t row = l->first + random_below(l->rows - l->first);
    uint64_t other = l->first + random_below(l->rows - l->first);
    unsigned char *seen = calloc((size_t)l->parts * (size_t)l->bursts, 1);
    int columns = 1 << l->map.width[DRAM_COLUMN];
    for (int p = 0; p < l->parts; p++) {
        int here = where(l, dram_layout_burst(l, row, p, 0));
        struct dram_place last = {.part = {0}};
        assert_int_equal(dram_layout_part(l, row, here / 8, here % 8), p);
        for (int k = 0; k < l->bursts; k++) {
            uint64_t a = dram_layout_burst(l, row, p, k);
            uint64_t b = dram_layout_burst(l, other, p, k);
            struct dram_place at = dram_map_place(&l->map, a);
            assert_int_equal(a >> l->row_bits, row);
            assert_int_equal(a - (row << l->row_bits),
                             b - (other << l->row_bits));
            assert_int_equal(where(l, a), here);
            assert_false(seen[(a & ones(l->row_bits)) / 64]++);
            if (k % columns) {
                assert_int_equal(at.part[DRAM_ROW], last.part[DRAM_ROW]);
                assert_int_equal(at.part[DRAM_BANK_BITS],
                                 last.part[DRAM_BANK_BITS]);
            }
            if (l->map.reserved)
                assert_true(at.shared);
            last = at;
        }
    }
    free(seen);
}

/* Operands of a colour: element i of both in one rank; and the check agrees. */
static void check_allocated(const struct dram_layout *l) {
    struct dram_heap *h = dram_heap_create(l);
    struct dram_operand o[3];
    struct diag d = {0};
    int colour = (int)random_below((uint64_t)l->colours);
    uint64_t bytes = 64 * (1 + random_below(4 * (uint64_t)l->bursts));
    bool ok = true;
    int n = 0;
    for (; n < 3 && ok; n += ok)
        ok = dram_heap_take(h,
                            n == 0   ? "x"
                            : n == 1 ? "y"
                                     : "z",
                            bytes, colour, -1, &o[n], &d);
    assert_true(n >= 2); /* the smallest memory has room for two */
    for (int t = 0; t < 200; t++) {
        uint64_t i = random_below(bytes);
        uint64_t a = byte_at(l, &o[0], i), b = byte_at(l, &o[n - 1], i);
        assert_int_equal(where(l, a), where(l, b));
        assert_int_equal(a % 64, b % 64);
        assert_int_not_equal(a, b);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < o[i].n_rows; k++) {
            assert_int_equal(dram_layout_colour(l, o[i].rows[k]), colour);
            assert_in_range(o[i].rows[k], l->first, l->rows - 1);
        }
    if (!dram_operands_aligned(l, o, n, &d))
        fail_msg("%s", diag_captured(&d));
    for (int i = 0; i < n; i++)
        dram_heap_give(h, &o[i]);
    diag_free(&d);
    dram_heap_free(h);
}

/* Ranges anywhere: the check says yes just when no byte tells. */
static int check_ranges(const struct dram_layout *l) {
    struct dram_operand o[2];
    struct diag d = {0};
    uint64_t size = dram_layout_row_bytes(l);
    uint64_t bytes = 64 * (1 + random_below(size / 32));
    uint64_t offset = 64 * random_below(size / 64);
    uint64_t rows = l->rows - l->first, most = rows - 2;
    uint64_t a = l->first + random_below(most);
    uint64_t b = l->first + random_below(most);
    bool expected = true, apart = a > b + 3 || b > a + 3 || a == b;
    if (bytes + offset > 3 * size || most < 4 || !apart)
        return -1;
    assert_true(dram_operand_at(l, "x", a * size + offset, bytes, &o[0], &d));
    assert_true(dram_operand_at(l, "y", b * size + offset, bytes, &o[1], &d));
    for (uint64_t i = 0; i < bytes && expected; i += 64)
        expected =
            where(l, byte_at(l, &o[0], i)) == where(l, byte_at(l, &o[1], i));
    assert_int_equal(dram_operands_aligned(l, o, 2, &d), expected);
    assert_int_equal(d.errors, !expected);
    dram_operand_free(&o[0]);
    dram_operand_free(&o[1]);
    diag_free(&d);
    return expected;
}

#define SMALL                                                                  \
    "dram: {channels: 2, ranks: 2, groups: 2, banks: 2, row_bits: 6, "         \
    "column_bits: 3}\n"

static const char *const maps[] = {
    "", /* Skylake */
    "dram_map: {order: rorababgcoch}",
    "dram_map: {order: rochrababgco}",
    "dram_map: {order: chrorababgco}",
    SMALL "dram_map: {order: rorababgcoch}",
    SMALL "dram_map: {order: chrorababgco}",
    "dram: {channels: 8, ranks: 4}\ndram_map: {order: rochrababgco}",
    "dram: {channels: 1, ranks: 1}\ndram_map: {order: rorababgcoch}",
    /* four ranks, as the page of figures has them */
    "dram: {ranks: 4}\n"
    "dram_map:\n"
    "  channel: [[8, 9, 12, 13, 19, 20]]\n"
    "  rank: [[16, 21], [18, 24]]\n"
    "  group: [[7, 14], [15, 20]]\n"
    "  bank: [[17, 22], [19, 23]]\n"
    "  row: [[20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], "
    "[31], [32], [33], [34], [35]]\n"
    "  column: [[6], [7], [9], [10], [11], [12], [13]]\n",
};

static void test_every_map(void **state) {
    (void)state;
    int made = 0, yes = 0, no = 0;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        for (int reserved = 0; reserved < 4; reserved++) {
            struct dram_layout l;
            if (!make(maps[i], reserved, &l))
                continue;
            made++;
            assert_int_equal((uint64_t)l.parts * (uint64_t)l.bursts * 64,
                             dram_layout_row_bytes(&l));
            check_walk(&l);
            for (int t = 0; t < 4; t++)
                check_allocated(&l);
            for (int t = 0; t < 40; t++) {
                int said = check_ranges(&l);
                yes += said == 1;
                no += said == 0;
            }
            dram_layout_free(&l);
        }
    assert_true(made >= 20);
    assert_true(yes > 50);
    assert_true(no > 50);
}

/* Random masks of a small memory: each an independent XOR of address bits. */
static void test_random_masks(void **state) {
    (void)state;
    int made = 0;
    while (made < 60) {
        struct text t = {0};
        static const struct {
            const char *name;
            int n;
        } parts[] = {{"channel", 1}, {"rank", 1}, {"group", 1},
                     {"bank", 1},    {"row", 6},  {"column", 3}};
        text_add(&t, SMALL "dram_map:\n");
        for (int p = 0; p < 6; p++) {
            text_printf(&t, "  %s: [", parts[p].name);
            for (int i = 0; i < parts[p].n; i++)
                text_printf(&t, "%s0x%x", i ? ", " : "",
                            (unsigned)(1 + random_below(8191)) << 6);
            text_add(&t, "]\n");
        }
        struct dram_layout l;
        if (make(text_str(&t), 0, &l)) {
            made++;
            for (int k = 0; k < 4; k++) {
                check_allocated(&l);
                check_ranges(&l);
            }
            dram_layout_free(&l);
        }
        text_free(&t);
    }
}

/* Skylake's system rows: 512 KiB, colours by address bits 19 and 20. */
static void test_skylake(void **state) {
    (void)state;
    struct dram_layout l;
    assert_true(make("", 1, &l));
    assert_int_equal(dram_layout_row_bytes(&l), 512 << 10);
    assert_int_equal(l.colours, 4);
    assert_int_equal(l.parts, 4);
    assert_int_equal(l.bursts, 16 * 128);
    assert_int_equal(l.first, 15 << 12);
    assert_int_equal(dram_layout_colour(&l, 1), 2); /* bit 19: the channel */
    assert_int_equal(dram_layout_colour(&l, 2), 1); /* bit 20: the rank */
    assert_int_equal(dram_layout_colour(&l, 4), 0);
    dram_layout_free(&l);
}

/* Of a set of Skylake's; address and bytes of x and of y. */
static void refused(uint64_t x, uint64_t x_bytes, uint64_t y, uint64_t y_bytes,
                    const char *expected) {
    struct dram_layout l;
    struct dram_operand o[2] = {{0}};
    struct diag d = {0};
    assert_true(make("", 1, &l));
    bool ok = dram_operand_at(&l, "x", x, x_bytes, &o[0], &d) &&
              dram_operand_at(&l, "y", y, y_bytes, &o[1], &d);
    assert_false(ok && dram_operands_aligned(&l, o, 2, &d));
    char *said = diag_captured(&d);
    if (!strstr(said, expected))
        fail_msg("'%s' does not say '%s'", said, expected);
    free(said);
    dram_operand_free(&o[0]);
    dram_operand_free(&o[1]);
    dram_layout_free(&l);
    diag_free(&d);
}

static void test_reasons(void **state) {
    (void)state;
    const uint64_t x = 0x7c0000000, row = 0x80000;
    refused(x, 4096, x + 2 * row, 4096,
            "operands 'x' and 'y' are in two ranks: byte 0x0 of 'x' is "
            "0x7c0000000 in channel 0, rank 0, of 'y' 0x7c0100000 in channel "
            "0, rank 1: system rows of colours 0 and 1");
    refused(x + 3 * row + 64, row, x + 7 * row + 64, row + 64,
            "operand 'y' has 0x80040 bytes, expected 0x80000 as 'x'");
    refused(x + 64, 64, x + 4 * row, 64,
            "operand 'y' begins 0x0 bytes into a system row, expected 0x40 as "
            "'x'");
    refused(x, 4 * row, x + 2 * row, 4 * row, "are in two ranks");
    refused(x, 8 * row, x + 4 * row, 8 * row,
            "'x' and 'y' overlap from 0x7c0200000 on, expected none or all");
    refused(x, 64, 64, 64,
            "operand 'y': the host alone has 0x40, expected addresses from "
            "0x780000000 on");
    refused(x, 64, 0x7fffffff0, 64,
            "operand 'y': 0x40 bytes from 0x7fffffff0 on end above the "
            "memory's last byte, 0x7ffffffff");
    refused(x, 64, x + 32, 64,
            "operand 'y': address 0x7c0000020 is no "
            "multiple of 64, a burst of the memory");
    refused(x, 65, x, 65, "operand 'x': length 0x41 is no multiple of 64");
    refused(x, 0, x, 0, "operand 'x' has no bytes");
}

static void test_heap(void **state) {
    (void)state;
    struct dram_layout l;
    struct dram_operand o, more;
    struct diag d = {0};
    assert_true(make(SMALL "dram_map: {order: chrorababgco}", 0, &l));
    uint64_t size = dram_layout_row_bytes(&l);
    assert_int_equal(l.colours, 2);
    struct dram_heap *h = dram_heap_create(&l);
    assert_true(dram_heap_take(h, "x", 20 * size, -1, -1, &o, &d));
    assert_int_equal(dram_layout_colour(&l, o.rows[0]), 0);
    assert_false(dram_heap_take(h, "y", 20 * size, 0, -1, &more, &d));
    assert_true(dram_heap_take(h, "y", 20 * size, -1, -1, &more, &d));
    assert_int_equal(dram_layout_colour(&l, more.rows[0]), 1);
    dram_heap_give(h, &o);
    dram_heap_give(h, &more);
    assert_true(dram_heap_take(h, "x", 32 * size, 0, -1, &o, &d));
    assert_false(dram_heap_take(h, "y", 64, 2, -1, &more, &d));
    char *said = diag_captured(&d);
    assert_non_null(strstr(said, "operand 'y' takes 20 system rows, but of "
                                 "colour 0 only 12 are free"));
    assert_non_null(strstr(said, "colour 2, expected 0 to 1"));
    free(said);
    dram_heap_give(h, &o);
    dram_heap_free(h);
    dram_layout_free(&l);
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_map),    cmocka_unit_test(test_skylake),
        cmocka_unit_test(test_random_masks), cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_heap),
    };
    return cmocka_run_group_tests_name("test_operands", tests, NULL, NULL);
}
